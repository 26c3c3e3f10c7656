import { expect, test } from 'vitest'

import type { Event } from '../../../src/runtime/event.ts'
import { createCheckpointer } from '../../../src/stores/journal/checkpoints/schedule.ts'
import type { Checkpoints } from '../../../src/stores/journal/postgres/checkpoints.ts'
import { handClock } from '../../support/clock.ts'

const [MB, MINUTE_MS] = [1e6, 60_000]
const LIMITS = { everyMs: 3_600_000, maxBytes: 256 * MB }

/** A leader that looks at its journal each minute. */
function leader() {
  const clock = handClock()
  const said: string[] = []
  const journal = { since: 0, last: 0, bytes: 0, fails: null as string | null }
  const counts: Pick<Checkpoints, 'grown' | 'bytesAfter'> = {
    async grown() {
      if (journal.fails !== null) throw new Error(journal.fails)
      return { since: journal.since, ageSeconds: 1 }
    },
    async bytesAfter(seq) {
      return { bytes: seq < journal.last ? journal.bytes : 0, counted: journal.last }
    },
  }
  const checkpointer = createCheckpointer({
    ...{ url: '', limits: LIMITS, clock },
    checkpoints: counts as Checkpoints,
    emit: (event: Event) => 'why' in event && said.push(`${event.is}: ${event.why}`),
  })
  // A process that leads writes no checkpoints any more.
  checkpointer.stop()
  return {
    said,
    journal,
    async grows(megabytes: number) {
      Object.assign(journal, { last: journal.last + 1, bytes: megabytes * MB })
      checkpointer.leads()
      await clock.advance(MINUTE_MS)
    },
    checkpoint() {
      journal.since = journal.last
    },
    async minutes(many: number) {
      for (let minute = 0; minute < many; minute++) {
        checkpointer.leads()
        await clock.advance(MINUTE_MS)
      }
    },
  }
}

const grown = (megabytes: number) =>
  expect.stringContaining(`caution: the journal has grown by ${megabytes}.0 MB since its last checkpoint`)

test('a leader warns of a journal that grows, again when it has doubled, and anew after a checkpoint', async () => {
  const { said, grows, checkpoint } = leader()
  await grows(255)
  expect(said).toEqual([])
  await grows(5)
  await grows(100)
  expect(said).toEqual([grown(260)])
  await grows(200)
  expect(said).toEqual([grown(260), grown(560)])
  checkpoint()
  await grows(255)
  await grows(5)
  expect(said).toEqual([grown(260), grown(560), grown(260)])
})

test('a leader that cannot look at its journal says so, and looks again', async () => {
  const { said, journal, grows, minutes } = leader()
  journal.fails = 'permission denied for table checkpoints'
  await minutes(1)
  expect(said).toEqual([
    'trouble: nobody knows how the journal grows: permission denied for table checkpoints',
  ])
  await minutes(3)
  expect(said).toHaveLength(1)
  journal.fails = null
  await minutes(3)
  await grows(300)
  expect(said.at(-1)).toEqual(grown(300))
})
