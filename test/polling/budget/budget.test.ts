import { array, assert, asyncProperty, constantFrom, double } from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createBudget, type Priority } from '../../../src/polling/budget/budget.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { handClock } from '../../support/clock.ts'
import { type LimitedVenue, useUnknownLimit } from '../../support/polling-limit.ts'
import { DOWN, LIMITED, NEVER } from '../../support/polling.ts'
import { budget as amount } from '../../support/seed.ts'

/** A budget, and requests that are noted as they start. */
function spending(weightPerSecond: number, burst: number | null = null) {
  const clock = handClock()
  const events: Event[] = []
  const budget = createBudget({
    clock,
    emit: (event) => events.push(event),
    pace: { weightPerSecond, burst },
  })
  const began = clock.monotonic()
  const started: { who: string; ms: number }[] = []
  const ended: Promise<unknown>[] = []
  const ask = (
    priority: Priority,
    fails?: Error,
    signal = new AbortController().signal,
    who: string = priority,
  ) => {
    const call = budget.spend(priority, signal, () => {
      started.push({ who, ms: clock.monotonic() - began })
      return fails ? Promise.reject(fails) : Promise.resolve()
    })
    ended.push(call.catch((error: unknown) => error))
  }
  const asks = (count: number, priority: Priority) => {
    for (let index = 0; index < count; index++) ask(priority)
  }
  /** Requests a second that may start, by what starts in ten seconds of more than that. */
  const perSecond = async () => {
    const over = new AbortController()
    let begun = 0
    const begin = () => {
      begun += 1
      return NEVER
    }
    for (let index = 0; index < 600; index++) budget.spend('wallet', over.signal, begin).catch(() => {})
    // Not at the very time of a start: rounding would decide on which side it counts.
    await clock.advance(1_010)
    const saved = begun
    await clock.advance(10_000)
    over.abort()
    return (begun - saved) / 10
  }
  return {
    clock,
    events,
    budget,
    perSecond,
    started,
    ended,
    ask,
    asks,
    whoStarted: () => started.map(({ who }) => who),
  }
}

describe('who may spend', () => {
  test('a short burst at once, but for one that is kept ready for second looks, then at the rate', async () => {
    const { clock, started, asks } = spending(20)
    asks(25, 'wallet')
    await clock.advance(0)
    expect(started).toHaveLength(4)
    await clock.advance(500)
    expect(started).toHaveLength(14)
    await clock.advance(550)
    expect(started).toHaveLength(25)
    expect(clock.waiting()).toBe(0)
  })

  test('confirmations keep every other turn, where markets would take all of a rate that has become low', async () => {
    const { clock, whoStarted, ask, asks } = spending(1, 1)
    ask('markets')
    asks(6, 'markets')
    asks(3, 'confirm')
    await clock.advance(6_000)
    expect(whoStarted().slice(1)).toEqual([
      ...['markets', 'confirm', 'markets', 'confirm', 'markets', 'confirm'],
    ])
  })

  test('what is added to an alert comes last, and leaves half of a burst to what protects', async () => {
    const { clock, asks, whoStarted } = spending(20, 8)
    asks(20, 'quote')
    await clock.advance(0)
    expect(whoStarted()).toHaveLength(4)
    asks(2, 'wallet')
    asks(1, 'order')
    asks(1, 'markets')
    await clock.advance(0)
    expect(whoStarted().slice(4)).toEqual(['wallet', 'wallet', 'order', 'markets'])
    await clock.advance(10_000)
    expect(whoStarted().slice(4, 9)).toEqual(['wallet', 'wallet', 'order', 'markets', 'quote'])
    expect(whoStarted()).toHaveLength(24)
  })

  test('a venue that turns it away makes nobody else wait', async () => {
    const { clock, events, ask, asks, started, ended } = spending(20)
    ask('quote', LIMITED(5_000))
    await Promise.all(ended)
    asks(5, 'markets')
    await clock.advance(100)
    expect(started.filter(({ who }) => who === 'markets')).toHaveLength(5)
    expect(events).toEqual([])
  })

  test('markets come first, and are counted like all others', async () => {
    const { clock, asks, whoStarted } = spending(4)
    asks(3, 'wallet')
    asks(6, 'markets')
    await clock.advance(1_499)
    expect(whoStarted()).toEqual(['wallet', ...Array<string>(5).fill('markets')])
    await clock.advance(1)
    expect(whoStarted().at(-1)).toBe('markets')
    await clock.advance(250)
    expect(whoStarted().at(-1)).toBe('wallet')
  })

  test('what weighs more takes as much of the rate, and nothing light overtakes it', async () => {
    const { clock, budget, started, ask, whoStarted } = spending(20, 10)
    const { signal } = new AbortController()
    const heavy = budget.spend(
      'person',
      signal,
      async () => void started.push({ who: 'heavy', ms: clock.monotonic() }),
      20,
    )
    ask('person')
    ask('wallet')
    await heavy
    expect(whoStarted()).toEqual(['heavy'])
    // It began with a burst of ten; the other ten are paid off before anybody goes on.
    await clock.advance(599)
    expect(whoStarted()).toEqual(['heavy'])
    await clock.advance(1)
    expect(whoStarted()).toEqual(['heavy', 'person'])
    await clock.advance(50)
    expect(whoStarted()).toEqual(['heavy', 'person', 'wallet'])
  })

  test('what an answer costs beyond what was known is paid off after it', async () => {
    const { clock, budget, ask, started } = spending(10, 1)
    await budget.spend('person', new AbortController().signal, async (more) => more(9))
    ask('wallet')
    await clock.advance(999)
    expect(started).toHaveLength(0)
    await clock.advance(1)
    expect(started).toHaveLength(1)
  })

  test('then people and second looks, then owners, then orders; in each the first who came', async () => {
    const { clock, ask, whoStarted } = spending(4)
    const { signal } = new AbortController()
    for (const one of ['order', 'wallet', 'person'] as const) {
      for (const who of ['a', 'b']) ask(one, undefined, signal, `${one} ${who}`)
    }
    await clock.advance(5_000)
    expect(whoStarted()).toEqual(['order a', 'person a', 'person b', 'wallet a', 'wallet b', 'order b'])
  })

  test('whoever gives up while waiting frees the place, and leaves nothing on the clock', async () => {
    const { clock, ask, started, ended } = spending(1)
    const stop = new AbortController()
    ask('wallet')
    ask('wallet', undefined, stop.signal)
    ask('person', undefined, stop.signal)
    stop.abort(new Error('stopped'))
    expect(await Promise.all(ended)).toEqual([undefined, new Error('stopped'), new Error('stopped')])
    expect(clock.waiting()).toBe(0)
    ask('wallet', undefined, stop.signal)
    await clock.advance(10_000)
    expect(started).toHaveLength(1)
  })
})

describe('a budget has floors', () => {
  const KINDS = ['markets', 'confirm', 'person', 'wallet', 'order'] as const
  const SPENT = 10_000
  /** While all want more than there is, each starts at least once while so many requests of each could start. */
  const ROUNDS = 20

  test('each has its turn, however heavy the others are and however low the rate has fallen', async () => {
    await assert(
      asyncProperty(
        double({ min: 0.5, max: 18, noNaN: true }),
        array(constantFrom(1, 2, 20, 25), { minLength: 5, maxLength: 5 }),
        async (weightPerSecond, weights) => {
          const { clock, budget } = spending(weightPerSecond, 54)
          const { signal } = new AbortController()
          const starts = new Map<string, number>(KINDS.map((kind) => [kind, 0]))
          const wants = (kind: Priority, weight: number): void =>
            void budget
              .spend(
                kind,
                signal,
                () => {
                  starts.set(kind, (starts.get(kind) ?? 0) + 1)
                  wants(kind, weight)
                  return NEVER
                },
                weight,
              )
              .catch(() => {})
          for (const [index, kind] of KINDS.entries()) wants(kind, weights[index] ?? 1)
          await clock.advance((SPENT / weightPerSecond) * 1_000)
          const round = weights.reduce((sum, weight) => sum + weight, 0)
          for (const kind of KINDS) expect(starts.get(kind)).toBeGreaterThan(SPENT / round / ROUNDS)
        },
      ),
      { numRuns: amount(100, 8) },
    )
  })
})

describe('a venue that refuses', () => {
  test('lowers the rate by a tenth, once a second however many say so, and is told', async () => {
    const { clock, events, perSecond, ask } = spending(40)
    for (let index = 0; index < 5; index++) ask('wallet', LIMITED(null))
    await clock.advance(0)
    expect(await perSecond()).toBe(36)
    expect(events).toEqual([{ is: 'ceiling', weightPerSecond: 36, why: 'the venue answered 429' }])
    await clock.advance(1_000)
    ask('wallet', LIMITED(null))
    await clock.advance(0)
    expect(await perSecond()).toBeCloseTo(32.4)
  })

  test('is left alone as long as it asks, markets included, and then not run over', async () => {
    const { clock, started, ask, asks } = spending(40)
    ask('wallet', LIMITED(7_000))
    await clock.advance(0)
    asks(30, 'wallet')
    ask('markets')
    await clock.advance(6_999)
    expect(started).toHaveLength(1)
    await clock.advance(1)
    expect(started.map(({ who }) => who).slice(1)).toEqual(['markets'])
    await clock.advance(250)
    expect(started).toHaveLength(1 + 1 + 8)
  })

  test('but never for longer than a minute', async () => {
    const { clock, started, ask } = spending(40)
    ask('wallet', LIMITED(24 * 3_600_000))
    await clock.advance(0)
    ask('markets')
    await clock.advance(60_000)
    expect(started).toHaveLength(2)
  })

  test('is asked again a little below where it refused, and more only after ten minutes', async () => {
    const { clock, perSecond, ask } = spending(40)
    const succeedFor = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        ask('wallet')
        await clock.advance(1_000)
      }
    }
    ask('wallet', LIMITED(null))
    await succeedFor(60)
    expect(await perSecond()).toBeCloseTo(38)
    await succeedFor(510)
    expect(await perSecond()).toBeCloseTo(38)
    await succeedFor(15)
    expect(await perSecond()).toBe(40)
  })

  test('never brings us below one request in two seconds', async () => {
    const { clock, events, ask } = spending(2)
    for (let second = 0; second < 60; second++) {
      ask('markets', LIMITED(null))
      await clock.advance(1_000)
    }
    expect(events.at(-1)).toMatchObject({ is: 'ceiling', weightPerSecond: 0.5 })
  })

  test('leaves a list of markets its turn within a poll, where weights are known', async () => {
    const { clock, events, ask } = spending(17, 60)
    for (let second = 0; second < 60; second++) {
      ask('markets', LIMITED(null))
      await clock.advance(1_000)
    }
    expect(events.at(-1)).toMatchObject({ is: 'ceiling', weightPerSecond: 4 })
  })

  test('everything for long does not hold us back afterwards: the first refusal has shown its limit', async () => {
    const { clock, perSecond, ask } = spending(40)
    for (let request = 0; request < 45; request++) {
      ask('wallet', LIMITED(null))
      await clock.advance(3_000)
    }
    for (let second = 0; second < 60; second++) {
      ask('wallet')
      await clock.advance(1_000)
    }
    expect(await perSecond()).toBeGreaterThan(30)
  })

  test.each(['markets', 'wallet'] as const)(
    '%s alone, and at any rate, slows nobody down',
    async (refused) => {
      const { clock, perSecond, ask } = spending(17, 60)
      for (let second = 0; second < 300; second++) {
        ask(refused, LIMITED(null))
        ask('confirm')
        await clock.advance(1_000)
      }
      expect(await perSecond()).toBeGreaterThan(14)
    },
  )

  test('otherwise than by its limit changes nothing', async () => {
    const { clock, perSecond, ask } = spending(40)
    ask('wallet', DOWN)
    await clock.advance(0)
    expect(await perSecond()).toBe(40)
  })
})

describe('a venue that refuses whatever our pace', () => {
  const LONG_RUN_S = amount(3_600, 1_200)

  test.each([
    ['every 5 s, with a second to wait', 5_000, 1_000],
    ['every 5 s, without a word', 5_000, null],
    ['every 2 s, without a word', 2_000, null],
  ])(
    '%s: at least half of what is wanted is still read in the long run',
    async (_name, everyMs, retryAfterMs) => {
      const { clock, budget } = spending(20)
      const { signal } = new AbortController()
      const wanted = 14
      let refuseAt = everyMs
      let read = 0
      const request = async () => {
        if (clock.monotonic() - began >= refuseAt) {
          refuseAt += everyMs
          throw LIMITED(retryAfterMs)
        }
        read += 1
      }
      const began = clock.monotonic()
      // Each wallet is due every second, unless it waits yet.
      const waiting = new Set<number>()
      const second = async () => {
        for (let wallet = 0; wallet < wanted; wallet++) {
          if (waiting.has(wallet)) continue
          waiting.add(wallet)
          void budget
            .spend('wallet', signal, request)
            .catch(() => {})
            .finally(() => waiting.delete(wallet))
        }
        await clock.advance(1_000)
      }
      for (let passed = 0; passed < LONG_RUN_S; passed++) await second()
      const before = read
      for (let passed = 0; passed < 300; passed++) await second()
      expect((read - before) / 300).toBeGreaterThan(wanted / 2)
    },
  )
})

describe('a limit that nobody tells us, 50 then 20 then 50 a second', () => {
  const minutes = (...all: [number, number, number]) =>
    [50, 20, 50].map((perSecond, index) => ({ minutes: all[index] ?? 0, perSecond }))
  const aSecond = (perSecond: number) => perSecond
  const two = () => 2

  test.each<[string, LimitedVenue, number, number]>([
    // The figures that are reached stand beside the bounds; see performance.md (e).
    [
      'that says how long to wait: 96.7%, 0.03%',
      { phases: minutes(20, 20, 20), burst: two, retryAfterMs: 1_000, ownLimit: 60 },
      0.95,
      0.001,
    ],
    [
      'and takes bursts: 93.6%, 0.04%',
      { phases: minutes(20, 20, 20), burst: aSecond, retryAfterMs: 1_000, ownLimit: 60 },
      0.93,
      0.001,
    ],
    [
      'that says nothing: 96.7%, 0.12%',
      { phases: minutes(20, 20, 20), burst: two, retryAfterMs: null, ownLimit: 60 },
      0.95,
      0.0015,
    ],
    [
      'from twice as much: 96.4%, 0.22%',
      { phases: minutes(20, 20, 20), burst: two, retryAfterMs: null, ownLimit: 100 },
      0.95,
      0.0025,
    ],
    [
      'that rises while we still remember it lower: 91.0%, 0.03%',
      { phases: minutes(20, 15, 25), burst: two, retryAfterMs: 1_000, ownLimit: 60 },
      0.9,
      0.001,
    ],
  ])('%s', async (_name, given, leastUsed, mostRefused) => {
    const { used, refused } = await useUnknownLimit(given)
    expect(used).toBeGreaterThan(leastUsed)
    expect(refused).toBeLessThan(mostRefused)
  })
})

describe('a second look', () => {
  test('has its request at once, however many owners and people wait', async () => {
    const { clock, budget, asks, ask, whoStarted } = spending(20)
    asks(50, 'wallet')
    asks(50, 'person')
    await clock.advance(1_000)
    expect(budget.free()).toBe(true)
    const before = whoStarted().length
    ask('confirm')
    expect(whoStarted().slice(before)).toEqual(['confirm'])
    expect(budget.free()).toBe(false)
    await clock.advance(100)
    expect(budget.free()).toBe(true)
  })

  test('has none while the venue wants to be left alone', async () => {
    const { clock, budget, ask, ended } = spending(20)
    ask('person', LIMITED(3_000))
    await Promise.all(ended)
    await clock.advance(2_999)
    expect(budget.free()).toBe(false)
    await clock.advance(1)
    expect(budget.free()).toBe(true)
  })
})

describe('people and owners', () => {
  const countOf = (all: readonly string[], who: string) => all.filter((one) => one === who).length

  test('share what there is while both wait, two parts to three, after a second in which people go first', async () => {
    const { clock, asks, whoStarted } = spending(20)
    asks(300, 'wallet')
    asks(300, 'person')
    await clock.advance(1_000)
    expect(countOf(whoStarted(), 'person')).toBeGreaterThan(15)
    const before = whoStarted()
    await clock.advance(10_000)
    const since = whoStarted().slice(before.length)
    expect(since).toHaveLength(200)
    expect(Math.abs(countOf(since, 'person') - 80)).toBeLessThanOrEqual(2)
  })

  test('have all of it where the others leave it', async () => {
    const { clock, asks, whoStarted } = spending(20)
    asks(100, 'person')
    await clock.advance(5_000)
    expect(whoStarted()).toHaveLength(100)
    asks(100, 'wallet')
    await clock.advance(5_000)
    expect(whoStarted()).toHaveLength(200)
  })

  test('know how long a person would wait, with those before and what owners have meanwhile', async () => {
    const { clock, budget, asks } = spending(20)
    expect(budget.wait().ms).toBe(0)
    asks(40, 'person')
    const alone = budget.wait().ms
    expect(alone).toBeCloseTo(((40 - 4 + 1) / 20) * 1_000)
    asks(200, 'wallet')
    expect(budget.wait().ms).toBeGreaterThan(alone)
    const [told, since] = [budget.wait().ms, clock.monotonic()]
    let waited = Infinity
    void budget.spend('person', new AbortController().signal, async () => {
      waited = clock.monotonic() - since
    })
    await clock.advance(10_000)
    expect(Math.abs(waited - told)).toBeLessThanOrEqual(100)
  })
})

test('wallets and people keep a quarter of everything, whatever markets and confirmations want and the venue refuses', async () => {
  await assert(
    asyncProperty(
      constantFrom(1, 17, 100),
      constantFrom(null, 60),
      constantFrom(1, 2, 20),
      double({ min: 0, max: 0.3, noNaN: true }),
      async (weightPerSecond, burst, heavy, refused) => {
        const clock = handClock()
        const budget = createBudget({ clock, emit() {}, pace: { weightPerSecond, burst } })
        const over = new AbortController()
        const weights = { markets: 0, confirm: 0, wallet: 0, person: 0 }
        let asked = 0
        const go = (who: keyof typeof weights, weight: number) => {
          const again = () => (over.signal.aborted ? undefined : go(who, weight))
          const request = () => {
            weights[who] += weight
            return ++asked * refused >= 1 && (asked * refused) % 1 < refused
              ? Promise.reject(LIMITED(null))
              : Promise.resolve()
          }
          budget.spend(who, over.signal, request, weight).then(again, again)
        }
        // Always more of everything than may be spent.
        for (let each = 0; each < 4; each++) {
          go('markets', heavy)
          go('confirm', heavy)
          go('wallet', 2)
          go('person', 2)
        }
        // Enough for some hundred requests of either weight.
        await clock.advance(30_000 + (400_000 * heavy) / weightPerSecond)
        over.abort(new Error('the test is over'))
        await clock.advance(0)
        const all = Object.values(weights).reduce((sum, one) => sum + one, 0)
        expect(weights.wallet + weights.person).toBeGreaterThan(0.2 * all)
        expect(weights.wallet).toBeGreaterThan(0.08 * all)
        expect(weights.person).toBeGreaterThan(0.04 * all)
      },
    ),
    { numRuns: 8 },
  )
})

describe('what was used in the last minute', () => {
  test('is told by purpose, with what an answer costs beyond what was known before', async () => {
    const { clock, budget } = spending(100, 100)
    const { signal } = new AbortController()
    await budget.spend('markets', signal, () => Promise.resolve(), 20)
    await budget.spend('person', signal, () => Promise.resolve(), 2)
    await budget.spend('wallet', signal, (more) => Promise.resolve(more(3)), 2)
    await budget.spend('order', signal, () => Promise.resolve(), 1)
    expect(budget.used()).toEqual({
      markets: 20,
      asked: 2,
      wallets: 6,
      orders: 1,
      followed: 0,
      records: 0,
      atMost: 6_000,
      calmAtMost: null,
      coversMs: 0,
    })
    await clock.advance(59_000)
    expect(budget.used()).toMatchObject({ markets: 20, coversMs: 59_000 })
    await clock.advance(1_000)
    expect(budget.used()).toMatchObject({ markets: 0, asked: 0, wallets: 0, coversMs: 60_000 })
  })

  test('is counted also where the request failed', async () => {
    const { clock, budget } = spending(100, 100)
    const failed = budget.spend('wallet', new AbortController().signal, () => Promise.reject(DOWN), 2)
    await expect(failed).rejects.toBe(DOWN)
    expect(budget.used().wallets).toBe(2)
    await clock.advance(61_000)
  })
})

describe('reads that nobody waits for', () => {
  function calmly() {
    const clock = handClock()
    let leaves = true
    const pace = { weightPerSecond: 100, burst: 100, calm: { perSecond: 10, burst: 20 } }
    const budget = createBudget({ clock, emit() {}, pace, leavesRoom: () => leaves })
    const { signal } = new AbortController()
    const spends = (weight: number) => budget.spend('wallet', signal, () => Promise.resolve(), weight)
    const waitMs = () => Math.ceil(Math.max(budget.calmFrom() - clock.monotonic(), 0))
    return { clock, budget, spends, waitMs, leave: (room: boolean) => void (leaves = room) }
  }

  test('wait until all spending leaves room for others, which wait for nothing', async () => {
    const { clock, budget, spends, waitMs } = calmly()
    expect([waitMs(), budget.hasSpare()]).toEqual([0, true])
    await spends(14)
    expect([waitMs(), budget.hasSpare()]).toEqual([0, false])
    await spends(20)
    expect(waitMs()).toBe(2_000)
    await clock.advance(2_000)
    expect(waitMs()).toBe(0)
  })

  test('wait for no more than half a minute, however much was spent', async () => {
    const { clock, spends, waitMs } = calmly()
    for (let many = 0; many < 5; many++) {
      await spends(100)
      await clock.advance(1_000)
    }
    expect(waitMs()).toBeLessThanOrEqual(30_600)
    expect(waitMs()).toBeGreaterThan(20_000)
  })

  test('of records leave twice as much room, so that what people ask comes on top of no full minute', async () => {
    const { clock, budget, waitMs, spends } = calmly()
    let started = 0
    const record = () => budget.spend('record', new AbortController().signal, async () => void started++, 10)
    // The burst is spent.
    await spends(20)
    const all = Promise.all(Array.from({ length: 40 }, record))
    await clock.advance(30_000)
    // Ten a second are calm: 300 in this time, of which records take half and what they run ahead with.
    expect(started).toBeGreaterThanOrEqual(15)
    expect(started).toBeLessThanOrEqual(18)
    // A wallet may be read at once.
    expect(waitMs()).toBe(0)
    await clock.advance(60_000)
    await all
  })

  test('of balances beside an answer come at once in a quiet minute, and wait while a minute is full', async () => {
    const { clock, budget, spends } = calmly()
    let started = 0
    const beside = () => budget.spend('beside', new AbortController().signal, async () => void started++, 80)
    const quiet = beside()
    await quiet
    expect(started).toBe(1)
    for (let many = 0; many < 5; many++) {
      await clock.advance(1_000)
      await spends(100)
    }
    // 580 of 600 are spent: the next 80 have room once those of the first second are a minute ago.
    const next = beside()
    await clock.advance(50_000)
    expect(started).toBe(1)
    await clock.advance(10_000)
    await next
    expect(started).toBe(2)
  })

  test('of balances wait behind everything that protects a position', async () => {
    const { clock, budget } = calmly()
    const order: string[] = []
    const { signal } = new AbortController()
    const spend = (priority: 'beside' | 'wallet' | 'person' | 'order') =>
      budget.spend(priority, signal, async () => void order.push(priority), 60)
    const all = [spend('order'), spend('beside'), spend('order'), spend('wallet'), spend('person')]
    await clock.advance(60_000)
    await Promise.all(all)
    expect(order.at(-1)).toBe('beside')
  })

  test('wait for nothing where no room need be left', async () => {
    const { budget, spends, waitMs, leave } = calmly()
    await spends(60)
    expect(budget.used().calmAtMost).toBe(600)
    leave(false)
    expect([waitMs(), budget.hasSpare(), budget.used().calmAtMost]).toEqual([0, false, null])
  })
})
