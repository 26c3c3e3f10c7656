import type { Gone } from '../gone.ts'
import { ints } from '../lib/paged.ts'
import type { Words } from '../lib/words.ts'
import type { Owner } from '../owner.ts'
import { positionKey } from '../position.ts'
import type { SeenAccounts } from './accounts.ts'
import type { OwnerView, SeenPosition } from './owner-view.ts'
import { createPositionColumns } from './position-columns.ts'
import type { Doubted } from './scopes.ts'

/** What is known of each wallet. A view is made for whoever asks, and speaks of the moment at which he does. */
export interface Owners {
  get(owner: Owner): OwnerView | undefined
  has(owner: Owner): boolean
  /** In place of the view before, behind those that were put there earlier. */
  put(view: OwnerView): void
  delete(owner: Owner): void
  readonly size: number
  keys(): IterableIterator<Owner>
  values(): IterableIterator<OwnerView>
  [Symbol.iterator](): IterableIterator<[Owner, OwnerView]>
}

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
}

// Most wallets have none of these, and share one that is empty.
const ALL_READ: Row['unread'] = new Map()
const NO_ACCOUNTS: SeenAccounts = new Map()
const NONE_GONE: readonly Gone[] = []

export function createOwners(words: Words): Owners {
  const rows = new Map<Owner, Row>()
  const positions = createPositionColumns(words)
  const nexts = ints()
  const free: number[] = []
  let slots = 0
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
    const { owner, at, tick, completeTick, unread, accounts, gone, left } = row
    last = {
      ...{ owner, at, tick, completeTick, unread, accounts, gone, left },
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
      positions.write(slot, seen)
      before = slot
      slot = nexts.get(slot) - 1
    }
    if (before < 0) row.first = -1
    else nexts.set(before, 0)
    for (let left = slot; left >= 0; left = nexts.get(left) - 1) {
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
    put({ owner, at, tick, completeTick, unread, accounts, gone, left, held }) {
      // All of them, before what they may be read from is written anew.
      const all = [...held.values()]
      const known = rows.get(owner)
      const word = known?.word ?? words.take(owner)
      const row = known ?? { ...empty, word, owner: words.at(word) as Owner }
      Object.assign(row, { at, tick, completeTick, left })
      row.unread = unread.size > 0 ? unread : ALL_READ
      row.accounts = accounts.size > 0 ? accounts : NO_ACCOUNTS
      row.gone = gone.length > 0 ? gone : NONE_GONE
      write(row, all)
      last = null
      rows.delete(row.owner)
      rows.set(row.owner, row)
    },
    delete(owner) {
      const row = rows.get(owner)
      if (!row) return
      write(row, [])
      rows.delete(owner)
      words.drop(row.word)
      last = null
    },
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
  ...{ unread: ALL_READ, accounts: NO_ACCOUNTS, gone: NONE_GONE, left: {} },
}
