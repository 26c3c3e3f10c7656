import type { Reading } from '../runtime/clock.ts'
import type { Market } from '../venue/market.ts'
import type { Position } from '../venue/position.ts'
import { incompleteness, type PositionsAnswer } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { PolledWallet } from './budget/schedule.ts'
import { createTradeHints } from './trade-hints.ts'

type WalletHistory = Pick<
  PolledWallet,
  'readMono' | 'triedMono' | 'failures' | 'changedMono' | 'hintedMono' | 'opensAsOften'
>

/** When this run read each wallet, and when each wallet traded. */
interface TradeHistory {
  of(wallet: Wallet): WalletHistory
  read(wallet: Wallet, reading: Reading<PositionsAnswer>, triedMono: number): void
  /** The venue has pushed what the wallet holds. */
  pushed(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  failed(wallet: Wallet, triedMono: number, failures: number): void
  /** Returns the wallets that may have traded according to a list of markets. */
  listed(markets: readonly Market[], mono: number): Wallet[]
  /** This wallet has just traded. */
  hinted(wallet: Wallet, mono: number): void
  /** Treats this wallet, or all, as never read. Returns the wallets. */
  markUnread(wallet?: Wallet): Wallet[]
  forget(wallet: Wallet): void
}

const NEVER: WalletHistory = {
  ...{ readMono: null, triedMono: null, failures: 0 },
  ...{ changedMono: null, hintedMono: null, opensAsOften: 1 },
}

export function createTradeHistory(): TradeHistory {
  const histories = new Map<Wallet, WalletHistory>()
  const hints = createTradeHints()
  const tradeActivity = createTradeActivity()
  const of = (wallet: Wallet) => histories.get(wallet) ?? NEVER

  /** When the wallet last changed and how often it does, by this answer; null if the answer is incomplete. */
  function activity(
    wallet: Wallet,
    { value, at, mono }: Reading<PositionsAnswer>,
  ): Pick<WalletHistory, 'changedMono' | 'opensAsOften'> | null {
    if (incompleteness(value) !== null) return null
    const isOther = hints.holds(wallet, value.positions)
    const before = of(wallet).changedMono
    const opened = isOther === null ? openedMono(value.positions, { at, mono }) : null
    const changedMono = isOther === true ? mono : (opened ?? before)
    return { changedMono, opensAsOften: tradeActivity.asOftenAs(wallet, value.positions, at) }
  }

  function hinted(wallet: Wallet, mono: number): void {
    histories.set(wallet, { ...of(wallet), hintedMono: mono })
  }

  return {
    of,
    read(wallet, reading, triedMono) {
      const read = { readMono: reading.mono, triedMono, failures: 0 }
      histories.set(wallet, { ...of(wallet), ...read, ...activity(wallet, reading) })
    },
    pushed(wallet, reading) {
      histories.set(wallet, { ...of(wallet), ...activity(wallet, reading) })
    },
    failed: (wallet, triedMono, failures) =>
      void histories.set(wallet, { ...of(wallet), triedMono, failures }),
    listed(markets, mono) {
      const wallets = hints.listed(markets)
      for (const wallet of wallets) hinted(wallet, mono)
      return wallets
    },
    hinted,
    markUnread(one) {
      const wallets = one === undefined ? [...histories.keys()] : [one]
      for (const wallet of wallets) histories.delete(wallet)
      return wallets
    },
    forget(wallet) {
      histories.delete(wallet)
      hints.forget(wallet)
      tradeActivity.forget(wallet)
    },
  }
}

/** Monotonic time of the latest opening; null if no position has an opening time. */
function openedMono(
  positions: readonly Position[],
  { at, mono }: { at: number; mono: number },
): number | null {
  const opened = positions.flatMap(({ openedAt }) => openedAt ?? [])
  return opened.length === 0 ? null : Math.min(mono - at + Math.max(...opened), mono)
}

/** How often each wallet opens or adds to positions, relative to the average of all watched wallets. */
interface TradeActivity {
  /** Estimated from the ages of its present positions. */
  asOftenAs(wallet: Wallet, positions: readonly Position[], at: number): number
  forget(wallet: Wallet): void
}

/** Number and sum of the ages of positions. */
interface Ages {
  count: number
  sumMs: number
}

export function createTradeActivity(): TradeActivity {
  const known = new Map<Wallet, Ages>()
  const all: Ages = { count: 0, sumMs: 0 }

  function replace(wallet: Wallet, ages: Ages): void {
    const before = known.get(wallet)
    known.set(wallet, ages)
    all.count += ages.count - (before?.count ?? 0)
    all.sumMs += ages.sumMs - (before?.sumMs ?? 0)
  }

  return {
    asOftenAs(wallet, positions, at) {
      const agesMs = positions.flatMap(({ openedAt }) =>
        openedAt === null ? [] : Math.max(at - openedAt, 0),
      )
      const { count, sumMs } = { count: agesMs.length, sumMs: agesMs.reduce((sum, one) => sum + one, 0) }
      replace(wallet, { count, sumMs })
      if (all.sumMs <= 0) return 1
      // Adds one opening at the average age, so that a wallet with few positions counts as average.
      return (count + 1) / ((sumMs * all.count) / all.sumMs + 1)
    },
    forget(wallet) {
      replace(wallet, { count: 0, sumMs: 0 })
      known.delete(wallet)
    },
  }
}
