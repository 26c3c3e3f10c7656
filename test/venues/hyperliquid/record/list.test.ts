import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Asking, VenueError } from '../../../../src/venue/venue.ts'
import { createList } from '../../../../src/venues/hyperliquid/record/list.ts'
import type { Source } from '../../../../src/venues/hyperliquid/record/sources.ts'
import type { Recorded } from '../../../../src/venues/hyperliquid/wire/record.ts'
import { OWNER } from '../records.ts'

const isFresh = () => false
const asking: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

/** Elements are told apart by their ids. */
function element(at: number, id: number): Recorded {
  const token = { symbol: 'X', amount: 1n }
  return { at, unusable: null, entry: { is: 'transfer', id: `${id}`, at, what: 'other', usd: null, token } }
}

/** A list of the venue that has these elements: it sends the oldest of a span, and forgets all but the newest. */
function listed(perPage: number, keeps?: number) {
  const all: Recorded[] = []
  let asked = 0
  const source: Source = {
    ...{ of: 'transfer', perPage, keeps: keeps === undefined ? [] : [keeps] },
    async page(_wallet, { from, to }) {
      asked += 1
      const there = keeps === undefined ? all : all.slice(-keeps)
      return there.filter(({ at }) => at >= from && (to === null || at <= to)).slice(0, perPage)
    },
  }
  const list = createList(source, OWNER)
  return {
    list,
    all,
    happens: (...times: number[]) => {
      for (const at of times) all.push(element(at, all.length))
      all.sort((a, b) => a.at - b.at)
    },
    requests() {
      const before = asked
      asked = 0
      return before
    },
    async reads(since: number, now: number, mono = now) {
      list.begin(since, now, mono, (last) => mono - last.mono < 10_000)
      while (await list.advance(asking));
      return { from: list.wholeFrom(), ids: idsOf(list.elements(), since) }
    },
  }
}

const idsOf = (elements: readonly Recorded[], since: number) =>
  elements.filter(({ at }) => at >= since).map(({ entry }) => entry?.id)

const inOrder = (ids: ReturnType<typeof idsOf>) => ids.map(Number).toSorted((a, b) => a - b)

const HOUR = 3_600_000
/** Longer ago than what is read again. */
const OLD = HOUR

describe('a list of the venue', () => {
  test('that fits on a page takes one request, and later only its end is read', async () => {
    const venue = listed(10)
    venue.happens(1, 2, 3, HOUR)
    expect(await venue.reads(0, 2 * HOUR)).toEqual({ from: 0, ids: ['0', '1', '2', '3'] })
    expect(venue.requests()).toBe(1)
    venue.happens(2 * HOUR + 5)
    expect((await venue.reads(0, 3 * HOUR)).ids).toHaveLength(5)
    expect(venue.requests()).toBe(1)
  })

  test('is not asked for again within ten seconds', async () => {
    const venue = listed(10)
    venue.happens(1)
    await venue.reads(0, HOUR)
    venue.requests()
    await venue.reads(0, HOUR + 9_000)
    expect(venue.requests()).toBe(0)
    await venue.reads(0, HOUR + 10_000)
    expect(venue.requests()).toBe(1)
  })

  test('shows what it told late', async () => {
    const venue = listed(10)
    await venue.reads(0, 2 * HOUR)
    venue.happens(2 * HOUR - 60_000)
    expect((await venue.reads(0, 5 * HOUR)).ids).toEqual(['0'])
  })

  test('is read newest first: where the time is over, the end is whole', async () => {
    const venue = listed(100)
    venue.happens(...Array.from({ length: 1_000 }, (_, n) => n * 1_000))
    venue.list.begin(0, 1_000_000, 0, isFresh)
    for (let page = 0; page < 4; page++) await venue.list.advance(asking)
    const from = venue.list.wholeFrom() ?? 0
    expect(from).toBeGreaterThan(700_000)
    expect(from).toBeLessThan(950_000)
    expect(idsOf(venue.list.elements(), from)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n)
        .filter((n) => n * 1_000 >= from)
        .map(String),
    )
    venue.requests()
    expect(await venue.reads(0, 1_000_500, 500)).toMatchObject({ from: 0 })
    // What was read before is not read again.
    expect(venue.requests()).toBeLessThan(14)
  })

  test('that the venue has forgotten in part says from when it is whole', async () => {
    const venue = listed(50, 200)
    venue.happens(...Array.from({ length: 300 }, (_, n) => OLD + n))
    const { from } = await venue.reads(0, 3 * HOUR)
    // It has the newest 200. Some less count as whole, as others may come while pages are read.
    expect(from).toBe(OLD + 300 - 190 + 1)
  })

  test('that the venue has forgotten in part since it was read keeps what was read', async () => {
    const venue = listed(50, 200)
    venue.happens(...Array.from({ length: 150 }, (_, n) => OLD + n))
    expect(await venue.reads(0, 3 * HOUR)).toMatchObject({ from: 0 })
    venue.happens(...Array.from({ length: 120 }, (_, n) => 4 * HOUR + n))
    const { ids } = await venue.reads(0, 6 * HOUR)
    expect(ids).toHaveLength(270)
  })

  test('with more in a millisecond than a page is whole from the next one on', async () => {
    const venue = listed(5)
    venue.happens(10, 20, 20, 20, 20, 20, 20, 30, 40)
    expect(await venue.reads(0, HOUR)).toEqual({ from: 21, ids: ['7', '8'] })
  })

  test('that is sent newest first, or of another time, cannot be used', async () => {
    const elements = [element(9, 1), element(8, 2)]
    const backwards: Source = { ...{ of: 'transfer', perPage: 2, keeps: [] }, page: async () => elements }
    const list = createList(backwards, OWNER)
    list.begin(0, HOUR, 0, isFresh)
    await expect(list.advance(asking)).rejects.toBeInstanceOf(VenueError)
    list.begin(9, HOUR, 0, isFresh)
    await expect(list.advance(asking)).rejects.toBeInstanceOf(VenueError)
  })
})

test('nothing is lost or counted twice, wherever pages end and whenever it is asked', async () => {
  const step = fc.record({
    /** Times that have passed since the read before, and how many elements each of them has. */
    happened: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 * HOUR }), fc.integer({ min: 1, max: 3 })), {
      maxLength: 30,
    }),
    passes: fc.integer({ min: 0, max: 4 * HOUR }),
    since: fc.integer({ min: 0, max: 12 * HOUR }),
    /** The time of a call is over after so many pages. */
    pages: fc.integer({ min: 1, max: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4, max: 9 }),
      fc.option(fc.integer({ min: 20, max: 60 }), { nil: undefined }),
      fc.array(step, { minLength: 1, maxLength: 5 }),
      async (perPage, keeps, steps) => {
        const venue = listed(perPage, keeps)
        let [now, mono] = [0, 0]
        for (const { happened, passes, since, pages } of steps) {
          const before = now
          now += passes
          for (const [after, many] of happened) {
            // The venue may tell it up to ten minutes late.
            const at = Math.max(0, before - 599_000 + Math.min(after, passes + 599_000))
            const there = venue.all.filter((one) => one.at === at).length
            // A page holds a millisecond.
            for (let n = there; n < Math.min(there + many, perPage - 1); n++) venue.happens(at)
          }
          // Each call comes long after the one before, by a clock that nobody has set.
          venue.list.begin(since, now, (mono += HOUR), isFresh)
          for (let page = 0; page < pages && (await venue.list.advance(asking)); page++);
          const from = venue.list.wholeFrom()
          if (from === null) continue
          const truth = inOrder(idsOf(venue.all, Math.max(from, since)))
          expect(inOrder(idsOf(venue.list.elements(), Math.max(from, since)))).toEqual(truth)
        }
        const whole = await venue.reads(0, now, mono + HOUR)
        if (keeps === undefined) expect(whole.from).toBe(0)
        const from = whole.from ?? 0
        expect(inOrder(idsOf(venue.list.elements(), from))).toEqual(inOrder(idsOf(venue.all, from)))
      },
    ),
  )
})
