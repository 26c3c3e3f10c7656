import { expect, test } from 'vitest'
import { FALL, SECOND, SUGGESTED, THIRD, ordersPath, positionsPath, startSim } from '../../support/sim.ts'
import type { Json } from '../../support/sim.ts'

test('three owners hold long and short positions, in the documented shape', async () => {
  await using sim = await startSim()
  for (const owner of [SUGGESTED, SECOND, THIRD]) {
    const answer = await sim.read(positionsPath(owner))
    expect(answer.owner).toBe(owner)
    expect(answer.totalCount).toBe(answer.positions.length)
    expect(new Set(answer.positions.map(({ size }: Json) => size.startsWith('-'))).size).toBe(2)
    for (const position of answer.positions) {
      expect(position.accountId).toMatch(/^\d{39}$/)
      expect(position.liquidationPrice).toMatch(/^\d+$/)
      expect(position.entryTimestamp).toBeLessThan(sim.clock.now() / 1000)
    }
  }
})

test('an owner is known in any case; an unknown one has nothing; none at all is a mistake', async () => {
  await using sim = await startSim()
  expect((await sim.positions(SUGGESTED.toLowerCase())).length).toBe(4)
  const stranger = '0x00000000000000000000000000000000000000AA'
  const nothing = await sim.read(positionsPath(stranger))
  expect(nothing).toEqual({ owner: expect.stringMatching(/aa$/i), positions: [], totalCount: 0 })
  for (const path of [
    '/positions/v2?ownershipType=SuperOwner',
    positionsPath('0x12'),
    `/positions/v2?owner=${SUGGESTED}`,
    '/orders/v2?ownershipType=SuperOwner',
  ]) {
    expect(await sim.send('GET', path)).toEqual({ status: 400, body: { message: expect.any(String) } })
  }
})

test('a position vanishes from the list when its liquidation price is crossed, and no order tells of it', async () => {
  await using sim = await startSim({ SIM_CONTROL: '1' })
  const orders = ordersPath(SUGGESTED, 'Created,Committed,Expired,LimitSubmitted')
  const [before] = await sim.positions()
  const ordersBefore = await sim.read(orders)
  const justAbove = (Number(before.liquidationPrice) / 1e18) * 1.0001
  await sim.send('POST', '/_sim/price', { symbol: 'ETH', price: justAbove })
  expect((await sim.positions()).length).toBe(4)
  const justBelow = (Number(before.liquidationPrice) / 1e18) * 0.9999
  const { body } = await sim.send('POST', '/_sim/price', { symbol: 'ETH', price: justBelow })
  expect(body.liquidated).toEqual([{ owner: SUGGESTED, symbol: 'ETH' }])
  expect((await sim.positions()).map(({ marketId }: Json) => marketId)).toEqual(['200', '300', '1300'])
  expect(await sim.read(orders)).toEqual(ordersBefore)
})

test('a liquidated position is opened again one to three real minutes later', async () => {
  await using sim = await startSim({ SIM_CONTROL: '1' })
  await sim.send('POST', '/_sim/price', { symbol: 'ETH', shockPercent: -30 })
  await sim.clock.advance(59_000)
  expect((await sim.positions()).length).toBe(3)
  await sim.clock.advance(200_000)
  const [again] = await sim.positions()
  expect(again.marketId).toBe('100')
  expect(again.entryTimestamp).toBeGreaterThan(sim.clock.now() / 1000 - 201)
})

test('orders are filtered by their exact statuses, and an unknown status is a mistake', async () => {
  await using sim = await startSim()
  const { orders, totalCount } = await sim.read(ordersPath(SUGGESTED, 'LimitSubmitted,Expired'))
  expect(orders.map(({ status }: Json) => status)).toEqual(['LimitSubmitted', 'Expired'])
  expect(totalCount).toBe(2)
  expect(orders.map(({ expiry }: Json) => expiry > sim.clock.now())).toEqual([true, false])
  expect(Object.keys(orders[0])).toHaveLength(22)
  expect(orders[0].priceRange).toMatchObject({ priceA: '1', priceBNum: 1844.5 })
  const { status, body } = await sim.send('GET', ordersPath(SUGGESTED, 'Commited'))
  expect(status).toBe(400)
  expect(body.message).toContain('Unknown status "Commited"')
})

test('one position carries a take-profit, which is among the orders as LimitExecuted', async () => {
  await using sim = await startSim()
  const sol = (await sim.positions()).find(({ marketId }: Json) => marketId === '300')
  expect(sol.tpsl).toMatchObject({ hasTpSlOrder: true, hasLimitOrder: false, status: 'LimitExecuted' })
  expect(sol.tpsl.size).toBe((2n ** 127n - 2n).toString())
  const { orders } = await sim.read(ordersPath(SUGGESTED, 'LimitExecuted'))
  expect(orders).toEqual([sol.tpsl])
})

const ACCOUNT = '170141183460469231731687303715884105001'
const preview = '/post-trade-details?chainId=8008'

test('a preview of closing leaves no liquidation price; one of halving keeps it; one of adding moves it', async () => {
  await using sim = await startSim()
  const [eth] = await sim.positions()
  const order = (sizeDelta: string) =>
    sim.send('POST', preview, { accountId: ACCOUNT, marketId: '100', sizeDelta }).then(({ body }) => body)
  const close = await order(`-${eth.size}`)
  expect(close).toMatchObject({ liquidationPrice: '0', feasible: true, errorMsg: null })
  expect(BigInt(close.totalFees)).toBe(BigInt(close.settlementReward) + BigInt(close.ammFees))
  expect(close.newMarginUsage).toBeCloseTo(100 / close.newHealthFactor, 12)
  const half = await order('-6250000000000000000')
  expect(Number(half.liquidationPrice) / Number(eth.liquidationPrice)).toBeCloseTo(1, 3)
  const more = await order('1000000000000000000')
  expect(more.liquidationPrice).not.toBe(eth.liquidationPrice)
  expect(Number(more.fillPrice) / 1e18 / (await sim.market('ETH')).price).toBeCloseTo(1, 3)
  const turned = await order('-20000000000000000000')
  expect(Number(turned.liquidationPrice)).toBeGreaterThan(Number(turned.fillPrice))
})

test('a preview of too much says why it is not feasible', async () => {
  await using sim = await startSim()
  const ask = (sizeDelta: string, marketId = '100') =>
    sim.send('POST', preview, { accountId: ACCOUNT, marketId, sizeDelta })
  expect((await ask('900000000000000000000')).body).toMatchObject({
    feasible: false,
    errorMsg: 'Insufficient margin for this order',
  })
  expect((await ask('80000000000000000000000', '1500')).body).toMatchObject({
    feasible: false,
    errorMsg: 'Max open interest of the market exceeded',
  })
})

test.each([
  ['no JSON', 400, '{'],
  ['a number for a text', 400, { accountId: ACCOUNT, marketId: '100', sizeDelta: 5 }],
  ['a fraction', 400, { accountId: ACCOUNT, marketId: '100', sizeDelta: 'half' }],
  ['nothing', 400, { accountId: ACCOUNT, marketId: '100', sizeDelta: '0' }],
  ['an unknown market', 404, { accountId: ACCOUNT, marketId: '1', sizeDelta: '5' }],
  ['an unknown account', 404, { accountId: '7', marketId: '100', sizeDelta: '5' }],
])('a preview with %s is refused with a message', async (_, status, body) => {
  await using sim = await startSim()
  const answer = await sim.send('POST', preview, body)
  expect(answer).toEqual({ status, body: { message: expect.any(String) } })
})

test('other paths and methods are refused', async () => {
  await using sim = await startSim()
  expect((await sim.send('GET', '/nothing')).status).toBe(404)
  expect((await sim.send('POST', '/markets', {})).status).toBe(405)
  expect((await sim.send('GET', preview)).status).toBe(405)
  expect((await sim.send('POST', preview, 'x'.repeat(70_000))).status).toBe(413)
})

test('more of the same brings liquidation no further away', async () => {
  await using sim = await startSim()
  // Through days on which each of them comes near its liquidation and goes again.
  for (let hours = 0; hours < 48; hours += 2) {
    for (const { marketId, accountId, size, liquidationPrice } of await sim.positions()) {
      const { body } = await sim.send('POST', preview, { accountId, marketId, sizeDelta: size })
      const [was, is] = [Number(liquidationPrice), Number(body.liquidationPrice)]
      const further = size.startsWith('-') ? is - was : was - is
      expect(further / was).toBeLessThan(0.0005)
    }
    await sim.clock.advance(12_000)
  }
})

test('a position of a replay is as old as it has been played, however old the recording', async () => {
  await using sim = await startSim({ SIM_REPLAY: FALL })
  const [position] = await sim.positions()
  expect(sim.clock.now() / 1000 - position.entryTimestamp).toBeLessThan(24 * 3_600)
})
