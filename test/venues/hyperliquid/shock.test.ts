import { expect, test } from 'vitest'

import type { Move } from '../../../src/chat/argument.ts'
import { poolsOf } from '../../../src/commands/shared/pools.ts'
import { shocked } from '../../../src/commands/look/shock-lines.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { createClient } from '../../../src/venues/hyperliquid/client.ts'
import { type Hyperliquid, startHyperliquid } from '../../support/hyperliquid/server.ts'
import { createDice, type Dice, SEED } from '../../support/seed.ts'
import { ASKING } from '../../support/sim.ts'

const COINS = ['BTC', 'ETH', 'SOL', 'DOGE']
const WALLETS = 40
/** Prices and liquidation prices have five digits or so. */
const WITHIN = 0.005

const walletOf = (index: number): Wallet => `0x${(index + 1).toString(16).padStart(40, '0')}`

/**
 * A few positions in a wallet of one of the two usual modes, all of them cross or all isolated: what is left of the bucket of an
 * isolated one that is liquidated goes to the others, which then end a little later than was said.
 */
function trader(venue: Hyperliquid, dice: Dice, index: number) {
  const usd = 1_000 + dice.below(20_000)
  const mode = dice.often(0.3) ? ('unifiedAccount' as const) : undefined
  const wallet = venue.account(walletOf(index), { usd, ...(mode ? { mode } : {}) })
  const isolated = dice.often(0.2)
  for (const coin of COINS.filter(() => dice.often(0.6))) {
    const { mark, szDecimals, maxLeverage } = venue.market(coin)
    const notional = usd * (dice.often(0.3) ? 0.1 : 3) * (0.1 + dice.next())
    const size = Number(((dice.often(0.6) ? 1 : -1) * (notional / mark)).toFixed(szDecimals))
    if (size !== 0)
      wallet.trades(coin, size, {
        leverage: Math.min(10, maxLeverage),
        margin: isolated ? 'isolated' : 'cross',
      })
  }
  return wallet
}

test('what /shock says of forty random wallets is what the stand-in of the venue does', async () => {
  const dice = createDice(SEED)
  await using venue = await startHyperliquid()
  venue.allow(1e9)
  const client = createClient({ url: venue.url, clock: systemClock(), emit() {}, random: () => 0.5 })
  const wallets = Array.from({ length: WALLETS }, (_, index) => trader(venue, dice, index))
  const marks = new Map(COINS.map((coin) => [coin, venue.market(coin).mark]))
  const moves: Move[] = COINS.map((market) => ({
    market,
    by: (dice.often(0.7) ? -1 : 0.6) * (0.1 + 0.4 * dice.next()),
  }))
  const markets = new Map((await client.venue.markets(ASKING, COINS)).markets.map((one) => [one.id, one]))
  let [told, bare] = [0, 0]
  const ends: { index: number; coins: readonly string[]; at: number }[] = []
  for (const index of wallets.keys()) {
    const answer = await client.venue.positions(walletOf(index), ASKING)
    const held = answer.positions.map((position) => {
      const market = markets.get(position.marketId) ?? null
      return { position, market, symbol: market?.symbol ?? '?', wallet: 'main' }
    })
    for (const pool of poolsOf('main', answer, held)) {
      const one = shocked(pool, moves)
      if (!one) continue
      told += pool.stand.isTold ? 1 : 0
      bare += pool.legs.some(({ position }) => position.liquidationPrice === null) ? 1 : 0
      const at = one.endsAfter === 'never' ? Infinity : (one.endsAfter ?? Number.NaN)
      ends.push({ index, coins: pool.legs.map(({ market }) => market.symbol), at })
    }
  }
  await client.close()
  // Nothing of it is unknown: the venue shows its accounts.
  expect(ends.filter(({ at }) => Number.isNaN(at))).toEqual([])
  const sizes = ({ index, coins }: (typeof ends)[number]) =>
    coins.map((coin) => wallets[index]?.state.holdings.find(({ market }) => market.name === coin)?.szi ?? 0)
  const before = new Map(ends.map((end) => [end, sizes(end)]))
  const furthest = Math.min(...moves.map(({ by }) => (by < 0 ? -0.98 / by : Infinity)), 3)
  const stops = ends.flatMap(({ at }) =>
    at * (1 + WITHIN) < furthest ? [at * (1 - WITHIN), at * (1 + WITHIN)] : [],
  )
  const gone = new Set<(typeof ends)[number]>()
  for (const stop of [...stops.toSorted((a, b) => a - b), furthest]) {
    venue.moves(
      Object.fromEntries(
        moves.map(({ market, by }) => [market ?? '', (marks.get(market ?? '') ?? 0) * (1 + by * stop)]),
      ),
    )
    for (const end of ends) {
      const [was, is] = [before.get(end) ?? [], sizes(end)]
      if (was.some((size, at) => size !== is[at])) gone.add(end)
      const where = `wallet ${end.index} (${end.coins.join(', ')}), at ${stop}, said to end at ${end.at}`
      if (end.at * (1 + WITHIN) <= stop) expect(gone.has(end), where).toBe(true)
      if (end.at * (1 - WITHIN) >= stop) expect(gone.has(end), where).toBe(false)
    }
  }
  expect(gone.size).toBeGreaterThan(8)
  expect(told).toBeGreaterThan(15)
  expect(bare).toBeGreaterThan(5)
})
