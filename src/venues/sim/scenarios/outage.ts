import { nothingHappens, through, wildness } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

const [FROM, TO] = [4, 12]
const fall = through([2, 0], [8, -0.09], [16, -0.1], [30, -0.04])

/** The prices fall while nobody can look: what was near danger before is nearer after. */
export const outage: Scenario = {
  ...nothingHappens,
  ...{ name: 'outage', plays: 'which fall while the venue answers nothing but 503' },
  moves: (symbol, hours) => wildness(symbol) * fall(hours),
  isOut: (hours) => hours >= FROM && hours < TO,
}
