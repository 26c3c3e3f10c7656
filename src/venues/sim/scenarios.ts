import type { Scenario } from './scenario.ts'
import { bleed } from './scenarios/bleed.ts'
import { calm } from './scenarios/calm.ts'
import { crash } from './scenarios/crash.ts'
import { flash } from './scenarios/flash.ts'
import { flip } from './scenarios/flip.ts'
import { openClose } from './scenarios/open-close.ts'
import { outage } from './scenarios/outage.ts'
import { squeeze } from './scenarios/squeeze.ts'
import { welcome } from './scenarios/welcome.ts'

/** In the order in which they are listed. */
const scenarios: readonly Scenario[] = [calm, crash, flash, squeeze, bleed, flip, outage, openClose]

export const SCENARIO_NAMES = scenarios.map(({ name }) => name)

/** The one of that name; without a name what a newcomer is welcomed with. */
export function findScenario(name: string | undefined): Scenario {
  return scenarios.find((scenario) => scenario.name === name) ?? welcome
}
