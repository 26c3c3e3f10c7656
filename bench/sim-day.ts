import { planFor } from '../src/venues/sim/play/plan.ts'
import { createWorld } from '../src/venues/sim/play/world.ts'
import { row } from './support/rows.ts'

// How long the simulated venue keeps somebody waiting who asks it for the first time in a day.

const DAY_SECONDS = 86_400
const world = createWorld(planFor(), { seed: 1, stepSeconds: 2, startSeconds: 1_750_000_000 })
advance(DAY_SECONDS)
const began = performance.now()
advance(2 * DAY_SECONDS)
const ms = performance.now() - began
const fast = `${((DAY_SECONDS * 1_000) / ms / 1e6).toFixed(1)} million times as fast`
row('the simulated venue catches up with a day', ms, 'ms', null, fast)

function advance(seconds: number): void {
  while (world.moveTo(seconds, []) === 'liquidated');
}
