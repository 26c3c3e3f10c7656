import { nothingHappens, through } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

/** The dip that takes the long in ETH, at three quarters of the first minute. */
const dip = through([6, 0], [7.6, -0.075], [8, -0.075], [9.5, 0])

/** What a newcomer sees in the first minute, beside the warnings: a position is closed, another one is liquidated. */
export const welcome: Scenario = {
  ...nothingHappens,
  ...{ name: 'welcome', plays: 'with something to see in the first minute', quiet: false },
  moves: (symbol, hours) => (symbol === 'ETH' ? dip(hours) : 0),
  acts: [
    { atHours: 4, does: 'close', symbol: 'DOGE' },
    { atHours: 9, does: 'open', symbol: 'DOGE' },
  ],
}
