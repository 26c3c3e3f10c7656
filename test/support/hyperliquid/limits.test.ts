import { describe, expect, test } from 'vitest'

import { handClock } from '../clock.ts'
import { eventually } from '../patience.ts'
import { info, post } from './client.ts'
import type { FaultKind } from './faults.ts'
import { startHyperliquid } from './server.ts'

const USER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
const HOUR_MS = 3_600_000

describe('what a request weighs', () => {
  test.each<[weight: number, said: object]>([
    [20, { type: 'metaAndAssetCtxs' }],
    [20, { type: 'metaAndAssetCtxs', dex: 'xyz' }],
    [20, { type: 'meta' }],
    [20, { type: 'perpDexs' }],
    [2, { type: 'clearinghouseState', user: USER }],
    [2, { type: 'clearinghouseState', user: USER, dex: 'hyna' }],
    [2, { type: 'spotClearinghouseState', user: USER }],
    [20, { type: 'userAbstraction', user: USER }],
    [20, { type: 'frontendOpenOrders', user: USER }],
    [2, { type: 'orderStatus', user: USER, oid: 1 }],
    [2, { type: 'l2Book', coin: 'BTC' }],
    [20, { type: 'activeAssetData', user: USER, coin: 'BTC' }],
    [20, { type: 'userFees', user: USER }],
    [20, { type: 'userFillsByTime', user: USER, startTime: 0 }],
    [20, { type: 'userFunding', user: USER }],
    [20, { type: 'historicalOrders', user: USER }],
    [20, { type: 'twapHistory', user: USER }],
    [20, { type: 'userTwapSliceFills', user: USER }],
    [20, { type: 'userTwapSliceFillsByTime', user: USER, startTime: 0 }],
    [20, { type: 'fundingHistory', coin: 'BTC', startTime: 0 }],
    [60, { type: 'userRole', user: USER }],
  ])('%i: %o', async (weight, said) => {
    await using venue = await startHyperliquid()
    await info(venue, said)
    expect([venue.weight(), venue.asked[0]?.weight]).toEqual([weight, weight])
  })

  test('a list, one more for each twenty items', async () => {
    await using venue = await startHyperliquid({ clock: handClock() })
    const user = venue.account(USER, { usd: 10_000 })
    for (let n = 0; n < 45; n++) user.trades('BTC', 0.001)
    expect(await info(venue, { type: 'userFillsByTime', user: USER, startTime: 0 })).toHaveLength(45)
    expect(venue.weight()).toBe(22)
  })

  test('1,200 in a minute, then 429 with null, which costs nothing', async () => {
    const clock = handClock()
    await using venue = await startHyperliquid({ clock })
    const meta = { type: 'metaAndAssetCtxs' }
    for (let n = 0; n < 60; n++) {
      await info(venue, meta)
      if (n === 29) await clock.advance(30_000)
    }
    expect(await post(venue, meta)).toMatchObject({ status: 429, text: 'null', type: 'application/json' })
    expect(venue.weight()).toBe(1_200)
    await clock.advance(29_999)
    expect((await post(venue, { type: 'l2Book', coin: 'BTC' })).status).toBe(429)
    await clock.advance(1)
    expect(venue.weight()).toBe(600)
    expect((await post(venue, meta)).status).toBe(200)
  })
})

describe('what nobody can ask', () => {
  test('a dex or a coin that is not there: 500 with null', async () => {
    await using venue = await startHyperliquid()
    for (const said of [
      { type: 'metaAndAssetCtxs', dex: 'nope' },
      { type: 'l2Book', coin: 'NOPE' },
      { type: 'clearinghouseState', user: USER, dex: 'nope' },
    ]) {
      expect(await post(venue, said)).toMatchObject({ status: 500, text: 'null' })
    }
  })

  test('another path or method, or what is no JSON', async () => {
    await using venue = await startHyperliquid()
    expect((await fetch(`${venue.url}/exchange`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${venue.url}/info`)).status).toBe(405)
    expect((await post(venue, '{"type":', {})).status).toBe(400)
    expect((await post(venue, { type: 'meta' }, { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('whether an address is anybody’s: strangers have nothing, only their role tells', async () => {
    await using venue = await startHyperliquid()
    const agent = `0x${'9'.repeat(40)}`
    venue.account(agent, { role: { role: 'agent', data: { user: USER } } })
    venue.account(USER)
    const roles = await Promise.all(
      [agent, USER, `0x${'1'.repeat(40)}`].map((user) => info(venue, { type: 'userRole', user })),
    )
    expect(roles).toEqual([{ role: 'agent', data: { user: USER } }, { role: 'user' }, { role: 'missing' }])
    const { assetPositions, withdrawable } = await info(venue, { type: 'clearinghouseState', user: agent })
    expect([assetPositions, withdrawable]).toEqual([[], '0.0'])
  })
})

describe('faults', () => {
  test('one dex answers 500, the others answer', async () => {
    await using venue = await startHyperliquid()
    venue.fault({ kind: 'error', dex: 'xyz', times: Infinity })
    const state = (dex?: string) =>
      post(venue, { type: 'clearinghouseState', user: USER, ...(dex ? { dex } : {}) })
    expect((await state()).status).toBe(200)
    expect(await state('xyz')).toMatchObject({ status: 500, text: 'null' })
    expect((await post(venue, { type: 'l2Book', coin: 'xyz:NVDA' })).status).toBe(500)
    expect((await state('hyna')).status).toBe(200)
    venue.clearFaults()
    expect((await state('xyz')).status).toBe(200)
  })

  test('what broke inside of the venue has cost its weight', async () => {
    await using venue = await startHyperliquid()
    venue.fault({ kind: 'error' })
    await post(venue, { type: 'meta' })
    venue.fault({ kind: 'limit' })
    await post(venue, { type: 'meta' })
    expect(venue.weight()).toBe(20)
  })

  test('a storm of 429, of the limit or of nobody’s making', async () => {
    await using venue = await startHyperliquid()
    venue.allow(30)
    expect((await post(venue, { type: 'meta' })).status).toBe(200)
    expect((await post(venue, { type: 'meta' })).status).toBe(429)
    venue.allow(1_200)
    venue.fault({ kind: 'limit', times: 2 })
    const [one, two, three] = [
      await post(venue, {}),
      await post(venue, {}),
      await post(venue, { type: 'meta' }),
    ]
    expect([one.status, two.status, three.status]).toEqual([429, 429, 200])
  })

  test('a slow answer says what was so when it was asked', async () => {
    const clock = handClock()
    await using venue = await startHyperliquid({ clock })
    clock.restsWhen(() => venue.idle())
    venue.fault({ kind: 'slow', type: 'l2Book', ms: 8_000 })
    const answer = info(venue, { type: 'l2Book', coin: 'BTC' })
    let over = false
    void answer.then(() => (over = true))
    await eventually(() => venue.asked.length === 1)
    venue.moves({ BTC: 50_000 })
    await clock.advance(7_999)
    expect(over).toBe(false)
    await clock.advance(1)
    expect((await answer).levels[1][0].px).toBe('66351.0')
  })

  test('garbage, a proxy’s page, half a body, nothing at all', async () => {
    await using venue = await startHyperliquid()
    const met = async (kind: FaultKind) => {
      venue.fault({ kind })
      return post(venue, { type: 'meta' }).then(
        ({ status, type }) => `${status} ${type}`,
        () => 'broken',
      )
    }
    expect(await met('garbage')).toBe('200 text/html')
    expect(await met('bad-gateway')).toBe('502 text/html')
    expect(await met('half-body')).toBe('broken')
    expect(await met('reset')).toBe('broken')
    const hanging = met('hang')
    await eventually(() => venue.asked.length === 5)
    venue.release()
    expect(await hanging).toBe('broken')
  })

  test('a list of contexts that is shorter than its universe', async () => {
    await using venue = await startHyperliquid()
    venue.shorten('xyz', 2)
    venue.lists('xyz:NEW', 12)
    const [meta, contexts] = await info(venue, { type: 'metaAndAssetCtxs', dex: 'xyz' })
    expect(meta.universe.length - contexts.length).toBe(2)
    expect(meta.universe.at(-1)).toMatchObject({ name: 'xyz:NEW', maxLeverage: 10 })
  })
})

test('funding is paid each hour, on the oracle’s price, to or from the balance', async () => {
  const clock = handClock()
  await using venue = await startHyperliquid({ clock })
  const user = venue.account(USER, { usd: 10_000 })
  user.trades('ETH', 2, { at: 1_919 })
  user.trades('xyz:NVDA', -1, { leverage: 5 })
  venue.moves({ ETH: { mark: 1_919, oracle: 2_000 } })
  venue.funds('ETH', 0.0001)
  const before = await info(venue, { type: 'clearinghouseState', user: USER })
  await clock.advance(HOUR_MS + 100)
  const [payment] = await info(venue, { type: 'userFunding', user: USER, startTime: 0 })
  expect(payment).toMatchObject({ delta: { type: 'funding', coin: 'ETH', usdc: '-0.4', szi: '2.0' } })
  expect(payment.time % HOUR_MS).toBe(20)
  const after = await info(venue, { type: 'clearinghouseState', user: USER })
  expect(after.assetPositions[0].position.cumFunding.sinceOpen).toBe('0.4')
  const value = (state: typeof before) => Number(state.marginSummary.accountValue)
  expect(value(before) - value(after)).toBeCloseTo(0.4, 6)
  const [rate] = await info(venue, { type: 'fundingHistory', coin: 'ETH', startTime: 0 })
  expect(rate).toMatchObject({ coin: 'ETH', fundingRate: '0.0001' })
})
