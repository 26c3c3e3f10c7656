import { describe, expect, test } from 'vitest'

import type { Rule } from '../../../src/alert/alert.ts'
import { createQueue } from '../../../src/engine/queue.ts'
import type { Order } from '../../../src/venue/order.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, exact } from '../../support/fixtures.ts'
import { guards, waits } from '../../support/orders.ts'
import { type Running, startEngine } from '../../support/running.ts'

// Alice is long two ETH at each of two venues, and a rule of hers is about orders.

const venue = 'second'
const rule = (kind: string, over: Partial<Rule> = {}) => aRule({ kind, params: {}, wallet: ALICE, ...over })
const noStop = rule('no-stop', { params: { above: 1_000, lacks: 'both' }, holdMs: 0 })
const there = aPosition({ accountId: 'second/28', marketId: 'second/1' })
const farMarket = () => aMarket({ id: 'second/1', symbol: 'second:ETH', dex: venue, price: exact('2500') })
const at = (order: Order): Order => ({
  ...order,
  ...{ id: `second/${order.id}`, accountId: 'second/28', marketId: 'second/1' },
})
const hides = { hidesOrders: new Set([venue]) }

async function trading(rules: Rule[], over: Parameters<typeof startEngine>[1] = {}): Promise<Running> {
  const running = await startEngine(
    { rules, watches: [aWatch({ label: 'main' })] },
    { venues: ['hyperliquid', venue], ...over },
  )
  await bothPriced(running)
  await running.reads([aPosition()])
  await running.reads([there], { venue })
  return running
}

async function bothPriced(running: Running): Promise<void> {
  await running.prices(aMarket({ price: exact('2500') }))
  await running.pricesAt(venue, farMarket())
}

const heard = (running: Running) => running.hears().map((title) => title.replace(/ \(A\d+\)$/, ''))

describe('orders of one venue', () => {
  test('guard positions there alone', async () => {
    const running = await trading([noStop])
    await running.lists([guards('1', { stopLoss: '2300' })])
    await running.lists([], { venue })
    expect(heard(running)).toEqual(['1: second:ETH long has no take profit or stop loss'])
    await running.lists([guards('1', { stopLoss: '2300' })])
    await running.lists([at(guards('2', { stopLoss: '2300' }))], { venue })
    await running.lists([])
    expect(heard(running)).toEqual([
      expect.stringContaining('second:ETH'),
      '1: ETH long has no take profit or stop loss',
    ])
  })

  test('are none of the other one’s that end', async () => {
    const running = await trading([rule('order-filled')])
    await running.lists([waits('1')])
    await running.lists([at(waits('2'))], { venue })
    await running.lists([{ ...waits('1'), state: 'filled' }])
    expect(heard(running)).toEqual(['1: ETH buy order filled'])
    expect(running.engine.awaited(ALICE)).toEqual(['second/2'])
    await running.lists([{ ...at(waits('2')), state: 'filled' }], { venue })
    expect(heard(running)).toEqual(['1: second:ETH buy order filled'])
  })

  test('are not missed while the list of the other one is not known', async () => {
    const running = await trading([rule('tpsl')])
    await running.lists([guards('1', { stopLoss: '2300' })])
    await running.lists([at(guards('2', { stopLoss: '2300' }))], { venue })
    await running.restart(1_000)
    for (let times = 0; times < 4; times++) {
      await bothPriced(running)
      await running.reads([aPosition()])
      await running.reads([there], { venue })
      await running.lists([guards('1', { stopLoss: '2300' })])
    }
    expect(heard(running)).toEqual([])
    await running.lists([at(guards('2', { stopLoss: '2300' }))], { venue })
    for (let times = 0; times < 2; times++) {
      await running.lists([], { venue })
      await running.reads([there], { venue })
    }
    expect(heard(running)).toEqual([expect.stringContaining('second:ETH')])
  })

  test('wait in the queue beside those of the other one', () => {
    const queue = createQueue()
    const value = { orders: [], unusable: [], unasked: [] }
    const all = [{}, { venue }, {}].map((one, mono) => ({ wallet: ALICE, ...one, value, at: 0, mono }))
    for (const reading of all) queue.put({ is: 'orders', reading })
    expect([queue.next(), queue.next(), queue.next()]).toEqual([
      { is: 'orders', reading: all[1] },
      { is: 'orders', reading: all[2] },
      undefined,
    ])
  })
})

test('a stop is gone only if two lists of its own venue lack it', async () => {
  const running = await trading([rule('tpsl')])
  await running.lists([])
  await running.lists([at(guards('2', { stopLoss: '2300' }))], { venue })
  await running.lists([], { venue })
  await running.reads([there], { venue })
  await running.lists([])
  expect(heard(running)).toEqual([])
  await running.lists([], { venue })
  expect(heard(running)).toEqual([expect.stringMatching(/^1: second:ETH long.*stop loss/)])
})

test('a stop is gone only if its own position was read since, and not another venue’s', async () => {
  const running = await trading([rule('tpsl')], hides)
  await running.lists([guards('1', { stopLoss: '2300' })])
  // It has closed the position, which no read shows yet.
  await running.lists([])
  await running.reads([there], { venue })
  await running.lists([])
  await running.reads([there], { venue })
  expect(heard(running)).toEqual([])
  await running.reads([aPosition()])
  expect(heard(running)).toEqual([expect.stringMatching(/^1: ETH long.*stop loss/)])
})

describe('orders that cannot be read at one venue', () => {
  const fails = async (running: Running, source: { venue?: string }) => {
    for (let times = 0; times < 40; times++) {
      running.engine.failed({ is: 'orders', wallet: ALICE, ...source }, 'HTTP 503')
      await bothPriced(running)
      await running.reads([aPosition()])
      await running.reads([there], { venue })
      await running.lists([], source.venue === undefined ? { venue } : {})
    }
  }

  test('are named with it, and those of the other are judged as before', async () => {
    const running = await trading([noStop])
    await fails(running, { venue })
    expect(heard(running)).toEqual([
      '1: ETH long has no take profit or stop loss',
      '1: I can’t see the orders of wallet main on second',
    ])
    await running.lists([], { venue })
    expect(heard(running)).toEqual([
      '1: second:ETH long has no take profit or stop loss',
      '1: I can see the orders of wallet main on second again',
    ])
  })

  test('are named at the first one too', async () => {
    const running = await trading([noStop])
    await fails(running, {})
    expect(heard(running)).toEqual([
      '1: second:ETH long has no take profit or stop loss',
      '1: I can’t see the orders of wallet main on hyperliquid',
    ])
  })

  test('are not told when their rule is gone, nor after it', async () => {
    const running = await trading([noStop])
    await fails(running, { venue })
    await running.change({ is: 'remove', personId: 1, ruleId: noStop.id })
    const { blind, outageNotices, accountSources } = running.engine.memory.sources
    expect([blind.size, outageNotices.size, accountSources.size]).toEqual([0, 0, 0])
  })
})

test('a venue that shows nobody’s orders makes nobody blind, and the other’s are judged', async () => {
  const running = await trading([noStop, rule('order-filled', { id: 9 })], hides)
  await running.lists([waits('1')])
  for (let times = 0; times < 60; times++) {
    await bothPriced(running)
    await running.reads([aPosition()])
    await running.reads([there], { venue })
    await running.lists([waits('1')])
  }
  expect(heard(running)).toEqual(['1: ETH long has no take profit or stop loss'])
  await running.lists([{ ...waits('1'), state: 'filled' }])
  expect(heard(running)).toEqual(['1: ETH buy order filled'])
})
