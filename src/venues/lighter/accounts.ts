import type { Clock } from '../../runtime/clock.ts'
import type { Account } from '../../venue/account.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Position } from '../../venue/position.ts'
import type { FailedPart, Unusable } from '../../venue/record/lacking.ts'
import type { PositionsAnswer } from '../../venue/venue.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { WalletRead } from './api.ts'
import type { Markets } from './markets.ts'
import {
  type Tally,
  carryOn,
  compareOwn,
  drop,
  liquidationNow,
  marginNow,
  setFigures,
  setPosition,
} from './rules/standing.ts'
import type { Frame } from './wire/frames.ts'
import { leverageOf } from './wire/positions.ts'
import type { Trade } from './wire/trades.ts'

const MAX_REMEMBERED_WALLETS = 20_000

type AccountFrame = Extract<Frame, { is: 'account' }>
type FiguresFrame = Extract<Frame, { is: 'figures' }>

/** The result of a pushed frame. */
export interface News {
  wallet: Wallet
  /** The wallet with all of its accounts, as they are known now. */
  answer: PositionsAnswer
  /** The frame cannot be read in full, or contradicts what was known: only a read shows what is so now. */
  doubtful: boolean
  /** The trades of the frame that no earlier one had. */
  trades: readonly Trade[]
}

/** The memory of wallets: their accounts as they were last read, with all that was pushed since. */
export interface Accounts {
  /**
   * Takes a read of all accounts of a wallet; null: the venue does not know the address. `askedMono`: when it was
   * asked for (monotonic). If a frame about an account came since then, that frame stays.
   */
  look(wallet: Wallet, read: WalletRead | null, askedMono: number): PositionsAnswer
  /** Takes a frame of `account_all`. Null: it is no account of a known wallet, or older than what is known. */
  tell(frame: AccountFrame): News | null
  /** Takes a frame of `user_stats`; null likewise. */
  tellFigures(frame: FiguresFrame): News | null
  /** The accounts of a wallet, as the venue lists them. Empty until it was looked at. */
  accountsOf(wallet: Wallet): readonly string[]
  /** The wallet of an account; null if none is known. */
  walletOf(account: string): Wallet | null
  /** Whether the account has cross positions: only for these its figures decide anything. */
  hasCross(account: string): boolean
  /** The signed size of a position, 0 if there is none; null if the account is not known. */
  sizeOf(account: string, marketId: string): Amount | null
  /** All of a wallet as it is known now, by the marks of now. */
  answerOf(wallet: Wallet): PositionsAnswer
}

interface Known extends Tally {
  wallet: Wallet
  /** Elements of the last read and of later frames that cannot be used. */
  unusable: Unusable[]
  /** The newest trade of each market, to tell frames that come too late. */
  lastTrades: Map<string, number>
  /** When its figures were sent (monotonic): only later marks carry them on. */
  toldMono: number
  /** When a frame last told its positions (monotonic). */
  heardMono: number
}

interface WalletKnown {
  ids: readonly string[]
  failed: FailedPart[]
  unusable: Unusable[]
  isUnknown: boolean
}

export function createAccounts({ clock, markets }: { clock: Clock; markets: Markets }): Accounts {
  const accounts = new Map<string, Known>()
  const wallets = new Map<Wallet, WalletKnown>()

  const fractionOf = (id: string) => markets.terms(id)?.maintenance ?? null

  function carry(known: Known): void {
    carryOn(known, (id) => {
      const mark = markets.mark(id)
      return mark !== null && mark.mono > known.toldMono ? mark.price : null
    })
  }

  function forget(wallet: Wallet, but: ReadonlySet<string>): void {
    for (const id of wallets.get(wallet)?.ids ?? []) if (!but.has(id)) forgetAccount(wallet, id)
    wallets.delete(wallet)
  }

  /** An answer about one address may name the account of another one, which stays as it is. */
  function forgetAccount(wallet: Wallet, id: string): void {
    if (ownedBy(wallet, id)) accounts.delete(id)
  }

  function ownedBy(wallet: Wallet, id: string): Known | null {
    const known = accounts.get(id)
    return known?.wallet === wallet ? known : null
  }

  function rememberWallet(wallet: Wallet, of: WalletKnown): void {
    forget(wallet, new Set(of.ids))
    wallets.set(wallet, of)
    const [oldest] = wallets.keys()
    if (wallets.size > MAX_REMEMBERED_WALLETS && oldest !== undefined) forget(oldest, new Set())
  }

  function answerOf(wallet: Wallet): PositionsAnswer {
    const { ids = [], failed = [], unusable = [], isUnknown = false } = wallets.get(wallet) ?? {}
    const answer: PositionsAnswer = {
      ...{ positions: [], accounts: [], unusable: [...unusable], failedParts: [...failed], totalCount: null },
      ...(isUnknown && { isUnknown: true as const }),
    }
    for (const id of ids) {
      const known = ownedBy(wallet, id)
      if (!known) continue
      carry(known)
      answer.unusable.push(...known.unusable)
      answer.positions.push(...positionsOf(id, known))
      // A trader may have many empty sub-accounts, which nobody wants to read about.
      const isEmpty = known.standings.size === 0 && known.equity === 0n
      if (!isEmpty || answer.accounts.length === 0) answer.accounts.push(accountOf(id, known))
    }
    return answer
  }

  function positionsOf(id: string, known: Known): Position[] {
    return [...known.standings.values()].map((standing): Position => {
      const { marketId, size, entryPrice, margin, realised } = standing.held
      return {
        ...{ wallet: known.wallet, accountId: id, marketId, size, entryPrice, margin },
        liquidationPrice: liquidationNow(known, standing, fractionOf),
        leverage: leverageOf(standing.held),
        // The documentation does not say which sign paid funding has.
        fundingUsd: null,
        breakEvenPrice: null,
        realisedPnlUsd: realised,
        openedAt: null,
      }
    })
  }

  function accountOf(id: string, known: Known): Account {
    const { maintenance, ratio } = marginNow(known, fractionOf)
    return {
      ...{ wallet: known.wallet, accountId: id, pool: id, mode: 'single' },
      equityUsd: known.equity,
      maintenanceUsd: maintenance,
      marginRatio: ratio,
      withdrawableUsd: known.available,
    }
  }

  return {
    answerOf,
    look(wallet, read, askedMono) {
      const named = [
        ...(read?.accounts ?? []).map(({ id }) => id),
        ...(read?.failed ?? []).map(({ part }) => part),
      ]
      const ids = [...new Set(named)]
      const { failed = [], unusable = [] } = read ?? {}
      rememberWallet(wallet, { ids, failed, unusable, isUnknown: read === null })
      // The answer says why its positions are not known any more.
      for (const { part } of failed) forgetAccount(wallet, part)
      for (const { id, open, unusable: left, figures } of read?.accounts ?? []) {
        const before = accounts.get(id)
        // The answer may be from before that frame, and no answer has a time of the venue.
        if (before && before.heardMono > askedMono) continue
        const known: Known = {
          ...{ wallet, unusable: left, toldMono: clock.monotonic(), heardMono: -Infinity },
          ...{ standings: new Map(), equity: null, crossEquity: null, maintenance: null, available: null },
          lastTrades: before?.lastTrades ?? new Map(),
        }
        for (const held of open) setPosition(known, held)
        setFigures(known, figures, fractionOf)
        compareOwn(known, known.standings.keys(), fractionOf)
        accounts.set(id, known)
      }
      return answerOf(wallet)
    },
    tell({ account, whole, held, trades }) {
      const known = accounts.get(account)
      if (!known) return null
      known.heardMono = clock.monotonic()
      carry(known)
      const fresh = trades.filter(({ id, marketId }) => id > (known.lastTrades.get(marketId) ?? -1))
      const isLate = (marketId: string) =>
        trades.some((trade) => trade.marketId === marketId) &&
        trades.every((trade) => trade.marketId !== marketId || isOlder(trade, known))
      const open = held.open.filter(({ marketId }) => whole || !isLate(marketId))
      const closed = held.closed.filter((marketId) => whole || !isLate(marketId))
      const sizes = sizesOf(known)
      if (whole) {
        const named = new Set(open.map(({ marketId }) => marketId))
        for (const marketId of known.standings.keys()) if (!named.has(marketId)) drop(known, marketId)
        known.unusable = []
      }
      for (const marketId of closed) drop(known, marketId)
      for (const each of open) setPosition(known, each)
      const isKnown = (one: Unusable) => known.unusable.some(({ why }) => why === one.why)
      known.unusable.push(...held.unusable.filter((one) => !isKnown(one)))
      for (const { marketId, id } of fresh) {
        known.lastTrades.set(marketId, Math.max(id, known.lastTrades.get(marketId) ?? 0))
      }
      compareOwn(
        known,
        open.map(({ marketId }) => marketId),
        fractionOf,
      )
      const isMissed = !whole && contradicts(fresh, sizes, sizesOf(known))
      return {
        ...{ wallet: known.wallet, answer: answerOf(known.wallet), trades: fresh },
        doubtful: isMissed || held.unusable.length > 0,
      }
    },
    tellFigures({ account, figures }) {
      const known = accounts.get(account)
      if (!known) return null
      carry(known)
      setFigures(known, figures, fractionOf)
      return { wallet: known.wallet, answer: answerOf(known.wallet), doubtful: false, trades: [] }
    },
    accountsOf: (wallet) => wallets.get(wallet)?.ids ?? [],
    walletOf: (account) => accounts.get(account)?.wallet ?? null,
    hasCross(account) {
      const standings = accounts.get(account)?.standings.values() ?? []
      return [...standings].some(({ held }) => held.margin !== 'isolated')
    },
    sizeOf(account, marketId) {
      const known = accounts.get(account)
      return known ? (known.standings.get(marketId)?.held.size ?? 0n) : null
    },
  }
}

/** A trade that is already counted, and not the newest one, comes too late to say what is open. */
function isOlder({ marketId, id }: Trade, { lastTrades }: Known): boolean {
  return id < (lastTrades.get(marketId) ?? -1)
}

function sizesOf({ standings }: Known): ReadonlyMap<string, Amount> {
  return new Map([...standings].map(([marketId, { held }]) => [marketId, held.size]))
}

/** Whether new trades do not lead from the sizes before to those after: then a frame was lost. */
function contradicts(
  trades: readonly Trade[],
  before: ReadonlyMap<string, Amount>,
  after: ReadonlyMap<string, Amount>,
): boolean {
  const moved = new Map<string, Amount>()
  for (const { marketId, side, size } of trades) {
    moved.set(marketId, (moved.get(marketId) ?? 0n) + (side === 'buy' ? size : -size))
  }
  return [...moved].some(
    ([marketId, by]) => (before.get(marketId) ?? 0n) + by !== (after.get(marketId) ?? 0n),
  )
}
