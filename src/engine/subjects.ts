import type { Kind, OwnerSubject, Rule, Subject } from '../alert.ts'
import { toNumber } from '../amount.ts'
import type { Gone } from '../gone.ts'
import type { Owner } from '../owner.ts'
import type { Position } from '../position.ts'
import { onBrokenScale } from '../venue.ts'
import { keyOf, kindOf, splitKey, walletLabel } from './memory.ts'
import type { Memory } from './memory.ts'

/** A rule and one thing that it judges. */
export interface Pair {
  key: string
  rule: Rule
  kind: Kind
  subject: string
  /** Null for a market that nobody's wallet narrows down. */
  owner: Owner | null
  marketId: string | null
}

/** All that the rules of its watchers judge of an owner: its positions, the markets it is in, itself. */
export function pairsOfOwner(memory: Memory, kinds: readonly Kind[], owner: Owner): Pair[] {
  const rules = [...(memory.watches.get(owner)?.keys() ?? [])].flatMap((person) => [
    ...(memory.rulesOf.get(person) ?? []),
  ])
  return rules.flatMap((rule) => pairsOfRuleAndOwner(memory, kinds, rule, owner))
}

/** What the rules without a wallet judge of a market. */
export function pairsOfMarket(memory: Memory, kinds: readonly Kind[], marketId: string): Pair[] {
  const pairs: Pair[] = []
  for (const rule of memory.rules.values()) {
    const kind = kindOf(kinds, rule)
    if (kind?.on !== 'market' || rule.owner !== null || !covers(memory, rule, null, marketId)) continue
    pairs.push(marketPair(rule, kind, null, marketId))
  }
  return pairs
}

export function pairsOfRule(memory: Memory, kinds: readonly Kind[], rule: Rule): Pair[] {
  const kind = kindOf(kinds, rule)
  if (kind?.on === 'market' && rule.owner === null) {
    return [...memory.markets.keys()]
      .filter((marketId) => covers(memory, rule, null, marketId))
      .map((marketId) => marketPair(rule, kind, null, marketId))
  }
  return ownersOfRule(memory, rule).flatMap((owner) => pairsOfRuleAndOwner(memory, kinds, rule, owner))
}

/** The wallets that a rule speaks of. In a shared chat nothing of a person's is told but the wallet named for it. */
export function ownersOfRule(memory: Memory, { owner, personId, chatId }: Rule): Owner[] {
  if (owner !== null) return [owner]
  return memory.chats.get(chatId)?.private === false ? [] : ownersOf(memory, personId)
}

export function ownersOf(memory: Memory, personId: number): Owner[] {
  const owners: Owner[] = []
  for (const [owner, watchers] of memory.watches) if (watchers.has(personId)) owners.push(owner)
  return owners
}

function pairsOfRuleAndOwner(memory: Memory, kinds: readonly Kind[], rule: Rule, owner: Owner): Pair[] {
  const kind = kindOf(kinds, rule)
  if (!kind || (rule.owner !== null && rule.owner !== owner)) return []
  if (kind.on === 'owner') {
    const subject = `owner/${owner}`
    return [{ key: keyOf(rule.id, subject), rule, kind, subject, owner, marketId: null }]
  }
  const held = [...(memory.owners.get(owner)?.held ?? [])].map(([key, { position }]) => ({ key, position }))
  const mine = held.filter(({ position }) => covers(memory, rule, owner, position.marketId))
  if (kind.on === 'position') {
    return mine.map(({ key, position }) => ({
      key: keyOf(rule.id, key),
      rule,
      kind,
      subject: key,
      owner,
      marketId: position.marketId,
    }))
  }
  if (rule.owner === null) return []
  const marketIds = new Set(mine.map(({ position }) => position.marketId))
  return [...marketIds].map((marketId) => marketPair(rule, kind, owner, marketId))
}

function marketPair(rule: Rule, kind: Kind, owner: Owner | null, marketId: string): Pair {
  const subject = `market/${marketId}`
  return { key: keyOf(rule.id, subject), rule, kind, subject, owner, marketId }
}

/** The pair behind a key; null when its rule, kind or scope is gone. */
export function pairOfKey(memory: Memory, kinds: readonly Kind[], key: string): Pair | null {
  const { ruleId, subject } = splitKey(key)
  const rule = memory.rules.get(ruleId)
  const kind = rule && kindOf(kinds, rule)
  if (!rule || !kind) return null
  const [first = '', account = '', market = ''] = subject.split('/')
  if (kind.on === 'market') return { key, rule, kind, subject, owner: rule.owner, marketId: account }
  if (kind.on === 'owner') return { key, rule, kind, subject, owner: account as Owner, marketId: null }
  return { key, rule, kind, subject, owner: first as Owner, marketId: market }
}

/** The narrower a scope, the higher. */
function narrowness({ owner, market }: Rule): number {
  return (owner === null ? 0 : 1) + (market === null ? 0 : 2)
}

/** Whether the rule's scope holds this, and no narrower rule of the same kind in the same chat does. */
export function covers(memory: Memory, rule: Rule, owner: Owner | null, marketId: string): boolean {
  if (!inScope(memory, rule, owner, marketId)) return false
  for (const other of memory.rulesOf.get(rule.personId) ?? []) {
    const rival =
      other.kind === rule.kind && other.chatId === rule.chatId && narrowness(other) > narrowness(rule)
    if (rival && inScope(memory, other, owner, marketId)) return false
  }
  return true
}

function inScope(memory: Memory, rule: Rule, owner: Owner | null, marketId: string): boolean {
  if (rule.market !== null && rule.market.id !== marketId) return false
  if (rule.owner === null) return true
  return owner === null ? holds(memory, rule.owner, marketId) : rule.owner === owner
}

function holds(memory: Memory, owner: Owner, marketId: string): boolean {
  for (const { position } of memory.owners.get(owner)?.held.values() ?? []) {
    if (position.marketId === marketId) return true
  }
  return false
}

export interface Moment {
  now: number
  tick: number
  /** Older than this and a market's figures are no basis for a judgement. */
  marketStaleMs: number
}

/** By the monotonic clock, so that a wall clock that jumps makes nothing older or newer; in whole milliseconds. */
function wallAt({ now, tick }: Moment, then: number): number {
  return Math.round(now - (tick - then))
}

/** What the pair is about, if it can be seen now; null freezes it. */
export function subjectOf(memory: Memory, pair: Pair, moment: Moment, gone: Gone[] = []): Subject | null {
  const { rule, owner, marketId, kind } = pair
  const { now } = moment
  const awaySince = memory.unseen.has(pair.key) ? memory.aliveAt : null
  if (kind.on === 'owner') {
    return owner === null ? null : ownerSubject(memory, rule, owner, moment, { now, awaySince, gone })
  }
  const market = marketId === null ? undefined : memory.markets.get(marketId)
  if (!market || moment.tick - market.tick > moment.marketStaleMs || memory.feeds.has('markets')) return null
  const shared = {
    now,
    awaySince,
    market: market.value,
    price: toNumber(market.value.price),
    marketAt: wallAt(moment, market.tick),
  }
  if (kind.on === 'market') {
    const positions = ownersOfRule(memory, rule).flatMap((one) => {
      const wallet = walletLabel(memory, rule.personId, one)
      return heldIn(memory, one, market.value.id).map((position) => ({ position, wallet }))
    })
    return { is: 'market', ...shared, fundingRate: toNumber(market.value.fundingRatePerDay), positions }
  }
  const view = owner === null ? undefined : memory.owners.get(owner)
  const held = view?.held.get(pair.subject)
  const unseen = !held || held.seenTick === -Infinity || held.missingSince !== null
  if (!view || unseen || memory.feeds.has(`owner/${view.owner}`)) return null
  if (onBrokenScale(held.position.entryPrice, market.value.price)) return null
  const wallet = walletLabel(memory, rule.personId, view.owner)
  return {
    is: 'position',
    ...shared,
    position: held.position,
    positionAt: wallAt(moment, held.seenTick),
    wallet,
  }
}

function heldIn(memory: Memory, owner: Owner, marketId: string): Position[] {
  return [...(memory.owners.get(owner)?.held.values() ?? [])]
    .map(({ position }) => position)
    .filter((position) => position.marketId === marketId)
}

function ownerSubject(
  memory: Memory,
  rule: Rule,
  owner: Owner,
  moment: Moment,
  about: Pick<OwnerSubject, 'now' | 'awaySince' | 'gone'>,
): OwnerSubject | null {
  const view = memory.owners.get(owner)
  // Failed and incomplete reads are not folded: they neither count nor reset.
  if (!view || view.completeTick === null || view.completeTick !== view.tick) return null
  return {
    is: 'owner',
    ...about,
    gone: about.gone.filter(({ position }) => covers(memory, rule, owner, position.marketId)),
    owner,
    wallet: walletLabel(memory, rule.personId, owner),
    positionAt: wallAt(moment, view.tick),
    positions: [...view.held.values()]
      .map(({ position }) => position)
      .filter((position) => covers(memory, rule, owner, position.marketId)),
    market: (id) => memory.markets.get(id)?.value,
  }
}
