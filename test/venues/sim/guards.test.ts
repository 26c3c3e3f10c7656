import { expect, test } from 'vitest'

import { OWNER, stage } from '../../support/exchange.ts'
import { hosted } from '../../support/hosted.ts'
import { type Json, ordersPath, positionsPath } from '../../support/sim.ts'

test('an order guards what it leaves of a position, also where it buys and a short is left', async () => {
  await using venue = await hosted(stage().exchange)
  const { accountId } = await venue.control('POST', 'account', { owner: OWNER, usd: '10000' })
  const place = { accountId, symbol: 'ETH' }
  await venue.control('POST', 'order', { ...place, size: -5 })
  await venue.control('POST', 'advance', { ms: 2_000 })
  const { order } = await venue.control('POST', 'order', { ...place, size: 2, stopLoss: 2_100 })
  // The short is bought back at 2,100, for five in a hundred more at worst.
  expect(order.slPriceRange).toMatchObject({ priceANum: 2_100, acceptablePriceNum: 2_205 })
  await venue.control('POST', 'advance', { ms: 2_000 })
  const { positions } = await venue.read(positionsPath(OWNER))
  expect(positions[0].tpsl.slPriceRange).toEqual(order.slPriceRange)
  const { happened } = await venue.control('POST', 'price', { symbol: 'ETH', price: 2_101 })
  expect(happened.map((one: Json) => one.is)).toEqual(['triggered', 'settled'])
})

test('an order says the same of its stop before and after its end', async () => {
  await using venue = await hosted(stage().exchange)
  const { accountId } = await venue.control('POST', 'account', { owner: OWNER, usd: '10000' })
  const ask = { accountId, symbol: 'ETH', size: 2, limitPrice: 1_900, stopLoss: 1_700 }
  const { order } = await venue.control('POST', 'order', ask)
  await venue.control('POST', 'price', { symbol: 'ETH', price: 1_690 })
  const { orders } = await venue.read(ordersPath(OWNER, 'LimitExecuted'))
  const { positions } = await venue.read(positionsPath(OWNER))
  expect([orders.length, positions]).toEqual([1, []])
  expect(orders[0].slPriceRange).toEqual(order.slPriceRange)
})
