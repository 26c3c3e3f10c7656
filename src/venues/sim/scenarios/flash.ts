import { nothingHappens, through, wildness } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

/** Down and back within the hour. */
const wick = through([5, 0], [5.2, -0.2], [5.3, -0.2], [6, -0.01], [8, 0])

export const flash: Scenario = {
  ...nothingHappens,
  ...{ name: 'flash', plays: 'with a flash crash that is over within the hour' },
  moves: (symbol, hours) => wildness(symbol) * wick(hours),
}
