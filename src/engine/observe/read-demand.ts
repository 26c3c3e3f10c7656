import { findKind, type Kind } from '../../alert/alert.ts'
import { monitorOf, walletOf } from '../../alert/monitor.ts'
import { createGrouped } from '../../lib/data/grouped.ts'
import { createHeap, type Heap } from '../../lib/data/heap.ts'
import type { Clock } from '../../runtime/clock.ts'
import { toNumber } from '../../venue/amount.ts'
import { distance, type Position, type Side, side } from '../../venue/position.ts'
import type { Missing, WalletDemand, WalletDistance, Readings } from '../../venue/reading.ts'
import { type SourceKey, sourceOf, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfVenue, nearDangerAt } from '../memory/monitors.ts'
import { priceOf } from '../memory/markets.ts'
import { isOwned } from '../memory/rules.ts'
import { endedSince, missing, type WalletView } from '../memory/wallet-view.ts'
import { walletsOfRule } from '../monitors/monitors.ts'
import type { Outcome } from '../monitors/turn.ts'

/** The guarded wallets that are nearest to liquidation at one venue: a query looks at those alone, however many there are. */
interface NearestLiquidations {
  /** It holds something else, or somebody guards it, or nobody does any more. */
  moved(wallet: Wallet): void
  /** So many of the nearest that are watched, and beside them these. */
  nearest(many: number, copiesTo: readonly Wallet[]): WalletDistance[]
}

/** One side of one market: at any price, the wallet that is liquidated first is ahead. */
interface Line {
  marketId: string
  side: Side
  wallets: Heap<Wallet>
  /** The last price that was seen with one of its positions, for as long as the market shows none. */
  seen: number | null
}

export function createNearestLiquidations(
  drawers: Pick<Memory, 'rules' | 'monitors' | 'wallets' | 'markets' | 'run'>,
  venue?: string,
): NearestLiquidations {
  const lines = new Map<string, Line>()
  const linesOf = createGrouped<Wallet, string, number>()
  /** Nobody asks where the venue tells nothing by itself. */
  let isAsked = false

  function moved(wallet: Wallet): void {
    for (const key of linesOf.of(wallet).keys()) {
      const line = lines.get(key)
      line?.wallets.delete(wallet)
      if (line?.wallets.size === 0) lines.delete(key)
    }
    linesOf.dropGroup(wallet)
    if (!isOwned(drawers, wallet)) return
    for (const { position, price } of drawers.wallets.views.at(wallet, venue)?.held.values() ?? []) {
      const { marketId, liquidationPrice } = position
      if (liquidationPrice === null) continue
      const towards = side(position)
      const key = `${towards} ${marketId}`
      const end = toNumber(liquidationPrice)
      // It may be there in several accounts.
      const place = Math.min(towards === 'long' ? -end : end, linesOf.of(wallet).get(key) ?? Infinity)
      linesOf.put(wallet, key, place)
      const line = lines.get(key) ?? { marketId, side: towards, wallets: createHeap(), seen: null }
      lines.set(key, line)
      line.wallets.set(wallet, place)
      line.seen = price ?? line.seen
    }
  }

  /** Those whose lines are nearest to the price of now. */
  function ahead(many: number): Set<Wallet> {
    const found = new Set<Wallet>()
    const taken: { line: Line; wallet: Wallet; place: number }[] = []
    const fronts = createHeap<Line>()
    const face = (line: Line) => {
      const first = line.wallets.peek()
      const price = priceOf(drawers, line.marketId) ?? line.seen
      if (first && price !== null) fronts.set(line, distance(line.side, price, Math.abs(first.priority)))
    }
    for (const line of lines.values()) face(line)
    for (let front = fronts.pop(); front && found.size < many; front = fronts.pop()) {
      const line = front.key
      const first = line.wallets.pop()
      if (!first) continue
      taken.push({ line, wallet: first.key, place: first.priority })
      found.add(first.key)
      face(line)
    }
    for (const { line, wallet, place } of taken) line.wallets.set(wallet, place)
    return found
  }

  return {
    moved(wallet) {
      if (isAsked) moved(wallet)
    },
    nearest(many, copiesTo) {
      if (!isAsked) for (const wallet of drawers.rules.watches.groups()) moved(wallet)
      isAsked = true
      const found = ahead(many)
      const isWatched = (wallet: Wallet) => isOwned(drawers, wallet)
      const isWarned = (wallet: Wallet) => isWatched(wallet) && nearDangerAt(drawers, wallet, venue)
      // A wallet that is warned of for another reason counts as just as near. Then free places go to any
      // watched wallets.
      for (const wallet of firstOf(drawers.monitors.danger.groups(), many, isWarned)) found.add(wallet)
      for (const wallet of firstOf(drawers.rules.watches.groups(), many, isWatched))
        if (found.size < many) found.add(wallet)
      for (const wallet of copiesTo) if (isWatched(wallet)) found.add(wallet)
      return [...found].map((wallet) => ({ wallet, distance: distanceOf(drawers, wallet, venue) }))
    },
  }
}

function* firstOf(
  all: Iterable<Wallet>,
  many: number,
  isOne: (wallet: Wallet) => boolean,
): Generator<Wallet> {
  let left = many
  for (const wallet of all) {
    if (left === 0) return
    if (!isOne(wallet)) continue
    left--
    yield wallet
  }
}

interface ReadDemand extends Pick<
  Readings,
  'demandOf' | 'changed' | 'nearest' | 'needed' | 'readers' | 'awaited'
> {
  /** Notes whose reads are due at another time because of this turn. */
  after(turn: Outcome): void
}

/** The effects that change which wallets the rules cover. */
const SCOPES: ReadonlySet<Effect['is']> = new Set([
  ...(['rule', 'rule-gone', 'watch', 'unwatch', 'wallet-gone'] as const),
  ...(['chat', 'chat-gone', 'person-gone'] as const),
])

/** Tells the reader of the venue which wallets and markets the engine needs. */
export function createReadDemand(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'run'>,
  kinds: readonly Kind[],
  clock: Clock,
): ReadDemand {
  /** With a start, everybody. */
  let changed = new Set<Wallet>(drawers.rules.watches.groups())
  /** By market, the wallets with a missing position there; and the other way round. */
  const missingIn = createGrouped<string, Wallet, true>()
  const incomplete = createGrouped<SourceKey, string, true>()
  const { venues } = drawers.wallets.views
  const distances = new Map(venues.map((venue) => [venue, createNearestLiquidations(drawers, venue)]))
  /** By what is read of them. */
  const readers = new Map<'orders' | 'twaps', Wallet[]>()

  function complete(wallet: Wallet, venue: string | undefined): void {
    const source = walletSource(wallet, venue)
    for (const marketId of incomplete.of(source).keys()) missingIn.drop(marketId, wallet)
    incomplete.dropGroup(source)
  }

  function moved(wallet: Wallet): void {
    changed.add(wallet)
    for (const one of distances.values()) one.moved(wallet)
  }

  function note(effect: Effect): void {
    if (SCOPES.has(effect.is)) readers.clear()
    if (effect.is === 'watch') moved(effect.watch.wallet)
    else if (effect.is === 'unwatch' || effect.is === 'wallet-gone') {
      moved(effect.wallet)
      for (const venue of venues) complete(effect.wallet, venue)
    } else if (effect.is === 'judged' || effect.is === 'forgotten') {
      const wallet = walletOf(effect.monitor)
      if (wallet !== null) changed.add(wallet)
    } else if (effect.is === 'same') changed.add(effect.reading.wallet)
    else if (effect.is === 'view') {
      const { view, venue } = effect
      const { wallet } = view
      changed.add(wallet)
      distances.get(venue)?.moved(wallet)
      complete(wallet, venue)
      for (const { position } of missing(view)) {
        missingIn.put(position.marketId, wallet, true)
        incomplete.put(walletSource(wallet, venue), position.marketId, true)
      }
    }
  }

  return {
    demandOf: (wallet, venue) =>
      !drawers.rules.watches.has(wallet) ? null : demandOf(drawers, wallet, clock.monotonic(), venue),
    changed() {
      const all = [...changed]
      changed = new Set()
      return all
    },
    nearest: (many, also, venue) => distances.get(venue)?.nearest(many, also) ?? [],
    needed: () => neededMarkets(drawers),
    readers(of) {
      const known = readers.get(of ?? 'orders')
      if (known) return known
      const { onOrders, onTwaps } = drawers.run
      const kindsOf = of === 'twaps' ? onTwaps : onOrders
      const rules = [...drawers.rules.all.values()].filter(({ kind }) => kindsOf.has(kind))
      const wallets = new Set(rules.flatMap((rule) => walletsOfRule(drawers, rule)))
      const watched = [...wallets].filter((wallet) => drawers.rules.watches.has(wallet))
      readers.set(of ?? 'orders', watched)
      return watched
    },
    awaited: (wallet) =>
      [...drawers.monitors.monitorsOf.of(wallet)].flatMap(([key, monitor]) => {
        const kind = findKind(kinds, monitor.kind)
        const memo = drawers.monitors.memos.get(key)
        return kind?.is === 'event' && memo !== undefined ? kind.awaits(memo) : []
      }),
    after({ observed, decisions }) {
      for (const effect of observed) note(effect)
      for (const { effects } of decisions) for (const effect of effects) note(effect)
      if (missingIn.size === 0) return
      // The price that did it may have come.
      for (const effect of observed) {
        const source = effect.is === 'seen' ? sourceOf(effect.source) : null
        if (source?.is === 'market')
          for (const wallet of missingIn.of(source.marketId).keys()) changed.add(wallet)
      }
    },
  }
}

/** A missing position is confirmed without a market reading after this. */
const CONFIRM_WITHOUT_MARKET_MS = 10_000

function missingOf(position: Position): Missing {
  return { accountId: position.accountId, marketId: position.marketId, side: side(position) }
}

/** How soon a watched wallet should be read at a venue. */
export function demandOf(
  drawers: Pick<Memory, 'rules' | 'monitors' | 'wallets' | 'markets' | 'run'>,
  wallet: Wallet,
  mono: number,
  venue?: string,
): WalletDemand {
  const { views } = drawers.wallets
  const isOnlyFollowed = drawers.rules.onlyFollowed.has(wallet)
  const view = views.lacks(wallet, venue) ? views.at(wallet, venue) : undefined
  const isReduced = view !== undefined && view.reduced.size > 0
  const wait = isReduced ? mono : view ? waitsUntil(drawers, view, mono) : null
  const confirm = wait !== null && wait <= mono
  return {
    wallet,
    nearDanger: !isOnlyFollowed && nearDangerAt(drawers, wallet, venue),
    confirm,
    endedSince: confirm && view ? endedSince(view) : null,
    ...(confirm && view && { missing: missing(view).map(({ position }) => missingOf(position)) }),
    ...(isReduced && missing(view).length === 0 && { recordsOnly: true as const }),
    againMono: confirm ? null : wait,
    rememberedDistance: isOnlyFollowed ? Infinity : rememberedDistance(drawers, wallet, venue),
    ...(views.glance(wallet, venue)?.holds === true && { holds: true as const }),
    ...(isOnlyFollowed && { isOnlyFollowed: true as const }),
  }
}

/**
 * The distance of a wallet that was not read in this run, or since its last stop; 0 where it is warned of.
 * Infinity once it is read.
 */
function rememberedDistance(
  drawers: Pick<Memory, 'monitors' | 'wallets' | 'markets' | 'run'>,
  wallet: Wallet,
  venue: string | undefined,
): number {
  const seen = drawers.wallets.views.glance(wallet, venue)
  if (!seen || seen.mono > drawers.run.ranMono) return Infinity
  const isWarned = [...drawers.monitors.statesOf.keysOf(wallet)].some((key) =>
    isOfVenue(monitorOf(key).subject, venue, drawers.run.venues),
  )
  return isWarned ? 0 : Math.max(nearest(drawers, wallet, venue), 0)
}

/** Returns the wallets that only an earlier run has read, nearest liquidation last: the last is taken out first. */
export function recalledWallets(drawers: Pick<Memory, 'monitors' | 'wallets' | 'markets' | 'run'>): Wallet[] {
  const { venues } = drawers.wallets.views
  const distances = [...drawers.wallets.views.keys()].map((wallet) => ({
    wallet,
    distance: Math.min(...venues.map((venue) => rememberedDistance(drawers, wallet, venue))),
  }))
  return distances.sort((a, b) => b.distance - a.distance).map(({ wallet }) => wallet)
}

/** Markets that somebody is in or has a rule for. */
export function neededMarkets({
  wallets: { walletsByMarket: holders },
  rules: { rulesOn },
}: Pick<Memory, 'rules' | 'wallets'>): string[] {
  const all = new Set([...holders.groups(), ...rulesOn.groups()])
  return [...all].filter((marketId) => marketId !== null)
}

/**
 * The second look waits for a reading of each market after the first, so that the price that did it is known. Null when
 * nothing is missing.
 */
function waitsUntil(
  { markets: { readings: markets } }: Pick<Memory, 'markets'>,
  view: WalletView,
  mono: number,
): number | null {
  const all = missing(view).map(({ position, missingSince }) => {
    const isPriced = (markets.get(position.marketId)?.mono ?? -Infinity) > missingSince
    return isPriced ? mono : missingSince + CONFIRM_WITHOUT_MARKET_MS + 1
  })
  return all.length > 0 ? Math.max(...all) : null
}

/** One that is warned of for another reason than its distance is at least as near as this. */
const WARNED = 0.1

/** How far a wallet is from its nearest liquidation at a venue. */
export function distanceOf(
  drawers: Pick<Memory, 'monitors' | 'wallets' | 'markets' | 'run'>,
  wallet: Wallet,
  venue?: string,
): number {
  return Math.min(nearest(drawers, wallet, venue), nearDangerAt(drawers, wallet, venue) ? WARNED : Infinity)
}

function nearest(
  drawers: Pick<Memory, 'wallets' | 'markets'>,
  wallet: Wallet,
  venue: string | undefined,
): number {
  return drawers.wallets.views.nearest(wallet, (marketId) => priceOf(drawers, marketId), venue)
}
