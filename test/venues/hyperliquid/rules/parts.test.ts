import { expect, test } from 'vitest'

import type { VenueError } from '../../../../src/venue/venue.ts'
import { partsWithoutAnswer } from '../../../../src/venues/hyperliquid/rules/parts.ts'
import { DOWN, QUEUED } from '../../../support/polling.ts'

async function answered(error: VenueError | null): Promise<void> {
  if (error) throw error
}
const settled = (...all: (VenueError | null)[]) => Promise.allSettled(all.map(answered))

test('a book that had no turn among our requests is told from one that the venue refused', async () => {
  const parts = await settled(null, DOWN, QUEUED)
  expect(partsWithoutAnswer(['main', 'xyz', 'flx'], parts)).toEqual([
    { part: 'xyz', why: DOWN.message },
    { part: 'flx', why: QUEUED.message, queued: true },
  ])
})

test('where none came, a refusal says more than that there was no turn', async () => {
  const none = await settled(QUEUED, DOWN)
  expect(() => partsWithoutAnswer(['main', 'xyz'], none)).toThrow(DOWN)
  const waits = await settled(QUEUED, QUEUED)
  expect(() => partsWithoutAnswer(['main', 'xyz'], waits)).toThrow(QUEUED)
})
