import { toNumber } from '../amount.ts'
import { createGrouped } from '../lib/grouped.ts'
import { createHeap } from '../lib/heap.ts'
import type { Heap } from '../lib/heap.ts'
import type { Owner } from '../owner.ts'
import { distance, side } from '../position.ts'
import type { Side } from '../position.ts'
import type { OwnerDistance } from '../reading.ts'
import { distanceOf } from './demand.ts'
import { priceOf } from './memory.ts'
import type { Memory } from './memory.ts'

/** Who is nearest to their end: whoever asks looks at those alone, however many there are. */
interface Distances {
  /** It holds something else, or somebody watches it, or nobody does any more. */
  moved(owner: Owner): void
  /** So many of the nearest that are watched, and beside them these. */
  nearest(many: number, also: readonly Owner[]): OwnerDistance[]
}

/** One side of one market: at any price, whoever is liquidated first is ahead. */
interface Line {
  marketId: string
  side: Side
  owners: Heap<Owner>
  /** The last price that was seen with one of its positions, for as long as the market shows none. */
  seen: number | null
}

export function createDistances(memory: Memory): Distances {
  const lines = new Map<string, Line>()
  const linesOf = createGrouped<Owner, string, number>()
  /** Nobody asks where the venue tells nothing by itself. */
  let isAsked = false

  function moved(owner: Owner): void {
    for (const key of linesOf.of(owner).keys()) {
      const line = lines.get(key)
      line?.owners.delete(owner)
      if (line?.owners.size === 0) lines.delete(key)
    }
    linesOf.dropGroup(owner)
    if (memory.watches.of(owner).size === 0) return
    for (const { position, price } of memory.owners.get(owner)?.held.values() ?? []) {
      const { marketId, liquidationPrice } = position
      if (liquidationPrice === null) continue
      const towards = side(position)
      const key = `${towards} ${marketId}`
      const end = toNumber(liquidationPrice)
      // It may be there in several accounts.
      const place = Math.min(towards === 'long' ? -end : end, linesOf.of(owner).get(key) ?? Infinity)
      linesOf.put(owner, key, place)
      const line = lines.get(key) ?? { marketId, side: towards, owners: createHeap(), seen: null }
      lines.set(key, line)
      line.owners.set(owner, place)
      line.seen = price ?? line.seen
    }
  }

  /** Those whose lines are nearest to the price of now. */
  function ahead(many: number): Set<Owner> {
    const found = new Set<Owner>()
    const taken: { line: Line; owner: Owner; place: number }[] = []
    const fronts = createHeap<Line>()
    const face = (line: Line) => {
      const first = line.owners.peek()
      const price = priceOf(memory, line.marketId) ?? line.seen
      if (first && price !== null) fronts.set(line, distance(line.side, price, Math.abs(first.priority)))
    }
    for (const line of lines.values()) face(line)
    for (let front = fronts.pop(); front && found.size < many; front = fronts.pop()) {
      const line = front.key
      const first = line.owners.pop()
      if (!first) continue
      taken.push({ line, owner: first.key, place: first.priority })
      found.add(first.key)
      face(line)
    }
    for (const { line, owner, place } of taken) line.owners.set(owner, place)
    return found
  }

  return {
    moved(owner) {
      if (isAsked) moved(owner)
    },
    nearest(many, also) {
      if (!isAsked) for (const owner of memory.watches.groups()) moved(owner)
      isAsked = true
      const found = ahead(many)
      const isWatched = (owner: Owner) => memory.watches.of(owner).size > 0
      // Who is warned of for another reason is as near as any of them; then there are places for whoever is left.
      for (const owner of firstOf(memory.danger.groups(), many, isWatched)) found.add(owner)
      for (const owner of firstOf(memory.watches.groups(), many, isWatched))
        if (found.size < many) found.add(owner)
      for (const owner of also) if (isWatched(owner)) found.add(owner)
      return [...found].map((owner) => ({ owner, distance: distanceOf(memory, owner) }))
    },
  }
}

function* firstOf(all: Iterable<Owner>, many: number, isOne: (owner: Owner) => boolean): Generator<Owner> {
  let left = many
  for (const owner of all) {
    if (left === 0) return
    if (!isOne(owner)) continue
    left--
    yield owner
  }
}
