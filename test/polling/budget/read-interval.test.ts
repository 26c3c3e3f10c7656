import { expect, test } from 'vitest'

import { createTurns } from '../../../src/polling/turns.ts'

/** After so many reads each, so long after the one before: what is told, in seconds. */
function told(...reads: [many: number, afterMs: number][]) {
  const said: (number | null)[] = []
  const turns = createTurns(
    () => 60_000,
    (event) => {
      if (event.is === 'slow') said.push(event.everyMs === null ? null : Math.round(event.everyMs / 1_000))
    },
  )
  for (const [many, afterMs] of reads) for (let read = 0; read < many; read++) turns.note(afterMs)
  return { said, now: turns.now() }
}

test('turns that are as frequent as is wished, or nearly, are nobody’s business', () => {
  expect(told([100, 45_000], [100, 110_000])).toEqual({
    said: [],
    now: { everyMs: expect.closeTo(110_000), wishedMs: 60_000 },
  })
})

test('one wallet that is late is no measure of all', () => {
  expect(told([100, 45_000], [1, 300_000], [100, 45_000]).said).toEqual([])
})

test('that they are seldom is told once, again when it changes by half, and when it is over', () => {
  const { said } = told([50, 150_000], [50, 160_000], [50, 300_000], [50, 310_000], [50, 45_000])
  expect(said.at(0)).toBe(150)
  expect(said.at(1)).toBeGreaterThan(225)
  expect(said.at(-1)).toBeNull()
  expect(said.filter((one) => one === null)).toHaveLength(1)
  expect(said.length).toBeLessThanOrEqual(6)
})
