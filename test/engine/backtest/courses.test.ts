import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { gapsOf, thinned, withNewest } from '../../../src/engine/backtest/courses.ts'
import { budget } from '../../support/seed.ts'

interface Given {
  samples: readonly { time: number; price: number }[]
  since: number
  until: number
  columns: number
}

const given: fc.Arbitrary<Given> = fc
  .record({
    samples: fc.uniqueArray(
      fc.record({ time: fc.integer({ min: 0, max: 10_000 }), price: fc.integer({ min: 1, max: 50 }) }),
      { selector: ({ time }) => time, maxLength: 300 },
    ),
    since: fc.integer({ min: 0, max: 5_000 }),
    length: fc.integer({ min: 1, max: 6_000 }),
    columns: fc.integer({ min: 16, max: 40 }),
  })
  .map(({ samples, since, length, columns }) => ({
    samples: samples.toSorted((a, b) => a.time - b.time),
    since,
    until: since + length,
    columns,
  }))

function seriesOf(samples: Given['samples']) {
  return {
    times: Float64Array.from(samples, ({ time }) => time),
    prices: Float64Array.from(samples, ({ price }) => price),
    coarse: new Uint8Array(samples.length),
    dark: [],
  }
}

function thin({ samples, since, until, columns }: Given) {
  const work = thinned(seriesOf(samples), { since, until, columns })
  let step = work.next()
  while (!step.done) step = work.next()
  const { times, prices } = step.value
  return times.map((time, at) => ({ time, price: prices[at] ?? 0 }))
}

const within = ({ samples, since, until }: Given) =>
  samples.filter(({ time }) => time >= since && time <= until)

describe('a course that is thinned to columns of pixels', () => {
  test('has at most four prices a column, in the order of time, and each was seen', () => {
    fc.assert(
      fc.property(given, (all) => {
        const kept = thin(all)
        expect(kept.length).toBeLessThanOrEqual(4 * all.columns)
        expect(kept).toEqual(kept.toSorted((a, b) => a.time - b.time))
        expect(new Set(kept.map(({ time }) => time)).size).toBe(kept.length)
        for (const one of kept) expect(within(all)).toContainEqual(one)
      }),
      { numRuns: budget(2_000, 200) },
    )
  })

  test('keeps the first, the lowest, the highest and the last price of each column', () => {
    fc.assert(
      fc.property(given, (all) => {
        const { since, until, columns } = all
        const begin = Math.max(all.samples[0]?.time ?? since, since)
        const columnOf = ({ time }: { time: number }) =>
          Math.min(Math.floor(((time - begin) / (until - begin || 1)) * columns), columns - 1)
        const kept = Map.groupBy(thin(all), columnOf)
        for (const [column, seen] of Map.groupBy(within(all), columnOf)) {
          const own = kept.get(column) ?? []
          const prices = seen.map(({ price }) => price)
          expect(own[0]).toEqual(seen[0])
          expect(own.at(-1)).toEqual(seen.at(-1))
          expect(own.map(({ price }) => price)).toContain(Math.min(...prices))
          expect(own.map(({ price }) => price)).toContain(Math.max(...prices))
        }
      }),
      { numRuns: budget(2_000, 200) },
    )
  })
})

test('a record that has only begun has all columns for itself', () => {
  const samples = Array.from({ length: 12 }, (_, at) => ({ time: 88 + at, price: 1 + (at % 3) }))
  const all = { samples, since: 0, until: 100, columns: 4 }
  // One column keeps four at most.
  expect(thin(all).length).toBe(8)
})

describe('the gaps of a course', () => {
  const at = (...times: number[]) => seriesOf(times.map((time) => ({ time, price: 1 })))
  const span = { since: 100, until: 200, staleMs: 10 }

  test('are the whole of it where nothing was recorded', () => {
    expect(gapsOf(at(), span)).toEqual([{ since: 100, until: 200 }])
  })

  test('are also before its first and after its last price', () => {
    expect(gapsOf(at(120, 125, 180), span)).toEqual([
      { since: 100, until: 120 },
      { since: 180, until: 200 },
    ])
  })

  test('are none where the price before it was seen a moment ago', () => {
    expect(gapsOf(at(95, 105, 195), span)).toEqual([])
  })

  test('are told once, and cut at its ends', () => {
    const dark = [
      { since: 50, until: 130 },
      { since: 120, until: 140 },
      { since: 300, until: 400 },
    ]
    expect(gapsOf({ ...at(45, 130, 195), dark }, span)).toEqual([{ since: 100, until: 140 }])
  })

  test('wait a minute longer where only the minutes are recorded', () => {
    const minutes = { ...at(50_000), coarse: Uint8Array.of(1) }
    const late = { since: 45_000, until: 115_000, staleMs: 10_000 }
    expect(gapsOf(minutes, late)).toEqual([])
    expect(gapsOf(minutes, { ...late, until: 125_000 })).toEqual([{ since: 50_000, until: 125_000 }])
  })

  test('end at the newest price of memory, which ends the course', () => {
    const seen = withNewest(at(100), { at: 190, price: 7 }, span)
    expect([...seen.times]).toEqual([100, 190])
    expect([...seen.prices]).toEqual([1, 7])
    expect(gapsOf(seen, span)).toEqual([{ since: 100, until: 190 }])
  })

  test('are none between the last record and a newest price that came soon', () => {
    expect(gapsOf(withNewest(at(100, 105), { at: 113, price: 7 }, span), { ...span, until: 114 })).toEqual([])
  })

  test('are as before where memory knows nothing newer', () => {
    const recorded = at(100, 195)
    expect(withNewest(recorded, { at: 195, price: 7 }, span)).toBe(recorded)
  })
})
