import { nothingHappens } from '../scenario.ts'
import type { Scenario } from '../scenario.ts'

export const calm: Scenario = {
  ...nothingHappens,
  ...{ name: 'calm', plays: 'on a quiet day' },
}
