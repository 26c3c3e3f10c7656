import { expect, test } from 'vitest'

import { createLimit } from '../../../../src/venues/sim/http/host.ts'

test('somebody may ask so often at once after a rest, and then as often as time goes by', () => {
  const limit = createLimit(2)
  const asks = (mono: number, times: number) =>
    Array.from({ length: times }, () => limit.takes('anna', mono)).filter(Boolean).length
  expect(asks(0, 5)).toBe(2)
  expect(asks(499, 5)).toBe(0)
  expect(asks(500, 5)).toBe(1)
  expect(asks(1_000, 5)).toBe(1)
  // No more than at once is saved up, however long the rest.
  expect(asks(3_600_000, 5)).toBe(2)
})

test('less than one a second is one, and then none for longer than a second', () => {
  const limit = createLimit(0.1)
  expect([0, 0, 9_999, 10_000, 10_000].map((mono) => limit.takes('anna', mono))).toEqual([
    ...[true, false, false, true, false],
  ])
})

test('a crowd of strangers makes nobody forget who has asked enough, and costs each of them the same', () => {
  const limit = createLimit(0.001)
  expect(limit.takes('anna', 0)).toBe(true)
  // With each of them looking for whom to forget among all before, this would not come to an end.
  for (let stranger = 0; stranger < 60_000; stranger++)
    if (!limit.takes(`key ${stranger}`, stranger)) throw new Error(`stranger ${stranger} was refused`)
  expect(limit.takes('anna', 60_001)).toBe(false)
  expect(limit.takes('anna', 1_200_000)).toBe(true)
})
