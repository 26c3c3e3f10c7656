import { ints } from '../../lib/data/paged.ts'
import type { Words } from '../../lib/data/words.ts'
import type { Gone } from '../../venue/closed-position.ts'
import { type Position, positionKey } from '../../venue/position.ts'
import type { OwnerReading } from '../../venue/reading.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { SeenAccounts } from './accounts.ts'
import { createMarketHolders, type Holders } from './market-holders.ts'
import { createPositionColumns, type PriceOf } from './position-columns.ts'
import { type Doubted, type Listed, NONE_PASSED, type OwnerView, type SeenPosition } from './wallet-view.ts'

/** What is known of each wallet. A view is made for whoever asks, and speaks of the moment at which he does. */
export interface Owners {
  get(owner: Owner): OwnerView | undefined
  has(owner: Owner): boolean
  /** Whether a position is missing. */
  lacks(owner: Owner): boolean
  /**
   * Of an answer that shows what the last one did, in its order and with all that anything is judged by, those positions that
   * are liquidated elsewhere now; null for any other, and where what the last one led to is not kept. `isKept` says the same of
   * what the store has of each.
   */
  drifted(reading: OwnerReading, isKept: IsKept): ReadonlySet<Position> | null
  /** It was read again, and holds what it held. */
  renew(reading: OwnerReading, priceOf: PriceOf): void
  /** A price has passed where a position of it is liquidated. */
  pass(owner: Owner, position: string, price: number): void
  /** Something could not be kept: what came of the last answers is in doubt for all of them; so is what was asked for until then. */
  doubt(untilTick?: number): void
  /** How far the nearest of its positions is from liquidation: of very many, without making a view of each. */
  nearest(owner: Owner, priceOf: PriceOf): number
  /** In place of the view before, behind those that were put there earlier. */
  put(view: OwnerView | Listed): void
  delete(owner: Owner): void
  readonly holders: Holders
  readonly size: number
  keys(): IterableIterator<Owner>
  values(): IterableIterator<OwnerView>
  [Symbol.iterator](): IterableIterator<[Owner, OwnerView]>
}

type IsKept = (position: Position, kept: SeenPosition['kept']) => boolean

interface Row {
  owner: Owner
  /** Its number among the words. */
  word: number
  /** The slot of its first position; each has one more than the next, and the last has 0. */
  first: number
  at: number
  tick: number
  completeTick: number | null
  unread: ReadonlyMap<string, Doubted>
  accounts: SeenAccounts
  gone: readonly Gone[]
  left: Readonly<Record<string, string>>
  passed: OwnerView['passed']
  lacks: boolean
  /** How often something could not be kept before its last answer was. */
  doubts: number
}

// Most wallets have none of these, and share one that is empty.
const ALL_READ: Row['unread'] = new Map()
const NO_ACCOUNTS: SeenAccounts = new Map()
const NONE_GONE: readonly Gone[] = []

export function createOwners(words: Words): Owners {
  const rows = new Map<Owner, Row>()
  const positions = createPositionColumns(words)
  const holders = createMarketHolders(words)
  const nexts = ints()
  const free: number[] = []
  let slots = 0
  let doubts = 0
  let doubtedTick = -Infinity
  // A wallet is asked for several times while it is judged.
  let last: OwnerView | null = null

  function heldIn({ owner, first }: Row): ReadonlyMap<string, SeenPosition> {
    const held = new Map<string, SeenPosition>()
    for (let slot = first; slot >= 0; slot = nexts.get(slot) - 1) {
      const seen = positions.read(slot, owner)
      held.set(positionKey(seen.position), seen)
    }
    return held
  }

  function viewOf(row: Row): OwnerView {
    if (last?.owner === row.owner) return last
    let held: ReadonlyMap<string, SeenPosition> | null = null
    const { owner, at, tick, completeTick, unread, accounts, gone, left, passed } = row
    last = {
      ...{ owner, at, tick, completeTick, unread, accounts, gone, left, passed },
      get held() {
        return (held ??= heldIn(row))
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
    get(owner) {
      const row = rows.get(owner)
      return row && viewOf(row)
    },
    has: (owner) => rows.has(owner),
    lacks: (owner) => rows.get(owner)?.lacks === true,
    nearest(owner, priceOf) {
      let least = Infinity
      for (let slot = rows.get(owner)?.first ?? -1; slot >= 0; slot = nexts.get(slot) - 1)
        least = Math.min(least, positions.distanceAt(slot, priceOf))
      return least
    },
    put({ owner, at, tick, completeTick, unread, accounts, gone, left, passed, held }) {
      // All of them, before what they may be read from is written anew.
      const all = [...held.values()]
      const known = rows.get(owner)
      const word = known?.word ?? words.take(owner)
      const row = known ?? { ...empty, word, owner: words.at(word) as Owner }
      Object.assign(row, { at, tick, completeTick, left, passed, doubts: tick > doubtedTick ? doubts : -1 })
      row.lacks = all.some(({ missingSince }) => missingSince !== null)
      row.unread = unread.size > 0 ? unread : ALL_READ
      row.accounts = accounts.size > 0 ? accounts : NO_ACCOUNTS
      row.gone = gone.length > 0 ? gone : NONE_GONE
      write(row, all)
      last = null
      rows.delete(row.owner)
      rows.set(row.owner, row)
    },
    drifted({ owner, tick, value }, isKept) {
      const row = rows.get(owner)
      if (!row || tick <= row.tick || row.doubts !== doubts || row.completeTick !== row.tick) return null
      if (row.unread !== ALL_READ || row.accounts !== NO_ACCOUNTS || row.gone !== NONE_GONE) return null
      if (Object.keys(row.passed).length > 0) return null
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
    renew({ owner, at, tick, value }, priceOf) {
      const row = rows.get(owner)
      if (!row) return
      row.at = at
      row.tick = tick
      row.completeTick = tick
      let slot = row.first
      for (const position of value.positions) {
        positions.renew(slot, position, { seenAt: at, seenTick: tick, price: priceOf(position.marketId) })
        slot = nexts.get(slot) - 1
      }
      last = null
      rows.delete(row.owner)
      rows.set(row.owner, row)
    },
    pass(owner, position, price) {
      const row = rows.get(owner)
      if (row) row.passed = { ...row.passed, [position]: price }
      last = null
    },
    doubt(untilTick = doubtedTick) {
      doubts++
      doubtedTick = untilTick
    },
    delete(owner) {
      const row = rows.get(owner)
      if (!row) return
      write(row, [])
      rows.delete(owner)
      words.drop(row.word)
      last = null
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
      for (const row of rows.values()) yield [row.owner, viewOf(row)]
    },
  }
}

const empty: Omit<Row, 'owner' | 'word'> = {
  ...{ first: -1, at: 0, tick: -Infinity, completeTick: null },
  ...{
    unread: ALL_READ,
    accounts: NO_ACCOUNTS,
    gone: NONE_GONE,
    left: {},
    passed: NONE_PASSED,
    lacks: false,
    doubts: 0,
  },
}
