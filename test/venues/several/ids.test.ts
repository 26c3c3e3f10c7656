import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { bareSymbol, findMarket } from '../../../src/venue/market.ts'
import { idWithin, venueOf } from '../../../src/venue/venue-name.ts'
import { OTHER_ACCOUNTS, unusableMarket } from '../../../src/venue/venue.ts'
import { bareMarkets, barePositions } from '../../../src/venues/several/bare.ts'
import {
  closeRecordAt,
  draftWithin,
  marketAt,
  marketsAt,
  ordersAt,
  positionsAt,
} from '../../../src/venues/several/ids.ts'
import { ALICE, aMarket, anAccount, anEnding, anOrder, aPosition } from '../../support/fixtures.ts'
import { holdings } from '../../support/polling.ts'

const VENUES = ['lighter', 'hyperliquid']
const venue = fc.constantFrom(...VENUES)
const id = fc.string({ minLength: 1, unit: 'grapheme' })
const symbol = fc.stringMatching(/^[A-Za-z0-9/]{1,8}$/)
const dex = fc.option(fc.stringMatching(/^[a-z]{1,4}$/).filter((name) => name !== 'main'))

test('an id of the whole leads back to its venue and its id there', () => {
  fc.assert(
    fc.property(venue, id, id, (name, marketId, accountId) => {
      const [position = aPosition()] = positionsAt(
        name,
        holdings(aPosition({ marketId, accountId })),
      ).positions
      for (const one of [position.marketId, position.accountId]) expect(venueOf(one, VENUES)).toBe(name)
      const back = draftWithin(name, { ...position, wallet: ALICE, sizeDelta: 1n })
      expect([back.marketId, back.accountId]).toEqual([marketId, accountId])
      const record = closeRecordAt(name, anEnding({ marketId, accountId }))
      expect([record.marketId, record.accountId]).toEqual([position.marketId, position.accountId])
      const sent = anOrder({ id: marketId, marketId, accountId, after: marketId })
      const [order = sent] = ordersAt(name, { orders: [sent], unusable: [], unasked: [] }).orders
      expect([order.marketId, order.accountId, order.after]).toEqual([
        position.marketId,
        position.accountId,
        position.marketId,
      ])
      expect(idWithin(name, order.id)).toBe(marketId)
    }),
  )
})

test('a market keeps its bare symbol under a name, and is found by its whole one', () => {
  fc.assert(
    fc.property(venue, id, symbol, dex, (name, marketId, bare, inDex) => {
      const own = aMarket({ id: marketId, symbol: inDex === null ? bare : `${inDex}:${bare}`, dex: inDex })
      const market = marketAt(name, own)
      expect(bareSymbol(market)).toBe(bareSymbol(own))
      expect(findMarket([market], `${name}:${own.symbol}`)).toBe(market)
      expect(market.dex).toBe(inDex === null ? name : `${name}:${inDex}`)
    }),
  )
})

test('the main dex has the name of its venue, however the venue calls it', () => {
  const dexes = [null, 'main', 'xyz'].map((inDex) => marketAt('lighter', aMarket({ dex: inDex })).dex)
  expect(dexes).toEqual(['lighter', 'lighter', 'lighter:xyz'])
})

test('every id of an answer has the name: markets', () => {
  const answer = marketsAt('lighter', {
    markets: [aMarket({ id: '1', symbol: 'ETH', accountId: 'main' })],
    unusable: [
      { what: unusableMarket('2'), why: 'no price', part: null },
      { what: 'the list', why: 'cut', part: 'xyz' },
    ],
    failedParts: [
      { part: 'main', why: 'a' },
      { part: 'xyz', why: 'b', queued: true },
    ],
    listings: [{ dex: null, symbols: new Map([['1', 'ETH']]) }],
  })
  expect(answer.markets.map((one) => [one.id, one.symbol, one.dex, one.accountId])).toEqual([
    ['lighter/1', 'lighter:ETH', 'lighter', 'lighter/main'],
  ])
  expect(answer.unusable).toEqual([
    { what: unusableMarket('lighter/2'), why: 'no price', part: 'lighter' },
    { what: 'the list', why: 'cut', part: 'lighter:xyz' },
  ])
  expect(answer.failedParts).toEqual([
    { part: 'lighter', why: 'a' },
    { part: 'lighter:xyz', why: 'b', queued: true },
  ])
  expect(answer.listings).toEqual([{ dex: 'lighter', symbols: new Map([['lighter/1', 'lighter:ETH']]) }])
})

test('every id of an answer has the name: positions and orders', () => {
  const answer = positionsAt('lighter', {
    positions: [aPosition({ accountId: '7', marketId: '1' })],
    accounts: [anAccount({ accountId: '7', pool: '6' })],
    unusable: [
      { what: 'position 2 of 2', why: 'x', part: '7' },
      { what: 'position 1 of 2', why: 'x', part: null },
    ],
    failedParts: [
      { part: '8', why: 'y' },
      { part: OTHER_ACCOUNTS, why: 'z' },
    ],
    unasked: [{ part: '9', at: 5 }],
    protectiveOrders: [anOrder({ id: '3', accountId: '7', marketId: '1' })],
    totalCount: 2,
  })
  expect(answer.positions.map((one) => [one.accountId, one.marketId])).toEqual([['lighter/7', 'lighter/1']])
  expect(answer.accounts.map((one) => [one.accountId, one.pool])).toEqual([['lighter/7', 'lighter/6']])
  expect(answer.unusable.map(({ part }) => part)).toEqual(['lighter/7', null])
  expect(answer.failedParts.map(({ part }) => part)).toEqual(['lighter/8', OTHER_ACCOUNTS])
  expect(answer.unasked).toEqual([{ part: 'lighter/9', at: 5 }])
  expect(answer.protectiveOrders?.map(({ id }) => id)).toEqual(['lighter/3'])
  const orders = ordersAt('lighter', {
    orders: [anOrder({ id: '3', accountId: null, marketId: null })],
    unusable: [{ what: 'an order', why: 'x', part: '7' }],
    unasked: ['9'],
  })
  expect(orders.orders.map((one) => [one.id, one.accountId, one.marketId])).toEqual([
    ['lighter/3', null, null],
  ])
  expect([orders.unusable[0]?.part, orders.unasked]).toEqual(['lighter/7', ['lighter/9']])
})

test('what the first venue says is left as it is', () => {
  const markets = { markets: [aMarket({ dex: 'xyz', symbol: 'xyz:NVDA' })], unusable: [], failedParts: [] }
  expect(bareMarkets(['lighter'], markets)).toBe(markets)
  const positions = holdings(aPosition({ accountId: 'main' }))
  expect(barePositions(['lighter'], positions)).toBe(positions)
})

test('a market of the first venue with a name of another one is unusable, and never another one’s', () => {
  const odd = [
    aMarket({ id: 'lighter/1' }),
    aMarket({ id: '1', dex: 'lighter' }),
    aMarket({ id: '2', symbol: 'lighter:ETH' }),
    aMarket({ id: '3', accountId: 'lighter/7' }),
  ]
  const answer = bareMarkets(['lighter'], {
    markets: [...odd, aMarket({ id: '4' })],
    unusable: [],
    failedParts: [
      { part: 'lighter', why: 'x' },
      { part: 'xyz', why: 'x' },
    ],
    listings: [
      { dex: 'lighter', symbols: new Map([['5', 'ETH']]) },
      {
        dex: null,
        symbols: new Map([
          ['lighter/1', 'ETH'],
          ['4', 'ETH'],
        ]),
      },
    ],
  })
  expect(answer.markets.map((one) => one.id)).toEqual(['4'])
  expect(answer.unusable.map(({ what }) => what)).toEqual(odd.map((one) => unusableMarket(one.id)))
  expect(answer.failedParts.map(({ part }) => part)).toEqual(['xyz'])
  expect(answer.listings).toEqual([{ dex: null, symbols: new Map([['4', 'ETH']]) }])
})

test('a position of the first venue with a name of another one is unusable and puts its account in doubt', () => {
  const answer = barePositions(['lighter'], {
    ...holdings(
      aPosition({ accountId: 'lighter/7', marketId: '1' }),
      aPosition({ accountId: '7', marketId: 'lighter/1' }),
      aPosition({ accountId: '7', marketId: '2' }),
    ),
    accounts: [anAccount({ accountId: '7' }), anAccount({ accountId: 'lighter/7' })],
    failedParts: [{ part: 'lighter', why: 'x' }],
    unasked: [
      { part: 'lighter/8', at: 1 },
      { part: '8', at: 1 },
    ],
  })
  expect(answer.positions.map(({ marketId }) => marketId)).toEqual(['2'])
  expect(answer.accounts.map(({ accountId }) => accountId)).toEqual(['7'])
  expect(answer.unusable.map(({ part }) => part)).toEqual([null, '7'])
  expect(answer.failedParts.map(({ part }) => part)).toEqual([OTHER_ACCOUNTS])
  expect(answer.unasked).toEqual([{ part: '8', at: 1 }])
})
