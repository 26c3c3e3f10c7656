import { nothingHappens } from '../scenario.ts'
import type { Act, Scenario } from '../scenario.ts'

const SYMBOLS = ['ETH', 'BTC', 'Sol', 'DOGE']
const EVERY_HOURS = 3
const ROUNDS = 50

/** One after the other, closed and opened again. */
const acts = Array.from({ length: ROUNDS * SYMBOLS.length }, (_, turn): Act[] => {
  const symbol = SYMBOLS[turn % SYMBOLS.length] ?? 'ETH'
  const atHours = 2 + turn * EVERY_HOURS
  return [
    { atHours, does: 'close', symbol },
    { atHours: atHours + EVERY_HOURS / 2, does: 'open', symbol },
  ]
}).flat()

export const openClose: Scenario = {
  ...nothingHappens,
  ...{ name: 'open-close', plays: 'while the first wallet closes and opens its positions in turn', acts },
}
