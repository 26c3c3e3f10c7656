import { systemClock } from '../../../src/runtime/clock.ts'
import openHyperliquid from '../../../src/venues/hyperliquid/index.ts'
import openLighter from '../../../src/venues/lighter/index.ts'
import joinVenues from '../../../src/venues/several/index.ts'
import { testVenue } from '../../contracts/venue.ts'
import { ALICE, BOB, exact } from '../../support/fixtures.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { startLighter } from '../../support/lighter/server.ts'

testVenue('Hyperliquid and Lighter as one', async () => {
  const clock = systemClock()
  const hyperliquid = await startHyperliquid({ universe: 'few' })
  const lighter = await startLighter()
  hyperliquid.account(ALICE, { usd: 10_000 }).trades('BTC', 0.5, { leverage: 10 })
  const main = lighter.account(ALICE, 2_000)
  main.trades('ETH', 2, { leverage: 10 })
  const world = { clock, emit: () => {}, random: () => 0.5 }
  const env = { HYPERLIQUID_URL: hyperliquid.url, LIGHTER_URL: lighter.url }
  const several = joinVenues({
    venues: [
      { name: 'hyperliquid', opened: await openHyperliquid({ ...world, env }) },
      { name: 'lighter', opened: await openLighter({ ...world, env }) },
    ],
    clock,
  })
  return {
    ...{ venue: several.venue, wallet: ALICE, stranger: BOB, held: 'lighter/0' },
    draft: {
      ...{ wallet: ALICE, accountId: `lighter/${main.index}`, marketId: 'lighter/0' },
      sizeDelta: exact('0.5'),
    },
    weight: { markets: 40 + 2, positions: 20 + 2 * hyperliquid.world.dexes.length + 1 },
    async close() {
      await several.close()
      await hyperliquid.stop()
      await lighter.stop()
    },
  }
})
