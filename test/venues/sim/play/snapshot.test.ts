import { existsSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { createExchange } from '../../../../src/venues/sim/exchange/exchange.ts'
import { STANDARD_VENUE } from '../../../../src/venues/sim/maths/terms.ts'
import { readSnapshot } from '../../../../src/venues/sim/play/snapshot.ts'
import { marketListSchema } from '../../../../src/venues/sim/wire/market.ts'
import { hosted } from '../../../support/hosted.ts'
import { type Json, startSim } from '../../../support/sim.ts'

/** Six recorded markets are with the project; all sixty are where they were collected. */
const RECORDED = [
  ['six recorded markets', new URL('../../../fixtures/markets.json', import.meta.url).pathname],
  [
    'all sixty of them',
    new URL('../../../../../shared/reference/venue-examples/markets-all.json', import.meta.url).pathname,
  ],
] as const

test.each(RECORDED)('%s are served as they were recorded, every field to its last digit', async (_, path) => {
  if (!existsSync(path)) return
  const [recorded] = marketListSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  if (!recorded) throw new Error('there is nothing recorded')
  const { markets } = recorded
  // As the venue sorts them, of which the fixture has only some.
  markets.sort((a, b) => (a.marketId < b.marketId ? -1 : 1))
  const nowSeconds = 1_749_800_000
  const exchange = createExchange({
    ...{ terms: STANDARD_VENUE, nowSeconds },
    ...readSnapshot(markets, nowSeconds),
  })
  await using venue = await hosted(exchange)
  const served = await venue.read('/markets')
  expect(served).toEqual([recorded])
  expect(JSON.stringify(served)).toBe(JSON.stringify([recorded]))
  for (const market of markets)
    expect(await venue.read(`/markets/${market.marketId}?chainId=8008`)).toEqual(market)

  // All open interest is the house's.
  const house = [...exchange.accounts.values()]
  for (const { terms, longs, shorts } of exchange.markets.values()) {
    const held = house.flatMap(({ positions }) => positions.filter((one) => one.market.terms === terms))
    expect(held.reduce((sum, { size }) => sum + size, 0n)).toBe(longs - shorts)
  }
})

test('a snapshot can be what the venue serves when it is started', async () => {
  const [, path] = RECORDED[0]
  await using sim = await startSim({ SIM_SNAPSHOT: path, SIM_SPEED: '0', SIM_CONTROL: '1' })
  expect(sim.opened.introduction[1]).toBe('It serves 6 recorded markets of markets.json, time stands still.')
  const [{ markets }] = await sim.read('/markets')
  const recorded: Json = JSON.parse(readFileSync(path, 'utf8'))
  expect(markets).toEqual(expect.arrayContaining(recorded[0].markets))
  await expect(startSim({ SIM_SNAPSHOT: '/nowhere/a.json' })).rejects.toThrow(
    /SIM_SNAPSHOT names .* no such file/,
  )
  const other = new URL('../../../fixtures/README.md', import.meta.url).pathname
  await expect(startSim({ SIM_SNAPSHOT: other })).rejects.toThrow(/which is no answer of GET \/markets/)
})
