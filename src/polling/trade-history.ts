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

/** What this run knows of when each wallet was asked, and of when it traded. */
interface TradeHistory {
  of(wallet: Wallet): WalletHistory
  read(wallet: Wallet, reading: Reading<PositionsAnswer>, triedMono: number): void
  /** What it holds has come in another way. */
  told(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  failed(wallet: Wallet, triedMono: number, failures: number): void
  /** Of whom a list of markets says that they may have traded. */
  listed(markets: readonly Market[], mono: number): Wallet[]
  /** As if this one, or all, had never been read; who they are. */
  failedParts(wallet?: Wallet): Wallet[]
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

  /** When it last changed and how often it does, by this answer; nothing where it says nothing of that. */
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

  return {
    of,
    read(wallet, reading, triedMono) {
      const read = { readMono: reading.mono, triedMono, failures: 0 }
      histories.set(wallet, { ...of(wallet), ...read, ...activity(wallet, reading) })
    },
    told(wallet, reading) {
      histories.set(wallet, { ...of(wallet), ...activity(wallet, reading) })
    },
    failed: (wallet, triedMono, failures) =>
      void histories.set(wallet, { ...of(wallet), triedMono, failures }),
    listed(markets, mono) {
      const wallets = hints.listed(markets)
      for (const wallet of wallets) histories.set(wallet, { ...of(wallet), hintedMono: mono })
      return wallets
    },
    failedParts(one) {
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

/** When the last of them was opened, by the wall; null where that is not said. */
function openedMono(
  positions: readonly Position[],
  { at, mono }: { at: number; mono: number },
): number | null {
  const opened = positions.flatMap(({ openedAt }) => openedAt ?? [])
  return opened.length === 0 ? null : Math.min(mono - at + Math.max(...opened), mono)
}

/** How many times as often as is usual among those who are watched each of them opens or adds. */
interface TradeActivity {
  /** By the ages of what it holds now. */
  asOftenAs(wallet: Wallet, positions: readonly Position[], at: number): number
  forget(wallet: Wallet): void
}

/** Ages of positions together. */
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
      // As if it had opened once more, as long ago as is usual: a wallet of which little is known is like most.
      return (count + 1) / ((sumMs * all.count) / all.sumMs + 1)
    },
    forget(wallet) {
      replace(wallet, { count: 0, sumMs: 0 })
      known.delete(wallet)
    },
  }
}
