import { expect, test } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { createView } from '../../src/engine/view.ts'
import { aMarket } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const main = (id: string) => aMarket({ id, symbol: id })
const built = (id: string) => aMarket({ id, symbol: id, dex: 'xyz' })

async function started() {
  const running = await startEngine()
  const about = { venue: 'acme', version: '1', marketStaleMs: 10_000 }
  const view = createView(running.engine.memory, kinds, running.clock, about, () => null)
  return { ...running, inView: () => [...view.markets().keys()].toSorted() }
}

test('of a venue that answers with all markets, those of the last answer are in view', async () => {
  const { prices, inView } = await started()
  await prices(main('BTC'), main('ETH'))
  await prices(main('ETH'))
  expect(inView()).toEqual(['ETH'])
})

test('of books that come in turn, the last answer about each is in view', async () => {
  const { prices, inView } = await started()
  await prices(main('BTC'), main('ETH'))
  await prices(built('xyz:NVDA'), built('xyz:GOLD'))
  expect(inView()).toEqual(['BTC', 'ETH', 'xyz:GOLD', 'xyz:NVDA'])
  await prices(main('ETH'))
  expect(inView()).toEqual(['ETH', 'xyz:GOLD', 'xyz:NVDA'])
})

test('a book that does not come again goes out of view: its prices would pass for fresh', async () => {
  const { prices, inView, clock } = await started()
  await prices(built('xyz:NVDA'))
  await prices(main('BTC'))
  await clock.advance(10_000)
  await prices(main('BTC'))
  expect(inView()).toEqual(['BTC'])
})
