import type { Change } from '../../change.ts'
import { guardOf } from '../../guard.ts'
import type { Effect } from '../effect.ts'
import type { Look } from '../look.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'

/** Of what fires, whoever says so; a tier that gets worse and the end of it break through. */
export function heed(
  { memory, now }: Look,
  { as, alertIds, by, until }: Extract<Change, { is: 'heed' }>,
): Decided {
  const effects = alertIds.flatMap((alertId): Effect[] => {
    const key = memory.firing.get(alertId)
    const known = key === undefined ? undefined : memory.states.get(key)
    if (key === undefined || known?.state.is !== 'firing') return []
    const state = { ...known.state, heed: { is: as, by, at: now, until } }
    const step = {
      ...{ alertId, at: now, reason: as, what: `by ${by}`, value: null, threshold: '' },
      ...{ dataAt: now, rowId: null },
    }
    return [
      { is: 'state', row: { ...known, guard: guardOf(key), state } },
      { is: 'step', step },
    ]
  })
  return effects.length > 0 ? doing(effects) : nothing('None of that fires any more.')
}
