import { findKind, type Kind } from '../../alert/alert.ts'
import { ownerOf } from '../../alert/monitor.ts'
import { createGrouped } from '../../lib/data/grouped.ts'
import { createHeap, type Heap } from '../../lib/data/heap.ts'
import type { Clock } from '../../runtime/clock.ts'
import { toNumber } from '../../venue/amount.ts'
import { distance, type Side, side } from '../../venue/position.ts'
import type { OwnerDemand, OwnerDistance, Readings } from '../../venue/reading.ts'
import { feedOf } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import { type Memory, nearDanger, priceOf } from '../memory/memory.ts'
import { missing, type OwnerView } from '../memory/wallet-view.ts'
import { ownersOfRule } from '../monitors/monitors.ts'
import type { Turn } from '../monitors/turn.ts'
import { endedSince } from './closing-evidence.ts'

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

interface Asks extends Pick<Readings, 'demandOf' | 'changed' | 'nearest' | 'needed' | 'readers' | 'awaited'> {
  /** Notes whose reads are due at another time because of this turn. */
  after(turn: Turn): void
}

/** What changes of whom rules speak. */
const SCOPES: ReadonlySet<Effect['is']> = new Set([
  ...(['rule', 'rule-gone', 'watch', 'unwatch', 'owner-gone'] as const),
  ...(['chat', 'chat-gone', 'person-gone'] as const),
])

/** What the engine wants of whoever reads the venue. */
export function createAsks(memory: Memory, kinds: readonly Kind[], clock: Clock): Asks {
  /** With a start, everybody. */
  let changed = new Set<Owner>(memory.watches.groups())
  /** By market, of whom a position there is missing; and the other way round. */
  const missingIn = createGrouped<string, Owner, true>()
  const incomplete = createGrouped<Owner, string, true>()
  const distances = createDistances(memory)
  let readers: Owner[] | null = null

  function complete(owner: Owner): void {
    for (const marketId of incomplete.of(owner).keys()) missingIn.drop(marketId, owner)
    incomplete.dropGroup(owner)
  }

  function note(effect: Effect): void {
    if (SCOPES.has(effect.is)) readers = null
    if (effect.is === 'watch') {
      changed.add(effect.watch.owner)
      distances.moved(effect.watch.owner)
    } else if (effect.is === 'unwatch' || effect.is === 'owner-gone') {
      changed.add(effect.owner)
      distances.moved(effect.owner)
      complete(effect.owner)
    } else if (effect.is === 'judged' || effect.is === 'forgotten') {
      const owner = ownerOf(effect.guard)
      if (owner !== null) changed.add(owner)
    } else if (effect.is === 'same') changed.add(effect.reading.owner)
    else if (effect.is === 'view') {
      const { owner } = effect.view
      changed.add(owner)
      distances.moved(owner)
      complete(owner)
      for (const { position } of missing(effect.view)) {
        missingIn.put(position.marketId, owner, true)
        incomplete.put(owner, position.marketId, true)
      }
    }
  }

  return {
    demandOf: (owner) => (!memory.watches.has(owner) ? null : demandOf(memory, owner, clock.tick())),
    changed() {
      const all = [...changed]
      changed = new Set()
      return all
    },
    nearest: distances.nearest,
    needed: () => neededMarkets(memory),
    readers() {
      if (readers !== null) return readers
      const rules = [...memory.rules.values()].filter(({ kind }) => memory.onOrders.has(kind))
      const owners = new Set(rules.flatMap((rule) => ownersOfRule(memory, rule)))
      return (readers = [...owners].filter((owner) => memory.watches.has(owner)))
    },
    awaited: (owner) =>
      [...memory.guardsOf.of(owner)].flatMap(([key, guard]) => {
        const kind = findKind(kinds, guard.kind)
        const memo = memory.memos.get(key)
        return kind?.is === 'event' && memo !== undefined ? kind.awaits(memo) : []
      }),
    after({ learned, decisions }) {
      for (const effect of learned) note(effect)
      for (const { effects } of decisions) for (const effect of effects) note(effect)
      if (missingIn.size === 0) return
      // The price that did it may have come.
      for (const effect of learned) {
        const feed = effect.is === 'seen' ? feedOf(effect.feed) : null
        if (feed?.is === 'market') for (const owner of missingIn.of(feed.marketId).keys()) changed.add(owner)
      }
    },
  }
}

/** A missing position is confirmed without a market reading after this. */
const CONFIRM_WITHOUT_MARKET_MS = 10_000

/** How soon a watched owner should be read. */
export function demandOf(memory: Memory, owner: Owner, tick: number): OwnerDemand {
  const view = memory.owners.lacks(owner) ? memory.owners.get(owner) : undefined
  const wait = view ? waitsUntil(memory, view, tick) : null
  const confirm = wait !== null && wait <= tick
  return {
    owner,
    nearDanger: nearDanger(memory, owner),
    confirm,
    endedSince: confirm && view ? endedSince(view) : null,
    againTick: confirm ? null : wait,
    rememberedDistance: rememberedDistance(memory, owner),
  }
}

/** Of one that was not read in this run, or since its last stop: nothing where it is warned of. */
export function rememberedDistance(memory: Memory, owner: Owner): number {
  const view = memory.owners.get(owner)
  if (!view || view.tick > memory.ranTick) return Infinity
  const isWarned = [...memory.guardsOf.of(owner).keys()].some((key) => memory.states.has(key))
  return isWarned ? 0 : Math.max(nearest(memory, owner), 0)
}

/** Markets that somebody is in or has a rule for. */
export function neededMarkets({ holders, rulesOn }: Memory): string[] {
  const all = new Set([...holders.groups(), ...rulesOn.groups()])
  return [...all].filter((marketId) => marketId !== null)
}

/**
 * The second look waits for a reading of each market after the first, so that the price that did it is known. Null when
 * nothing is missing.
 */
function waitsUntil({ markets }: Memory, view: OwnerView, tick: number): number | null {
  const all = missing(view).map(({ position, missingSince }) => {
    const isPriced = (markets.get(position.marketId)?.tick ?? -Infinity) > missingSince
    return isPriced ? tick : missingSince + CONFIRM_WITHOUT_MARKET_MS + 1
  })
  return all.length > 0 ? Math.max(...all) : null
}

/** One that is warned of for another reason than its distance is at least as near as this. */
const WARNED = 0.1

/** How far an owner is from its nearest liquidation. */
export function distanceOf(memory: Memory, owner: Owner): number {
  return Math.min(nearest(memory, owner), nearDanger(memory, owner) ? WARNED : Infinity)
}

function nearest(memory: Memory, owner: Owner): number {
  return memory.owners.nearest(owner, (marketId) => priceOf(memory, marketId))
}
