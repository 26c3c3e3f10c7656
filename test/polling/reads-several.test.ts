import { describe, expect, test } from 'vitest'

import type { View, VenueLook } from '../../src/command/context.ts'
import { createBudget } from '../../src/polling/budget/budget.ts'
import { createReads } from '../../src/polling/reads.ts'
import type { Reading } from '../../src/runtime/clock.ts'
import type { Position } from '../../src/venue/position.ts'
import { idAt } from '../../src/venue/venue-name.ts'
import type { MarketsAnswer, PositionsAnswer } from '../../src/venue/venue.ts'
import { handClock } from '../support/clock.ts'
import { ALICE, aMarket, aPosition } from '../support/fixtures.ts'
import { DOWN, holdings, LIMITED, NEVER, type Script, scriptedSeveral } from '../support/polling.ts'

const [FIRST, SECOND] = ['hyperliquid', 'lighter']
const THERE = { accountId: '7', marketId: '1' }
const ELSEWHERE = aPosition({ accountId: idAt(SECOND, '7'), marketId: idAt(SECOND, '1') })
const HERE = aPosition()

interface Known {
  looks?: VenueLook[]
  positions?: Position[]
}

/** The reads of commands over two venues, with what the engine knows of both. */
function reading(scripts: { first?: Script; second?: Script }, { looks = [], positions = [] }: Known = {}) {
  const clock = handClock()
  const { venue, parts, calls } = scriptedSeveral(clock, {
    [FIRST]: { latencyMs: 200, ...scripts.first },
    [SECOND]: {
      latencyMs: 300,
      positions: (wallet) => holdings(aPosition({ wallet, ...THERE })),
      markets: () => ({ markets: [aMarket({ id: '1', symbol: 'ETH' })], unusable: [], failedParts: [] }),
      ...scripts.second,
    },
  })
  const took: { at: string | undefined; mono: number; value: PositionsAnswer | MarketsAnswer }[] = []
  const seenMono = Math.min(...looks.map(({ mono }) => mono))
  const view: Partial<View> = {
    looks: () => looks,
    sight: () => (looks.length > 0 ? { mono: seenMono, whole: true, nearDanger: false, unasked: [] } : null),
    positions: () => (looks.length > 0 ? { value: positions, at: 0, mono: seenMono } : null),
    accounts: () => [],
    failureOf: () => null,
    markets: () => new Map(),
    listed: () => new Map(),
    marketsAt: () => null,
  }
  const venues = parts.map((part, place) => {
    const at = place === 0 ? undefined : part.name
    const take = ({ value, mono }: Reading<PositionsAnswer | MarketsAnswer>) => {
      took.push({ at, mono, value })
      return null
    }
    return {
      ...{ ...part, at, tookMarkets: take },
      budget: createBudget({ clock, emit: () => {}, pace: { weightPerSecond: 20, burst: null } }),
      tookTwaps() {},
      tookWallet: (_wallet: string, one: Reading<PositionsAnswer>) => void take(one),
    }
  })
  const read = createReads({
    ...{ venue, venues, clock, view: view as View, freshMs: 4_000, signal: new AbortController().signal },
    ages: { minMs: 2_000, maxMs: 60_000 },
    needed: () => [],
  })
  const budgetOf = (name: string) => venues.find((one) => one.name === name)?.budget
  return {
    ...{ clock, read, took, calls },
    /** Its budget has no turn for a minute. */
    async exhaust(name: string) {
      await budgetOf(name)
        ?.spend('wallet', new AbortController().signal, () => Promise.reject(LIMITED(60_000)))
        .catch(() => {})
    },
    /** Others wait for its turns, and the venue has asked for no pause. */
    crowd(name: string) {
      for (let index = 0; index < 400; index++)
        void budgetOf(name)?.spend('confirm', new AbortController().signal, () => NEVER)
    },
  }
}

/** The answer, and how long it took. */
async function timed<T>(
  { clock }: ReturnType<typeof reading>,
  ask: () => Promise<T>,
): Promise<{ answer: T; ms: number }> {
  const began = clock.monotonic()
  let ended: { answer: T; ms: number } | null = null
  const asking = ask().then((answer) => (ended = { answer, ms: clock.monotonic() - began }))
  for (let steps = 0; ended === null && steps < 200; steps++) await clock.advance(100)
  return asking
}

describe('positions at two venues', () => {
  test('are one answer, and a reading of each venue of when that one was asked', async () => {
    const world = reading({})
    const { answer, ms } = await timed(world, () => world.read.positions(ALICE))
    expect(answer).toMatchObject({
      is: 'read',
      late: null,
      reading: { value: { positions: [HERE, ELSEWHERE] } },
    })
    expect(ms).toBe(300)
    expect(world.took.map(({ at, value }) => [at, value])).toEqual([
      [undefined, { ...holdings(HERE), totalCount: null }],
      [SECOND, { ...holdings(ELSEWHERE), totalCount: null }],
    ])
  })

  test.each([
    ['hangs', { positions: () => NEVER }, 1_200],
    ['answers 503', { positions: () => Promise.reject(DOWN) }, 1_200],
  ])('come a second after the first one’s if the other %s, which is named', async (_fault, second, most) => {
    const looks = [
      { at: 0, mono: -60_000, whole: true },
      { venue: SECOND, at: 0, mono: -60_000, whole: true },
    ]
    const world = reading({ second }, { looks, positions: [HERE, ELSEWHERE] })
    const { answer, ms } = await timed(world, () => world.read.positions(ALICE))
    expect(ms).toBeLessThanOrEqual(most)
    expect(answer).toMatchObject({
      reading: {
        value: {
          positions: [HERE, ELSEWHERE],
          failedParts: [{ part: SECOND }],
          remembered: [expect.stringContaining('lighter')],
        },
      },
    })
    expect(world.took.map(({ at }) => at)).toEqual([undefined])
  })

  test('of a venue without a turn are asked for at the other one alone, at once', async () => {
    const world = reading({})
    await world.exhaust(SECOND)
    const { answer, ms } = await timed(world, () => world.read.positions(ALICE))
    expect(ms).toBe(200)
    expect(answer).toMatchObject({ reading: { value: { failedParts: [{ part: SECOND }] } } })
    expect(world.calls(SECOND)).toEqual([])
  })

  test('that no venue has a turn for are refused at once', async () => {
    const world = reading({})
    await world.exhaust(FIRST)
    await world.exhaust(SECOND)
    const { answer, ms } = await timed(world, () => world.read.positions(ALICE))
    expect([answer.is, ms]).toEqual(['unseen', 0])
  })

  test('of a venue without a turn are the last known ones where a new look would be no better', async () => {
    const looks = [
      { at: 0, mono: -60_000, whole: true },
      { venue: SECOND, at: 0, mono: -9_000, whole: true },
    ]
    const world = reading({}, { looks, positions: [HERE, ELSEWHERE] })
    world.crowd(SECOND)
    const { answer } = await timed(world, () => world.read.positions(ALICE))
    expect(answer).toMatchObject({
      reading: { mono: -9_000, value: { positions: [HERE, ELSEWHERE], failedParts: [] } },
    })
    expect(answer).not.toHaveProperty('reading.value.remembered')
    expect(world.took.map(({ at }) => at)).toEqual([undefined])
    const { answer: anew } = await timed(world, () => world.read.positions(ALICE, 'anew'))
    expect(anew).toMatchObject({ reading: { value: { failedParts: [{ part: SECOND, queued: true }] } } })
  })

  test('are not asked for while every venue’s look is fresh', async () => {
    const looks = (ageMs: number) => [
      { at: 0, mono: 1_000, whole: true },
      { venue: SECOND, at: 0, mono: 1_000 - ageMs, whole: true },
    ]
    const fresh = reading({}, { looks: looks(3_000), positions: [HERE] })
    await timed(fresh, () => fresh.read.positions(ALICE))
    expect([fresh.calls(FIRST), fresh.calls(SECOND)]).toEqual([[], []])
    const old = reading({}, { looks: looks(30_000), positions: [HERE] })
    await timed(old, () => old.read.positions(ALICE))
    expect(old.calls(SECOND)).toHaveLength(1)
  })

  test('of a venue that does not know the wallet need no fresh look', async () => {
    const looks: VenueLook[] = [
      { at: 0, mono: 1_000, whole: true },
      { venue: SECOND, at: 0, mono: -2_000_000, whole: true, isUnknown: true },
    ]
    const world = reading({}, { looks, positions: [HERE] })
    await timed(world, () => world.read.positions(ALICE))
    expect([world.calls(FIRST), world.calls(SECOND)]).toEqual([[], []])
  })
})

describe('markets at two venues', () => {
  test('are a reading of each venue', async () => {
    const world = reading({})
    await timed(world, () => world.read.markets())
    expect(
      world.took.map(({ at, value }) => [at, 'markets' in value && value.markets.map(({ id }) => id)]),
    ).toEqual([
      [undefined, [aMarket().id]],
      [SECOND, [idAt(SECOND, '1')]],
    ])
  })

  test('of one that fails are no reading of it', async () => {
    const world = reading({ first: { markets: () => Promise.reject(DOWN) } })
    const { answer } = await timed(world, () => world.read.markets())
    expect(world.took.map(({ at }) => at)).toEqual([SECOND])
    expect(answer.is === 'read' && [...answer.reading.value.keys()]).toEqual([idAt(SECOND, '1')])
  })
})

test('an address is a holder if one of them says so, though the other hangs', async () => {
  const world = reading({
    first: { identify: () => ({ is: 'holder' }) },
    second: { identify: () => NEVER },
  })
  const { answer } = await timed(world, () => world.read.identify(ALICE, world.clock.monotonic(), false))
  expect(answer).toEqual({ is: 'holder' })
})
