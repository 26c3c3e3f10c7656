import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { type Start, turnMs } from '../../../../adapters/discord/gateway/identify.ts'

const GAP_MS = 5_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Fleet {
  count: number
  concurrency: number
  /** How long after a session has begun its shard asks for the next one. */
  lasts: readonly number[]
  total: number
}

const fleets: fc.Arbitrary<Fleet> = fc.record({
  count: fc.integer({ min: 1, max: 24 }),
  concurrency: fc.integer({ min: 1, max: 16 }),
  lasts: fc.array(fc.integer({ min: 0, max: 20 * 60_000 }), { minLength: 1, maxLength: 10 }),
  total: fc.integer({ min: 24, max: 300 }),
})

/** A day of shards that lose their sessions again and again, under Discord's count of the last 24 hours. */
function sessionsOf({ count, concurrency, lasts, total }: Fleet): Start[] {
  const begun: Start[] = []
  const due = Array.from({ length: count }, (_, id) => ({ id, at: 0 }))
  for (let turn = 0; ; turn++) {
    due.sort((a, b) => a.at - b.at)
    const [next] = due
    if (!next || next.at > DAY_MS) return begun
    const now = next.at
    const today = begun.filter(({ at }) => at > now - DAY_MS)
    const resetAfterMs = (today[0]?.at ?? now) + DAY_MS - now
    const shard = { shard: String(next.id), bucket: next.id % concurrency }
    const limit = { total, remaining: total - today.length, resetAfterMs }
    const recent = begun.filter(({ at }) => now - at < HOUR_MS)
    const at = now + turnMs(shard, recent, limit, now)
    if (limit.remaining > 0) begun.push({ ...shard, at })
    next.at = limit.remaining > 0 ? at + (lasts[turn % lasts.length] ?? 0) : at
  }
}

test('two sessions of a bucket are never begun within five seconds', () => {
  fc.assert(
    fc.property(fleets, (fleet) => {
      const last = new Map<number, number>()
      for (const { bucket, at } of sessionsOf(fleet).toSorted((a, b) => a.at - b.at)) {
        expect(at - (last.get(bucket) ?? -Infinity)).toBeGreaterThanOrEqual(GAP_MS)
        last.set(bucket, at)
      }
    }),
    { numRuns: 30 },
  )
})

test('no more sessions are begun in a day than Discord allows, however many shards lose theirs', () => {
  fc.assert(
    fc.property(fleets, (fleet) => {
      expect(sessionsOf(fleet).filter(({ at }) => at < DAY_MS).length).toBeLessThanOrEqual(fleet.total)
    }),
    { numRuns: 30 },
  )
})

test('a fleet comes up within five seconds for each shard of a bucket, also when starts are scarce', () => {
  const limit = { total: 1_000, remaining: 200, resetAfterMs: 600_000 }
  const starts: Start[] = []
  for (let id = 0; id < 16; id++) {
    const shard = { shard: String(id), bucket: 0 }
    starts.push({ ...shard, at: turnMs(shard, starts, limit, 0) })
  }
  expect(starts.at(-1)?.at).toBeLessThan(16 * 5_500)
})
