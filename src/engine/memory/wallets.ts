import type { Words } from '../../lib/data/words.ts'
import type { WalletRow } from '../../store/snapshot.ts'
import { type Position, positionKey } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import { type SourceKey, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import {
  type ComparedPosition,
  createPositionSlots,
  type MarketOf,
  type PriceOf,
  type WalletsByMarket,
} from './position-columns.ts'
import {
  ALL_ASKED,
  ALL_READ,
  type Listed,
  newRow,
  NO_ACCOUNTS,
  NONE_GONE,
  NONE_PASSED,
  NONE_REDUCED,
  restoredView,
  restoredViews,
  type Row,
  type SeenOrders,
  together,
  type WalletView,
} from './wallet-view.ts'
import type { Effect, Law } from './effect.ts'
import { type Markets, priceOf } from './markets.ts'

/** The positions and orders of each wallet, as last seen. */
export interface Wallets {
  /** The wallet that was read longest ago is first. */
  views: WalletViews
  walletsByMarket: WalletsByMarket
  /** Orders of the wallets that have rules about orders. */
  orders: Map<Wallet, SeenOrders>
  /** Wallets that held positions at a venue, and that it shows as empty, by the source of the wallet there. */
  emptied: Map<SourceKey, Emptied>
  /** Monotonic time of the last answer of each venue that showed a position of any wallet. */
  shownMono: Map<string | undefined, number>
  /** By key: positions that ended lately. The oldest is first. */
  endedLately: Map<string, EndedLately>
}

export interface Emptied {
  /** When (monotonic) the venue first left everything out. */
  sinceMono: number
  /** The venue left out other wallets too, so the answer counts as incomplete. */
  doubted: boolean
}

export interface EndedLately {
  position: Position
  atMono: number
  isUnrecorded: boolean
}

/** Ended positions are compared with new ones for this long. */
export const ENDED_LATELY_MS = 3_600_000
/** Bounds the memory: so many end in an hour only in a crash. */
const MAX_ENDED = 10_000

export function createWallets(words: Words, venues: readonly string[]): Wallets {
  const views = createWalletViews(words, venues)
  return {
    ...{ views, walletsByMarket: views.holders, orders: new Map() },
    ...{ emptied: new Map(), shownMono: new Map(), endedLately: new Map() },
  }
}

type Kinds =
  | ('wallet' | 'passed' | 'wallet-gone' | 'view' | 'same' | 'orders' | 'answers-doubted')
  | ('emptied' | 'emptied-believed' | 'ended')

const ANSWERED = [{ is: 'wallets-answered' }] as const

function answeredAt(venue: string | undefined): readonly Effect[] {
  return venue === undefined ? ANSWERED : [{ is: 'wallets-answered', venue }]
}

export const walletsLaw: Law<Wallets, Kinds, { markets: Markets }> = {
  wallet({ views }, { memory: row }) {
    // During a run a view comes with the row. After a start the row is all there is.
    if (views.has(row.wallet)) return []
    views.restore(row)
    return [{ is: 'symbols', symbols: row.symbols }]
  },
  passed: ({ views }, { wallet, position, price }) => views.pass(wallet, position, price),
  'wallet-gone'({ views, orders, emptied }, { wallet }) {
    for (const venue of views.venues) emptied.delete(walletSource(wallet, venue))
    views.delete(wallet)
    orders.delete(wallet)
    return [{ is: 'danger-gone', wallet }]
  },
  view(wallets, { view, venue }) {
    wallets.views.put(view, venue)
    const isShown = [...view.held.values()].some(({ seenMono }) => seenMono === view.mono)
    if (isShown) shown(wallets, view, venue)
    return view.completeMono === view.mono ? answeredAt(venue) : []
  },
  same(wallets, { reading }, known) {
    wallets.views.renew(reading, (marketId) => priceOf(known, marketId))
    if (reading.value.positions.length > 0) shown(wallets, reading, reading.venue)
    return answeredAt(reading.venue)
  },
  emptied({ emptied }, { wallet, venue, mono, doubted }) {
    const source = walletSource(wallet, venue)
    emptied.set(source, { sinceMono: emptied.get(source)?.sinceMono ?? mono, doubted })
  },
  'emptied-believed': ({ emptied }, { wallet, venue }) => void emptied.delete(walletSource(wallet, venue)),
  ended({ endedLately }, { positions, mono, isUnrecorded }) {
    for (const [key, { atMono }] of endedLately) {
      if (mono - atMono < ENDED_LATELY_MS && endedLately.size < MAX_ENDED) break
      endedLately.delete(key)
    }
    for (const position of positions) {
      const key = positionKey(position)
      endedLately.delete(key)
      endedLately.set(key, { position, atMono: mono, isUnrecorded })
    }
  },
  orders: ({ orders }, { wallet, seen }) => void orders.set(wallet, seen),
  'answers-doubted': ({ views }, { untilMono }) => views.doubt(untilMono),
}

function shown(
  { emptied, shownMono }: Wallets,
  { wallet, mono }: { wallet: Wallet; mono: number },
  venue: string | undefined,
): void {
  if (emptied.size > 0) emptied.delete(walletSource(wallet, venue))
  shownMono.set(venue, Math.max(shownMono.get(venue) ?? -Infinity, mono))
}

/**
 * The view of each wallet at each venue. A view is made on demand, and shows the moment of the call. The first venue has
 * no name.
 */
export interface WalletViews {
  /** The first venue and the others. */
  readonly venues: (string | undefined)[]
  /** All that it holds. */
  get(wallet: Wallet): WalletView | undefined
  at(wallet: Wallet, venue: string | undefined): WalletView | undefined
  /** When it was read there (monotonic), and whether it holds a position: of very many, without making a view of each. */
  glance(wallet: Wallet, venue: string | undefined): { mono: number; holds: boolean } | undefined
  has(wallet: Wallet): boolean
  /** Whether a position is missing there, or has shrunk and nobody knows why yet. */
  lacks(wallet: Wallet, venue?: string): boolean
  /**
   * Compares an answer with the last one. Returns its positions, if their order and every figure that is judged
   * are the same, but for liquidation prices. Null for any other answer, and where the effects of the last one
   * were not committed.
   */
  movedLiquidation(reading: WalletReading, marketOf: MarketOf): ComparedPosition[] | null
  /** It was read again, and holds what it held. */
  renew(reading: WalletReading, priceOf: PriceOf): void
  /** A price has passed where a position of it is liquidated. */
  pass(wallet: Wallet, position: string, price: number): void
  /** A commit failed: the effects of all last answers are in doubt, and so are answers requested until then. */
  doubt(untilMono?: number): void
  /** How far the nearest of its positions there is from liquidation: of very many, without making a view of each. */
  nearest(wallet: Wallet, priceOf: PriceOf, venue?: string): number
  /** In place of the view before at this venue, behind those that were put there earlier. */
  put(view: WalletView | Listed, venue?: string): void
  /** As an earlier run has left it. */
  restore(row: WalletRow): void
  delete(wallet: Wallet): void
  /** When the wallet read longest ago was read (monotonic), of those that the venue knows, without these; or null. */
  oldestMono(venue: string | undefined, without: ReadonlySet<Wallet>): number | null
  readonly holders: WalletsByMarket
  /** How many wallets have a view there, and how many anywhere. */
  sizeAt(venue: string | undefined): number
  readonly size: number
  keys(): IterableIterator<Wallet>
  values(): IterableIterator<WalletView>
  [Symbol.iterator](): IterableIterator<[Wallet, WalletView]>
  /** The views at one venue. */
  of(venue: string | undefined): IterableIterator<[Wallet, WalletView]>
}

export function createWalletViews(words: Words, others: readonly string[] = []): WalletViews {
  const venues = [undefined, ...others]
  const rowsOf = new Map(venues.map((venue) => [venue, new Map<Wallet, Row>()] as const))
  const rows = rowsOf.get(undefined) ?? new Map<Wallet, Row>()
  const slotLists = createPositionSlots(words)
  const { positions, next } = slotLists
  let doubts = 0
  let doubtedMono = -Infinity
  // A wallet is asked for several times while it is judged.
  let last: WalletView | null = null

  const rowAt = (wallet: Wallet, venue: string | undefined) =>
    venue === undefined ? rows.get(wallet) : rowsOf.get(venue)?.get(wallet)

  /** With all its positions: a getter that reads them on demand costs more than reading the usual one or two. */
  function viewOf(row: Row): WalletView {
    const { wallet, at, mono, completeMono, failedParts, accounts, unasked, reduced } = row
    const { gone, left, touchedLiquidation, isNew, isUnknown } = row
    const held = slotLists.read(row)
    const shown = { wallet, at, mono, completeMono, failedParts, accounts, gone, left, touchedLiquidation }
    const view: WalletView = { ...shown, unasked, reduced, held }
    if (isNew) view.isNew = true
    if (isUnknown) view.isUnknown = true
    return view
  }

  function get(wallet: Wallet): WalletView | undefined {
    if (last?.wallet === wallet) return last
    if (others.length === 0) {
      const row = rows.get(wallet)
      last = row ? viewOf(row) : null
    } else {
      const looks = new Map<string | undefined, WalletView>()
      for (const venue of venues) {
        const row = rowAt(wallet, venue)
        if (row) looks.set(venue, viewOf(row))
      }
      last = together(looks) ?? null
    }
    return last ?? undefined
  }

  /** Each wallet once. */
  function keys(): IterableIterator<Wallet> {
    if (others.length === 0) return rows.keys()
    return new Set([...rowsOf.values()].flatMap((some) => [...some.keys()])).values()
  }

  /** It was read last of those at its venue. */
  function moved(row: Row, venue: string | undefined, isKnown = true): void {
    last = null
    const some = rowsOf.get(venue) ?? rows
    if (isKnown) some.delete(row.wallet)
    some.set(row.wallet, row)
  }

  function put(view: WalletView | Listed, venue?: string): void {
    const { wallet, at, mono, completeMono, failedParts, accounts, unasked, reduced } = view
    const { gone, left, touchedLiquidation: passed, held, isNew = false, isUnknown = false } = view
    // All of them, before what they may be read from is written anew.
    const all = [...held.values()]
    const known = rowAt(wallet, venue)
    const word = known?.word ?? words.take(wallet)
    const row = known ?? newRow(words.at(word) as Wallet, word)
    row.at = at
    row.mono = mono
    row.completeMono = completeMono
    row.left = left
    row.doubts = mono > doubtedMono ? doubts : -1
    row.isNew = isNew
    row.isUnknown = isUnknown
    row.touchedLiquidation = passed
    row.lacks = reduced.size > 0 || all.some(({ missingSince }) => missingSince !== null)
    row.unasked = unasked.length > 0 ? unasked : ALL_ASKED
    row.reduced = reduced.size > 0 ? reduced : NONE_REDUCED
    row.failedParts = failedParts.size > 0 ? failedParts : ALL_READ
    row.accounts = accounts.size > 0 ? accounts : NO_ACCOUNTS
    row.gone = gone.length > 0 ? gone : NONE_GONE
    slotLists.write(row, all)
    moved(row, venue, known !== undefined)
  }

  return {
    venues,
    get,
    at(wallet, venue) {
      if (others.length === 0) return get(wallet)
      const row = rowAt(wallet, venue)
      return row && viewOf(row)
    },
    glance(wallet, venue) {
      const row = rowAt(wallet, venue)
      return row && { mono: row.mono, holds: row.first >= 0 }
    },
    has: (wallet) => rows.has(wallet) || venues.some((venue) => rowAt(wallet, venue)),
    lacks: (wallet, venue) => rowAt(wallet, venue)?.lacks === true,
    nearest(wallet, priceOf, venue) {
      let least = Infinity
      for (let slot = rowAt(wallet, venue)?.first ?? -1; slot >= 0; slot = next(slot))
        least = Math.min(least, positions.distanceAt(slot, priceOf))
      return least
    },
    put,
    restore(row) {
      if (others.length === 0) put(restoredView(row))
      else for (const { view, venue } of restoredViews(row, others)) put(view, venue)
    },
    movedLiquidation({ wallet, venue, mono, value }, marketOf) {
      const row = rowAt(wallet, venue)
      if (!row || mono <= row.mono || row.doubts !== doubts || row.completeMono !== row.mono) return null
      if (row.failedParts !== ALL_READ || row.accounts !== NO_ACCOUNTS || row.gone !== NONE_GONE) return null
      if (row.touchedLiquidation !== NONE_PASSED && Object.keys(row.touchedLiquidation).length > 0)
        return null
      if (row.reduced !== NONE_REDUCED) return null
      if (row.isUnknown !== (value.isUnknown ?? false)) return null
      return slotLists.compare(row, value.positions, marketOf)
    },
    renew({ wallet, venue, at, mono, value }, priceOf) {
      const row = rowAt(wallet, venue)
      if (!row) return
      row.at = at
      row.mono = mono
      row.completeMono = mono
      let slot = row.first
      for (const position of value.positions) {
        positions.renew(slot, position, { seenAt: at, seenMono: mono, price: priceOf(position.marketId) })
        slot = next(slot)
      }
      moved(row, venue)
    },
    pass(wallet, position, price) {
      for (const some of rowsOf.values()) {
        const row = some.get(wallet)
        if (row && (others.length === 0 || slotLists.read(row).has(position)))
          row.touchedLiquidation = { ...row.touchedLiquidation, [position]: price }
      }
      last = null
    },
    doubt(untilMono = doubtedMono) {
      doubts++
      doubtedMono = untilMono
    },
    delete(wallet) {
      for (const some of rowsOf.values()) {
        const row = some.get(wallet)
        if (!row) continue
        slotLists.write(row, [])
        some.delete(wallet)
        words.drop(row.word)
      }
      last = null
    },
    oldestMono(venue, without) {
      for (const { wallet, mono, isUnknown } of rowsOf.get(venue)?.values() ?? [])
        if (!isUnknown && !without.has(wallet)) return mono
      return null
    },
    holders: slotLists.holders,
    sizeAt: (venue) => rowsOf.get(venue)?.size ?? 0,
    get size() {
      return others.length === 0 ? rows.size : [...keys()].length
    },
    keys,
    *values() {
      for (const wallet of keys()) {
        const view = get(wallet)
        if (view) yield view
      }
    },
    *[Symbol.iterator]() {
      for (const wallet of keys()) {
        const view = get(wallet)
        if (view) yield [wallet, view]
      }
    },
    *of(venue) {
      for (const row of rowsOf.get(venue)?.values() ?? []) yield [row.wallet, viewOf(row)]
    },
  }
}
