import { nothingHappens } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

const HOURS = 8

/** Those who trade change sides every few hours, and the funding goes with them. */
export const flip: Scenario = {
  ...nothingHappens,
  ...{ name: 'flip', plays: 'whose funding flips every few hours' },
  pushes: (_, hours) => (Math.floor(hours / HOURS) % 2 === 0 ? -0.012 : 0.012),
}
