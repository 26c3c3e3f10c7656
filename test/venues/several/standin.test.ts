import { systemClock } from '../../../src/runtime/clock.ts'
import openHyperliquid from '../../../src/venues/hyperliquid/index.ts'
import joinVenues from '../../../src/venues/several/index.ts'
import { testScopes } from '../../contracts/scopes.ts'
import { testVenue } from '../../contracts/venue.ts'
import { exact } from '../../support/fixtures.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { OWNER, STRANGER } from '../hyperliquid/records.ts'

/** One venue of two stand-ins; the second one is called `second`. */
async function started() {
  const clock = systemClock()
  const standIns = [
    await startHyperliquid({ universe: 'few' }),
    await startHyperliquid({ universe: 'few' }),
  ] as const
  const open = (url: string) =>
    openHyperliquid({ env: { VENUE_URL: url }, clock, emit: () => {}, random: () => 0.5 })
  const several = joinVenues({
    venues: [
      { name: 'hyperliquid', opened: await open(standIns[0].url) },
      { name: 'second', opened: await open(standIns[1].url) },
    ],
    clock,
  })
  const [first, second] = several.venue.parts ?? []
  if (!first || !second) throw new Error('it has no parts')
  const close = async () => {
    await several.close()
    for (const standIn of standIns) await standIn.stop()
  }
  return { standIns, venue: several.venue, first: first.venue, second: second.venue, close }
}

testVenue('two venues as one', async () => {
  const { standIns, venue, close } = await started()
  for (const standIn of standIns) standIn.account(OWNER, { usd: 10_000 }).trades('BTC', 0.5, { leverage: 10 })
  const weigh = (each: (dexes: number) => number) =>
    standIns.reduce((sum, { world }) => sum + each(world.dexes.length), 0)
  return {
    ...{ venue, wallet: OWNER, stranger: STRANGER, held: 'second/BTC', close },
    draft: { wallet: OWNER, accountId: 'second/main', marketId: 'second/BTC', sizeDelta: exact('0.1') },
    weight: { markets: weigh(() => 40), positions: weigh((dexes) => 20 + 2 * dexes) },
  }
})

testVenue('the first of two venues', async () => {
  const { standIns, first, close } = await started()
  const [standIn] = standIns
  standIn.account(OWNER, { usd: 10_000 }).trades('BTC', 0.5, { leverage: 10 })
  return {
    ...{ venue: first, wallet: OWNER, stranger: STRANGER, held: 'BTC', close },
    draft: { wallet: OWNER, accountId: 'main', marketId: 'BTC', sizeDelta: exact('0.1') },
    weight: { markets: 40, positions: 20 + 2 * standIn.world.dexes.length },
    cut: () => standIn.push.cut(),
  }
})

testVenue('the second of two venues', async () => {
  const { standIns, second, close } = await started()
  const [, standIn] = standIns
  standIn.account(OWNER, { usd: 10_000 }).trades('BTC', 0.5, { leverage: 10 })
  return {
    ...{ venue: second, wallet: OWNER, stranger: STRANGER, held: 'second/BTC', close },
    draft: { wallet: OWNER, accountId: 'second/main', marketId: 'second/BTC', sizeDelta: exact('0.1') },
    weight: { markets: 40, positions: 20 + 2 * standIn.world.dexes.length },
    cut: () => standIn.push.cut(),
  }
})

testScopes('the second of two venues', async () => {
  const { standIns, venue, close } = await started()
  const [, standIn] = standIns
  const wallet = standIn.account(OWNER, { usd: 10_000 })
  wallet.deposits(2_000, 'xyz')
  wallet.trades('BTC', 0.1, { leverage: 10 })
  wallet.trades('xyz:NVDA', 5, { leverage: 5 })
  const fault = { kind: 'error', type: 'clearinghouseState', dex: 'xyz', times: Infinity } as const
  return {
    ...{ venue, wallet: OWNER, part: 'second/xyz', other: 'second/main', close },
    fails: () => standIn.fault(fault),
    recovers: () => standIn.clearFaults(),
  }
})
