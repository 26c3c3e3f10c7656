import { expect, test } from 'vitest'

import { outdated } from '../../src/ops/nightly.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A Monday, at a quarter past four. */
const MONDAY = Date.UTC(2026, 10, 23, 4, 15)

const at = (time: number) => ({ file: `${time}`, at: time, bytes: 1 })
const day = (time: number) => new Date(time).toISOString().slice(0, 10)

/** What is left when one is made every night for so long, and those that are needed no more go each time. */
function after(nights: number): string[] {
  let all: ReturnType<typeof at>[] = []
  for (let night = 0; night < nights; night++) {
    all.push(at(MONDAY - (nights - 1 - night) * DAY_MS))
    const gone = new Set(outdated(all))
    all = all.filter((one) => !gone.has(one))
  }
  return all.map((one) => day(one.at)).toReversed()
}

test('after a year of nights there are the last seven, and one of each of the four weeks before them', () => {
  expect(after(365)).toEqual([
    ...['2026-11-23', '2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17'],
    ...['2026-11-16', '2026-11-15', '2026-11-08', '2026-11-01'],
  ])
})

test('in the first days nothing goes', () => {
  expect(after(7)).toHaveLength(7)
})

test('of several in a day the newest stays', () => {
  const all = [at(MONDAY), at(MONDAY + HOUR_MS), at(MONDAY + 2 * HOUR_MS)]
  expect(outdated(all).map((one) => one.at)).toEqual([MONDAY + HOUR_MS, MONDAY])
})

test('while none are made none go, however old they are', () => {
  const all = Array.from({ length: 7 }, (_, index) => at(MONDAY - 400 * DAY_MS - index * DAY_MS))
  expect(outdated(all)).toEqual([])
})

test('one from a clock that was ahead takes the place of one day, and of no more', () => {
  const ahead = at(MONDAY + 4_000 * DAY_MS)
  const nights = Array.from({ length: 7 }, (_, index) => at(MONDAY - index * DAY_MS))
  expect(outdated([...nights, ahead])).toEqual([])
})
