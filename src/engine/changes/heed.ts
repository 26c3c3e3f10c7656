import type { Change } from '../../change.ts'
import { guardOf } from '../../guard.ts'
import type { Heed } from '../../state.ts'
import type { Effect } from '../effect.ts'
import type { Look } from '../look.ts'
import { notesOn } from '../note.ts'
import { doing, nothing } from './decided.ts'
import type { Decided } from './decided.ts'

/** Who acknowledges this soon after somebody else has not seen that they had. */
const AT_ONCE_MS = 60_000

/** Of what fires, whoever says so; a tier that gets worse and the end of it break through. */
export function heed(
  { memory, now }: Look,
  { as, alertIds, by, until, readIn }: Extract<Change, { is: 'heed' }>,
): Decided {
  let fires = false
  const effects = alertIds.flatMap((alertId): Effect[] => {
    const key = memory.firing.get(alertId)
    const known = key === undefined ? undefined : memory.states.get(key)
    if (key === undefined || known?.state.is !== 'firing') return []
    fires = true
    if (as === 'acknowledged' && isTaken(known.state.heed, now)) return []
    const done = { is: as, by, at: now, until } as const
    const step = {
      ...{ alertId, at: now, reason: as, what: `by ${by}`, value: null, threshold: '' },
      ...{ dataAt: now, rowId: null },
    }
    return [
      { is: 'state', row: { ...known, guard: guardOf(key), state: { ...known.state, heed: done } } },
      { is: 'step', step },
      ...notesOn(memory, key, alertId, done, readIn).map((row): Effect => ({ is: 'send', row })),
    ]
  })
  return fires ? doing(effects) : nothing('None of that fires any more.')
}

/** Two who press at once: the first one has acknowledged it. */
function isTaken(before: Heed, now: number): boolean {
  return before.is === 'acknowledged' && now - before.at < AT_ONCE_MS && now < before.until
}
