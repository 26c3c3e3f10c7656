import { systemClock } from '../../../src/clock.ts'
import { testVenue } from '../../contracts/venue.ts'
import open from '../../../src/venues/hyperliquid/index.ts'
import { exact } from '../../support/fixtures.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { OWNER, STRANGER } from './records.ts'

testVenue('hyperliquid, against the stand-in', async () => {
  const standIn = await startHyperliquid()
  const account = standIn.account(OWNER, { usd: 10_000 })
  account.trades('BTC', 0.5, { leverage: 10 })
  const opened = await open({
    env: { VENUE_URL: standIn.url },
    clock: systemClock(),
    emit: () => {},
    random: () => 0.5,
  })
  return {
    venue: opened.venue,
    owner: OWNER,
    stranger: STRANGER,
    draft: { owner: OWNER, accountId: 'main', marketId: 'BTC', sizeDelta: exact('0.1') },
    held: 'BTC',
    weight: { markets: 40, positions: 20 + 2 * standIn.world.dexes.length },
    async close() {
      await opened.close()
      await standIn.stop()
    },
  }
})
