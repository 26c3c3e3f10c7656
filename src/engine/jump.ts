import { guardOf } from '../guard.ts'
import type { GuardKey } from '../guard.ts'
import { apply } from './apply.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import type { Effect } from './effect.ts'
import type { Memory } from './memory.ts'
import { shifted } from './step.ts'

/**
 * The wall clock jumped: what counts an interval, and since when something is not seen, goes along with it. Memory does
 * at once, whatever can be kept of it: nothing may be judged by two clocks. Returns the guards whose ends follow the
 * wall.
 */
export function moveBy(memory: Memory, byMs: number): GuardKey[] {
  if (memory.aliveAt !== null) memory.aliveAt += byMs
  if (memory.pricesAt !== null) memory.pricesAt += byMs
  memory.holes = memory.holes.map(({ since, until }) => ({ since: since + byMs, until: until + byMs }))
  for (const [feed, { at, tick }] of memory.sight) memory.sight.set(feed, { at: at + byMs, tick })
  for (const [feed, { since, why }] of memory.blind) memory.blind.set(feed, { since: since + byMs, why })
  const stays: GuardKey[] = []
  const moved = [...memory.states].flatMap(([key, { state, value, params }]): Effect[] => {
    const to = shifted(state, byMs)
    if (to !== state) return [{ is: 'state', row: { guard: guardOf(key), state: to, value, params } }]
    stays.push(key)
    return []
  })
  const told = [...memory.told.groups()].flatMap((feed) => [...memory.told.of(feed).values()])
  apply(memory, [
    ...moved,
    ...told.map((row): Effect => ({ is: 'feed', row: { ...row, since: row.since + byMs } })),
    ...[...memory.dark].map(([feed, since]): Effect => ({ is: 'dark', feed, since: since + byMs })),
  ])
  return stays
}

/** What the store is to have of it, a chat each: one that cannot be kept must not make the others early or late. */
export function movedRows(memory: Memory): { learned: Effect[]; decisions: Decision[] } {
  const states = [...memory.states].flatMap(([key, { state, value, params }]) => {
    const guard = guardOf(key)
    const counts = shifted(state, 1) !== state
    return counts ? [silent(guard.chatId, [{ is: 'state', row: { guard, state, value, params } }])] : []
  })
  const told = [...memory.told.groups()].flatMap((feed) => [...memory.told.of(feed).values()])
  return {
    learned: [...memory.dark].map(([feed, since]): Effect => ({ is: 'dark', feed, since })),
    decisions: [...states, ...told.map((row) => silent(row.chatId, [{ is: 'feed', row }]))],
  }
}
