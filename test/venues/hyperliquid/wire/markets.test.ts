import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { VenueError } from '../../../../src/venue/venue.ts'
import { readMarkets } from '../../../../src/venues/hyperliquid/wire/markets.ts'
import { exact } from '../../../support/fixtures.ts'
import recorded from '../recorded/main-metaAndAssetCtxs-2026-02-06.json' with { type: 'json' }
import delisted from '../recorded/meta-with-delisted-in-the-middle-2026-09-25.json' with { type: 'json' }
import pushed from '../recorded/ws-activeAssetCtx-BTC-2026-09-25.json' with { type: 'json' }
import { aDex, aContext } from '../records.ts'

const main = readMarkets(recorded.body, null)
const find = (id: string) => main.markets.find((market) => market.id === id)

describe('the recorded list of the main book', () => {
  test('has every market of it, delisted ones included', () => {
    expect(main.unusable).toEqual([])
    expect(main.markets).toHaveLength(228)
    expect(main.markets.filter((market) => market.delisted)).toHaveLength(38)
    expect(main.collateral).toBe(0)
  })

  test('says what is listed: all but what is delisted', () => {
    expect(main.listing?.dex).toBeNull()
    expect(main.listing?.symbols.size).toBe(190)
    expect(main.listing?.symbols.has('MATIC')).toBe(false)
    const broken = aDex([{ name: 'BTC' }, { name: '' }])
    expect(readMarkets(broken, null).listing).toBeNull()
  })

  test('a market arrives in our units', () => {
    expect(find('BTC')).toMatchObject({
      symbol: 'BTC',
      price: exact('66344.0'),
      priceName: 'mark',
      otherPrice: exact('66383.0'),
      fundingRatePerDay: exact('-0.000003688') * 24n,
      fundingEveryMs: 3_600_000,
      price24hAgo: exact('69557.0'),
      openInterest: exact('22727.78266'),
      volume24hUsd: exact('12377419030.3486595154'),
      maintenanceRatio: exact('0.0125'),
      delisted: false,
      isolatedOnly: false,
      dex: null,
      accountId: 'main',
    })
  })

  test('figures belong to names by place: behind a delisted market as before it', () => {
    expect(find('MATIC')).toMatchObject({ delisted: true, price: exact('0.37621') })
    const [meta, contexts] = recorded.body as unknown as [
      { universe: { name: string }[] },
      { markPx: string }[],
    ]
    const place = meta.universe.findIndex(({ name }) => name === 'SOL')
    expect(find('SOL')?.price).toBe(exact(contexts[place]?.markPx ?? ''))
  })

  test('a market whose positions never share their margin says so', () => {
    expect(main.markets.filter((market) => market.isolatedOnly)).toHaveLength(9)
    expect(find('HPOS')?.isolatedOnly).toBe(true)
  })

  test('a market has the tiers of its margin table, or one tier where its table is none', () => {
    expect(main.terms.get('BTC')?.tiers).toEqual([
      { lowerBound: 0n, maxLeverage: 40 },
      { lowerBound: exact('150000000'), maxLeverage: 20 },
    ])
    expect(main.terms.get('APE')?.tiers).toEqual([{ lowerBound: 0n, maxLeverage: 5 }])
  })
})

test('the recorded names with a delisted one in the middle keep their figures', () => {
  const { universe } = delisted.body
  const contexts = universe.map((_entry, place) => aContext({ markPx: `${place + 1}.5` }))
  const { markets } = readMarkets([delisted.body, contexts], null)
  expect(markets.map(({ id, price, delisted: over }) => [id, toNumber(price), over])).toEqual([
    ['BTC', 1.5, false],
    ['ETH', 2.5, false],
    ['ATOM', 3.5, false],
    ['MATIC', 4.5, true],
    ['DYDX', 5.5, false],
    ['SOL', 6.5, false],
  ])
})

test('a recorded pushed context has the fields of a polled one', () => {
  const { ctx } = pushed.body.data
  const { markets } = readMarkets(aDex([{ name: 'BTC' }], [ctx]), null)
  expect(markets[0]?.price).toBe(exact(ctx.markPx))
})

test.each([
  ['onlyIsolated', { onlyIsolated: true }],
  ['strictIsolated', { marginMode: 'strictIsolated' }],
  ['noCross', { marginMode: 'noCross' }],
])('isolated only: %s', (_what, over) => {
  expect(readMarkets(aDex([{ name: 'X', ...over }]), null).markets[0]?.isolatedOnly).toBe(true)
})

test('a builder’s book counts in its own token, and names its markets by itself', () => {
  const dex = readMarkets(aDex([{ name: 'xyz:NVDA' }], [aContext()], { collateralToken: 360 }), 'xyz')
  expect(dex.collateral).toBe(360)
  expect(dex.markets[0]).toMatchObject({ id: 'xyz:NVDA', dex: 'xyz', accountId: 'xyz' })
})

describe('what cannot be used', () => {
  test.each([
    ['names without figures', aDex([{ name: 'A' }, { name: 'B' }], [aContext()])],
    ['another book', aDex([{ name: 'xyz:NVDA' }])],
    ['nothing', null],
    ['an error', { error: 'busy' }],
  ])('an answer with %s is no list', (_what, body) => {
    expect(() => readMarkets(body, null)).toThrow(VenueError)
  })

  test.each([
    ['without a mark price', { markPx: null }],
    ['with a mark price of zero', { markPx: '0.0' }],
    ['with a number for a text', { funding: 0.1 }],
  ])('a market %s is left out and told, and takes nobody’s figures', (_what, over) => {
    const body = aDex([{ name: 'A' }, { name: 'B' }], [aContext(over), aContext({ markPx: '7.0' })])
    const { markets, unusable } = readMarkets(body, null)
    expect(markets.map(({ id, price }) => [id, toNumber(price)])).toEqual([['B', 7]])
    expect(unusable.map(({ what }) => what)).toEqual(['market A'])
  })
})
