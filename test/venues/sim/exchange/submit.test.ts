import { describe, expect, test } from 'vitest'

import { cancel, setProtectiveOrder, submit } from '../../../../src/venues/sim/exchange/submit.ts'
import { stage, taken, told, units } from '../../../support/exchange.ts'

describe('a market order', () => {
  test('is created, comes onto the chain, and is settled: then no list has it any more', () => {
    const { trader, order, eth, wait } = stage()
    const anna = trader(10_000)
    const placed = taken(order(anna, eth, 1))
    expect(placed.status).toBe('Created')
    expect(told(wait(1))).toEqual(['committed'])
    expect(placed.status).toBe('Committed')
    expect(anna.positions).toEqual([])
    expect(wait(1)).toMatchObject([{ is: 'settled', fillPrice: units('2000.01'), size: units(1) }])
    expect(anna.orders).toEqual([])
    expect(anna.positions).toMatchObject([{ size: units(1), latestInteractionPrice: units('2000.01') }])
  })

  test('fills at the price of its settlement, not of its arrival', () => {
    const { trader, order, eth, wait } = stage()
    order(trader(10_000), eth, -1)
    wait(1, { eth: 1_900 })
    expect(wait(1, { eth: 1_800 })).toMatchObject([{ fillPrice: units('1799.991') }])
  })

  test('waits within its window for an acceptable price, and expires behind it', () => {
    const { exchange, trader, eth, wait } = stage()
    const [anna, ben] = [trader(10_000), trader(10_000)]
    for (const { id } of [anna, ben]) {
      const ask = { accountId: id, marketId: '100', sizeDelta: units(1), takeProfit: null, stopLoss: null }
      submit(exchange, { is: 'market', ...ask, acceptablePrice: units(id === anna.id ? 2_010 : 2_001) })
    }
    wait(1)
    expect(told(wait(1, { eth: 2_050 }))).toEqual([])
    expect(told(wait(30, { eth: 2_005 }))).toEqual(['settled'])
    expect(anna.positions).toHaveLength(1)
    expect(told(wait(28))).toEqual([])
    expect(told(wait(1))).toEqual([])
    expect(told(wait(1))).toEqual(['expired: acceptable-price'])
    expect(ben.orders).toMatchObject([{ status: 'Expired' }])
    expect(eth.longs).toBe(units(1))
  })

  test('is tried once, at the least, where the venue moves on past its whole window', () => {
    const { trader, order, eth, wait } = stage()
    order(trader(10_000), eth, 1)
    expect(told(wait(3_600))).toEqual(['committed'])
    expect(told(wait(3_600, { eth: 2_100 }))).toEqual(['settled'])
  })

  test('that the account cannot pay for expires when it comes onto the chain', () => {
    const { trader, order, eth, wait } = stage()
    const anna = trader(30)
    order(anna, eth, 1)
    expect(told(wait(1))).toEqual(['expired: margin'])
    expect(anna.collateralUsd).toBe(units(30))
  })

  test('is not taken while another one is under way, nor for what does not exist', () => {
    const { exchange, trader, order, eth } = stage()
    const anna = trader(10_000)
    order(anna, eth, 1)
    expect(order(anna, eth, 1)).toBe('pending')
    expect(order(anna, eth, 0)).toBe('zero-size')
    const ask = { accountId: '7', marketId: '100', sizeDelta: 1n, takeProfit: null, stopLoss: null }
    expect(submit(exchange, { is: 'market', ...ask, acceptablePrice: 1n })).toBe('unknown-account')
    const elsewhere = { ...ask, accountId: anna.id, marketId: '7' }
    expect(submit(exchange, { is: 'market', ...elsewhere, acceptablePrice: 1n })).toBe('unknown-market')
  })

  test('can be taken back until it is settled', () => {
    const { exchange, trader, order, eth, wait } = stage()
    const anna = trader(10_000)
    const placed = taken(order(anna, eth, 1))
    wait(1)
    expect(cancel(exchange, anna.id, placed.id)).toMatchObject({ is: 'expired', why: 'cancelled' })
    expect(cancel(exchange, anna.id, placed.id)).toBeNull()
    expect(told(wait(5))).toEqual([])
  })
})

describe('a limit order', () => {
  test('rests until the index comes to it, and fills at its own price', () => {
    const { trader, limit, eth, wait } = stage()
    const anna = trader(10_000)
    const placed = taken(limit(anna, eth, 1, 1_900))
    expect(placed.status).toBe('LimitSubmitted')
    expect(told(wait(60, { eth: '1900.000000000000000001' }))).toEqual([])
    expect(wait(60, { eth: 1_880 })).toMatchObject([
      { is: 'settled', fillPrice: units(1_900), feesUsd: units('0.19') },
    ])
    expect(anna.orders).toMatchObject([{ is: 'limit', status: 'LimitExecuted' }])
  })

  test('that sells waits for a rise, and one that could fill at once takes', () => {
    const { trader, limit, eth, wait } = stage()
    limit(trader(10_000), eth, -1, 2_100)
    limit(trader(10_000), eth, -1, 2_000)
    expect(wait(1)).toMatchObject([{ fillPrice: units(2_000), feesUsd: units('0.8') }])
    expect(wait(1, { eth: 2_100 })).toMatchObject([{ fillPrice: units(2_100), feesUsd: units('0.21') }])
  })

  test('expires when its time is over, and one that is too late is not taken', () => {
    const { trader, limit, eth, wait } = stage()
    const anna = trader(10_000)
    limit(anna, eth, 1, 1_900, 3_600)
    expect(limit(anna, eth, 1, 1_900, 0)).toBe('too-late')
    expect(limit(anna, eth, 1, 0)).toBe('no-price')
    expect(told(wait(3_600, { eth: 1_900 }))).toEqual(['expired: time'])
    expect(anna.positions).toEqual([])
  })

  test('that its account cannot carry when the price has come expires', () => {
    const { trader, limit, eth, wait } = stage()
    limit(trader(20), eth, 1, 1_900)
    expect(told(wait(1, { eth: 1_900 }))).toEqual(['expired: margin'])
  })

  test('is remembered for a while after its end, with the last twenty', () => {
    const { trader, limit, eth, wait } = stage()
    const anna = trader(10_000)
    for (let count = 0; count < 30; count++) limit(anna, eth, 1, 1_900, 10 + count)
    wait(40)
    expect(anna.orders).toHaveLength(20)
    expect(anna.orders.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 11))
  })
})

describe('a take profit and a stop loss', () => {
  const trigger = (price: number, acceptable: number) => ({
    price: units(price),
    acceptablePrice: units(acceptable),
  })
  const guarded = (side: 1 | -1) => {
    const set = stage()
    const anna = set.trader(10_000)
    set.trade(anna, set.eth, side)
    const up = trigger(2_200, side > 0 ? 2_090 : 2_310)
    const down = trigger(1_900, side > 0 ? 1_805 : 1_995)
    const [takeProfit, stopLoss] = side > 0 ? [up, down] : [down, up]
    const place = { accountId: anna.id, marketId: '100' }
    const order = setProtectiveOrder(set.exchange, { ...place, takeProfit, stopLoss })
    return { ...set, anna, place, order }
  }

  test('are one order beside the position, which the venue calls executed while it is active', () => {
    const { anna, order, wait } = guarded(1)
    expect(anna.orders).toEqual([order])
    expect(order).toMatchObject({ is: 'protective', status: 'LimitExecuted' })
    expect(told(wait(600, { eth: 1_900.01 }))).toEqual([])
  })

  test.each([
    ['a long at a rise', 1, 2_200, 'take-profit'],
    ['a long at a fall', 1, 1_899, 'stop-loss'],
    ['a short at a fall', -1, 1_900, 'take-profit'],
    ['a short at a rise', -1, 2_201, 'stop-loss'],
  ] as const)('close %s, whole, and are gone with it', (_, side, price, by) => {
    const { anna, eth, wait } = guarded(side)
    expect(wait(60, { eth: price })).toMatchObject([
      { is: 'triggered', by },
      { is: 'settled', size: 0n },
    ])
    expect(anna.orders).toEqual([])
    expect(eth.longs + eth.shorts).toBe(0n)
    expect(told(wait(60, { eth: 2_000 }))).toEqual([])
  })

  test('are replaced by others, and taken away by none', () => {
    const { exchange, anna, place, order, wait } = guarded(1)
    const takeProfit = trigger(2_500, 2_375)
    const other = setProtectiveOrder(exchange, { ...place, takeProfit, stopLoss: null })
    expect(anna.orders).toEqual([other])
    expect(other).not.toBe(order)
    expect(told(wait(60, { eth: 1_890 }))).toEqual([])
    expect(setProtectiveOrder(exchange, { ...place, takeProfit: null, stopLoss: null })).toBeNull()
    expect(anna.orders).toEqual([])
    expect(told(wait(60, { eth: 2_600 }))).toEqual([])
  })

  test('need a position', () => {
    const { exchange, place } = guarded(1)
    const stop = { takeProfit: null, stopLoss: trigger(1_900, 1_805) }
    expect(setProtectiveOrder(exchange, { ...place, marketId: '200', ...stop })).toBe('no-position')
    expect(setProtectiveOrder(exchange, { ...place, marketId: '7', ...stop })).toBe('unknown-market')
    expect(setProtectiveOrder(exchange, { ...place, accountId: '7', ...stop })).toBe('unknown-account')
  })

  test('do not sell below what was acceptable: they wait', () => {
    const { anna, wait } = guarded(1)
    expect(told(wait(60, { eth: 1_700 }))).toEqual([])
    expect(anna.positions).toHaveLength(1)
    expect(told(wait(60, { eth: 1_850 }))).toEqual(['triggered', 'settled'])
  })

  test('stay when the position grows, and go when it is closed or turned round', () => {
    const { anna, eth, trade, order } = guarded(1)
    trade(anna, eth, 2)
    expect(anna.orders).toEqual([order])
    trade(anna, eth, -5)
    expect(anna.orders).toEqual([])
    expect(anna.positions).toMatchObject([{ size: units(-2), protectiveOrder: null }])
  })

  test('can come with the order that opens the position', () => {
    const { exchange, trader, eth, wait } = stage()
    const anna = trader(10_000)
    submit(exchange, {
      ...{ is: 'limit', accountId: anna.id, marketId: '100', sizeDelta: units(1), price: units(1_950) },
      ...{ expiresAtSeconds: exchange.nowSeconds + 600, takeProfit: null, stopLoss: trigger(1_900, 1_805) },
    })
    wait(10, { eth: 1_950 })
    expect(anna.orders.map(({ is }) => is)).toEqual(['limit', 'protective'])
    expect(told(wait(10, { eth: 1_890 }))).toEqual(['triggered', 'settled'])
    expect(eth.longs).toBe(0n)
  })

  test('that come with a limit order close at once what the price has already gone beyond', () => {
    const { exchange, trader, eth, wait } = stage()
    const anna = trader(10_000)
    submit(exchange, {
      ...{ is: 'limit', accountId: anna.id, marketId: '100', sizeDelta: units(1), price: units(1_950) },
      ...{ expiresAtSeconds: exchange.nowSeconds + 600, takeProfit: null, stopLoss: trigger(1_900, 1_805) },
    })
    expect(told(wait(10, { eth: 1_890 }))).toEqual(['settled', 'triggered', 'settled'])
    expect([eth.longs, anna.positions]).toEqual([0n, []])
  })
})
