import { remember } from '../../lib/data/remember.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CloseRecord } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Accounts, News } from './accounts.ts'
import { closeRecordsOf, type Fill, fillsOf } from './rules/closes.ts'

const MAX_WALLETS = 20_000
/** Remembers at most this many trades of a wallet, for as long. */
const MAX_TRADES = 200
const REMEMBERED_MS = 86_400_000

/** The pushed trades of wallets: nobody may read those of others. */
export interface Trades {
  /** Takes the new trades of a frame, after the accounts have taken it. */
  take(account: string, told: News): void
  /** How positions of this wallet ended since then (Unix milliseconds), as far as trades were heard. */
  closeRecords(wallet: Wallet, since: number): CloseRecord[]
}

export function createTrades({ clock, accounts }: { clock: Clock; accounts: Accounts }): Trades {
  const wallets = new Map<Wallet, Fill[]>()

  function young(fills: readonly Fill[]): Fill[] {
    return fills.filter(({ at }) => clock.now() - at < REMEMBERED_MS).slice(-MAX_TRADES)
  }

  return {
    take(account, { wallet, trades }) {
      if (trades.length === 0) return
      const known = wallets.get(wallet) ?? []
      const names = new Set(known.filter((fill) => fill.account === account).map(({ id }) => id))
      const unheard = trades.filter(({ id }) => !names.has(id))
      const fills = fillsOf(unheard, account, (marketId) => accounts.sizeOf(account, marketId))
      const all = [...known, ...fills].toSorted((a, b) => a.at - b.at)
      remember(wallets, wallet, young(all), MAX_WALLETS)
    },
    closeRecords(wallet, since) {
      const recent = young(wallets.get(wallet) ?? []).filter(({ at }) => at >= since)
      // A word that we do not know proves nothing: then the price is the evidence.
      return closeRecordsOf(recent).filter(({ how }) => how !== 'unknown')
    },
  }
}
