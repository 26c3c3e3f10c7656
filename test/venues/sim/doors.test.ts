import { describe, expect, test } from 'vitest'

import { KINDS } from '../../../src/venues/sim/doors/fault.ts'
import { OWNER, stage, units } from '../../support/exchange.ts'
import { hosted } from '../../support/hosted.ts'
import { eventually } from '../../support/patience.ts'
import { ASKING, type Json, ordersPath, positionsPath } from '../../support/sim.ts'

const kinds = (happened: Json[]) => happened.map(({ is }) => is)

describe('a trader, through the control doors,', () => {
  /** Bert, with an account of his own making. */
  async function withBert() {
    const venue = await hosted(stage().exchange)
    const { accountId } = await venue.control('POST', 'account', { owner: OWNER, usd: '10000' })
    const place = { accountId, symbol: 'ETH' }
    const positions = async (): Promise<Json[]> => (await venue.read(positionsPath(OWNER))).positions
    const pass = async (ms: number) => kinds((await venue.control('POST', 'advance', { ms })).happened)
    return { venue, accountId, place, positions, pass }
  }

  test('opens, resizes, turns and closes a position, each in the time of the chain', async () => {
    const { venue, place, positions, pass } = await withBert()
    await using _ = venue
    const { order } = await venue.control('POST', 'order', { ...place, size: 10 })
    expect(order).toMatchObject({ status: 'Created', size: units(10).toString() })
    expect(await pass(999)).toEqual([])
    expect(await pass(1)).toEqual(['committed'])
    expect(await pass(1_000)).toEqual(['settled'])
    for (const size of ['4.5', '-3', '0.000000000000000001']) {
      await venue.control('POST', 'resize', { ...place, size })
      expect(await pass(2_000)).toEqual(['committed', 'settled'])
      expect((await positions()).map((one) => one.size)).toEqual([units(size).toString()])
    }
    await venue.control('POST', 'close', place)
    await pass(2_000)
    expect(await positions()).toEqual([])
    const again = await venue.send('POST', '/_sim/close', place)
    expect(again).toMatchObject({ status: 409, body: { message: /order of 0 does nothing/ } })
  })

  test('leaves a limit order that fills at its price, and one that is taken back', async () => {
    const { venue, accountId, place, positions } = await withBert()
    await using _ = venue
    await venue.control('POST', 'order', { ...place, size: 2, limitPrice: 1_900, stopLoss: 1_700 })
    const resting = await venue.control('POST', 'order', { ...place, size: -2, limitPrice: '2500.5' })
    const { happened } = await venue.control('POST', 'price', { symbol: 'ETH', price: 1_890 })
    expect(kinds(happened)).toEqual(['settled'])
    const [position] = await positions()
    expect(position).toMatchObject({ avgEntryPrice: units(1_900).toString() })
    expect(position.tpsl.slPriceRange).toMatchObject({ priceANum: 1e-18, priceBNum: 1_700 })
    const { orderId } = resting.order
    await venue.control('DELETE', 'order', { accountId, orderId })
    const { orders } = await venue.read(ordersPath(OWNER, 'Expired,LimitSubmitted,LimitExecuted'))
    expect(orders.map((one: Json) => one.status)).toEqual(['LimitExecuted', 'Expired', 'LimitExecuted'])
    expect((await venue.send('DELETE', '/_sim/order', { accountId, orderId })).status).toBe(404)
  })

  test('guards a position, and the guard closes it', async () => {
    const { venue, place, positions, pass } = await withBert()
    await using _ = venue
    await venue.control('POST', 'order', { ...place, size: 2 })
    await pass(2_000)
    await venue.control('POST', 'guard', { ...place, takeProfit: 2_200 })
    const { happened } = await venue.control('POST', 'price', { symbol: 'eth', shockPercent: 10 })
    expect(kinds(happened)).toEqual(['triggered', 'settled'])
    expect(await positions()).toEqual([])
  })

  test('keeps a position that another one makes up for when both prices fall at once, and not one after the other', async () => {
    const together = { prices: { ETH: 1_600, BTC: '80000' } }
    for (const crash of [[together], [{ prices: { ETH: 1_600 } }, { prices: { BTC: 80_000 } }]]) {
      const { venue, place, positions, pass } = await withBert()
      await using _ = venue
      await venue.control('POST', 'order', { ...place, size: 30 })
      await pass(2_000)
      await venue.control('POST', 'order', { ...place, symbol: 'BTC', size: -0.6 })
      await pass(2_000)
      const told: string[] = []
      for (const prices of crash)
        told.push(...kinds((await venue.control('POST', 'prices', prices)).happened))
      expect(told.includes('flagged')).toBe(crash.length > 1)
      expect((await positions()).length).toBe(crash.length > 1 ? 0 : 2)
    }
  })

  test('pays in and takes out what he can spare, and is liquidated when the price falls', async () => {
    const { venue, accountId, place, positions, pass } = await withBert()
    await using _ = venue
    await venue.control('POST', 'order', { ...place, size: 20 })
    await pass(2_000)
    await venue.control('POST', 'deposit', { accountId, usd: '500.25' })
    const tooMuch = await venue.send('POST', '/_sim/withdraw', { accountId, usd: 10_000 })
    expect(tooMuch).toMatchObject({ status: 409, body: { message: /can spare \d+\.\d+ USD/ } })
    const left = await venue.control('POST', 'withdraw', { accountId, usd: 7_000 })
    expect(Number(left.collateralUsd)).toBeCloseTo(10_000 - 20.1 + 500.25 - 7_000, 1)
    const [{ liquidationPrice }] = (await positions()) as [Json]
    const line = Number(liquidationPrice) / 1e18
    const above = await venue.control('POST', 'price', { symbol: 'ETH', price: line + 0.01 })
    expect(above.liquidated).toEqual([])
    const below = await venue.control('POST', 'price', { symbol: 'ETH', price: line - 0.01 })
    expect(below.liquidated).toEqual([{ owner: OWNER, symbol: 'ETH' }])
    expect(kinds(below.happened)).toEqual(['flagged', 'liquidated'])
    expect(await positions()).toEqual([])
  })
})

test('a funding rate that is set goes on from there', async () => {
  const { exchange, trader, trade, eth } = stage()
  trade(trader(10_000), eth, 10)
  await using venue = await hosted(exchange)
  await venue.control('POST', 'funding', { symbol: 'ETH', ratePerDay: '-0.001' })
  const rate = async () => (await venue.venue.market('100', ASKING)).fundingRatePerDay
  expect(await rate()).toBe(units('-0.001'))
  await venue.control('POST', 'advance', { ms: 86_400_000 })
  // Ten of a scale of 100,000, at nine per day: 0.0009 in a day.
  expect(await rate()).toBe(units('-0.0001'))
})

test('a market is listed with the terms of another, traded, and delisted with all that is in it', async () => {
  await using venue = await hosted(stage().exchange)
  const listed = await venue.control('POST', 'market', {
    marketId: '50',
    symbol: 'NEW',
    price: '0.5',
    like: 'ETH',
  })
  expect(listed).toMatchObject({ marketId: '50', symbol: 'NEW', price: 0.5, currentOI: '0' })
  const [{ markets }] = await venue.read('/markets')
  expect(markets.map((one: Json) => one.marketId)).toEqual(['100', '200', '50'])
  const { accountId } = await venue.control('POST', 'account', { owner: OWNER, usd: 1_000 })
  await venue.control('POST', 'order', { accountId, symbol: 'NEW', size: 100 })
  await venue.control('POST', 'advance', { ms: 2_000 })
  const { happened } = await venue.control('DELETE', 'market', { symbol: 'NEW' })
  expect(kinds(happened)).toEqual(['delisted'])
  expect((await venue.read(positionsPath(OWNER))).totalCount).toBe(0)
  expect((await venue.send('GET', '/markets/50?chainId=8008')).status).toBe(404)
  const twice = { marketId: '100', symbol: 'OTHER', price: 1, like: 'ETH' }
  expect((await venue.send('POST', '/_sim/market', twice)).status).toBe(409)
})

test('the state says what the markets, the accounts and the venue have', async () => {
  const { exchange, trader, trade, eth } = stage()
  trade(trader(10_000), eth, 10)
  await using venue = await hosted(exchange)
  const state = await venue.control('GET', 'state')
  expect(state).toMatchObject({
    ...{ nowSeconds: 1_000_002, marketTime: '1970-01-12T13:46:42.000Z', totalAccounts: 1, faults: [] },
    markets: [{ symbol: 'ETH', price: 2_000 }, { symbol: 'BTC' }],
    positions: [{ owner: OWNER, symbol: 'ETH', size: 10, price: 2_000, entryPrice: 2_000.1 }],
    ...{ depositedUsd: '10000', keepersUsd: '0.1', poolUsd: '10.0005' },
  })
})

describe('a door', () => {
  test.each([
    ['POST', 'order', '{', /JSON object with accountId, symbol, size/],
    ['POST', 'order', { accountId: '1', symbol: 'ETH', size: 'half' }, /size is a decimal/],
    ['POST', 'order', { accountId: '1', symbol: 'GOLD', size: 1 }, /no market GOLD; there are ETH, BTC/],
    ['POST', 'order', { accountId: '1', symbol: 'ETH', size: 1 }, /There is no account 1/],
    ['POST', 'deposit', { accountId: '1', usd: -5 }, /usd is a decimal above 0/],
    ['POST', 'advance', { ms: -1 }, /ms is not negative/],
    ['POST', 'fault', { path: 'markets', kind: 'hang' }, /path is "\*" or begins with "\/"/],
    ['GET', 'nothing', undefined, /The control doors are GET \/_sim\/state/],
  ])('%s %s with %j says what is wrong', async (method, path, body, message) => {
    await using venue = await hosted(stage().exchange)
    const sent = await venue.send(method, `/_sim/${path}`, body)
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect(sent.body.message).toMatch(message)
  })
})

describe('on every endpoint', () => {
  const draft = (accountId: string) => ({ accountId, marketId: '100', sizeDelta: '1000000000000000000' })
  const requests = (accountId: string): [path: string, method: string, body?: object][] => [
    ['/markets', 'GET'],
    ['/markets/100?chainId=8008', 'GET'],
    [positionsPath(OWNER), 'GET'],
    [ordersPath(OWNER, 'Created'), 'GET'],
    ['/post-trade-details?chainId=8008', 'POST', draft(accountId)],
  ]

  /** What an answer looks like from outside. */
  async function look(url: string, [path, method, body]: [string, string, object?]) {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      json = 'no JSON'
    }
    return { status: response.status, type: response.headers.get('content-type'), text, json }
  }

  test.each(KINDS)('the fault “%s” is met once, and then the answer is good again', async (kind) => {
    const { exchange, trader, trade, eth } = stage()
    const anna = trader(10_000)
    trade(anna, eth, 1)
    await using venue = await hosted(exchange)
    for (const request of requests(anna.id)) {
      const [path] = request
      const good = await look(venue.url, request)
      expect(good.status).toBe(200)
      await venue.control('POST', 'fault', { path: path.split('?')[0], kind, delayMs: 400 })
      // What changes nothing that is asked for but the price, for all of them.
      await venue.control('POST', 'price', { symbol: 'ETH', shockPercent: 0.01 })
      const met = look(venue.url, request).catch(() => 'broken off' as const)
      await eventually(async () => (await venue.control('GET', 'state')).faults.length === 0)
      if (kind === 'hang') await venue.control('DELETE', 'fault')
      if (kind === 'delay' || kind === 'drip') await venue.clock.advance(400)
      expect(seen(kind, await met, good)).toBe(true)
      expect((await look(venue.url, request)).status).toBe(200)
    }
  })

  type Seen = Awaited<ReturnType<typeof look>>

  function seen(kind: (typeof KINDS)[number], met: Seen | 'broken off', good: Seen): boolean {
    if (met === 'broken off') return kind === 'reset' || kind === 'hang'
    if (kind === 'status') return met.status === 503 && met.json !== 'no JSON'
    if (met.status !== 200) return false
    if (kind === 'html') return met.type === 'text/html'
    if (kind === 'empty') return met.text === ''
    if (kind === 'truncate' || kind === 'garbage') return met.json === 'no JSON' && met.text !== ''
    if (kind === 'stale') return met.text === good.text
    return met.json !== 'no JSON'
  }

  test('a stale answer is the one from before, as long as the fault lasts', async () => {
    await using venue = await hosted(stage().exchange)
    const price = async () => (await venue.read('/markets/100?chainId=8008')).price
    expect(await price()).toBe(2_000)
    await venue.control('POST', 'fault', { path: '/markets', kind: 'stale', times: 2 })
    await venue.control('POST', 'price', { symbol: 'ETH', price: 1_500 })
    expect([await price(), await price(), await price()]).toEqual([2_000, 2_000, 1_500])
  })
})
