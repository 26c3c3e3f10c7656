import { describe, expect, test } from 'vitest'

import { createBudget } from '../../src/polling/budget/budget.ts'
import { createOrdersPoller } from '../../src/polling/orders.ts'
import type { Order } from '../../src/venue/order.ts'
import type { OrdersReading } from '../../src/venue/reading.ts'
import type { Venue } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { handClock } from '../support/clock.ts'
import { anOrder } from '../support/fixtures.ts'
import { aWallet, DOWN, NEVER, openBudget, QUEUED, type Script, scriptedVenue } from '../support/polling.ts'

const [ALICE, BOB] = [aWallet(1), aWallet(2)]

/** Alice is covered by a rule that needs orders; what she waits for is what the test says. */
function polling(script: Script = {}, over: Partial<Venue> = {}, budget = openBudget()) {
  const clock = handClock()
  const began = clock.monotonic()
  const { venue, calls } = scriptedVenue(clock, script)
  const read: OrdersReading[] = []
  const failed: string[] = []
  let readers: readonly Wallet[] = [ALICE]
  let awaited: string[] = []
  const poller = createOrdersPoller({
    ...{ venue: { ...venue, ...over }, budget, clock },
    emit() {},
    readers: () => readers,
    awaited: () => awaited,
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
