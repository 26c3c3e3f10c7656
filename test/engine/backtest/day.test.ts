import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createDays } from '../../../src/engine/backtest/day.ts'
import { countedSizes, marketDay, type SizeStep } from '../../../src/engine/backtest/day-pnl.ts'
import type { Position } from '../../../src/venue/position.ts'
import { ALICE, aMarket, aPosition, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { PERIODS, type Running, startEngine } from '../../support/running.ts'
import { budget } from '../../support/seed.ts'

const HOUR_MS = 3_600_000
const { signal } = new AbortController()
const ETH = '100'
const BTC = '200'

/** The real engine beside a wallet that is watched, and how to turn the prices of its markets. */
async function watching() {
  const running = await startEngine({ watches: [aWatch()] })
  const { clock } = running
  const since = clock.now()
  // From the next one on, each price is recorded.
  const opens = async (...positions: Position[]) => {
    await bot.turn(2_500)
    await bot.reads(positions)
    await bot.turn(2_500)
  }
  const prices = (eth: number, btc = 90_000, rate = '0') =>
    running.prices(
      aMarket({ id: ETH, price: exact(String(eth)), fundingRatePerDay: exact(rate) }),
      aMarket({ id: BTC, symbol: 'BTC', price: exact(String(btc)), fundingRatePerDay: exact(rate) }),
    )
  const bot = Object.assign(running, { since, opens, turn: prices, day: () => dayOf(running, since) })
  return bot
}

/** Of the time until now. */
function dayOf({ engine, store, clock }: Running, since: number, wallets = [ALICE]) {
  const { recording } = store
  const days = createDays({ drawers: engine.memory, recording, clock, ...PERIODS, signal })
  return days.read({ wallets, since, until: clock.now() })
}

const long = (over: Partial<Position> = {}) => aPosition({ marketId: ETH, size: exact('2'), ...over })
const short = (over: Partial<Position> = {}) =>
  aPosition({
    ...{ marketId: BTC, size: exact('-0.5'), entryPrice: exact('95000') },
    ...{ liquidationPrice: exact('120000'), ...over },
  })

describe('the day of positions', () => {
  test('is size × change of the price, whatever they were opened at', async () => {
    const bot = await watching()
    await bot.opens(long(), short())
    await bot.turn(2_600)
    await bot.turn(2_450, 91_000)
    // 2 × (2,450 − 2,500) − 0.5 × (91,000 − 90,000)
    expect(await bot.day()).toMatchObject({ pnl: -600, isWhole: true, gaps: [], worth: 2 * 2_450 + 45_500 })
    expect((await bot.day())?.usd).toEqual(expect.arrayContaining([200, -600]))
  })

  test('keeps what a closed one has brought, and begins at nothing with a new one', async () => {
    const bot = await watching()
    await bot.opens(long())
    await bot.turn(2_600)
    await bot.reads([])
    await bot.reads([])
    await bot.turn(2_900)
    expect((await bot.day())?.pnl).toBe(200)
    // Its entry was at another price: nothing of that is of this day.
    await bot.reads([long({ size: exact('1'), entryPrice: exact('1000') })])
    await bot.turn(2_890)
    const day = await bot.day()
    expect([day?.pnl, day?.isWhole]).toEqual([190, true])
    expect(Math.max(...(day?.usd ?? []))).toBe(200)
  })

  test('counts each size for its own time', async () => {
    const bot = await watching()
    await bot.opens(long())
    await bot.turn(2_510)
    await bot.reads([long({ size: exact('5') })])
    await bot.turn(2_520)
    await bot.reads([long({ size: exact('1') })])
    await bot.turn(2_500)
    // 2 × 10 + 5 × 10 − 1 × 20
    expect((await bot.day())?.pnl).toBe(50)
  })

  test('counts funding by the rates that were seen', async () => {
    const bot = await watching()
    await bot.turn(2_500, 90_000, '0.24')
    await bot.reads([long()])
    for (let minute = 0; minute < 59; minute++) await bot.turn(2_500, 90_000, '0.24')
    // A hundredth an hour of $5,000, for 59 seconds.
    expect((await bot.day())?.funding).toBeCloseTo((-50 * 59) / 3_600, 1)
  })

  test('goes on across a time that nobody saw, where the position is the same after it', async () => {
    const bot = await watching()
    await bot.opens(long())
    const since = bot.clock.now()
    await bot.clock.advance(HOUR_MS)
    const until = bot.clock.now()
    await bot.turn(2_400)
    await bot.reads([long()])
    const day = await bot.day()
    expect([day?.pnl, day?.isWhole]).toEqual([-200, true])
    expect(day?.gaps).toHaveLength(1)
    expect(Math.abs((day?.gaps[0]?.since ?? 0) - since)).toBeLessThan(5_000)
    expect(Math.abs((day?.gaps[0]?.until ?? 0) - until)).toBeLessThan(5_000)
  })

  test('says that a part is missing where a position changed in a time that nobody saw', async () => {
    const bot = await watching()
    await bot.opens(long())
    await bot.turn(2_520)
    await bot.clock.advance(HOUR_MS)
    await bot.turn(2_400)
    await bot.reads([long({ size: exact('3') })])
    await bot.turn(2_410)
    // 2 × 20 before, nothing of the fall that nobody saw, and 3 × 10 after.
    expect(await bot.day()).toMatchObject({ pnl: 70, isWhole: false })
  })

  test('is not known where nothing is seen at its end', async () => {
    const bot = await watching()
    await bot.opens(long())
    await bot.turn(2_520)
    await bot.clock.advance(HOUR_MS)
    expect((await bot.day())?.pnl).toBeNull()
  })

  test('is there after a restart, from the store', async () => {
    const bot = await watching()
    await bot.opens(long())
    await bot.turn(2_530)
    await bot.restart(5_000)
    await bot.turn(2_540)
    await bot.reads([long()])
    expect(await bot.day()).toMatchObject({ pnl: 80, isWhole: true })
  })

  test('is none where nothing was held, and where nothing is recorded', async () => {
    const bot = await watching()
    await bot.turn(2_500)
    await bot.reads([])
    await bot.turn(2_520)
    expect(await bot.day()).toBeNull()
    expect(await dayOf(bot, bot.since, [])).toBeNull()
    const unread = await watching()
    await unread.turn(2_500)
    expect(await unread.day()).toBeNull()
  })
})

describe('days that many ask for at once', () => {
  test('are read one after the other, each once, and not at all after a minute of waiting', async () => {
    const bot = await watching()
    await bot.opens(long())
    await bot.turn(2_520)
    const gate = Promise.withResolvers<void>()
    const asked: string[] = []
    const recording = {
      async blocks(...[of, id]: Parameters<typeof bot.store.recording.blocks>) {
        if (of === 'wallet') asked.push(id)
        await gate.promise
        return []
      },
    }
    const days = createDays({ drawers: bot.engine.memory, recording, clock: bot.clock, ...PERIODS, signal })
    const span = { since: bot.since, until: bot.clock.now() }
    const [first, again] = [0, 1].map(() => days.read({ ...span, wallets: [ALICE] }))
    const late = days.read({ ...span, wallets: [BOB] })
    await bot.clock.advance(61_000)
    gate.resolve()
    expect(await first).toMatchObject({ pnl: 40 })
    expect(await again).toBe(await first)
    expect([await late, asked]).toEqual([null, [ALICE]])
  })

  test('are not read once all stops', async () => {
    const bot = await watching()
    await bot.opens(long())
    const { memory } = bot.engine
    const days = createDays({
      ...{ drawers: memory, recording: bot.store.recording, clock: bot.clock, ...PERIODS },
      signal: AbortSignal.abort(),
    })
    expect(await days.read({ since: bot.since, until: bot.clock.now(), wallets: [ALICE] })).toBeNull()
  })

  test('are tried anew where the record could not be read', async () => {
    const bot = await watching()
    await bot.opens(long())
    let fails = true
    const recording = {
      async blocks(...asked: Parameters<typeof bot.store.recording.blocks>) {
        if (fails) throw new Error('disk gone')
        return bot.store.recording.blocks(...asked)
      },
    }
    const days = createDays({ drawers: bot.engine.memory, recording, clock: bot.clock, ...PERIODS, signal })
    const span = { since: bot.since, until: bot.clock.now(), wallets: [ALICE] }
    await expect(days.read(span)).rejects.toThrow('disk gone')
    fails = false
    expect(await days.read(span)).toMatchObject({ pnl: 0 })
  })

  test.each([
    [100, 'a sum', 400],
    [101, 'nothing', undefined],
  ])('of %i markets are %s', async (count, _what, pnl) => {
    const bot = await watching()
    const ids = Array.from({ length: count }, (_, at) => String(1_000 + at))
    const all = (price: string) => ids.map((id) => aMarket({ id, symbol: `M${id}`, price: exact(price) }))
    await bot.prices(...all('10'))
    const cheap = { entryPrice: exact('10'), liquidationPrice: exact('5') }
    const own = ids.map((marketId) => long({ marketId, accountId: marketId, ...cheap }))
    await bot.reads(own)
    await bot.prices(...all('11'))
    await bot.prices(...all('13'))
    expect((await bot.day())?.pnl).toBe(pnl)
  })
})

const time = fc.integer({ min: 0, max: 1_000 })
const samples = fc.uniqueArray(fc.record({ at: time, price: fc.integer({ min: 1, max: 900 }) }), {
  ...{ selector: ({ at }: { at: number }) => at, minLength: 1, maxLength: 60 },
})
const sizes = fc.uniqueArray(fc.record({ at: time, size: fc.integer({ min: -9, max: 9 }) }), {
  ...{ selector: ({ at }: { at: number }) => at, maxLength: 9 },
})

describe('the sum over a market', () => {
  test('is that of each position from its opening to its end, by the last price before each', () => {
    fc.assert(
      fc.property(samples, fc.array(sizes, { maxLength: 4 }), time, (unordered, given, since) => {
        const prices = unordered.toSorted((a, b) => a.at - b.at)
        const positions = given.map((steps) => steps.toSorted((a, b) => a.at - b.at))
        const span = { since, until: 1_000 }
        const { pnl } = atOnce(marketDay(seriesOf(prices), positions, [], span))
        const at = (when: number) => (prices.findLast((one) => one.at <= when) ?? prices[0])?.price ?? 0
        const one = (steps: readonly SizeStep[]) =>
          steps.reduce((sum, { at: from, size }, place) => {
            const to = Math.max(steps[place + 1]?.at ?? 1_000, since)
            return sum + size * (at(to) - at(Math.max(from, since)))
          }, 0)
        const expected = positions.reduce((sum, steps) => sum + one(steps), 0)
        if (prices.some((sample) => sample.at >= since)) expect(pnl.at(-1) ?? 0).toBeCloseTo(expected, 6)
      }),
      { numRuns: budget(5_000, 1_000) },
    )
  })

  test('begins with the first single price after an opening, where only minutes were recorded before', () => {
    const prices = seriesOf([90, 100, 110].map((price, at) => ({ at: at * 60_000, price })))
    prices.coarse[0] = 1
    const opened = [{ at: 50_000, size: 2 }]
    const { pnl } = atOnce(marketDay(prices, [opened], [], { since: 0, until: 120_000 }))
    expect(pnl).toEqual([0, 0, 20])
  })

  test('counts nothing of a gap in which the position has changed', () => {
    const steps = [
      { at: 0, size: 2 },
      { at: 500, size: 0 },
    ]
    const gap = { since: 100, until: 450 }
    expect(countedSizes(steps, [gap], 0)).toEqual({
      steps: [{ at: 0, size: 2 }, { at: 100, size: 0 }, steps[1]],
      isWhole: false,
    })
    // A change long after a gap was seen.
    expect(countedSizes(steps, [{ since: 100, until: 150 }], 0).isWhole).toBe(false)
    const late = [
      { at: 0, size: 2 },
      { at: 900_000, size: 0 },
    ]
    expect(countedSizes(late, [gap], 0)).toEqual({ steps: late, isWhole: true })
  })
})

function seriesOf(all: readonly { at: number; price: number }[]) {
  return {
    times: Float64Array.from(all, ({ at }) => at),
    prices: Float64Array.from(all, ({ price }) => price),
    rates: new Float64Array(all.length),
    coarse: new Uint8Array(all.length),
  }
}

function atOnce<T>(work: Generator<void, T>): T {
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value
}
