import { expect, test } from 'vitest'

import { holdTerm } from '../../../src/stores/journal/term.ts'
import type { Lease } from '../../../src/stores/journal/postgres/lease.ts'
import { handClock } from '../../support/clock.ts'

test('a leader says that its lease ran out at that moment, though PostgreSQL has not answered yet', async () => {
  const clock = handClock()
  const said: { why: string | null; holds: boolean }[] = []
  const renew = () => new Promise<boolean>(() => {})
  const term = holdTerm({
    term: { epoch: 1, untilMono: clock.monotonic() + 9_000 },
    lease: { renew } as unknown as Lease,
    ...{ leaseMs: 9_000, clock },
    renewed: (why) => queueMicrotask(() => said.push({ why, holds: term.holds() })),
  })
  await clock.advance(8_900)
  expect(said).toEqual([{ why: null, holds: true }])
  await clock.advance(200)
  expect(said.slice(1)).toEqual([
    { why: 'PostgreSQL has not answered for as long as the lease lasts', holds: false },
  ])
})
