import { nothingHappens, through, wildness } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

/** Falls in three waves, and stays down. */
const fall = through([2, 0], [5, -0.06], [6, -0.045], [9, -0.13], [10, -0.11], [13, -0.27], [40, -0.22])

export const crash: Scenario = {
  ...nothingHappens,
  ...{ name: 'crash', plays: 'which crash in three waves' },
  moves: (symbol, hours) => wildness(symbol) * fall(hours),
}
