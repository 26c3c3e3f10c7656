import { describe, expect, test } from 'vitest'

import type { ReadResult, View } from '../../src/command/context.ts'
import { inWords } from '../../src/message/message.ts'
import { createBudget, type Priority } from '../../src/polling/budget/budget.ts'
import { createReads } from '../../src/polling/reads.ts'
import type { Reading } from '../../src/runtime/clock.ts'
import type { Account } from '../../src/venue/account.ts'
import type { Market } from '../../src/venue/market.ts'
import type { Position } from '../../src/venue/position.ts'
import { type Identified, VenueError, type VenueLimits } from '../../src/venue/venue.ts'
import { handClock } from '../support/clock.ts'
import { ALICE, aMarket, anAccount, aPosition, BOB } from '../support/fixtures.ts'
import { aWallet, DOWN, holdings, LIMITED, NEVER, type Script, scriptedVenue } from '../support/polling.ts'

/** What was last seen, if anything; the rest of the view is not read here. */
interface Known {
  markets?: Reading<Market[]>
  /** When those of another book than the newest were read. */
  dexesAt?: Record<string, { at: number; mono: number }>
  positions?: Reading<Position[]>
  sight?: { whole?: boolean; nearDanger?: boolean }
  accounts?: Account[]
  /** Why the last poll of the wallet failed. */
  failure?: string
}

function listed({ markets, dexesAt = {} }: Known, value: Market): Reading<Market> {
  const { at, mono } = dexesAt[value.dex ?? ''] ?? markets ?? { at: 0, mono: 0 }
  return { value, at, mono }
}

function viewOf(seen: Known): View {
  const unused = () => {
    throw new Error('this is not read here')
  }
  return {
    person: unused,
    follows: unused,
    named: unused,
    oldestLookMs: unused,
    session: unused,
    sessions: unused,
    opensPage: unused,
    chatAt: unused,
    personAt: unused,
    question: unused,
    chatsIn: unused,
    chat: unused,
    numbers: unused,
    detail: unused,
    pictures: unused,
    theme: unused,
    language: unused,
    watches: unused,
    unreadable: unused,
    symbol: unused,
    rules: unused,
    rulesIn: unused,
    chats: unused,
    claimed: unused,
    linkMaker: unused,
    delegates: unused,
    helped: unused,
    helping: unused,
    delegationAsked: unused,
    linkClaimant: unused,
    firing: unused,
    firingIn: unused,
    escalation: unused,
    drill: unused,
    pending: unused,
    pendingIn: unused,
    mutes: unused,
    held: unused,
    monitor: unused,
    zone: unused,
    failing: unused,
    blind: unused,
    failureOf: ({ is }) => (is === 'wallet' ? (seen.failure ?? null) : null),
    status: unused,
    markets: () => new Map(seen.markets?.value.map((market) => [market.id, market])),
    listed: () => new Map(seen.markets?.value.map((market) => [market.id, listed(seen, market)])),
    market: unused,
    priceStandsMs: () => 0,
    positionSeenAt: () => null,
    accounts: () => seen.accounts ?? [],
    marketsAt: () => seen.markets ?? null,
    positions: () => seen.positions ?? null,
    looks: () => {
      const { positions, sight } = seen
      return positions ? [{ at: positions.at, mono: positions.mono, whole: sight?.whole ?? true }] : []
    },
    sight: () =>
      (seen.positions && {
        whole: true,
        nearDanger: false,
        unasked: [],
        ...seen.sight,
        mono: seen.positions.mono,
      }) ||
      null,
  }
}

function reading(
  script: Script,
  seen: Parameters<typeof viewOf>[0] = {},
  limits?: VenueLimits,
  weightPerSecond = 20,
) {
  const clock = handClock()
  const venue = scriptedVenue(clock, script)
  const stopping = new AbortController()
  const took: unknown[] = []
  const budget = createBudget({ clock, emit: () => {}, pace: { weightPerSecond, burst: null } })
  const asked = limits ? { ...venue.venue, limits } : venue.venue
  const read = createReads({
    ...{ venue: asked, clock, freshMs: 4_000, signal: stopping.signal },
    venues: [
      {
        ...{ venue: asked, at: undefined, name: null, budget },
        tookMarkets(one) {
          took.push(one)
          return null
        },
        tookTwaps() {},
        tookWallet: (wallet, one) => void took.push({ wallet, ...one }),
      },
    ],
    view: viewOf(seen),
    ages: { minMs: 2_000, maxMs: 60_000 },
    needed: () => [],
  })
  /** So many others are to ask first. */
  const takeTurns = (many: number, who: Priority = 'person') => {
    const { signal } = new AbortController()
    for (let one = 0; one < many; one++) void budget.spend(who, signal, () => Promise.resolve())
  }
  return { clock, venue, read, took, stopping, takeTurns }
}

/** Why nothing was seen, as people read it. */
function whyOf(found: ReadResult<unknown>): string | null {
  return found.is === 'unseen' ? inWords(found.why) : null
}

const NO_ANSWER = 'The venue gave no answer within 5000 ms.'
/** Of the hand clock, which begins at a second. */
const then = (mono: number) => ({ at: Date.UTC(2026, 0, 15, 11), mono })

describe('positions that somebody asks for', () => {
  test('are read afresh, and the engine has them, too', async () => {
    const { clock, read, took } = reading({ latencyMs: 200 })
    const asked = { at: clock.now(), mono: clock.monotonic() }
    const answer = read.positions(ALICE)
    await clock.advance(200)
    const value = holdings(aPosition())
    expect(await answer).toEqual({ is: 'read', reading: { value, ...asked }, late: null })
    expect(took).toEqual([{ wallet: ALICE, value, ...asked }])
    expect(clock.waiting()).toBe(0)
  })

  test('of an account that could not be read are the last ones seen there, beside the others', async () => {
    const [main, xyz] = [aPosition({ accountId: 'main' }), aPosition({ accountId: 'xyz' })]
    const value = { ...holdings(main), failedParts: [{ part: 'xyz', why: 'The venue answered 500.' }] }
    const last = { value: [main, xyz], ...then(-9_000) }
    const { read, took } = reading({ positions: async () => value }, { positions: last })
    expect(await read.positions(ALICE)).toMatchObject({ reading: { value: { positions: [main, xyz] } } })
    // What is judged is what came.
    expect(took).toMatchObject([{ value }])
  })

  test('after five seconds are the last ones seen, with their age and why', async () => {
    const last = { value: [aPosition()], ...then(-9_000) }
    const accounts = [anAccount()]
    const { clock, read, took } = reading({ positions: () => NEVER }, { positions: last, accounts })
    let answered = false
    const answer = read.positions(ALICE).finally(() => {
      answered = true
    })
    await clock.advance(4_999)
    expect(answered).toBe(false)
    await clock.advance(1)
    const value = { positions: last.value, accounts, unusable: [], failedParts: [], totalCount: null }
    expect(await answer).toEqual({ is: 'read', reading: { ...last, value }, late: NO_ANSWER })
    expect([took, clock.waiting()]).toEqual([[], 0])
  })

  test('at once, when the venue fails at once', async () => {
    const last = { value: [], ...then(-9_000) }
    const { read } = reading({ positions: () => Promise.reject(DOWN) }, { positions: last })
    expect(await read.positions(ALICE)).toMatchObject({ is: 'read', late: 'The venue answered 503.' })
  })

  test('that nobody has ever seen are unseen, not empty', async () => {
    const { read } = reading({ positions: () => Promise.reject(DOWN) })
    expect(await read.positions(ALICE)).toEqual({ is: 'unseen', why: 'The venue answered 503.' })
  })

  test('that nobody has ever seen are not waited for where the venue wants to be left alone for longer', async () => {
    const { clock, read, venue } = reading({ positions: () => Promise.reject(LIMITED(30_000)) })
    await read.positions(ALICE)
    const why = 'the venue asked me to wait before I ask again.'
    expect(whyOf(await read.positions(ALICE))).toBe(why)
    expect(clock.waiting()).toBe(0)
    await clock.advance(60_000)
    expect(venue.calls).toHaveLength(1)
  })

  test('wait for a request no longer than that either, and then take none', async () => {
    const { clock, read, venue, takeTurns } = reading({}, {}, undefined, 1)
    takeTurns(4)
    const answer = read.positions(ALICE)
    // What comes first takes longer than could be foreseen.
    takeTurns(60, 'markets')
    await clock.advance(5_000)
    expect(await answer).toEqual({ is: 'unseen', why: NO_ANSWER })
    await clock.advance(120_000)
    expect(venue.calls).toEqual([])
    expect(clock.waiting()).toBe(0)
  })

  test('come after a burst of polls, six of one person at once', async () => {
    const { clock, read, takeTurns } = reading({})
    takeTurns(400, 'wallet')
    const wallets = Array.from({ length: 6 }, (_, n) => aWallet(n))
    const answers = Promise.all([...wallets.map((one) => read.positions(one)), read.markets()])
    await clock.advance(5_000)
    expect((await answers).map((one) => one.is === 'read' && one.late)).toEqual(Array(7).fill(null))
  })

  test('come after five wallets in a row where requests have weights', async () => {
    const allowed = { weight: 1_200, perMs: 60_000 }
    const { clock, read, takeTurns } = reading({}, {}, { allowed }, 17)
    takeTurns(110)
    const answer = read.positions(ALICE)
    await clock.advance(10_000)
    expect(await answer).toMatchObject({ is: 'read', late: null })
  })

  test('say why the venue was not reached, also where there is no turn to ask again', async () => {
    const refused = new VenueError(
      { is: 'network', sent: false },
      'The venue cannot be reached (ECONNREFUSED).',
    )
    const one = reading({ positions: () => Promise.reject(refused) })
    await one.read.positions(ALICE)
    one.takeTurns(200)
    const why = 'The venue cannot be reached (ECONNREFUSED).'
    expect(whyOf(await one.read.positions(BOB))).toBe(why)
    const polled = reading({}, { failure: why })
    polled.takeTurns(200)
    expect(whyOf(await polled.read.positions(BOB))).toBe(why)
    const calm = reading({})
    calm.takeTurns(200)
    const limit = 'the venue limits how often I may ask.'
    expect(whyOf(await calm.read.positions(BOB))).toBe(limit)
  })

  test('are given up at the end', async () => {
    const { clock, read, stopping } = reading({ positions: () => NEVER })
    const answer = read.positions(ALICE)
    await clock.advance(100)
    stopping.abort(new Error('stopping'))
    expect(await answer).toMatchObject({ is: 'unseen' })
    expect(clock.waiting()).toBe(0)
  })
})

describe('positions that were read a while ago', () => {
  const seen = (ageMs: number, sight: Known['sight'] = {}) =>
    reading({ latencyMs: 100 }, { positions: { value: [], ...then(1_000 - ageMs) }, sight })
  /** When the reading that was shown was asked for, before now, and why there is no newer one. */
  async function shown({ clock, read, venue }: ReturnType<typeof reading>) {
    const answer = read.positions(ALICE)
    const now = clock.monotonic()
    const requests = () => venue.calls.filter(({ what }) => what === 'positions').length
    await clock.advance(0)
    const asked = requests() > 0
    await clock.advance(30_000)
    const found = await answer
    return found.is === 'read'
      ? { asked, ageMs: now - found.reading.mono, late: found.late === null ? null : inWords(found.late) }
      : found
  }
  const none = { asked: false, late: null }

  test.each([
    ['are shown without a request, up to five seconds', 5_000, {}, { ...none, ageMs: 5_000 }],
    ['are read again from then on', 5_001, {}, { asked: true, ageMs: 0, late: null }],
    ['near danger up to two', 2_000, { nearDanger: true }, { ...none, ageMs: 2_000 }],
    ['and are then read again', 2_001, { nearDanger: true }, { asked: true, ageMs: 0, late: null }],
    [
      'are read again where that reading had holes',
      100,
      { whole: false },
      { asked: true, ageMs: 0, late: null },
    ],
  ] as const)('%s', async (_name, ageMs, sight, what) => {
    expect(await shown(seen(ageMs, sight))).toEqual(what)
  })

  test('are read anew for whoever acts on them', async () => {
    const { clock, read, venue } = seen(100)
    const answer = read.positions(ALICE, 'anew')
    await clock.advance(100)
    expect(await answer).toMatchObject({ is: 'read', late: null, reading: { mono: 1_000 } })
    expect(venue.calls).toHaveLength(1)
  })

  const crowded = 'the venue limits how often I may ask.'
  test.each([
    ['without a word up to a minute', 60_000, {}, { ...none, ageMs: 60_000 }],
    ['then with why', 60_001, {}, { asked: false, ageMs: 60_001, late: crowded }],
    [
      'near danger without a word up to ten seconds',
      10_000,
      { nearDanger: true },
      { ...none, ageMs: 10_000 },
    ],
    ['and then with why', 10_001, { nearDanger: true }, { asked: false, ageMs: 10_001, late: crowded }],
    [
      'at once with why where they had holes',
      100,
      { whole: false },
      { asked: false, ageMs: 100, late: crowded },
    ],
  ] as const)('are shown as they are while very many ask: %s', async (_name, ageMs, sight, what) => {
    const one = seen(ageMs, sight)
    one.takeTurns(80)
    expect(await shown(one)).toEqual(what)
  })

  test('are worth a short wait, the longer the older they are, and at most one second', async () => {
    const waits = async (ageMs: number, before: number) => {
      const one = seen(ageMs)
      one.takeTurns(before)
      const { late: _, ...rest } = { late: null, ...(await shown(one)) }
      return 'ageMs' in rest && rest.ageMs <= 0
    }
    // Twenty a second, four at once: ten before us are half a second.
    expect(await waits(9_000, 14)).toBe(false)
    expect(await waits(11_000, 14)).toBe(true)
    expect(await waits(600_000, 22)).toBe(true)
    expect(await waits(600_000, 25)).toBe(false)
  })

  test('are asked for once, however many want them at the same time', async () => {
    const { clock, read, venue } = reading({ latencyMs: 300 })
    const first = Array.from({ length: 100 }, () => read.positions(ALICE))
    await clock.advance(200)
    const later = read.positions(ALICE)
    await clock.advance(100)
    const all = await Promise.all([...first, later])
    expect(venue.calls).toHaveLength(1)
    expect(new Set(all).size).toBe(1)
    await clock.advance(10_000)
    void read.positions(ALICE)
    await clock.advance(300)
    expect(venue.calls).toHaveLength(2)
  })
})

describe('markets that somebody asks for', () => {
  const eth = aMarket({ symbol: 'old' })

  test('are the last ones seen while those are fresh', async () => {
    const { clock, read, venue } = reading({}, { markets: { value: [eth], ...then(1_000) } })
    await clock.advance(4_000)
    const value = new Map([['100', eth]])
    expect(await read.markets()).toEqual({
      is: 'read',
      reading: expect.objectContaining({ value }),
      late: null,
    })
    expect(venue.calls).toEqual([])
  })

  test('are as old as the oldest of their books, and each market as its own', async () => {
    const nvda = aMarket({ id: 'xyz:NVDA', dex: 'xyz' })
    const seen = { markets: { value: [aMarket(), nvda], ...then(900) }, dexesAt: { xyz: then(300) } }
    const { read } = reading({}, seen)
    expect(await read.markets()).toMatchObject({ reading: then(300), late: null })
    expect(await read.market('100')).toMatchObject({ reading: then(900) })
    expect(await read.market('xyz:NVDA')).toMatchObject({ reading: then(300) })
  })

  test('are read when they are not, and the engine has them, too', async () => {
    const { clock, read, took } = reading({}, { markets: { value: [eth], ...then(1_000) } })
    await clock.advance(4_001)
    const answer = await read.markets()
    expect(answer).toMatchObject({ is: 'read', late: null, reading: { mono: 5_001 } })
    expect(answer.is === 'read' && answer.reading.value.get('100')?.symbol).toBe('ETH')
    expect(took).toHaveLength(1)
  })

  test('are asked for once, however many want them at the same time', async () => {
    const { clock, read, venue } = reading({ latencyMs: 300 })
    const all = Promise.all(Array.from({ length: 100 }, () => read.markets()))
    await clock.advance(300)
    await all
    expect(venue.calls).toHaveLength(1)
  })

  test('else the last ones, with why, or unseen', async () => {
    const markets = () => Promise.reject(DOWN)
    const some = reading({ markets }, { markets: { value: [eth], ...then(1_000) } })
    await some.clock.advance(60_000)
    expect(await some.read.markets()).toMatchObject({
      is: 'read',
      late: 'The venue answered 503.',
      reading: then(1_000),
    })
    expect(await reading({ markets }).read.markets()).toEqual({
      is: 'unseen',
      why: 'The venue answered 503.',
    })
  })
})

describe('orders', () => {
  test('are waited for longer: where requests weigh, their turn comes late after a start', async () => {
    const weighed = reading({ latencyMs: 9_000 }, {}, { allowed: { weight: 1_200, perMs: 60_000 } })
    const answer = weighed.read.orders(ALICE, [])
    await weighed.clock.advance(9_000)
    expect(await answer).toMatchObject({ is: 'read', late: null })

    const counted = reading({ latencyMs: 9_000 })
    const other = counted.read.orders(ALICE, [])
    await counted.clock.advance(9_000)
    expect(await other).toEqual({ is: 'unseen', why: NO_ANSWER })
  })
})

describe('who an address is', () => {
  const agent: Identified = { is: 'agent', of: BOB }

  test('is asked once in an hour, whoever wants to know, also at once', async () => {
    const { clock, read, venue } = reading({ identify: () => agent, latencyMs: 100 })
    const asks = () => read.identify(ALICE, clock.monotonic(), false)
    const both = Promise.all([asks(), asks()])
    await clock.advance(100)
    expect(await both).toEqual([agent, agent])
    await clock.advance(3_600_000 - 101)
    expect(await asks()).toEqual(agent)
    expect(venue.calls).toHaveLength(1)
    await clock.advance(1)
    const anew = asks()
    await clock.advance(100)
    expect(await anew).toEqual(agent)
    expect(venue.calls).toHaveLength(2)
  })

  test('is not waited for any longer than the rest, and is asked again when somebody wants to know again', async () => {
    let answers = false
    const { clock, read, venue } = reading({ identify: () => (answers ? agent : NEVER) })
    const since = clock.monotonic()
    await clock.advance(2_000)
    const answer = read.identify(ALICE, since, false)
    await clock.advance(2_999)
    expect(clock.waiting()).toBeGreaterThan(0)
    await clock.advance(1)
    expect(await answer).toBeNull()
    expect(clock.waiting()).toBe(0)
    expect(await read.identify(ALICE, since, false)).toBeNull()
    answers = true
    expect(await read.identify(ALICE, clock.monotonic(), false)).toEqual(agent)
    expect(venue.calls).toHaveLength(2)
  })

  test('is forgotten after a thousand others', async () => {
    const { clock, read, venue } = reading({ identify: () => agent })
    for (let index = 0; index <= 1_000; index++) {
      const one = read.identify(aWallet(index), clock.monotonic(), false)
      await clock.advance(1_000)
      await one
    }
    const [last, first] = [
      read.identify(aWallet(1_000), clock.monotonic(), false),
      read.identify(aWallet(0), clock.monotonic(), false),
    ]
    await clock.advance(1_000)
    await Promise.all([last, first])
    expect(venue.calls).toHaveLength(1_002)
  })

  test('is nobody’s to say where the venue does not', async () => {
    const { clock, read, venue } = reading({})
    expect(await read.identify(ALICE, clock.monotonic(), false)).toBeNull()
    expect(venue.calls).toEqual([])
  })

  test('is nothing that a venue in trouble says', async () => {
    const { clock, read } = reading({ identify: () => Promise.reject(DOWN) })
    expect(await read.identify(ALICE, clock.monotonic(), false)).toBeNull()
  })
})
