import type { Kind } from '../alert.ts'
import { toNumber } from '../amount.ts'
import type { Reading } from '../clock.ts'
import { GONE_SEVERITY, tellGone } from '../gone.ts'
import type { Gone } from '../gone.ts'
import type { Market } from '../market.ts'
import type { Owner } from '../owner.ts'
import { side } from '../position.ts'
import type { OwnerMemory } from '../store.ts'
import { onBrokenScale } from '../venue.ts'
import type { MarketsAnswer } from '../venue.ts'
import { seeAgain } from './blind.ts'
import { end, judge, named } from './judge.ts'
import type { Outcome } from './judge.ts'
import { addSample, keyOf, knowsKey, priceOf, walletLabel, worstPriceSince } from './memory.ts'
import type { Memory } from './memory.ts'
import { evidence, incompleteness, merge } from './owner-view.ts'
import type { OwnerReading, OwnerView } from './owner-view.ts'
import { covers, pairOfKey, pairsOfMarket, pairsOfOwner, subjectOf } from './subjects.ts'
import type { Moment, Pair } from './subjects.ts'

/** What a reading leads to. */
export interface Turn {
  outcomes: Outcome[]
  /** Feeds that this reading saw whole. */
  sighted: string[]
  /** What is to be remembered of the owner, once all of it has been committed. */
  remember(): OwnerMemory | null
  /** A commit failed: the reading has not been. */
  revert(): void
}

/**
 * A market tick. Prices are readings, not state: memory takes them at once. Judged is only what armed a bound that
 * the figures touch, and what waits for its market to be seen.
 */
export function marketsTurn(
  memory: Memory,
  kinds: readonly Kind[],
  reading: Reading<MarketsAnswer>,
  moment: Moment,
): Turn | null {
  if (memory.marketsAt && reading.tick <= memory.marketsAt.tick) return null
  const fresh = new Map(reading.value.markets.map((market) => [market.id, market]))
  const sighted = ['markets', ...[...fresh.keys()].map((id) => `market/${id}`)]
  const outcomes = sighted
    .filter((feed) => memory.feeds.has(feed))
    .flatMap((feed) =>
      seeAgain(
        memory,
        feed,
        {
          market: (id) => fresh.get(id),
          positions: (owner) => heldBy(memory.owners.get(owner)),
        },
        moment.now,
      ),
    )
  const keys = new Set<string>()
  const newcomers: string[] = []
  for (const market of fresh.values()) {
    if (!memory.markets.has(market.id)) newcomers.push(market.id)
    takeMarket(memory, market, reading)
    const figures = { price: toNumber(market.price), fundingRate: toNumber(market.fundingRatePerDay) }
    for (const key of memory.watchlist.crossed(market.id, figures)) keys.add(key)
  }
  memory.marketsAt = { at: reading.at, tick: reading.tick }
  const pairs = [...keys].map((key) => pairOfKey(memory, kinds, key)).filter((pair) => pair !== null)
  pairs.push(...newcomers.flatMap((id) => pairsOfMarket(memory, kinds, id)))
  return {
    outcomes: [...outcomes, ...judgeAll(memory, pairs, moment)],
    sighted,
    remember: () => null,
    revert() {},
  }
}

function takeMarket(memory: Memory, market: Market, { at, tick }: Reading<unknown>): void {
  memory.markets.set(market.id, { value: market, at, tick })
  addSample(memory, market.id, { tick, price: toNumber(market.price) })
}

/** An answer about an owner: everything that its watchers' rules say of it is judged again. */
export function ownerTurn(
  memory: Memory,
  kinds: readonly Kind[],
  raw: OwnerReading,
  moment: Moment,
): Turn | null {
  const { owner } = raw
  const before = memory.owners.get(owner)
  if (!memory.watches.has(owner) || (before && raw.tick <= before.tick)) return null
  const reading = withoutBrokenScales(memory, raw)
  const { view, complete, gone } = merge(before, reading, (id) => priceOf(memory, id))
  const why = incompleteness(reading.value)
  if (why === null) memory.trouble.delete(`owner/${owner}`)
  else memory.trouble.set(`owner/${owner}`, why)

  const outcomes: Outcome[] = []
  const feed = `owner/${owner}`
  if (complete && memory.feeds.has(feed)) {
    const fresh = { market: (id: string) => memory.markets.get(id)?.value, positions: () => heldBy(view) }
    outcomes.push(...seeAgain(memory, feed, fresh, moment.now))
  }
  // The view is put in place for the judgement and taken back if its commit fails: the next answer then says the
  // same again, what is gone included.
  memory.owners.set(owner, view)
  const evidences = gone.map((held): Gone => {
    const { marketId } = held.position
    const worst = worstPriceSince(memory, marketId, side(held.position), held.seenTick)
    return evidence(held, memory.markets.get(marketId)?.value, worst, reading.orders, memory.aliveAt)
  })
  const pairs = pairsOfOwner(memory, kinds, owner)
  outcomes.push(...judgeAll(memory, pairs, moment, evidences))
  outcomes.push(...endings(memory, kinds, owner, pairs, moment, unmentioned(outcomes, evidences)))
  const changed = holdingsText(before) !== holdingsText(view)
  return {
    outcomes,
    sighted: complete ? [feed] : [],
    revert: () => (before ? memory.owners.set(owner, before) : memory.owners.delete(owner)),
    remember: () =>
      changed || outcomes.some(({ transition }) => transition) ? memoryOf(memory, view) : null,
  }
}

export function judgeAll(memory: Memory, pairs: Pair[], moment: Moment, gone: Gone[] = []): Outcome[] {
  return pairs
    .map((pair) => judge(memory, pair, subjectOf(memory, pair, moment, gone), moment))
    .filter((outcome) => outcome !== null)
}

/** By chat: what is gone and no rule of that chat has told. */
function unmentioned(outcomes: Outcome[], gone: Gone[]): (chatId: number, key: string) => Gone | undefined {
  const told = new Set(outcomes.flatMap(({ chatId, mentions }) => mentions.map((key) => `${chatId} ${key}`)))
  return (chatId, key) => gone.find((one) => one.key === key && !told.has(`${chatId} ${key}`))
}

/** What rules still remember of positions and markets that this owner has left. */
function endings(
  memory: Memory,
  kinds: readonly Kind[],
  owner: Owner,
  live: Pair[],
  moment: Moment,
  untold: (chatId: number, key: string) => Gone | undefined,
): Outcome[] {
  const alive = new Set(live.map(({ key }) => key))
  const all: Outcome[] = []
  for (const personId of memory.watches.get(owner)?.keys() ?? []) {
    for (const rule of memory.rulesOf.get(personId) ?? []) {
      for (const key of memory.keysOf.get(rule.id) ?? []) {
        const pair = alive.has(key) ? null : pairOfKey(memory, kinds, key)
        if (pair?.owner !== owner) continue
        const ending = end(memory, pair, moment)
        const gone = untold(rule.chatId, pair.subject)
        const state = memory.states.get(key)?.state
        if (gone && state?.is === 'firing') {
          // Whoever was warned of it hears the end of it, also without a rule on closed positions.
          const wallet = walletLabel(memory, personId, owner)
          ending.said.push({
            item: named(tellGone(gone, { wallet, now: moment.now }), state.alertId),
            severity: GONE_SEVERITY[gone.cause],
            order: 0,
            alertIds: [state.alertId],
            quiet: false,
          })
        }
        all.push(ending)
      }
    }
  }
  return all
}

/** A position whose entry is a million times off its market is on a broken scale: unusable, not in danger. */
function withoutBrokenScales(memory: Memory, reading: OwnerReading): OwnerReading {
  const sound = reading.value.positions.filter(({ marketId, entryPrice }) => {
    const market = memory.markets.get(marketId)
    return !market || !onBrokenScale(entryPrice, market.value.price)
  })
  if (sound.length === reading.value.positions.length) return reading
  const unusable = reading.value.positions
    .filter((position) => !sound.includes(position))
    .map(({ marketId }) => ({
      what: `position in market ${marketId}`,
      why: 'a broken scale: its entry price is a million times off the market',
    }))
  return {
    ...reading,
    value: { ...reading.value, positions: sound, unusable: [...reading.value.unusable, ...unusable] },
  }
}

function heldBy(view: OwnerView | undefined) {
  return [...(view?.held.values() ?? [])].map(({ position }) => position)
}

function holdingsText(view: OwnerView | undefined): string {
  return [...(view?.held ?? [])]
    .map(([key, { position }]) => `${key}=${position.size}`)
    .sort()
    .join(' ')
}

function memoryOf(memory: Memory, view: OwnerView): OwnerMemory {
  const positions = heldBy(view)
  const prices: Record<string, number> = {}
  for (const { marketId } of positions) {
    const price = priceOf(memory, marketId)
    if (price !== null) prices[marketId] = price
  }
  return { owner: view.owner, at: view.at, positions, prices }
}

/** Rules that a newer, narrower one has taken the place of lose what they remember and watch of its subjects. */
export function overruled(memory: Memory, kinds: readonly Kind[], pairs: Pair[], moment: Moment): Outcome[] {
  const all: Outcome[] = []
  for (const { rule, subject } of pairs) {
    for (const other of memory.rulesOf.get(rule.personId) ?? []) {
      if (other.id === rule.id || other.kind !== rule.kind || other.chatId !== rule.chatId) continue
      const key = keyOf(other.id, subject)
      const pair = knowsKey(memory, key) ? pairOfKey(memory, kinds, key) : null
      if (pair && isOverruled(memory, pair)) all.push(end(memory, pair, moment))
    }
  }
  return all
}

/** A wallet as a whole is never taken over: each of its rules leaves out the markets of the narrower ones by itself. */
function isOverruled(memory: Memory, { rule, owner, marketId }: Pair): boolean {
  return marketId !== null && !covers(memory, rule, owner, marketId)
}
