import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readOrders } from '../../../../src/venues/perps-data/wire/orders.ts'
import {
  ACCOUNT,
  guard,
  OPEN_LOWER,
  OPEN_UPPER,
  order,
  OWNER,
  range,
  UNSET,
  WHOLE_POSITION,
} from '../records.ts'
import { troubleIn } from '../server.ts'

const read = (body: unknown) => readOrders(body, 8008, OWNER)
const one = (over: Record<string, unknown> = {}) => read([order(over)]).orders[0]

test('an order arrives in our units', () => {
  expect(one()).toEqual({
    id: '40211',
    state: 'open',
    venueStatus: 'LimitSubmitted',
    type: 'Limit',
    accountId: ACCOUNT,
    marketId: '100',
    size: 250_000_000_000_000_000n,
    limit: { lower: null, upper: 2_900n * 10n ** 18n, acceptable: 3_045n * 10n ** 18n },
    takeProfit: null,
    stopLoss: null,
    reduceOnly: null,
    isProtective: false,
    createdAt: 1_765_000_001_500,
    expiresAt: 1_796_000_000_000,
  })
})

test.each([
  ['a list', [order()]],
  ['owner and orders', { owner: OWNER, orders: [order()] }],
  ['with a count', { owner: OWNER.toLowerCase(), orders: [order()], totalCount: 1 }],
  ['data', { data: [order()] }],
  ['orders in data', { data: { orders: [order()] } }],
])('every plausible envelope: %s', (_what, body) => {
  expect(read(body).orders.map((each) => each.id)).toEqual(['40211'])
})

describe('sentinels never reach a person', () => {
  test.each([
    ['the whole position', WHOLE_POSITION, 'all'],
    ['the whole short position', `-${WHOLE_POSITION}`, 'all'],
    ['the whole position as a JSON number', Number(WHOLE_POSITION), 'all'],
    ['a size', '-42', -42n],
    ['no size', undefined, null],
    ['words', 'all of it', null],
    ['a JSON number that lost digits', 1e20, null],
  ])('as a size: %s', (_what, size, expected) => {
    expect(one({ size })?.size).toBe(expected)
  })

  test.each([
    ['unset', UNSET, null],
    ['missing', undefined, null],
    ['no object', 'x', null],
    ['open at both ends', range(OPEN_LOWER, OPEN_UPPER, '0'), null],
    ['open above', range('5000', OPEN_UPPER, '0'), { lower: 5_000n, upper: null, acceptable: null }],
    ['open below', range(OPEN_LOWER, '5000', '5250'), { lower: null, upper: 5_000n, acceptable: 5_250n }],
    [
      'as JSON numbers only, unscaled',
      { priceANum: 1e-18, priceBNum: 4, acceptablePriceNum: 4.2 },
      { lower: null, upper: 4n * 10n ** 18n, acceptable: 42n * 10n ** 17n },
    ],
    ['as JSON numbers only, open', { priceANum: 0, priceBNum: 5.78960446186581e58 }, null],
    ['in words', { priceA: 'x', priceB: null, acceptablePrice: {} }, null],
  ])('as a price: %s', (_what, priceRange, expected) => {
    expect(one({ priceRange })?.limit).toEqual(expected)
  })
})

describe('what guards a position is told from what opens one', () => {
  test.each([
    ['an active take-profit or stop-loss', guard(), true],
    ['a limit order', order(), false],
    ['a limit order that brings one along', order({ hasTpSlOrder: true }), false],
    ['only its triggers, without flags', guard({ hasTpSlOrder: undefined, hasLimitOrder: undefined }), true],
    ['a limit, without flags', order({ hasTpSlOrder: undefined, hasLimitOrder: undefined }), false],
  ])('%s', (_what, record, guards) => {
    expect(read([record]).orders[0]?.isProtective).toBe(guards)
  })
})

describe('an order is the same order', () => {
  test('by its id, as number or text', () => {
    expect([one({ orderId: 7 })?.id, one({ orderId: '7' })?.id]).toEqual(['7', '7'])
  })

  test('without an id by what does not change of it', () => {
    const id = one({ orderId: undefined })?.id
    expect(id).toMatch(/^h[0-9a-f]{16}$/)
    expect(one({ orderId: null, status: 'Expired', hasLimitOrder: false, updateTxDetails: {} })?.id).toBe(id)
    expect(one({ orderId: undefined, size: '5' })?.id).not.toBe(id)
  })

  test('an id that lost digits as a JSON number is none', () => {
    expect(one({ orderId: 2 ** 60 })?.id).toMatch(/^h/)
  })
})

test('each field may be missing; only a record without any is no order', () => {
  const answer = read([{ status: 'Created' }, {}, null, 'x', 5, []])
  expect(answer.orders).toEqual([
    {
      id: expect.stringMatching(/^h/) as unknown,
      state: 'pending',
      venueStatus: 'Created',
      note: 'not taken up yet',
      type: null,
      accountId: null,
      marketId: null,
      size: null,
      limit: null,
      takeProfit: null,
      stopLoss: null,
      reduceOnly: null,
      isProtective: false,
      createdAt: null,
      expiresAt: null,
    },
  ])
  expect(answer.unusable.map((each) => each.what)).toEqual(
    [2, 3, 4, 5, 6].map((place) => `order ${place} of 6`),
  )
})

test('the moment it was handed in stands in for its own', () => {
  expect(one({ timestamp: undefined })?.createdAt).toBe(1_765_000_000_000)
})

test('an order of another chain is not ours', () => {
  expect(read([order({ chainId: 1 }), order()])).toMatchObject({ orders: [{ id: '40211' }], unusable: [] })
})

test('whatever comes, it is orders or a VenueError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())), (body) => {
      expect(troubleIn(() => read(body))).toBeNull()
    }),
    { numRuns: 1_000 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(order())), fc.jsonValue(), (name, value) => {
      const answer = read([guard({ [name]: value }), order()])
      expect(answer.orders.length + answer.unusable.length).toBe(
        name === 'chainId' ? answer.orders.length : 2,
      )
    }),
    { numRuns: 1_000 },
  )
})

test('a list that is said to be longer than what was sent is not all of it', () => {
  const sent = [order({ orderId: 1 })]
  const read = (totalCount: unknown) => readOrders({ owner: OWNER, orders: sent, totalCount }, 8008, OWNER)
  expect(read(3)).toMatchObject({
    orders: [{ id: '1' }],
    unusable: [{ what: 'the rest of the list', why: 'the venue speaks of 3 orders and sent 1' }],
  })
  for (const totalCount of [1, 0, undefined, null, 'many']) expect(read(totalCount).unusable).toEqual([])
})
