import { readFileSync } from 'node:fs'

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { fromNumber, magnitude, multiply, parseFixed } from '../../../../src/venue/amount.ts'
import { hoursToFlip, type Market } from '../../../../src/venue/market.ts'
import { readMarkets, readSingleMarket } from '../../../../src/venues/perps-data/wire/markets.ts'
import { fundingPercent } from '../../../support/funding.ts'
import { market, markets } from '../records.ts'
import { troubleIn } from '../server.ts'

const ids = (body: unknown) => readMarkets(body, 8008).markets.map((each) => each.id)

test('a market arrives in our units', () => {
  expect(readMarkets(markets([market({ markPrice: 3121.5 })]), 8008)).toEqual({
    unusable: [],
    failedParts: [],
    listings: [{ dex: null, symbols: new Map([['100', 'ETH']]) }],
    markets: [
      {
        id: '100',
        symbol: 'ETH',
        price: 3_120_750_000_000_000_000_000n,
        fundingRatePerDay: 240_000_000_000_000n,
        fundingVelocityPerDay: -180_000_000_000_000n,
        priceName: 'index',
        otherPrice: 3_121_500_000_000_000_000_000n,
        delisted: false,
        isolatedOnly: false,
        dex: null,
        accountId: null,
        fundingEveryMs: null,
        price24hAgo: 3_098_500_000_000_000_000_000n,
        skew: -2_000_000_000_000_000_000n,
        openInterest: 42_000_000_000_000_000_000n,
        longOpenInterest: 20_000_000_000_000_000_000n,
        shortOpenInterest: 22_000_000_000_000_000_000n,
        maxOpenInterest: 900_000_000_000_000_000_000n,
        maxOpenInterestUsd: 2_500_000_000_000_000_000_000_000n,
        liquidityLongUsd: 2_437_585_000_000_000_000_000_000n,
        liquidityShortUsd: 2_431_343_500_000_000_000_000_000n,
        makerFee: 200_000_000_000_000n,
        takerFee: 500_000_000_000_000n,
        trades24h: 311,
        volume24hUsd: 1_204_888_250_000_000_000_000_000n,
        maintenanceRatio: null,
      },
    ],
  })
})

describe('every plausible envelope of the list', () => {
  const other = { chainId: 80_008, markets: [market({ marketId: '7' })] }
  test.each([
    ['a list element of our chain', [{ chainId: 8008, markets: [market()] }]],
    ['one object', { chainId: 8008, markets: [market()] }],
    ['one object without a chain', { markets: [market()] }],
    ['several chains', [other, { chainId: 8008, markets: [market()] }]],
    ['the chain as text', [{ chainId: '8008', markets: [market()] }]],
    ['in data', { data: [other, { chainId: 8008, markets: [market()] }] }],
    ['bare markets', [market()]],
  ])('%s', (_what, body) => {
    expect(ids(body)).toEqual(['100'])
  })

  test('an empty list of our chain is an answer', () => {
    expect(readMarkets([other, { chainId: 8008, markets: [] }], 8008)).toEqual({
      markets: [],
      unusable: [],
      failedParts: [],
      listings: [{ dex: null, symbols: new Map() }],
    })
  })

  test.each([
    [
      'other chains only',
      [other],
      'has the markets of chain 80008, but none of chain 8008; set VENUE_CHAIN_ID',
    ],
    ['no chain at all', [], 'it should be the markets of chain 8008, and is a list'],
    ['an empty object', {}, 'an object without it'],
    ['markets that are null', [{ chainId: 8008, markets: null }], 'it should be the markets of chain 8008'],
    ['words', ['maintenance'], 'it should be the markets of chain 8008'],
  ])('%s: no markets is never said in silence', (_what, body, why) => {
    expect(() => readMarkets(body, 8008)).toThrow(why)
  })
})

describe('every plausible envelope of one market', () => {
  test.each([
    ['bare', market()],
    ['a list element', { chainId: 8008, markets: [market()] }],
    ['a list of one list element', [{ chainId: 8008, markets: [market()] }]],
    ['a list of one market', [market()]],
    ['in market', { market: market() }],
    ['in data', { data: market() }],
    ['in data, as a list element', { data: { chainId: 8008, markets: [market()] } }],
    ['with its chain', market({ chainId: 8008 })],
    ['among others', [{ chainId: 8008, markets: [market({ marketId: '7' }), market()] }]],
    ['its id as a number', market({ marketId: 100 })],
  ])('%s', (_what, body) => {
    expect(readSingleMarket(body, 8008, '100').symbol).toBe('ETH')
  })

  test.each([
    ['another market', market({ marketId: '7' }), 'it should be market 100'],
    ['another chain', market({ chainId: 1 }), 'none of chain 8008'],
    ['one that lacks its price', market({ price: undefined }), 'market 100: price is missing'],
  ])('%s is not it', (_what, body, why) => {
    expect(() => readSingleMarket(body, 8008, '100')).toThrow(why)
  })
})

describe('one unusable market among good ones is skipped and named', () => {
  test.each([
    ['no id', { marketId: undefined }, 'market 2 of 3', 'marketId is missing or of another type'],
    ['an empty id', { marketId: '' }, 'market 2 of 3', 'marketId is no identifier'],
    ['no symbol', { symbol: null }, 'market 200', 'symbol is missing or of another type'],
    ['no price', { price: null }, 'market 200', 'price is missing or of another type'],
    ['a price of zero', { price: 0 }, 'market 200', 'price is not a positive number'],
    ['a negative price', { price: -3 }, 'market 200', 'price is not a positive number'],
    ['a price in words', { price: 'n/a' }, 'market 200', 'price is not a positive number'],
    ['a price below 10^-18', { price: 1e-19 }, 'market 200', 'price is not a positive number'],
    [
      'a rate in words',
      { currentFundingRate: 'NaN' },
      'market 200',
      'currentFundingRate is not an 18-decimal integer',
    ],
    [
      'a rate that lost digits',
      { currentFundingRate: 1.234e19 },
      'market 200',
      'currentFundingRate is not an 18-decimal integer',
    ],
    [
      'the same id again',
      { marketId: '100' },
      'market 100',
      'this market is listed twice; the first is used',
    ],
  ])('%s', (_what, over, what, why) => {
    const body = markets([market(), market({ marketId: '200', ...over }), market({ marketId: '300' })])
    const answer = readMarkets(body, 8008)
    expect(answer.markets.map((each) => each.id)).toEqual(['100', '300'])
    expect(answer.unusable).toEqual([{ what, why, part: null }])
  })

  test.each([[null], [7], ['ETH'], [[]], [{}]])('%j in the place of a market', (element) => {
    const answer = readMarkets(markets([market(), element]), 8008)
    expect(answer.markets).toHaveLength(1)
    expect(answer.unusable).toHaveLength(1)
    expect(answer.unusable[0]?.what).toBe('market 2 of 2')
  })
})

test('a figure that we can do without becomes null, never 0', () => {
  const needed = new Set(['marketId', 'symbol', 'price', 'currentFundingRate'])
  for (const value of [undefined, null, '', 'n/a', {}, [], true]) {
    const rest = Object.keys(market()).filter((name) => !needed.has(name))
    const over = Object.fromEntries([...rest, 'markPrice'].map((name) => [name, value]))
    const [read] = readMarkets(markets([market(over)]), 8008).markets
    if (!read) throw new Error('the market was not read')
    const { id, symbol, price, priceName, fundingRatePerDay, delisted, isolatedOnly, ...optional } = read
    expect([id, symbol, typeof price, typeof fundingRatePerDay]).toEqual(['100', 'ETH', 'bigint', 'bigint'])
    expect([priceName, delisted, isolatedOnly]).toEqual(['index', false, false])
    expect(new Set(Object.values(optional))).toEqual(new Set([null]))
  }
})

test('numbers and text are the same in either place', () => {
  const [read] = readMarkets(
    markets([
      market({ price: '3120.75', price24HrAgo: '3098.5', tradesCount24h: '311', skew: 0, longOI: '0' }),
    ]),
    8008,
  ).markets
  expect(read).toMatchObject({
    price: 3_120_750_000_000_000_000_000n,
    price24hAgo: 3_098_500_000_000_000_000_000n,
    trades24h: 311,
    skew: 0n,
    longOpenInterest: 0n,
  })
})

test('a mark price is taken in the scale that lies near the index, and never needed', () => {
  const mark = (markPrice: unknown) =>
    readMarkets(markets([market({ markPrice })]), 8008).markets[0]?.otherPrice
  const scaled = 3_121n * 10n ** 18n
  expect(mark(3121)).toBe(scaled)
  expect(mark('3121')).toBe(scaled)
  expect(mark(scaled.toString())).toBe(scaled)
  expect(mark(0)).toBeNull()
  expect(mark(5)).toBeNull()
  expect(mark(undefined)).toBeNull()
})

test('whatever comes, it is markets or a VenueError', () => {
  const wild = fc.dictionary(
    fc.constantFrom(
      'chainId',
      'markets',
      'market',
      'data',
      'marketId',
      'symbol',
      'price',
      'error',
      'message',
    ),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), wild, fc.array(wild)), (body) => {
      expect(troubleIn(() => readMarkets(body, 8008))).toBeNull()
      expect(troubleIn(() => readSingleMarket(body, 8008, '100'))).toBeNull()
    }),
    { numRuns: 1_000 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(market())), fc.jsonValue(), (name, value) => {
      const answer = readMarkets(markets([market({ [name]: value }), market({ marketId: '300' })]), 8008)
      expect(answer.markets.length + answer.unusable.length).toBe(2)
      expect(answer.markets.some((each) => each.id === '300') || value === '300').toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

describe('recorded markets', () => {
  const list = z.array(z.object({ markets: z.array(z.record(z.string(), z.unknown())) }))
  const file = new URL('../../../fixtures/markets.json', import.meta.url)
  const body: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const raw = list.parse(body)[0]?.markets ?? []
  const answer = readMarkets(body, 8008)
  const pairs = answer.markets.map((read, place): [Market, Record<string, unknown>] => [
    read,
    raw[place] ?? {},
  ])
  const need = (amount: bigint | null): bigint => {
    if (amount === null) throw new Error('a figure is missing')
    return amount
  }

  test('are all read, with every figure', () => {
    expect(answer.unusable).toEqual([])
    expect(answer.markets).toHaveLength(6)
    for (const { otherPrice, dex, accountId, fundingEveryMs, maintenanceRatio, ...read } of answer.markets) {
      expect([otherPrice, dex, accountId, fundingEveryMs, maintenanceRatio]).toEqual(Array(5).fill(null))
      expect(Object.values(read)).not.toContain(null)
    }
  })

  test('long and short open interest add up to the whole, and differ by the skew', () => {
    for (const [read] of pairs) {
      expect(need(read.longOpenInterest) + need(read.shortOpenInterest)).toBe(read.openInterest)
      expect(need(read.longOpenInterest) - need(read.shortOpenInterest)).toBe(read.skew)
    }
  })

  test('funding per 1 h, 8 h and year is ours, the net rates are the signed income of each side', () => {
    const near = (ours: number, theirs: unknown) =>
      expect(Math.abs(ours - Number(theirs) / 1e18)).toBeLessThanOrEqual(1e-15 + Math.abs(ours) * 1e-12)
    for (const [read, record] of pairs) {
      for (const [hours, name] of [
        [1, '1H'],
        [8, '8H'],
        [8_760, '1Y'],
      ] as const) {
        near(fundingPercent(read, hours, 'short'), record[`currentFundingRate${name}InPercentage`])
        near(fundingPercent(read, hours, 'long'), record[`netLongFundingRate${name}InPercentage`])
        near(fundingPercent(read, hours, 'short'), record[`netShortFundingRate${name}InPercentage`])
      }
    }
  })

  test('the liquidity of a side is its room below both limits', () => {
    for (const [read] of pairs) {
      const byValue = need(read.maxOpenInterestUsd)
      const bySize = multiply(need(read.maxOpenInterest), read.price)
      const room = byValue < bySize ? byValue : bySize
      const long = room - multiply(need(read.longOpenInterest), read.price)
      const short = room - multiply(need(read.shortOpenInterest), read.price)
      // The venue computes from its own price, of which the JSON number is the rounded double.
      const slack = magnitude(room) / 10n ** 14n + 1_000n
      expect(magnitude(long - need(read.liquidityLongUsd)) <= slack).toBe(true)
      expect(magnitude(short - need(read.liquidityShortUsd)) <= slack).toBe(true)
    }
  })

  test('fees are fractions: 2 and 5 bp for ETH, 5 and 8 bp for the others', () => {
    for (const [read] of pairs) {
      const fees = read.symbol === 'ETH' ? [2n, 5n] : [5n, 8n]
      expect([read.makerFee, read.takerFee]).toEqual(fees.map((points) => points * 10n ** 14n))
    }
  })

  test('a price is the very decimal that was written', () => {
    for (const [read, record] of pairs) expect(read.price).toBe(fromNumber(Number(record['price'])))
  })

  test('the funding velocity follows the skew with one of three settings', () => {
    for (const [read, record] of pairs) {
      const skewed = (need(read.skew) * 10n ** 18n) / BigInt(String(record['skewScale']))
      const expected = [9n, 24n, 36n].map((most) => skewed * most)
      const velocity = need(read.fundingVelocityPerDay)
      expect(expected.some((each) => magnitude(each - velocity) <= 36n)).toBe(true)
    }
  })

  test('where nothing is open the rate stands still and no flip is promised', () => {
    const idle = pairs.filter(([read]) => read.openInterest === 0n)
    expect(idle).toHaveLength(2)
    expect(idle.filter(([read]) => read.fundingRatePerDay !== 0n)).toHaveLength(1)
    for (const [read, record] of idle) {
      expect(hoursToFlip(read)).toBeNull()
      expect(record['positiveSkew']).toBe('50.00')
      expect(parseFixed(String(record['longOI']))).toBe(0n)
    }
  })

  test('rate and skew have opposite signs in some of the skewed markets', () => {
    const skewed = answer.markets.filter((read) => read.skew !== 0n)
    expect(skewed).toHaveLength(4)
    expect(skewed.filter((read) => need(read.skew) > 0n !== read.fundingRatePerDay > 0n)).toHaveLength(2)
    const bitcoin = answer.markets.find((read) => read.symbol === 'BTC')
    expect((bitcoin && hoursToFlip(bitcoin)) ?? 0).toBeCloseTo(0.229 * 24, 1)
  })
})

describe('what is listed', () => {
  const listed = (elements: unknown[]) =>
    readMarkets(markets(elements), 8008).listings?.map(({ symbols }) => [...symbols])

  test('is every market that says which one it is, also one that cannot be used', () => {
    const broken = market({ marketId: '200', symbol: 'BTC', price: 'none' })
    expect(listed([market(), broken, market({ marketId: '300', symbol: '' })])).toEqual([
      [
        ['100', 'ETH'],
        ['200', 'BTC'],
        ['300', 'market 300'],
      ],
    ])
  })

  test('is not told where one of them does not', () => {
    expect(listed([market(), market({ marketId: null })])).toEqual([])
    expect(listed([market(), 'garbage'])).toEqual([])
  })
})
