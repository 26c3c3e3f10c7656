import { describe, expect, test } from 'vitest'

import type { Asking, OpenedVenue, PositionsAnswer, Venue } from '../../../src/venue/venue.ts'
import joinVenues from '../../../src/venues/several/index.ts'
import { type HandClock, handClock } from '../../support/clock.ts'
import { ALICE, aMarket, anAccount, aPosition, exact } from '../../support/fixtures.ts'
import { DOWN, holdings, NEVER, QUEUED, type Script, scriptedVenue } from '../../support/polling.ts'

function opened(venue: Venue): OpenedVenue {
  return {
    ...{ venue, simulated: false, identity: 'scripted', introduction: [], endsBot: false },
    close: async () => {},
  }
}

/** Two scripted venues as one: `first` with bare ids, and `second`. */
function two(first: Script, second: Script, clock: HandClock = handClock()) {
  const inner = [scriptedVenue(clock, first), scriptedVenue(clock, second)] as const
  const venues = [
    { name: 'first', opened: opened(inner[0].venue) },
    { name: 'second', opened: opened(inner[1].venue) },
  ]
  const { venue } = joinVenues({ venues, clock })
  const [one, other] = (venue.parts ?? []).map((part) => part.venue)
  if (!one || !other) throw new Error('it has no parts')
  return { venue, clock, inner, one, other }
}

function asking(over: Partial<Asking> = {}): Asking {
  return {
    ...{ patience: 'person', limitMs: 5_000, signal: new AbortController().signal },
    spend: (request) => request(() => {}),
    ...over,
  }
}

/** Turns the clock until the call has ended; the time that it took, and its answer or error. */
async function taken<T>(
  clock: HandClock,
  call: Promise<T>,
): Promise<{ ms: number; value?: T; error?: unknown }> {
  const began = clock.monotonic()
  let ended: { value?: T; error?: unknown } | null = null
  void call.then(
    (value) => (ended = { value }),
    (error: unknown) => (ended = { error }),
  )
  await clock.advance(0)
  while (ended === null) await clock.advance(100)
  return { ms: clock.monotonic() - began, ...(ended as { value?: T; error?: unknown }) }
}

const EMPTY: PositionsAnswer = holdings()

describe('what people ask of several venues', () => {
  test('is one list, each position under the name of its venue', async () => {
    const { venue, clock } = two({}, {})
    const { value } = await taken(clock, venue.positions(ALICE, asking()))
    expect(value?.positions.map(({ accountId, marketId }) => [accountId, marketId])).toEqual([
      [aPosition().accountId, aPosition().marketId],
      [`second/${aPosition().accountId}`, `second/${aPosition().marketId}`],
    ])
    expect(value?.failedParts).toEqual([])
    const markets = await taken(clock, venue.markets(asking(), []))
    expect(markets.value?.markets.map(({ symbol }) => symbol)).toEqual(['ETH', 'second:ETH'])
  })

  test.each(['first', 'second'])(
    'comes a second after the other one’s while %s hangs, and names it',
    async (which) => {
      const hangs: Script = { positions: () => NEVER, markets: () => NEVER, orders: () => NEVER }
      const lives: Script = { latencyMs: 200 }
      const { venue, clock } = which === 'first' ? two(hangs, lives) : two(lives, hangs)
      const positions = await taken(clock, venue.positions(ALICE, asking()))
      expect(positions.ms).toBeLessThanOrEqual(1_300)
      expect(positions.value?.positions).toHaveLength(1)
      expect(positions.value?.failedParts).toEqual([
        { part: which, why: 'The venue did not answer within 1 s.', isVenue: true },
      ])
      const markets = await taken(clock, venue.markets(asking(), []))
      expect(markets.ms).toBeLessThanOrEqual(1_300)
      expect(markets.value?.failedParts.map(({ part }) => part)).toEqual([which])
      const orders = await taken(clock, venue.orders(ALICE, [], asking()))
      expect(orders.ms).toBeLessThanOrEqual(1_300)
      expect(orders.value?.unusable.map(({ part }) => part)).toEqual([which])
    },
  )

  test.each([
    { requests: 4, lasts: 0, is: 'that still replies is waited for', from: 2_000, until: 2_700, failed: [] },
    {
      requests: 1,
      lasts: 1_500,
      is: 'that has replied and waits for its turn is waited for',
      from: 2_000,
      until: 2_300,
      failed: [],
    },
    {
      requests: 9,
      lasts: 0,
      is: 'is not waited for for ever',
      from: 3_000,
      until: 3_400,
      failed: ['second'],
    },
    {
      requests: 1,
      lasts: Infinity,
      is: 'that falls silent is left out',
      from: 1_500,
      until: 1_700,
      failed: ['second'],
    },
  ])(
    'a venue $is, if its answer takes several requests',
    async ({ requests, lasts, from, until, failed }) => {
      const clock = handClock()
      const slow = scriptedVenue(clock, {}).venue
      /** Replies after 600 ms each, `requests` times, and then as it is told to. */
      const positions: Venue['positions'] = async (wallet, { spend }) => {
        for (let sent = 0; sent < requests; sent++) await spend(() => waited(600))
        if (lasts === Infinity) await spend(() => NEVER)
        // Its next request has to wait for its turn.
        else await waited(lasts)
        return { ...EMPTY, positions: [aPosition({ wallet })] }
      }
      const waited = (ms: number) =>
        new Promise<void>((resolve) => void clock.wakeAt(clock.monotonic() + ms, resolve))
      const { venue } = joinVenues({
        clock,
        venues: [
          { name: 'first', opened: opened(scriptedVenue(clock, { latencyMs: 200 }).venue) },
          { name: 'second', opened: opened({ ...slow, positions }) },
        ],
      })
      const { ms, value } = await taken(clock, venue.positions(ALICE, asking()))
      expect(ms).toBeGreaterThanOrEqual(from)
      expect(ms).toBeLessThanOrEqual(until)
      expect(value?.failedParts.map(({ part }) => part)).toEqual(failed)
    },
  )

  test('has every account of the missing venue as failed, so that nothing there looks closed', async () => {
    let isDown = false
    const { venue, clock } = two(
      {},
      {
        positions() {
          if (isDown) throw DOWN
          return {
            ...EMPTY,
            positions: [aPosition({ accountId: '7' })],
            accounts: [anAccount({ accountId: '8' })],
          }
        },
      },
    )
    await taken(clock, venue.positions(ALICE, asking()))
    isDown = true
    const { value } = await taken(clock, venue.positions(ALICE, asking()))
    expect(value?.failedParts).toEqual(
      ['second', 'second/7', 'second/8'].map((part) => ({
        ...{ part, why: DOWN.message },
        ...(part === 'second' && { isVenue: true }),
      })),
    )
  })

  test('says of a venue whose own budget has no turn that it is queued', async () => {
    const { venue, clock } = two({}, {})
    const waits: Asking['spend'] = () => NEVER
    const given = asking({ at: (name) => asking(name === 'second' ? { spend: waits } : {}) })
    const { value, ms } = await taken(clock, venue.positions(ALICE, given))
    expect(ms).toBeLessThanOrEqual(1_100)
    expect(value?.failedParts).toEqual([
      { part: 'second', why: 'The venue did not answer within 1 s.', queued: true, isVenue: true },
    ])
    const refused = asking({
      at: (name) => asking(name === 'second' ? { spend: () => Promise.reject(QUEUED) } : {}),
    })
    const answer = await taken(clock, venue.positions(ALICE, refused))
    expect(answer.value?.failedParts).toEqual([
      { part: 'second', why: QUEUED.message, queued: true, isVenue: true },
    ])
  })

  test('fails as the first venue does when no venue answers', async () => {
    const { venue, clock } = two(
      {
        positions() {
          throw DOWN
        },
      },
      {
        positions() {
          throw QUEUED
        },
      },
    )
    expect((await taken(clock, venue.positions(ALICE, asking()))).error).toBe(DOWN)
  })

  test('is called off at once', async () => {
    const { venue, clock } = two({}, { positions: () => NEVER })
    const stop = new AbortController()
    const call = taken(clock, venue.positions(ALICE, asking({ signal: stop.signal })))
    stop.abort(new Error('stopping'))
    expect((await call).error).toMatchObject({ failure: { is: 'aborted' } })
  })

  test.each([
    ['an element of an unknown account', { unusable: [{ what: 'position 1 of 2', why: 'x', part: null }] }],
    ['too few positions', { totalCount: 3 }],
  ] as const)('%s puts that venue in doubt alone', async (_what, over) => {
    let isOdd = false
    const own: Script = {
      positions: () => ({ ...holdings(aPosition()), ...(isOdd && over) }) as PositionsAnswer,
    }
    const { venue, clock } = two({}, own)
    await taken(clock, venue.positions(ALICE, asking()))
    isOdd = true
    const { value } = await taken(clock, venue.positions(ALICE, asking()))
    expect(value?.unusable).toEqual([])
    expect(value?.totalCount).toBeNull()
    expect(value?.failedParts.map(({ part }) => part)).toEqual(['second', `second/${aPosition().accountId}`])
  })

  test('unnamed accounts of a venue put only that venue in doubt, and not the accounts that it has named', async () => {
    let isOdd = false
    const other = { part: 'other accounts', why: 'no list' }
    const { venue, clock } = two(
      {
        positions: () =>
          isOdd
            ? { ...holdings(aPosition({ accountId: 'main' })), failedParts: [other] }
            : holdings(aPosition({ accountId: 'main' }), aPosition({ accountId: 'xyz' })),
      },
      {},
    )
    await taken(clock, venue.positions(ALICE, asking()))
    isOdd = true
    const { value } = await taken(clock, venue.positions(ALICE, asking()))
    expect(value?.failedParts.map(({ part }) => part)).toEqual(['first', 'xyz'])
  })
})

describe('one call goes to one venue', () => {
  test('a market, a preview and what is needed are asked by their own ids', async () => {
    const clock = handClock()
    const asked: string[] = []
    const venueCalled = (name: string): OpenedVenue =>
      opened({
        ...scriptedVenue(clock).venue,
        async market(id) {
          asked.push(`${name} market ${id}`)
          return aMarket({ id })
        },
        async markets(_asking, needed) {
          asked.push(`${name} needs ${needed.join()}`)
          return { markets: [], unusable: [], failedParts: [] }
        },
        async preview({ accountId, marketId }) {
          asked.push(`${name} preview ${accountId} ${marketId}`)
          throw DOWN
        },
      })
    const venues = ['first', 'second'].map((name) => ({ name, opened: venueCalled(name) }))
    const { venue } = joinVenues({ venues, clock })
    expect((await venue.market('second/a/b', asking())).id).toBe('second/a/b')
    expect((await venue.market('a/b', asking())).id).toBe('a/b')
    await venue.markets(asking(), ['1', 'second/2', 'second/3'])
    const draft = { wallet: ALICE, sizeDelta: exact('1') }
    await expect(venue.preview({ ...draft, accountId: '7', marketId: '1' }, asking())).rejects.toBe(DOWN)
    const own = { accountId: 'second/7', marketId: 'second/1' }
    await expect(venue.preview({ ...draft, ...own }, asking())).rejects.toBe(DOWN)
    const mixed = { ...draft, accountId: '7', marketId: 'second/1' }
    await expect(venue.preview(mixed, asking())).rejects.toThrow('account')
    expect(asked).toEqual([
      'second market a/b',
      'first market a/b',
      'first needs 1',
      'second needs 2,3',
      'first preview 7 1',
      'second preview 7 1',
    ])
  })

  test('a venue that has just given a person no answer is not waited for again', async () => {
    let isDown = true
    const silent: Script = {
      positions: () => (isDown ? NEVER : EMPTY),
    }
    const { venue, clock, inner } = two({}, silent)
    const one = async (id: string) => taken(clock, venue.market(id, asking()))
    // These scripts know no single market, which says that they were asked.
    const wasAsked = { message: 'nobody asks for this here' }
    expect((await one('second/1')).error).toMatchObject(wasAsked)
    await taken(clock, venue.positions(ALICE, asking()))
    const calls = inner[1].calls.length
    const { ms, error } = await one('second/1')
    expect([ms, error]).toEqual([0, expect.objectContaining({ failure: { is: 'timeout' } })])
    expect(inner[1].calls).toHaveLength(calls)
    expect((await one('1')).error).toMatchObject(wasAsked)
    await clock.advance(6_000)
    expect((await one('second/1')).error).toMatchObject(wasAsked)
    await taken(clock, venue.positions(ALICE, asking()))
    isDown = false
    await taken(clock, venue.positions(ALICE, asking()))
    expect((await one('second/1')).error).toMatchObject(wasAsked)
  })

  test('each venue spends from its own budget', async () => {
    const { venue, clock } = two({}, {})
    const spent: string[] = []
    const at = (name: string) =>
      asking({
        spend(request) {
          spent.push(name)
          return request(() => {})
        },
      })
    const given = asking({ at, spend: () => Promise.reject(new Error('nobody’s budget')) })
    await taken(clock, venue.positions(ALICE, given))
    expect(spent.toSorted()).toEqual(['first', 'second'])
  })
})

describe('who an address is', () => {
  const unknown = { is: 'unknown' } as const
  const agent = { is: 'agent', of: ALICE } as const
  const holder = { is: 'holder' } as const
  test.each([
    [unknown, holder, holder],
    [agent, holder, holder],
    [unknown, agent, agent],
    [unknown, unknown, unknown],
  ] as const)('%j and %j are %j', async (first, second, both) => {
    const { venue, clock } = two({ identify: () => first }, { identify: () => second })
    expect((await taken(clock, venue.identify?.(ALICE, asking(), false) ?? NEVER)).value).toEqual(both)
  })

  test('nobody is unknown while a venue is silent', async () => {
    const silent: Script = {
      identify() {
        throw DOWN
      },
    }
    const { venue, clock } = two({ identify: () => unknown }, silent)
    expect((await taken(clock, venue.identify?.(ALICE, asking(), false) ?? NEVER)).error).toBe(DOWN)
  })

  test('a venue on which nothing is asks once who it is, where weight is left over, and says that it is unknown', async () => {
    let held = EMPTY
    const { other, inner, clock } = two({}, { positions: () => held, identify: () => unknown })
    const read = async (over: Partial<Asking> = {}) =>
      (await taken(clock, other.positions(ALICE, asking({ patience: 'poll', ...over })))).value
    const count = () => inner[1].calls.filter(({ what }) => what === 'identify').length
    expect((await read())?.isUnknown).toBeUndefined()
    expect(count()).toBe(0)
    const spare = { hasSpare: () => true }
    expect((await read(spare))?.isUnknown).toBe(true)
    expect((await read(spare))?.isUnknown).toBe(true)
    expect(count()).toBe(1)
    held = holdings(aPosition())
    expect((await read(spare))?.isUnknown).toBeUndefined()
    held = EMPTY
    expect((await read(spare))?.isUnknown).toBeUndefined()
    expect(count()).toBe(1)
  })

  test('an account with equity is known, and a failure to say who it is changes nothing', async () => {
    const equity = [anAccount({ equityUsd: exact('5') })]
    const rich = two({}, { positions: () => ({ ...EMPTY, accounts: equity }), identify: () => unknown })
    const spare = asking({ patience: 'poll', hasSpare: () => true })
    expect((await taken(rich.clock, rich.other.positions(ALICE, spare))).value?.isUnknown).toBeUndefined()
    const silent: Script = {
      positions: () => EMPTY,
      identify() {
        throw DOWN
      },
    }
    const { other, clock, inner } = two({}, silent)
    expect((await taken(clock, other.positions(ALICE, spare))).value).toEqual(EMPTY)
    expect((await taken(clock, other.positions(ALICE, spare))).value).toEqual(EMPTY)
    expect(inner[1].calls.filter(({ what }) => what === 'identify')).toHaveLength(1)
  })
})
