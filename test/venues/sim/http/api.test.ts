import { get } from 'node:http'

import { describe, expect, test } from 'vitest'

import { formatDecimal } from '../../../../src/venue/amount.ts'
import { setProtectiveOrder } from '../../../../src/venues/sim/exchange/submit.ts'
import { OWNER, stage, units } from '../../../support/exchange.ts'
import { hosted } from '../../../support/hosted.ts'
import { ASKING, ordersPath, positionsPath } from '../../../support/sim.ts'

const WHOLE = (2n ** 127n - 2n).toString()

/** Anna is long of ten ETH from 2,000.1, with a take profit, a resting order and a market order under way. */
async function annaAtHttp() {
  const scene = stage()
  const anna = scene.trader(10_000)
  scene.trade(anna, scene.eth, 10)
  const takeProfit = { price: units(2_400), acceptablePrice: units(2_280) }
  setProtectiveOrder(scene.exchange, { accountId: anna.id, marketId: '100', takeProfit, stopLoss: null })
  scene.limit(anna, scene.eth, 2, 1_800)
  scene.order(anna, scene.btc, '-0.1')
  scene.wait(1)
  return { anna, scene, venue: await hosted(scene.exchange) }
}

test('the bot’s own client reads markets, positions, orders and previews, and nothing of them is unusable', async () => {
  const { anna, scene, venue } = await annaAtHttp()
  await using _ = venue
  const client = venue.venue
  const markets = await client.markets(ASKING, [])
  const positions = await client.positions(OWNER, ASKING)
  const orders = await client.orders(OWNER, [], ASKING)
  expect([markets.unusable, positions.unusable, orders.unusable]).toEqual([[], [], []])
  expect(markets.markets.map(({ symbol, price }) => [symbol, formatDecimal(price)])).toEqual([
    ['ETH', '2000'],
    ['BTC', '100000'],
  ])
  expect(positions.totalCount).toBe(1)
  expect(positions.positions[0]).toMatchObject({
    ...{ accountId: anna.id, marketId: '100', size: units(10), entryPrice: units('2000.1') },
  })
  expect(orders.orders.map(({ state, size, isProtective }) => ({ state, size, isProtective }))).toEqual([
    { state: 'open', size: 'all', isProtective: true },
    { state: 'open', size: units(2), isProtective: false },
    { state: 'pending', size: units('-0.1'), isProtective: false },
  ])
  expect(await client.market('200', ASKING)).toMatchObject({ symbol: 'BTC', skew: 0n })
  const draft = { wallet: OWNER, accountId: anna.id, marketId: '100', sizeDelta: units(-10) }
  expect(await client.preview(draft, ASKING)).toMatchObject({ liquidationPrice: 'none', feasible: true })
  expect(venue.events).not.toContainEqual(expect.objectContaining({ is: 'venue-unusable' }))
  expect(scene.eth.longs).toBe(units(10))
})

test('orders are of all kinds, with the venue’s ranges and sentinels', async () => {
  const { anna, venue } = await annaAtHttp()
  await using _ = venue
  const { orders, totalCount } = await venue.read(ordersPath(OWNER, 'LimitExecuted,LimitSubmitted,Committed'))
  expect(totalCount).toBe(3)
  const unset = { priceA: '0', priceB: '0', acceptablePrice: '0' }
  const [guard, limit, market] = orders
  expect(guard).toMatchObject({
    ...{ orderType: 'Limit', user: anna.wallet, accountId: anna.id, size: WHOLE, status: 'LimitExecuted' },
    ...{ hasLimitOrder: false, hasTpSlOrder: true, priceRange: unset, slPriceRange: unset },
    tpPriceRange: {
      priceA: units(2_400).toString(),
      priceB: (2n ** 255n - 1n).toString(),
      acceptablePrice: units(2_280).toString(),
      ...{ priceANum: 2_400, priceBNum: 5.78960446186581e58, acceptablePriceNum: 2_280 },
    },
  })
  expect(limit).toMatchObject({
    ...{ size: units(2).toString(), status: 'LimitSubmitted', hasLimitOrder: true, hasTpSlOrder: false },
    priceRange: { priceA: '1', priceANum: 1e-18, priceBNum: 1_800, acceptablePriceNum: 1_890 },
  })
  expect(market).toMatchObject({ orderType: 'DelayedOffchain', status: 'Committed', onchain: true })
  expect(market.submissionTxDetails.timestamp * 1000).toBe(market.timestamp + 1_000)
  for (const order of orders) expect(Object.keys(order)).toHaveLength(22)
  const { positions } = await venue.read(positionsPath(OWNER))
  expect(positions[0].tpsl).toEqual(guard)
})

test('what a position has gained is shown as closing parts of it gained it', async () => {
  const { trader, trade, exchange, eth, wait } = stage({ eth: { skewScale: 0n, maxFundingVelocity: 0n } })
  const anna = trader(10_000)
  trade(anna, eth, 10)
  wait(60, { eth: 2_100 })
  trade(anna, eth, -4)
  await using venue = await hosted(exchange)
  const [position] = (await venue.read(positionsPath(OWNER))).positions
  // Four that gained a hundred each. The orders cost five basis points of 20,000, two of 8,400 (it makes), and a dime each.
  expect(position).toMatchObject({
    ...{ size: units(6).toString(), totalRealisedPnlUsd: units(400).toString() },
    ...{ totalVolumeUsd: units(28_400).toString(), avgEntryPrice: units(2_000).toString() },
    ...{ latestInteractionPrice: units(2_100).toString(), unrealisedFundingUsd: '0' },
    ...{ entryTimestamp: 1_000_002, tpsl: null },
  })
  const breakEven = Number(position.breakEvenPriceExcludingClosingFee) / 1e18
  expect(6 * (breakEven - 2_000)).toBeCloseTo(11.88 - 400, 9)
  const closed = Number(position.breakEvenPriceIncludingClosingFee) / 1e18
  expect(6 * (closed - 2_000) - 6 * closed * 0.0005 - 0.1).toBeCloseTo(11.88 - 400, 9)
  // No more digits than a double has.
  expect(position.liquidationPrice).toMatch(/^[1-9]\d{0,16}0*$/)
})

test('a venue without open interest divides by nothing', async () => {
  await using venue = await hosted(stage().exchange)
  const [{ markets }] = await venue.read('/markets')
  expect(markets[0]).toMatchObject({ currentOI: '0', positiveSkew: '50.00', negativeSkew: '50.00' })
})

describe('a request that is wrong', () => {
  const preview = '/post-trade-details?chainId=8008'
  const draft = (some: object) => ({ accountId: '1', marketId: '100', sizeDelta: '5', ...some })
  test.each([
    ['GET', '/positions/v2?ownershipType=SuperOwner', undefined, 400, 'owner is required.'],
    ['GET', positionsPath('0x12'), undefined, 400, 'owner is the address of a wallet: 0x and 40 digits.'],
    ['GET', `/positions/v2?owner=${OWNER}`, undefined, 400, 'ownershipType must be SuperOwner.'],
    ['GET', `${positionsPath(OWNER)}&limit=-1`, undefined, 400, 'limit must be a whole number.'],
    ['GET', ordersPath(OWNER, 'Commited'), undefined, 400, /^Unknown status "Commited"; known are Created,/],
    ['GET', '/markets/100', undefined, 400, 'chainId must be 8008.'],
    ['GET', '/markets/100?chainId=1', undefined, 400, 'chainId must be 8008.'],
    ['GET', '/markets/7?chainId=8008', undefined, 404, 'Market 7 not found'],
    ['GET', '/nothing', undefined, 404, 'No such path: /nothing'],
    ['GET', '//', undefined, 404, 'No such path: //'],
    ['GET', '//[', undefined, 404, 'No such path: //'],
    ['GET', `${positionsPath(OWNER)}&owner=${OWNER}`, undefined, 400, /^owner is the address of a wallet/],
    ['GET', '/markets/100?chainId=8008&chainId=8008', undefined, 400, 'chainId must be 8008.'],
    ['GET', '/markets/100?chainId=0x1f48', undefined, 400, 'chainId must be 8008.'],
    ['GET', '/markets/all?chainId=8008', undefined, 404, 'Market all not found'],
    ['GET', preview, undefined, 405, 'Use POST for this path'],
    ['POST', '/markets', {}, 405, 'Use GET for this path'],
    ['POST', '/openapi.json', {}, 405, 'Use GET for this path'],
    ['POST', preview, 'x'.repeat(70_000), 413, 'The body is too large'],
    ['POST', preview, '{', 400, /accountId, marketId and sizeDelta, each a string/],
    ['POST', preview, draft({ sizeDelta: 5 }), 400, /each a string/],
    ['POST', preview, draft({ sizeDelta: 'half' }), 400, 'sizeDelta must be a whole number.'],
    ['POST', preview, draft({ sizeDelta: '-0' }), 400, 'sizeDelta must be a whole number other than 0.'],
    ['POST', preview, draft({ limitPrice: '0' }), 400, 'limitPrice must be above 0.'],
    ['POST', preview, draft({ accountId: 'mine' }), 400, 'accountId must be a number in digits.'],
    ['POST', preview, draft({ marketId: 'ETH' }), 400, 'marketId must be a number in digits.'],
    ['POST', preview, draft({ marketId: '7' }), 404, 'Market 7 not found'],
    ['POST', preview, draft({ accountId: '7' }), 404, 'Account 7 not found'],
  ])('%s %s (%#) is answered with a sentence', async (method, path, body, status, message) => {
    await using venue = await hosted(stage().exchange)
    const sent = await venue.send(method, path, body)
    expect(sent).toEqual({ status, body: { message: expect.stringMatching(message) } })
  })
})

test('a proxy’s way to ask is answered as well, and what is no address is refused, by a server that goes on', async () => {
  await using venue = await hosted(stage().exchange)
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const asked = get({ port: new URL(venue.url).port, path }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      asked.once('error', reject)
    })
  expect(await statusOf('http://anywhere/markets')).toBe(200)
  expect(await statusOf('http://[')).toBe(400)
  expect(await statusOf('/markets')).toBe(200)
})

test('statuses are a list, with commas or given one by one; an empty one is all', async () => {
  const { venue } = await annaAtHttp()
  await using _ = venue
  const statuses = async (query: string) => {
    const { orders } = await venue.read(`/orders/v2?owner=${OWNER}&ownershipType=SuperOwner${query}`)
    return orders.map(({ status }: { status: string }) => status)
  }
  const all = ['LimitExecuted', 'LimitSubmitted', 'Committed']
  expect(await statuses('')).toEqual(all)
  expect(await statuses('&statuses=')).toEqual(all)
  expect(await statuses('&statuses=Committed%2CLimitSubmitted')).toEqual(['LimitSubmitted', 'Committed'])
  expect(await statuses('&statuses=Committed&statuses=LimitExecuted')).toEqual(['LimitExecuted', 'Committed'])
})

test('a list may be read in pages, and a limit of 0 is all of it', async () => {
  const { trader, trade, exchange, eth, btc } = stage()
  const anna = trader(10_000)
  trade(anna, eth, 1)
  trade(anna, btc, '0.01')
  await using venue = await hosted(exchange)
  const read = async (more: string) => {
    const { positions, totalCount } = await venue.read(positionsPath(OWNER) + more)
    return [positions.map(({ marketId }: { marketId: string }) => marketId), totalCount]
  }
  expect(await read('&offset=0&limit=0&chainIds=8008')).toEqual([['100', '200'], 2])
  expect(await read('&offset=1&limit=1')).toEqual([['200'], 2])
  expect(await read('&offset=2')).toEqual([[], 2])
})

test('who asks too often is answered with 429 until time has gone by, each key and each address by itself', async () => {
  await using venue = await hosted(stage().exchange, { perSecond: 2 })
  const ask = (key?: string) =>
    venue.send('GET', '/markets', undefined, key === undefined ? undefined : { 'x-api-key': key })
  const statuses = async (...keys: (string | undefined)[]) => {
    const seen: number[] = []
    for (const key of keys) seen.push((await ask(key)).status)
    return seen
  }
  expect(await statuses(undefined, undefined, undefined)).toEqual([200, 200, 429])
  expect(await statuses('a', 'a', 'a', 'b')).toEqual([200, 200, 429, 200])
  // An empty header is no key: that is the address, which has asked enough.
  expect(await statuses('')).toEqual([429])
  expect((await ask('a')).body).toEqual({ message: expect.stringMatching(/^Too many requests/) })
  expect((await venue.control('GET', 'state')).markets).toHaveLength(2)
  await venue.clock.advance(500)
  expect(await statuses(undefined, undefined)).toEqual([200, 429])
  await expect(venue.venue.markets(ASKING, [])).rejects.toMatchObject({ failure: { is: 'limited' } })
})

test('any price is a sentinel in an order that takes every price', async () => {
  const { trader, exchange } = stage()
  const anna = trader(10_000)
  await using venue = await hosted(exchange)
  const place = { accountId: anna.id, symbol: 'ETH' }
  const { order } = await venue.control('POST', 'order', { ...place, size: 1 })
  expect(order.priceRange).toMatchObject({ priceA: '0', acceptablePriceNum: 5.78960446186581e58 })
  const orders = await venue.venue.orders(OWNER, [], ASKING)
  expect(orders.orders[0]?.limit).toBeNull()
})
