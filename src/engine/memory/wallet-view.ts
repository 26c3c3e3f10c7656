import type { Account } from '../../venue/account.ts'
import type { Reading } from '../../runtime/clock.ts'
import type { WalletRow } from '../../store/snapshot.ts'
import type { Amount } from '../../venue/amount.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import type { Order } from '../../venue/order.ts'
import { type Position, positionKey } from '../../venue/position.ts'
import type { UnaskedPart } from '../../venue/record/lacking.ts'
import { doubt, OTHER_ACCOUNTS, type PositionsAnswer } from '../../venue/venue.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'

/** A wallet's positions as we may rely on them: a single bad or odd answer is not yet believed. */
export interface WalletView {
  wallet: Wallet
  /** Wall time of the last answer that was used; `mono` is −Infinity for a view from an earlier run. */
  at: number
  mono: number
  /**
   * Time of the last answer that showed everything but the `failedParts`; null before the first in this run.
   */
  completeMono: number | null
  /** By account: those that could not be read, or not wholly, when this was last complete. */
  failedParts: ReadonlyMap<string, Doubted>
  /** Empty accounts that the last answer left out, each with the time of its last read. */
  unasked: readonly UnaskedPart[]
  /** By key: positions that have shrunk, until the venue's record was asked whose doing that was. */
  reduced: ReadonlyMap<string, Reduced>
  held: ReadonlyMap<string, SeenPosition>
  /** As last seen in this run: nothing of them is kept. */
  accounts: SeenAccounts
  /** Gone for certain; kept until a whole look finds nobody who was not told. */
  gone: readonly ClosedPosition[]
  /** Symbols of the markets that the wallet has left, as the store has them. */
  left: Readonly<Record<string, string>>
  /** By position: the price past where it is liquidated that was seen since, until it is seen there with the price back. */
  touchedLiquidation: Readonly<Record<string, number>>
  /**
   * The views at each venue that has one, the first venue first. Only in a view of several venues together. There `at`
   * and `mono` are those of the oldest look of this run. There `completeMono` is null unless all looks were complete.
   */
  looks?: Looks
  /** No answer has shown it whole at its venue yet: what it holds there is no news. Only with several venues. */
  isNew?: true
  /** The venue does not know the wallet; else left out. */
  isUnknown?: true
}

/** By venue; undefined is the first. */
export type Looks = ReadonlyMap<string | undefined, WalletView>

export interface SeenPosition {
  position: Position
  seenAt: number
  seenMono: number
  /** The market's price beside it, as a double. */
  price: number | null
  /** The complete answer that lacked it, after which the next one decides. Frozen meanwhile. */
  missingSince: number | null
  /** The venue's record did not have its end yet: it is asked once more. */
  endSought: boolean
  /** The venue has said once that it has no liquidation price any more; the second time we believe it. */
  doubtedNone: boolean
  /** The stored figures, as a start would find them; null before this position is stored. */
  kept: { liquidationPrice: Amount | null; symbol: string | null } | null
}

/** A position that has shrunk. */
export interface Reduced {
  /** Its size before, and when it was last seen with it (wall time). */
  from: Amount
  seenAt: number
  /** The reading that first showed it smaller. */
  sinceMono: number
  /** How often the record was asked since. */
  looks: number
}

export const NOTHING_LEFT: Readonly<Record<string, string>> = {}
export const NONE_PASSED: WalletView['touchedLiquidation'] = {}
const NONE: ReadonlyMap<string, never> = new Map<string, never>()

/** A view as it lies in memory. Its positions lie in columns. */
export interface Row {
  wallet: Wallet
  /** The number of the wallet among the words. */
  word: number
  /** The slot of its first position; negative where there is none. */
  first: number
  at: number
  mono: number
  completeMono: number | null
  failedParts: ReadonlyMap<string, Doubted>
  unasked: WalletView['unasked']
  reduced: WalletView['reduced']
  accounts: SeenAccounts
  gone: readonly ClosedPosition[]
  left: Readonly<Record<string, string>>
  touchedLiquidation: WalletView['touchedLiquidation']
  lacks: boolean
  isNew: boolean
  isUnknown: boolean
  /** How often something could not be kept before its last answer was. */
  doubts: number
}

// Most wallets have no such entries, and share these empty ones.
export const ALL_READ: Row['failedParts'] = new Map()
export const NO_ACCOUNTS: SeenAccounts = new Map()
export const ALL_ASKED: WalletView['unasked'] = []
export const NONE_REDUCED: WalletView['reduced'] = new Map()
export const NONE_GONE: readonly ClosedPosition[] = []

/** All fields at once: V8 keeps those that come later in an object of their own, and there are very many rows. */
export function newRow(wallet: Wallet, word: number): Row {
  return {
    wallet,
    word,
    first: -1,
    at: 0,
    mono: -Infinity,
    completeMono: null,
    failedParts: ALL_READ,
    unasked: ALL_ASKED,
    reduced: NONE_REDUCED,
    accounts: NO_ACCOUNTS,
    gone: NONE_GONE,
    left: NOTHING_LEFT,
    touchedLiquidation: NONE_PASSED,
    lacks: false,
    isNew: false,
    isUnknown: false,
    doubts: 0,
  }
}

/** The same with its positions in a row: of very many nobody asks for one by its key. */
export type Listed = Omit<WalletView, 'held'> & { held: readonly SeenPosition[] }

/** The view of a wallet that we remember from an earlier run: nothing in it is fresh. */
export function restoredView(row: WalletRow): Listed {
  const { wallet, at, positions, prices, symbols, gone, touchedLiquidation } = row
  const held = positions.map((position): SeenPosition => {
    const { marketId, liquidationPrice } = position
    return {
      position,
      seenAt: at,
      seenMono: -Infinity,
      price: prices[marketId] ?? null,
      missingSince: null,
      endSought: false,
      doubtedNone: false,
      kept: { liquidationPrice, symbol: symbols[marketId] ?? null },
    }
  })
  const nothing = { completeMono: null, failedParts: NONE, unasked: [], reduced: NONE, accounts: NONE }
  return {
    wallet,
    at,
    mono: -Infinity,
    ...nothing,
    held,
    gone,
    touchedLiquidation,
    left: leftOf(row),
  }
}

/** The same at each of several venues where an earlier run has looked at it. */
export function restoredViews(
  row: WalletRow,
  venues: readonly string[],
): { venue: string | undefined; view: Listed }[] {
  return [undefined, ...venues].flatMap((venue) => {
    const isThere = (id: string) => venueOf(id, venues) === venue
    const look = venue === undefined ? (row.at > 0 ? { at: row.at } : undefined) : row.looks?.[venue]
    const positions = row.positions.filter(({ accountId }) => isThere(accountId))
    const gone = row.gone.filter(({ position }) => isThere(position.accountId))
    if (!look && positions.length + gone.length === 0) return []
    const keys = new Set(positions.map(positionKey))
    const view = restoredView({
      ...row,
      ...{ at: look?.at ?? row.at, positions, gone },
      symbols: only(row.symbols, isThere),
      touchedLiquidation: only(row.touchedLiquidation, (key) => keys.has(key)),
    })
    const rest = look ? {} : ({ isNew: true } as const)
    return [{ venue, view: { ...view, ...rest, ...(look && 'isUnknown' in look && { isUnknown: true }) } }]
  })
}

function only<T>(all: Readonly<Record<string, T>>, isOne: (key: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => isOne(key)))
}

function leftOf({ symbols, positions }: WalletRow): WalletView['left'] {
  const left = Object.keys(symbols).filter((id) => !positions.some(({ marketId }) => marketId === id))
  return left.length === 0 ? NOTHING_LEFT : Object.fromEntries(left.map((id) => [id, symbols[id] ?? '']))
}

/** A wallet's views at several venues as one. */
export function together(looks: Looks): WalletView | undefined {
  const all = [...looks.values()]
  const [one] = all
  if (!one) return undefined
  const read = all.filter(({ mono }) => mono > -Infinity)
  const some = read.length > 0 ? read : all
  const mono = Math.min(...some.map((view) => view.mono))
  const isWhole = read.length > 0 && read.every((view) => view.completeMono === view.mono)
  const merged = <Value>(mapOf: (view: WalletView) => ReadonlyMap<string, Value>) =>
    new Map(all.flatMap((view) => [...mapOf(view)]))
  let held: WalletView['held'] | null = null
  return {
    ...{ wallet: one.wallet, looks, at: Math.min(...some.map(({ at }) => at)), mono },
    completeMono: isWhole ? mono : null,
    failedParts: merged(({ failedParts }) => failedParts),
    accounts: merged(({ accounts }) => accounts),
    reduced: merged(({ reduced }) => reduced),
    unasked: all.flatMap(({ unasked }) => unasked),
    gone: all.flatMap(({ gone }) => gone),
    left: Object.assign({}, ...all.map(({ left }) => left)),
    touchedLiquidation: Object.assign({}, ...all.map(({ touchedLiquidation }) => touchedLiquidation)),
    get held() {
      return (held ??= merged((view) => view.held))
    },
  }
}

/** The view at one venue, of a view that may be of several together. */
export function lookAt(view: WalletView, venue: string | undefined): WalletView | undefined {
  return view.looks ? view.looks.get(venue) : view
}

/** The positions that are missing, and may be looked for: nothing is found in an account that cannot be read. */
export function missing({ held, failedParts }: WalletView): (SeenPosition & { missingSince: number })[] {
  const all: (SeenPosition & { missingSince: number })[] = []
  for (const one of held.values()) {
    const { missingSince } = one
    if (missingSince !== null && !failedParts.has(one.position.accountId)) all.push({ ...one, missingSince })
  }
  return all
}

/** Returns from when on the missing positions may have ended, by the venue's clock; null when none is missing. */
export function endedSince(view: WalletView): number | null {
  const all = [...missing(view), ...view.reduced.values()]
  const seenAt = Math.min(...all.map((one) => one.seenAt))
  return all.length === 0 ? null : seenAt - CLOCKS_APART_MS
}

/** So far apart may the venue's clock and ours be. */
export const CLOCKS_APART_MS = 60_000
/** An account that an answer may not show completely. */
export interface Doubted {
  why: string
  /** Something is known to be in it: where nothing is, nobody is disturbed. */
  holds: boolean
  /** Nobody has asked for it yet: our own requests had no turn. */
  queued?: true
}

/**
 * The parts of an answer that are no basis for judgements: the whole, or the accounts named here. The
 * positions held before tell which accounts hold any.
 */
export function doubtful(
  answer: PositionsAnswer,
  held: ReadonlyMap<string, { position: Position }>,
): { whole: string | null; accounts: ReadonlyMap<string, Doubted> } {
  const whole = doubt(answer)
  const accounts = new Map<string, Doubted>()
  if (answer.failedParts.length === 0 && answer.unusable.length === 0) return { whole, accounts }
  const holding = new Set([...held.values()].map(({ position }) => position.accountId))
  for (const { part, why, queued } of answer.failedParts)
    accounts.set(part, { why, holds: holding.has(part), ...(queued && { queued }) })
  for (const { part, what, why } of answer.unusable)
    if (part !== null) accounts.set(part, { why: `${what}: ${why}`, holds: true })
  const unnamed = accounts.get(OTHER_ACCOUNTS)
  if (!unnamed) return { whole, accounts }
  const shown = new Set([...answer.positions, ...answer.accounts].map(({ accountId }) => accountId))
  for (const accountId of holding)
    if (!shown.has(accountId) && !accounts.has(accountId))
      accounts.set(accountId, { ...unnamed, holds: true })
  return { whole, accounts }
}

/** A wallet's orders as last read. They are not stored. */
export interface SeenOrders {
  /** By venue; a venue is missing before its first look. */
  listed: ReadonlyMap<string | undefined, Reading<readonly Order[]>>
  /** Protective orders, as the venue showed them beside the positions. */
  beside: readonly Order[]
}

export const NO_ORDERS: SeenOrders = { listed: new Map(), beside: [] }

/** An account as it was in the last answer that had it. */
interface SeenAccount {
  account: Account
  seenAt: number
  seenMono: number
  /** When its ratio was last said. */
  known: SeenAt | null
}

export interface SeenAt {
  at: number
  mono: number
}

/** By account id. */
export type SeenAccounts = ReadonlyMap<string, SeenAccount>

/** The fields of a wallet's view that tell which pools are in use. */
interface Held {
  held: ReadonlyMap<string, Sharing>
  accounts: SeenAccounts
}

interface Sharing {
  position: Position
  missingSince: number | null
}

/** The positions that share the margin of a pool; those that have their own do not count into it. */
export function sharingOf(view: Held, pool: string): Sharing[] {
  return sharing(view).filter(({ position }) => poolOf(view, position.accountId) === pool)
}

/** The pools that cover a position of this wallet, as far as they are known. */
export function poolsOf(view: Held): string[] {
  const pools = sharing(view).flatMap(({ position }) => poolOf(view, position.accountId) ?? [])
  return [...new Set(pools)]
}

export function poolOf({ accounts }: Pick<Held, 'accounts'>, accountId: string): string | null {
  return accounts.get(accountId)?.account.pool ?? null
}

/** The last figures of a pool: all of its accounts say the same, each as of when it was read. */
export function figuresOf({ accounts }: Pick<Held, 'accounts'>, pool: string): SeenAccount | null {
  const own = [...accounts.values()].filter(({ account }) => account.pool === pool)
  return own.toSorted((a, b) => b.seenMono - a.seenMono)[0] ?? null
}

/** Whether an account may be in use that nothing shows: of some position it is not known what covers it. */
export function hasUnknownPool(view: Held): boolean {
  return sharing(view).some(({ position }) => poolOf(view, position.accountId) === null)
}

export function sharing({ held }: Pick<Held, 'held'>): Sharing[] {
  return [...held.values()].filter(({ position }) => position.margin !== 'isolated')
}
