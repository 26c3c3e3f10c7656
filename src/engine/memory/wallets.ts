import { ints } from '../../lib/data/paged.ts'
import type { Words } from '../../lib/data/words.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import { type Position, positionKey } from '../../venue/position.ts'
import type { WalletReading } from '../../venue/reading.ts'
import type { Wallet } from '../../venue/wallet.ts'
import {
  createPositionColumns,
  createWalletsByMarket,
  type PriceOf,
  type WalletsByMarket,
} from './position-columns.ts'
import {
  type Doubted,
  type Listed,
  NONE_PASSED,
  restoredView,
  type SeenAccounts,
  type SeenOrders,
  type WalletView,
  type SeenPosition,
} from './wallet-view.ts'
import type { Law } from './effect.ts'
import { type Markets, priceOf } from './markets.ts'

/** The positions and orders of each wallet, as last seen. */
export interface Wallets {
  /** The wallet that was read longest ago is first. */
  views: WalletViews
  walletsByMarket: WalletsByMarket
  /** Orders of the wallets that have rules about orders. */
  orders: Map<Wallet, SeenOrders>
  /** Wallets that held positions, and that the venue shows as empty. */
  emptied: Map<Wallet, Emptied>
  /** Monotonic time of the last answer that showed a position of any wallet. */
  shownMono: number
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

export function createWallets(words: Words): Wallets {
  const views = createWalletViews(words)
  return {
    ...{ views, walletsByMarket: views.holders, orders: new Map() },
    ...{ emptied: new Map(), shownMono: -Infinity, endedLately: new Map() },
  }
}

type Kinds =
  | ('wallet' | 'passed' | 'wallet-gone' | 'view' | 'same' | 'orders' | 'answers-doubted')
  | ('emptied' | 'emptied-believed' | 'ended')

const ANSWERED = [{ is: 'wallets-answered' }] as const

export const walletsLaw: Law<Wallets, Kinds, { markets: Markets }> = {
  wallet({ views }, { memory: row }) {
    // During a run a view comes with the row. After a start the row is all there is.
    if (!views.has(row.wallet)) views.put(restoredView(row))
    return [{ is: 'symbols', symbols: row.symbols }]
  },
  passed: ({ views }, { wallet, position, price }) => views.pass(wallet, position, price),
  'wallet-gone'({ views, orders, emptied }, { wallet }) {
    views.delete(wallet)
    orders.delete(wallet)
    emptied.delete(wallet)
    return [{ is: 'danger-gone', wallet }]
  },
  view(wallets, { view }) {
    wallets.views.put(view)
    const isShown = [...view.held.values()].some(({ seenMono }) => seenMono === view.mono)
    if (isShown) shown(wallets, view)
    return view.completeMono === view.mono ? ANSWERED : []
  },
  same(wallets, { reading }, known) {
    wallets.views.renew(reading, (marketId) => priceOf(known, marketId))
    if (reading.value.positions.length > 0) shown(wallets, reading)
    return ANSWERED
  },
  emptied: ({ emptied }, { wallet, mono, doubted }) =>
    void emptied.set(wallet, { sinceMono: emptied.get(wallet)?.sinceMono ?? mono, doubted }),
  'emptied-believed': ({ emptied }, { wallet }) => void emptied.delete(wallet),
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

function shown(wallets: Wallets, { wallet, mono }: { wallet: Wallet; mono: number }): void {
  wallets.emptied.delete(wallet)
  wallets.shownMono = Math.max(wallets.shownMono, mono)
}

/** The view of each wallet. A view is made on demand, and shows the moment of the call. */
export interface WalletViews {
  get(wallet: Wallet): WalletView | undefined
  has(wallet: Wallet): boolean
  /** Whether a position is missing, or has shrunk and nobody knows why yet. */
  lacks(wallet: Wallet): boolean
  /**
   * Compares an answer with the last one. Returns the positions whose liquidation price moved, if their order
   * and every other figure that is judged are the same. Null for any other answer, and where the effects of
   * the last one were not committed. `isKept` tells whether a position's stored figures still hold.
   */
  movedLiquidation(reading: WalletReading, isKept: IsKept): ReadonlySet<Position> | null
  /** It was read again, and holds what it held. */
  renew(reading: WalletReading, priceOf: PriceOf): void
  /** A price has passed where a position of it is liquidated. */
  pass(wallet: Wallet, position: string, price: number): void
  /**
   * A commit failed: the effects of all last answers are in doubt, and so are answers requested until then.
   */
  doubt(untilMono?: number): void
  /** How far the nearest of its positions is from liquidation: of very many, without making a view of each. */
  nearest(wallet: Wallet, priceOf: PriceOf): number
  /** In place of the view before, behind those that were put there earlier. */
  put(view: WalletView | Listed): void
  delete(wallet: Wallet): void
  /** When the wallet was read that was read longest ago (monotonic); null without any. */
  readonly oldestMono: number | null
  readonly holders: WalletsByMarket
  readonly size: number
  keys(): IterableIterator<Wallet>
  values(): IterableIterator<WalletView>
  [Symbol.iterator](): IterableIterator<[Wallet, WalletView]>
}

type IsKept = (position: Position, kept: SeenPosition['kept']) => boolean

interface Row {
  wallet: Wallet
  /** Its number among the words. */
  word: number
  /** The slot of its first position; each has one more than the next, and the last has 0. */
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
  /** How often something could not be kept before its last answer was. */
  doubts: number
}

// Most wallets have no such entries, and share these empty ones.
const ALL_READ: Row['failedParts'] = new Map()
const NO_ACCOUNTS: SeenAccounts = new Map()
const ALL_ASKED: WalletView['unasked'] = []
const NONE_REDUCED: WalletView['reduced'] = new Map()
const NONE_GONE: readonly ClosedPosition[] = []

export function createWalletViews(words: Words): WalletViews {
  const rows = new Map<Wallet, Row>()
  const positions = createPositionColumns(words)
  const holders = createWalletsByMarket(words)
  const nexts = ints()
  const free: number[] = []
  let slots = 0
  let doubts = 0
  let doubtedMono = -Infinity
  // A wallet is asked for several times while it is judged.
  let last: WalletView | null = null

  function suppressedIn({ wallet, first }: Row): ReadonlyMap<string, SeenPosition> {
    const held = new Map<string, SeenPosition>()
    for (let slot = first; slot >= 0; slot = nexts.get(slot) - 1) {
      const seen = positions.read(slot, wallet)
      held.set(positionKey(seen.position), seen)
    }
    return held
  }

  function viewOf(row: Row): WalletView {
    if (last?.wallet === row.wallet) return last
    let held: ReadonlyMap<string, SeenPosition> | null = null
    const { wallet, at, mono, completeMono, failedParts, accounts, unasked, reduced } = row
    const { gone, left, touchedLiquidation: passed } = row
    last = {
      ...{ wallet, at, mono, completeMono, failedParts, accounts, gone, left, touchedLiquidation: passed },
      ...{ unasked, reduced },
      get held() {
        return (held ??= suppressedIn(row))
      },
    }
    return last
  }

  /** Writes them into the slots that the wallet has, and into as many more as it needs. */
  function write(row: Row, held: Iterable<SeenPosition>): void {
    let [before, slot] = [-1, row.first]
    for (const seen of held) {
      if (slot < 0) {
        slot = free.pop() ?? slots++
        if (before < 0) row.first = slot
        else nexts.set(before, slot + 1)
        nexts.set(slot, 0)
      }
      holders.move(slot, row.word, positions.marketAt(slot), seen.position.marketId)
      positions.write(slot, seen)
      before = slot
      slot = nexts.get(slot) - 1
    }
    if (before < 0) row.first = -1
    else nexts.set(before, 0)
    for (let left = slot; left >= 0; left = nexts.get(left) - 1) {
      holders.move(left, row.word, positions.marketAt(left), '')
      positions.clear(left)
      free.push(left)
    }
  }

  return {
    get(wallet) {
      const row = rows.get(wallet)
      return row && viewOf(row)
    },
    has: (wallet) => rows.has(wallet),
    lacks: (wallet) => rows.get(wallet)?.lacks === true,
    nearest(wallet, priceOf) {
      let least = Infinity
      for (let slot = rows.get(wallet)?.first ?? -1; slot >= 0; slot = nexts.get(slot) - 1)
        least = Math.min(least, positions.distanceAt(slot, priceOf))
      return least
    },
    put(view) {
      const { wallet, at, mono, completeMono, failedParts, accounts, unasked, reduced } = view
      const { gone, left, touchedLiquidation: passed, held } = view
      // All of them, before what they may be read from is written anew.
      const all = [...held.values()]
      const known = rows.get(wallet)
      const word = known?.word ?? words.take(wallet)
      const row = known ?? { ...empty, word, wallet: words.at(word) as Wallet }
      Object.assign(row, { at, mono, completeMono, left, doubts: mono > doubtedMono ? doubts : -1 })
      row.touchedLiquidation = passed
      row.lacks = reduced.size > 0 || all.some(({ missingSince }) => missingSince !== null)
      row.unasked = unasked.length > 0 ? unasked : ALL_ASKED
      row.reduced = reduced.size > 0 ? reduced : NONE_REDUCED
      row.failedParts = failedParts.size > 0 ? failedParts : ALL_READ
      row.accounts = accounts.size > 0 ? accounts : NO_ACCOUNTS
      row.gone = gone.length > 0 ? gone : NONE_GONE
      write(row, all)
      last = null
      rows.delete(row.wallet)
      rows.set(row.wallet, row)
    },
    movedLiquidation({ wallet, mono, value }, isKept) {
      const row = rows.get(wallet)
      if (!row || mono <= row.mono || row.doubts !== doubts || row.completeMono !== row.mono) return null
      if (row.failedParts !== ALL_READ || row.accounts !== NO_ACCOUNTS || row.gone !== NONE_GONE) return null
      if (Object.keys(row.touchedLiquidation).length > 0 || row.reduced !== NONE_REDUCED) return null
      const drifted = new Set<Position>()
      let slot = row.first
      for (const position of value.positions) {
        if (slot < 0 || !positions.shows(slot, position) || !isKept(position, positions.keptAt(slot)))
          return null
        if (!positions.liquidatesAt(slot, position.liquidationPrice)) drifted.add(position)
        slot = nexts.get(slot) - 1
      }
      return slot < 0 ? drifted : null
    },
    renew({ wallet, at, mono, value }, priceOf) {
      const row = rows.get(wallet)
      if (!row) return
      row.at = at
      row.mono = mono
      row.completeMono = mono
      let slot = row.first
      for (const position of value.positions) {
        positions.renew(slot, position, { seenAt: at, seenMono: mono, price: priceOf(position.marketId) })
        slot = nexts.get(slot) - 1
      }
      last = null
      rows.delete(row.wallet)
      rows.set(row.wallet, row)
    },
    pass(wallet, position, price) {
      const row = rows.get(wallet)
      if (row) row.touchedLiquidation = { ...row.touchedLiquidation, [position]: price }
      last = null
    },
    doubt(untilMono = doubtedMono) {
      doubts++
      doubtedMono = untilMono
    },
    delete(wallet) {
      const row = rows.get(wallet)
      if (!row) return
      write(row, [])
      rows.delete(wallet)
      words.drop(row.word)
      last = null
    },
    get oldestMono() {
      for (const { mono } of rows.values()) return mono
      return null
    },
    holders,
    get size() {
      return rows.size
    },
    keys: () => rows.keys(),
    *values() {
      for (const row of rows.values()) yield viewOf(row)
    },
    *[Symbol.iterator]() {
      for (const row of rows.values()) yield [row.wallet, viewOf(row)]
    },
  }
}

const empty: Omit<Row, 'wallet' | 'word'> = {
  ...{ first: -1, at: 0, mono: -Infinity, completeMono: null },
  ...{
    failedParts: ALL_READ,
    unasked: ALL_ASKED,
    reduced: NONE_REDUCED,
    accounts: NO_ACCOUNTS,
    gone: NONE_GONE,
    left: {},
    touchedLiquidation: NONE_PASSED,
    lacks: false,
    doubts: 0,
  },
}
