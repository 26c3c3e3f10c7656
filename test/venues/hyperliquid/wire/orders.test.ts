import { describe, expect, test } from 'vitest'

import { inWords } from '../../../../src/message/message.ts'
import { reasonText } from '../../../../src/venue/order.ts'
import { readOpenOrders, readPastOrders } from '../../../../src/venues/hyperliquid/wire/orders.ts'
import { exact } from '../../../support/fixtures.ts'
import empty from '../recorded/frontendOpenOrders-empty.json' with { type: 'json' }
import open from '../recorded/frontendOpenOrders-tpsl-2023.json' with { type: 'json' }
import past from '../recorded/historicalOrders-2025.json' with { type: 'json' }
import status from '../recorded/orderStatus-testnet.json' with { type: 'json' }

const [profit, stop, parent] = open.body
const changed = (over: Record<string, unknown>) => readOpenOrders([{ ...stop, ...over }]).orders[0]

describe('the recorded orders that wait', () => {
  const { orders, unusable } = readOpenOrders(open.body)

  test('are listed once each, also those that wait for another one', () => {
    expect(unusable).toEqual([])
    expect(orders.map(({ id }) => id).toSorted()).toEqual(['3184595905', '3184595906', '3184595907'])
    expect(readOpenOrders([parent]).orders).toHaveLength(3)
  })

  test('a take profit of a long is set off from its price up', () => {
    expect(orders.find(({ id }) => id === '3184595907')).toEqual({
      id: '3184595907',
      state: 'open',
      venueStatus: 'open',
      type: 'Take Profit Market',
      accountId: 'main',
      marketId: 'INJ',
      size: exact('12.5'),
      limit: null,
      takeProfit: { lower: exact('10.004'), upper: null, acceptable: null },
      stopLoss: null,
      reduceOnly: true,
      isProtective: true,
      createdAt: 1_700_126_022_555,
      expiresAt: null,
      after: '3184595905',
    })
  })

  test('what waits for another order says so, in whatever order both are listed', () => {
    for (const body of [open.body, open.body.toReversed(), [parent]])
      expect(
        readOpenOrders(body)
          .orders.map(({ id, after = 'none' }) => `${id} after ${after}`)
          .toSorted(),
      ).toEqual(['3184595905 after none', '3184595906 after 3184595905', '3184595907 after 3184595905'])
    // When that one is filled, they are listed alone.
    expect(readOpenOrders([profit, stop]).orders.map(({ after }) => after)).toEqual([undefined, undefined])
  })

  test('a stop of a long is set off from its price down', () => {
    expect(orders.find(({ id }) => id === '3184595906')).toMatchObject({
      takeProfit: null,
      stopLoss: { lower: null, upper: exact('9.995'), acceptable: null },
      isProtective: true,
    })
  })

  test('a limit to buy is filled at its price or below', () => {
    expect(orders.find(({ id }) => id === '3184595905')).toMatchObject({
      size: exact('12.5'),
      limit: { lower: null, upper: exact('10.0'), acceptable: null },
      takeProfit: null,
      stopLoss: null,
      isProtective: false,
    })
  })

  test('nobody has none', () => {
    expect(readOpenOrders(empty.body)).toEqual({ orders: [], unusable: [] })
  })
})

describe('an order', () => {
  test('that covers the whole position says so, whatever its size says', () => {
    expect(changed({ isPositionTpsl: true, sz: '0.0' })?.size).toBe('all')
  })

  test('that guards a short has the sign of the short', () => {
    expect(changed({ side: 'B' })?.size).toBe(exact('-12.5'))
  })

  test('that becomes a limit order says what it accepts', () => {
    expect(changed({ orderType: 'Stop Limit' })?.stopLoss?.acceptable).toBe(exact('9.1954'))
  })

  test('that opens at a price guards nothing', () => {
    expect(changed({ reduceOnly: false })).toMatchObject({ isProtective: false, size: exact('-12.5') })
  })

  test('of a spot market is none of ours', () => {
    for (const coin of ['@142', 'PURR/USDC', '#5']) expect(changed({ coin })).toBeUndefined()
  })

  test('of a builder’s book is in its account', () => {
    expect(changed({ coin: 'xyz:NVDA' })).toMatchObject({ accountId: 'xyz', marketId: 'xyz:NVDA' })
  })

  test('that cannot be read is told and leaves the others', () => {
    const { orders, unusable } = readOpenOrders([{ ...profit, sz: 5 }, stop])
    expect(orders).toHaveLength(1)
    expect(unusable).toMatchObject([{ what: 'order 3184595907' }])
  })
})

describe('a trigger that only says that it was triggered', () => {
  test.each([
    ['Stop Market', 'A', 'below'],
    ['Stop Market', 'B', 'above'],
    ['Take Profit Market', 'A', 'above'],
    ['Take Profit Limit', 'B', 'below'],
  ])('%s on side %s was %s', (orderType, side, where) => {
    const order = changed({ orderType, side, triggerCondition: 'Triggered' })
    const { lower, upper } = order?.takeProfit ?? order?.stopLoss ?? {}
    expect(where === 'above' ? [lower !== null, upper] : [upper !== null, lower]).toEqual([true, null])
  })
})

describe('the recorded orders that are over', () => {
  test('have our state and the venue’s word', () => {
    const { orders, unusable } = readPastOrders(past.body)
    expect(unusable).toEqual([])
    expect(orders.map(({ state, venueStatus }) => [state, venueStatus])).toEqual([
      ['rejected', 'iocCancelRejected'],
      ['rejected', 'iocCancelRejected'],
      ['rejected', 'iocCancelRejected'],
      ['cancelled', 'canceled'],
      ['cancelled', 'canceled'],
    ])
  })

  test('a filled one is as large as it was', () => {
    const [order] = readPastOrders([status.body.order]).orders
    expect(order).toMatchObject({ state: 'filled', size: exact('0.0025'), type: 'Market' })
  })

  test('one that changed has its last state', () => {
    const [first] = past.body
    const later = { ...first, status: 'filled', statusTimestamp: (first?.statusTimestamp ?? 0) + 1 }
    expect(readPastOrders([later, first]).orders.map(({ state }) => state)).toEqual(['filled'])
  })

  // https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint#query-order-status-by-oid-or-cloid
  test.each([
    ['open', 'open', ''],
    ['filled', 'filled', ''],
    ['triggered', 'triggered', ''],
    ['canceled', 'cancelled', ''],
    ['rejected', 'rejected', ''],
    ['marginCanceled', 'cancelled', 'too little margin'],
    ['vaultWithdrawalCanceled', 'cancelled', 'money was taken out of the vault'],
    ['openInterestCapCanceled', 'cancelled', 'the market is at its open interest cap'],
    ['selfTradeCanceled', 'cancelled', 'it would have traded with your own order'],
    ['reduceOnlyCanceled', 'cancelled', 'nothing is left for it to reduce'],
    ['siblingFilledCanceled', 'cancelled', 'its partner order was filled'],
    ['delistedCanceled', 'cancelled', 'the market is delisted'],
    ['liquidatedCanceled', 'cancelled', 'the account was liquidated'],
    ['outcomeSettledCanceled', 'cancelled', 'the market is settled'],
    ['scheduledCancel', 'cancelled', 'your scheduled cancel was due'],
    ['internalCancel', 'cancelled', 'by the venue itself'],
    ['tickRejected', 'rejected', 'its price has too many digits'],
    ['minTradeNtlRejected', 'rejected', 'below the venue’s minimum size'],
    ['minTradeSpotNtlRejected', 'rejected', 'below the venue’s minimum size'],
    ['perpMarginRejected', 'rejected', 'too little margin'],
    ['reduceOnlyRejected', 'rejected', 'nothing is left for it to reduce'],
    ['badAloPxRejected', 'rejected', 'post-only, but it would have filled at once'],
    ['iocCancelRejected', 'rejected', 'nobody took it at once'],
    ['badTriggerPxRejected', 'rejected', 'its trigger price isn’t valid'],
    ['marketOrderNoLiquidityRejected', 'rejected', 'nobody takes the other side'],
    ['positionIncreaseAtOpenInterestCapRejected', 'rejected', 'the market is at its open interest cap'],
    ['positionFlipAtOpenInterestCapRejected', 'rejected', 'the market is at its open interest cap'],
    [
      ...(['tooAggressiveAtOpenInterestCapRejected', 'rejected'] as const),
      'its price was too aggressive for a market at its cap',
    ],
    ['openInterestIncreaseRejected', 'rejected', 'the market is at its open interest cap'],
    ['insufficientSpotBalanceRejected', 'rejected', 'too little balance'],
    ['oracleRejected', 'rejected', 'its price is too far from the index price'],
    ['perpMaxPositionRejected', 'rejected', 'the position would pass the venue’s limit'],
    // Words that the venue may bring one day: their own words are shown.
    ['fullMoonCanceled', 'cancelled', 'full moon'],
    ['dustRejected', 'rejected', 'dust'],
    ['something new', null, ''],
  ])('%s is %s, because “%s”', (word, state, why) => {
    const [first] = past.body
    const [order] = readPastOrders([{ ...first, status: word }]).orders
    expect(order).toMatchObject({ state, venueStatus: word })
    expect(inWords((order && reasonText(order)) ?? '')).toBe(why)
  })
})
