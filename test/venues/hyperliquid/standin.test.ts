import { describe, expect, test } from 'vitest'

import { systemClock } from '../../../src/runtime/clock.ts'
import { toNumber } from '../../../src/venue/amount.ts'
import type { Asking, Venue } from '../../../src/venue/venue.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import open from '../../../src/venues/hyperliquid/index.ts'
import { testScopes } from '../../contracts/scopes.ts'
import { testVenue } from '../../contracts/venue.ts'
import { exact } from '../../support/fixtures.ts'
import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { OWNER, STRANGER } from './records.ts'

async function started(universe: 'few' | 'recorded' = 'few') {
  const standIn = await startHyperliquid({ universe })
  const world = { clock: systemClock(), emit: () => {}, random: () => 0.5 }
  const opened = await open({ env: { VENUE_URL: standIn.url }, ...world })
  const close = async () => {
    await opened.close()
    await standIn.stop()
  }
  return { standIn, venue: opened.venue, close, [Symbol.asyncDispose]: close }
}

const asking: Asking = {
  patience: 'poll',
  limitMs: 5_000,
  signal: new AbortController().signal,
  spend: (request) => request(() => {}),
}

testVenue('hyperliquid, against the stand-in', async () => {
  const { standIn, venue, close } = await started()
  standIn.account(OWNER, { usd: 10_000 }).trades('BTC', 0.5, { leverage: 10 })
  return {
    venue,
    wallet: OWNER,
    stranger: STRANGER,
    draft: { wallet: OWNER, accountId: 'main', marketId: 'BTC', sizeDelta: exact('0.1') },
    held: 'BTC',
    weight: { markets: 40, positions: 20 + 2 * standIn.world.dexes.length },
    cut: () => standIn.push.cut(),
    close,
  }
})

testScopes('hyperliquid, against the stand-in', async () => {
  const { standIn, venue, close } = await started()
  const wallet = standIn.account(OWNER, { usd: 10_000 })
  wallet.deposits(2_000, 'xyz')
  wallet.trades('BTC', 0.1, { leverage: 10 })
  wallet.trades('xyz:NVDA', 5, { leverage: 5 })
  const fault = { kind: 'error', type: 'clearinghouseState', dex: 'xyz', times: Infinity } as const
  return {
    ...{ venue, wallet: OWNER, part: 'xyz', other: 'main', close },
    fails: () => standIn.fault(fault),
    recovers: () => standIn.clearFaults(),
  }
})

describe('how a position ended at the stand-in', () => {
  const closeRecords = async (venue: Venue, wallet: Wallet) =>
    ((await venue.closeRecords?.(wallet, 0, asking)) ?? []).map(
      ({ marketId, how, side }) => `${marketId} ${side} ${how}`,
    )

  test('a liquidation is told to its wallet alone; whoever took the other side has closed', async () => {
    await using venue = await started()
    const wallet = venue.standIn.account(OWNER, { usd: 1_000 })
    const other = venue.standIn.account(STRANGER, { usd: 100_000 })
    venue.standIn.liquidator(other)
    const { market } = wallet.trades('BTC', 0.1, { leverage: 20 })
    other.trades('BTC', -0.1, { leverage: 20 })
    venue.standIn.moves({ BTC: market.mark * 0.8 })
    expect(await closeRecords(venue.venue, OWNER)).toEqual(['BTC long liquidated'])
    expect(await closeRecords(venue.venue, STRANGER)).toEqual(['BTC short closed'])
  })

  test('what is delisted is settled', async () => {
    await using venue = await started()
    venue.standIn.account(OWNER, { usd: 10_000 }).trades('ETH', -1, { leverage: 5 })
    venue.standIn.delists('ETH')
    expect(await closeRecords(venue.venue, OWNER)).toEqual(['ETH short settled'])
    const { markets } = await venue.venue.markets(asking, [])
    expect(markets.find(({ id }) => id === 'ETH')?.delisted).toBe(true)
  })

  test('what its owner closes is closed', async () => {
    await using venue = await started()
    const wallet = venue.standIn.account(OWNER, { usd: 10_000 })
    wallet.trades('ETH', 1, { leverage: 5 })
    wallet.closes('ETH')
    expect(await closeRecords(venue.venue, OWNER)).toEqual(['ETH long closed'])
  })
})

describe('a preview is what the stand-in makes of the order', () => {
  test.each([
    ['more of a long', 'default', 'cross', 0.1, 0.05],
    ['less of a long', 'default', 'cross', 0.1, -0.05],
    ['a long that turns into a short', 'default', 'cross', 0.1, -0.3],
    ['more of a short', 'default', 'cross', -0.1, -0.1],
    ['a new position', 'default', 'cross', 0, 0.2],
    ['more of a long, collateral in spot', 'unifiedAccount', 'cross', 0.1, 0.05],
    ['a new position, collateral in spot', 'unifiedAccount', 'cross', 0, -0.2],
    ['less of an isolated long', 'default', 'isolated', 0.1, -0.05],
    ['more of an isolated short', 'default', 'isolated', -0.1, -0.1],
    ['an isolated long that turns into a short', 'default', 'isolated', 0.1, -0.2],
  ] as const)('%s', async (_what, mode, margin, size, sizeDelta) => {
    await using venue = await started()
    const wallet = venue.standIn.account(OWNER, { usd: 2_000, mode })
    wallet.trades('ETH', 1, { leverage: 10 })
    const how = { leverage: 20, margin }
    if (size !== 0) wallet.trades('BTC', size, how)
    else {
      wallet.trades('BTC', 0.01, how)
      wallet.closes('BTC')
    }
    await venue.venue.positions(OWNER, asking)
    const draft = { wallet: OWNER, accountId: 'main', marketId: 'BTC', sizeDelta: exact(String(sizeDelta)) }
    const preview = await venue.venue.preview(draft, asking)
    expect(preview).toMatchObject({ feasible: true })
    wallet.trades('BTC', sizeDelta, { ...how, at: toNumber(preview.fillPrice ?? 0n) })
    const { positions } = await venue.venue.positions(OWNER, asking)
    const now = positions.find(({ marketId }) => marketId === 'BTC')?.liquidationPrice ?? null
    const expected = preview.liquidationPrice === 'none' ? null : preview.liquidationPrice
    if (now === null || expected === null) expect(expected).toBe(now)
    else expect(toNumber(expected) / toNumber(now)).toBeCloseTo(1, 5)
  })
})

test('what is spent is what the stand-in counts, for every kind of question', async () => {
  await using venue = await started('recorded')
  const wallet = venue.standIn.account(OWNER, { usd: 10_000 })
  for (let trade = 0; trade < 30; trade++) wallet.trades('BTC', 0.01, { leverage: 10 })
  let spent = 0
  const counting: Asking = {
    ...asking,
    spend(request, weight = 1) {
      spent += weight
      return request((more) => void (spent += more))
    },
  }
  const draft = { wallet: OWNER, accountId: 'main', marketId: 'BTC', sizeDelta: exact('0.01') }
  await venue.venue.markets(counting, [])
  await venue.venue.positions(OWNER, counting)
  await venue.venue.orders(OWNER, [], counting)
  await venue.venue.orderOutcomes?.(OWNER, ['1'], counting)
  await venue.venue.preview(draft, counting)
  await venue.venue.closeRecords?.(OWNER, 0, counting)
  await venue.venue.identify?.(OWNER, counting, false)
  const counted = venue.standIn.weight()
  expect(spent).toBeGreaterThanOrEqual(counted)
  // Twenty that were begun weigh one for us, and nothing for it.
  expect(spent - counted).toBeLessThanOrEqual(2)
})
