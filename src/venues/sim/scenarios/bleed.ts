import { nothingHappens } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

/** The prices stay, the funding of days takes the margin: where a liquidation price creeps up to a price that does not move. */
export const bleed: Scenario = {
  ...nothingHappens,
  ...{ name: 'bleed', plays: 'in which longs of ETH and Sol are bled by funding' },
  pushes: (symbol) => (symbol === 'ETH' || symbol === 'Sol' ? 0.15 : 0),
}
