import { nothingHappens, through, wildness } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

const rise = through([2, 0], [6, 0.05], [7, 0.04], [12, 0.19], [30, 0.12])
/** At first ever more are short; once the price has run over them they are gone. */
const crowded = through([0, 0], [2, -0.01], [12, -0.02], [16, 0])

/** Whoever is short has to buy, and pays those who are long until then. */
export const squeeze: Scenario = {
  ...nothingHappens,
  ...{ name: 'squeeze', plays: 'in which the shorts are squeezed' },
  moves: (symbol, hours) => wildness(symbol) * rise(hours),
  pushes: (_, hours) => crowded(hours),
}
