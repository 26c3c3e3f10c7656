import type { AccountHandle } from '../../test/support/hyperliquid/account.ts'
import type { Hyperliquid } from '../../test/support/hyperliquid/server.ts'
import type { Wallet } from '../../src/venue/wallet.ts'

/** What a wallet does at the venue. A close and a liquidation end its only position. */
export type Deed = 'open' | 'open elsewhere' | 'add' | 'close' | 'liquidation'
export const DEEDS: readonly Deed[] = [
  'open',
  'add',
  'close',
  'liquidation',
  'open elsewhere',
  'add',
  'close',
  'liquidation',
]

/** A wallet of the crowd, and what it can still do. */
export interface Trader {
  wallet: Wallet
  does(deed: Deed): void
}

const LEVERAGE = 2
const USD = 2_000
/** A builder's dex in which nobody of the crowd holds anything, and one of its markets. */
const ELSEWHERE = ['xyz:NVDA', 'flx:TSLA', 'xyz:TSLA', 'hyna:ETH']

export function traderAt(venue: Hyperliquid, place: number, coins: readonly string[]): Trader {
  const wallet: Wallet = `0x${(place + 1).toString(16).padStart(40, '0')}`
  const account = venue.account(wallet, { usd: 50_000 })
  for (const dex of ['xyz', 'flx', 'hyna']) account.deposits(5_000, dex)
  const coin = coins[place % coins.length] ?? 'BTC'
  const other = coins[(place + 1) % coins.length] ?? 'ETH'
  holds(venue, account, coin, place % 3 === 0 ? -1 : 1)
  return {
    wallet,
    does(deed) {
      const how = { leverage: LEVERAGE, margin: 'isolated' } as const
      const held = account.state.holdings.find(({ market }) => market.name === coin)
      if (deed === 'open') account.trades(other, sizeOf(venue, other), how)
      else if (deed === 'open elsewhere') {
        const there = ELSEWHERE[place % ELSEWHERE.length] ?? 'xyz:NVDA'
        account.trades(there, sizeOf(venue, there), how)
      } else if (deed === 'add') account.trades(coin, Math.sign(held?.szi ?? 1) * sizeOf(venue, coin), how)
      else if (deed === 'close') account.closes(coin)
      // Most of the margin is taken out: the venue liquidates at once, and no price has warned of it.
      else account.adds(coin, -USD * 0.499)
    },
  }
}

function holds(venue: Hyperliquid, account: AccountHandle, coin: string, sign: number): void {
  const { mark } = venue.market(coin)
  const size = sign * sizeOf(venue, coin)
  // The value of the position and its bucket make the margin.
  const rawUsd = (Math.abs(size) * mark) / LEVERAGE - size * mark
  account.holds(coin, size, { entry: mark, leverage: LEVERAGE, rawUsd })
}

function sizeOf(venue: Hyperliquid, coin: string): number {
  const { mark, szDecimals } = venue.market(coin)
  return Math.max(Number((USD / mark).toFixed(szDecimals)), 10 ** -szDecimals)
}
