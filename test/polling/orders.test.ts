import { describe, expect, test } from 'vitest'

import { createBudget } from '../../src/polling/budget/budget.ts'
import { createListPoller, createOrdersAsking, ORDERS_PACE } from '../../src/polling/orders.ts'
import type { Order } from '../../src/venue/order.ts'
import { toNumber } from '../../src/venue/amount.ts'
import type { LedgerAsked, LedgerFill } from '../../src/venue/record/ledger.ts'
import type { OrdersReading } from '../../src/venue/reading.ts'
import type { OrdersAnswer, Venue } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { handClock, NOON } from '../support/clock.ts'
import { anOrder, exact } from '../support/fixtures.ts'
import { aWallet, DOWN, NEVER, openBudget, QUEUED, type Script, scriptedVenue } from '../support/polling.ts'

const [ALICE, BOB] = [aWallet(1), aWallet(2)]

/** Alice is covered by a rule that needs orders; what she waits for is what the test says. */
function polling(script: Script = {}, over: Partial<Venue> = {}, budget = openBudget(), pace = ORDERS_PACE) {
  const clock = handClock()
  const began = clock.monotonic()
  const { venue, calls } = scriptedVenue(clock, script)
  const read: OrdersReading[] = []
  const failed: string[] = []
  let readers: readonly Wallet[] = [ALICE]
  let awaited: string[] = []
  const asked = { ...venue, ...over }
  const poller = createListPoller({
    ...{ pace, venue: asked, budget, clock },
    emit() {},
    readers: () => readers,
    ...createOrdersAsking({ venue: asked, clock, awaited: () => awaited }),
    read: (reading) => void read.push(reading),
    failed: (wallet, why) => void failed.push(`${wallet.slice(-1)}: ${why}`),
  })
  poller.start()
  return {
    ...{ clock, calls, read, failed, poller, budget },
    covers(...wallets: Wallet[]) {
      readers = wallets
      poller.nudge()
    },
    awaits: (...ids: string[]) => void (awaited = ids),
    times: () => calls.map(({ wallet, mono }) => `${wallet?.slice(-1)} ${(mono - began) / 1_000}`),
  }
}

describe('orders', () => {
  test('are read at once where a rule needs them, and every fifteen seconds from then on', async () => {
    const { clock, times, budget } = polling()
    await clock.advance(31_000)
    expect(times()).toEqual(['1 0', '1 15', '1 30'])
    expect(new Set(budget.asked)).toEqual(new Set(['order']))
  })

  test('are read of nobody else, and of nobody any more when the rule is gone', async () => {
    const { clock, times, covers } = polling()
    await clock.advance(1_000)
    covers(BOB)
    await clock.advance(20_000)
    covers()
    await clock.advance(60_000)
    expect(times()).toEqual(['1 0', '2 1', '2 16'])
  })

  test('are not read sooner because a rule comes and goes', async () => {
    const { clock, times, covers } = polling()
    for (let place = 0; place < 20; place++) {
      await clock.advance(500)
      covers()
      covers(ALICE)
    }
    await clock.advance(10_000)
    expect(times()).toEqual(['1 0', '1 15'])
  })

  test('that cannot be read are told, and tried again ever more rarely', async () => {
    const { clock, times, failed } = polling({ orders: () => Promise.reject(DOWN) })
    await clock.advance(120_000)
    expect(times()).toEqual(['1 0', '1 15', '1 45', '1 105'])
    expect(failed).toHaveLength(4)
    expect(failed[0]).toBe('1: The venue answered 503.')
  })

  test('for which there was no turn are tried again, and nothing is said of it', async () => {
    const { clock, times, failed } = polling({ orders: () => Promise.reject(QUEUED) })
    await clock.advance(31_000)
    expect([times().length, failed]).toEqual([3, []])
  })

  test('that are read more seldom are tried again soon where there was no turn', async () => {
    let isBusy = true
    const pace = {
      ...ORDERS_PACE,
      everyMs: () => 300_000,
      afterFailures: { firstMs: 30_000, longestMs: 120_000 },
    }
    const orders = () => (isBusy ? Promise.reject(QUEUED) : Promise.resolve([]))
    const { clock, times, read } = polling({ orders }, {}, openBudget(), pace)
    await clock.advance(31_000)
    isBusy = false
    await clock.advance(30_000)
    expect([times(), read.length]).toEqual([['1 0', '1 30', '1 60'], 1])
  })

  test('that a person has asked for are due as soon as those say', async () => {
    const pace = {
      ...ORDERS_PACE,
      everyMs: (last: OrdersAnswer | null) => (last?.orders.length ? 60_000 : 300_000),
    }
    const { clock, times, poller } = polling({ orders: () => [] }, {}, openBudget(), pace)
    await clock.advance(20_000)
    poller.heard(ALICE, { orders: [anOrder()], unusable: [], unasked: [] })
    poller.heard(BOB, { orders: [anOrder()], unusable: [], unasked: [] })
    await clock.advance(100_000)
    expect(times()).toEqual(['1 0', '1 60'])
  })

  test('of one that hangs are given up, and hold up nobody else', async () => {
    const { clock, times, failed, covers } = polling({ orders: (wallet) => (wallet === ALICE ? NEVER : []) })
    covers(ALICE, BOB)
    await clock.advance(46_000)
    expect(times()).toEqual(['1 0', '2 0', '2 15', '2 30', '1 30.001', '2 45'])
    expect(failed).toHaveLength(1)
  })

  test('wait for everything that protects', async () => {
    const clock = handClock()
    const budget = createBudget({ clock, emit() {}, pace: { weightPerSecond: 1, burst: 1 } })
    const order: string[] = []
    const ask = (priority: 'order' | 'wallet' | 'markets' | 'confirm') =>
      budget.spend(priority, new AbortController().signal, async () => void order.push(priority))
    void ask('markets')
    for (const priority of ['order', 'wallet', 'confirm', 'markets'] as const) void ask(priority)
    await clock.advance(10_000)
    expect(order).toEqual(['markets', 'markets', 'confirm', 'wallet', 'order'])
  })
})

describe('orders that the venue has worked off', () => {
  const part = (done: number, over: Partial<Order> = {}): Order => {
    const sizes = { size: exact(String(4 - done)), doneSize: exact(String(done)) }
    return anOrder({ id: '7', state: 'open', ...sizes, createdAt: NOON, ...over })
  }
  const ended = part(4, { state: 'filled', size: exact('4') })
  const trade = (id: string, over: Partial<LedgerFill> = {}): LedgerFill => ({
    ...{ is: 'fill', id, at: NOON, accountId: '1', marketId: '100', orderId: '7', how: 'traded' },
    ...{ size: exact('1'), price: exact('100'), before: 0n, realisedUsd: 0n, feeUsd: 0n },
    ...over,
  })

  /** The order 7 is awaited. Its lists come in turn, and so do the trades that the record has by then. */
  function working(lists: Order[][], records: (LedgerFill[] | Error)[], wholeFrom = Infinity) {
    const asked: LedgerAsked[] = []
    let [look, reads] = [0, 0]
    const bot = polling(
      {},
      {
        async orders() {
          const orders = lists[Math.min(look++, lists.length - 1)] ?? []
          return { orders: orders.filter(({ state }) => state === 'open'), unusable: [], unasked: [] }
        },
        async orderOutcomes() {
          const orders = lists[Math.min(look - 1, lists.length - 1)] ?? []
          return { orders: orders.filter(({ state }) => state !== 'open'), unusable: [], unasked: [] }
        },
        async ledger(_wallet, of) {
          asked.push(of)
          const record = records[Math.min(reads++, records.length - 1)] ?? []
          if (record instanceof Error) throw record
          return {
            entries: record,
            wholeFrom: Math.max(of.since, Math.min(wholeFrom, of.since)),
            unusable: [],
          }
        },
      },
    )
    bot.awaits('7')
    const sizes = () =>
      bot.read.map(({ value }) => value.orders.map(({ fills }) => (fills ? toNumber(fills.size) : fills)))
    return { ...bot, asked, sizes }
  }

  test('bring their trades, read once for each change', async () => {
    const one = [trade('a')]
    const two = [...one, trade('b', { before: exact('1') })]
    const { clock, asked, sizes } = working([[part(1)], [part(1)], [part(2)], [part(2)]], [one, two])
    await clock.advance(50_000)
    expect(sizes()).toEqual([[1], [1], [2], [2]])
    expect(asked).toHaveLength(2)
  })

  test('are summed over earlier parts, which the later reads do not reach', async () => {
    const old = trade('a', { at: NOON - 90_000 })
    const rest = [trade('b', { size: exact('3'), before: exact('1') })]
    const placed = { createdAt: NOON - 3_600_000 }
    const { clock, sizes, asked } = working([[part(1, placed)], [{ ...ended, ...placed }]], [[old], rest])
    await clock.advance(20_000)
    expect(sizes()).toEqual([[1], [4]])
    expect(asked[0]?.since).toBeLessThan(NOON - 3_600_000)
    expect(asked[1]?.since).toBeGreaterThan(NOON - 120_000)
  })

  test('say nothing where the record does not add up, and ask three times at most', async () => {
    const placed = { createdAt: NOON - 3_600_000 * 48 }
    const { clock, sizes, asked } = working([[part(2, placed)]], [[trade('a')]])
    await clock.advance(100_000)
    expect(new Set(sizes().flat())).toEqual(new Set([null]))
    expect(asked).toHaveLength(3)
  })

  test('bring their trades a look later where the record was late or out', async () => {
    const { clock, sizes } = working([[part(1)]], [DOWN, [], [trade('a')]])
    await clock.advance(50_000)
    expect(sizes()).toEqual([[null], [null], [1], [1]])
  })

  test('that have ended wait one look for a late record, and no longer', async () => {
    const late = working([[ended]], [[], [trade('a', { size: exact('4') })]])
    await late.clock.advance(31_000)
    expect(late.sizes()).toEqual([[], [4], [4]])
    const never = working([[ended]], [DOWN])
    await never.clock.advance(20_000)
    expect(never.sizes()).toEqual([[], [null]])
  })

  test('are not looked up for nobody: without a follower, a change, or a record', async () => {
    const unworked = anOrder({ id: '7', state: 'open', createdAt: NOON })
    const stranger = part(1, { id: '8' })
    const stop = part(1, { isProtective: true })
    for (const order of [unworked, stranger, stop]) {
      const { clock, asked, sizes } = working([[order]], [[trade('a')]])
      await clock.advance(20_000)
      expect([asked, sizes()]).toEqual([[], [[undefined], [undefined]]])
    }
  })

  test('are asked for once for a hundred that end at once', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ ...ended, id: String(n) }))
    const record = many.map(({ id }) => trade(id, { orderId: id, size: exact('4') }))
    const { clock, asked, sizes, awaits } = working([many], [record])
    awaits(...many.map(({ id }) => id))
    await clock.advance(1_000)
    expect(asked).toHaveLength(1)
    expect(sizes()[0]).toEqual(many.map(() => 4))
  })
})

describe('where a list of all orders weighs more than those that wait', () => {
  const weighing = (orderOutcomes: Order[], weight = 1) => {
    const asked: (readonly string[])[] = []
    const world = polling(
      { orders: () => [anOrder({ id: '1', state: 'open' })] },
      {
        async orderOutcomes(_wallet, ids, asking) {
          asked.push(ids)
          await asking.spend(async (more) => more(weight - 1))
          return { orders: orderOutcomes, unusable: [], unasked: [] }
        },
      },
    )
    return { ...world, asked }
  }

  test('only those are asked for that somebody waits for and that wait no more', async () => {
    const { clock, asked, awaits, read } = weighing([anOrder({ id: '2', state: 'filled' })])
    await clock.advance(1_000)
    awaits('1', '2', '2')
    await clock.advance(15_000)
    expect(asked).toEqual([['2']])
    expect(read.map(({ value }) => value.orders.map(({ id, state }) => `${id} ${state}`))).toEqual([
      ['1 open'],
      ['1 open', '2 filled'],
    ])
  })

  test('a wallet whose orders weigh much is read more seldom', async () => {
    const { clock, times, awaits } = weighing([], 159)
    awaits('2')
    await clock.advance(59_000)
    expect(times()).toEqual(['1 0'])
    await clock.advance(2_000)
    expect(times()).toEqual(['1 0', '1 60'])
  })

  test('many wallets together leave half of what the venue allows', async () => {
    let spent = 0
    const { clock, covers } = polling(
      {},
      {
        limits: { allowed: { weight: 1_200, perMs: 60_000 } },
        async orders(_wallet, _states, asking) {
          await asking.spend(async () => void (spent += 20), 20)
          return { orders: [], unusable: [], unasked: [] }
        },
      },
    )
    covers(...Array.from({ length: 27 }, (_, index) => aWallet(index + 1)))
    await clock.advance(60_000)
    spent = 0
    await clock.advance(300_000)
    // Two reads are under way at once, and their weight is not known yet.
    expect(spent).toBeLessThanOrEqual(5 * (600 + 2 * 20))
    expect(spent).toBeGreaterThan(5 * 500)
  })
})
