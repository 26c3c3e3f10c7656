import { nothingHappens } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

const HOURS = 8
const PER_DAY = 0.02

/** Those who trade change sides every few hours, and the funding goes with them. */
export const flip: Scenario = {
  ...nothingHappens,
  ...{ name: 'flip', plays: 'whose funding flips every few hours' },
  // Half a turn first, so that it swings around where it began.
  pushes: (_, hours) => (Math.floor(hours / HOURS + 0.5) % 2 === 0 ? -PER_DAY : PER_DAY),
}
