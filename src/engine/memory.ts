import type { AlertState, Kind, Rule } from '../alert.ts'
import { findKind } from '../alert.ts'
import { toNumber } from '../amount.ts'
import type { Reading } from '../clock.ts'
import type { Market } from '../market.ts'
import type { Owner } from '../owner.ts'
import { shortOwner } from '../owner.ts'
import type { Chat, Code, Person, Watch } from '../person.ts'
import type { Side } from '../position.ts'
import type { Remembered, Write } from '../store.ts'
import { recalledView } from './owner-view.ts'
import type { OwnerView } from './owner-view.ts'
import { createWatchlist } from './watchlist.ts'
import type { Watchlist } from './watchlist.ts'

/** The working set: what the store remembers, and what is known beside it. Changed by the engine's turns alone. */
export interface Memory {
  persons: Map<number, Person>
  chats: Map<number, Chat>
  codes: Map<string, Code>
  /** By owner, then by person. */
  watches: Map<Owner, Map<number, Watch>>
  rules: Map<number, Rule>
  rulesOf: Map<number, Set<Rule>>
  states: Map<string, State>
  memos: Map<string, unknown>
  /** Every key that a rule has a state, a memo or an armed bound for. */
  keysOf: Map<number, Set<string>>
  owners: Map<Owner, OwnerView>
  markets: Map<string, Reading<Market>>
  /** Recent prices by market, oldest first: evidence of what happened between two readings of an owner. */
  samples: Map<string, Sample[]>
  /** Of the last good answer; null before the first. */
  marketsAt: { at: number; tick: number } | null
  /** When each feed was last seen whole, or first wanted. */
  sight: Map<string, { at: number; tick: number }>
  /** Why the last try at a feed failed. */
  trouble: Map<string, string>
  /** Feeds that are blind, and which chats were told. */
  feeds: Map<string, Blindness>
  watchlist: Watchlist
  /** Keys that an earlier run left behind and that this one has not looked at yet. */
  unseen: Set<string>
  /** Keys of each owner that fire at warning or worse. */
  danger: Map<Owner, Set<string>>
  /** When an earlier run was last alive; null when there was none. */
  aliveAt: number | null
  last: Remembered['last']
}

export interface State {
  state: AlertState
  /** As last judged. */
  value: number
}

export interface Blindness {
  since: number
  why: string
  chats: Set<number>
}

export interface Sample {
  tick: number
  price: number
}

/** How long prices are kept as evidence. Longer than any OWNER_POLL_MAX_MS that makes sense. */
const SAMPLES_MS = 10 * 60_000

export function createMemory(remembered: Remembered): Memory {
  const { persons, chats, codes, watches, rules, states, memos, owners, feeds, last, aliveAt } = remembered
  const memory: Memory = {
    persons: new Map(persons.map((person) => [person.id, person])),
    chats: new Map(chats.map((chat) => [chat.id, chat])),
    codes: new Map(codes.map((code) => [code.code, code])),
    watches: new Map(),
    rules: new Map(),
    rulesOf: new Map(),
    states: new Map(
      states.map(({ ruleId, subject, state, value }) => [keyOf(ruleId, subject), { state, value }]),
    ),
    memos: new Map(memos.map(({ ruleId, subject, memo }) => [keyOf(ruleId, subject), memo])),
    keysOf: new Map(),
    owners: new Map(owners.map((owner) => [owner.owner, recalledView(owner)])),
    markets: new Map(),
    samples: new Map(),
    marketsAt: null,
    sight: new Map(),
    trouble: new Map(),
    feeds: new Map(),
    watchlist: createWatchlist(),
    unseen: new Set(),
    danger: new Map(),
    aliveAt,
    last: { ...last },
  }
  for (const { feed, since, why, chatId } of feeds) {
    const known = memory.feeds.get(feed) ?? { since, why, chats: new Set<number>() }
    memory.feeds.set(feed, { ...known, chats: known.chats.add(chatId) })
  }
  for (const watch of watches) addWatch(memory, watch)
  for (const rule of rules) addRule(memory, rule)
  for (const { ruleId, subject } of [...states, ...memos]) {
    memory.unseen.add(keyOf(ruleId, subject))
    knowKey(memory, ruleId, keyOf(ruleId, subject))
  }
  return memory
}

/** A state or memo belongs to one rule and one subject. */
export function keyOf(ruleId: number, subject: string): string {
  return `${ruleId}|${subject}`
}

export function splitKey(key: string): { ruleId: number; subject: string } {
  const bar = key.indexOf('|')
  return { ruleId: Number(key.slice(0, bar)), subject: key.slice(bar + 1) }
}

export function knowKey(memory: Memory, ruleId: number, key: string): void {
  const keys = memory.keysOf.get(ruleId)
  if (keys) keys.add(key)
  else memory.keysOf.set(ruleId, new Set([key]))
}

export function knowsKey(memory: Memory, key: string): boolean {
  return memory.keysOf.get(splitKey(key).ruleId)?.has(key) ?? false
}

/** Nothing of the key remains: no state, no memo, no bound. */
/** What the store lets go of with a key. An alert that it fires is closed. */
export function endOfKey(memory: Memory, key: string, now: number): Write[] {
  const state = memory.states.get(key)?.state
  const { ruleId, subject } = splitKey(key)
  const writes: Write[] = []
  if (state) writes.push({ is: 'state-gone', ruleId, subject })
  if (state?.is === 'firing') writes.push({ is: 'alert-closed', alertId: state.alertId, at: now })
  if (memory.memos.has(key)) writes.push({ is: 'memo-gone', ruleId, subject })
  return writes
}

export function forgetKey(memory: Memory, key: string): void {
  memory.states.delete(key)
  memory.memos.delete(key)
  memory.unseen.delete(key)
  memory.watchlist.disarm(key)
  memory.keysOf.get(splitKey(key).ruleId)?.delete(key)
  for (const keys of memory.danger.values()) keys.delete(key)
}

export function addWatch(memory: Memory, watch: Watch): void {
  const watchers = memory.watches.get(watch.owner) ?? new Map<number, Watch>()
  watchers.set(watch.personId, watch)
  memory.watches.set(watch.owner, watchers)
}

export function addRule(memory: Memory, rule: Rule): void {
  const own = memory.rulesOf.get(rule.personId) ?? new Set<Rule>()
  const before = memory.rules.get(rule.id)
  if (before) own.delete(before)
  memory.rules.set(rule.id, rule)
  memory.rulesOf.set(rule.personId, own.add(rule))
}

export function dropRule(memory: Memory, rule: Rule): void {
  memory.rules.delete(rule.id)
  memory.rulesOf.get(rule.personId)?.delete(rule)
}

export function kindOf(kinds: readonly Kind[], rule: Rule): Kind | undefined {
  return findKind(kinds, rule.kind)
}

export function walletLabel(memory: Memory, personId: number, owner: Owner): string {
  return memory.watches.get(owner)?.get(personId)?.label ?? shortOwner(owner)
}

export function priceOf(memory: Memory, marketId: string): number | null {
  const market = memory.markets.get(marketId)
  return market ? toNumber(market.value.price) : null
}

export function addSample(memory: Memory, marketId: string, sample: Sample): void {
  const samples = memory.samples.get(marketId) ?? []
  samples.push(sample)
  const old = samples.findIndex(({ tick }) => tick >= sample.tick - SAMPLES_MS)
  if (old > 64) samples.splice(0, old)
  memory.samples.set(marketId, samples)
}

/** The chat itself while it works; else, for a private one, the person's other chat that does. */
export function standIn(memory: Memory, chatId: number): number {
  const chat = memory.chats.get(chatId)
  return !chat?.private || chat.brokenBecause === null ? chatId : (otherChat(memory, chat) ?? chatId)
}

/** Where the person of a private chat can be told as well: their fallback first. */
export function otherChat(memory: Memory, chat: Chat): number | null {
  const { defaultChat = null, fallbackChat = null } = memory.persons.get(chat.personId) ?? {}
  const own = [...memory.chats.values()].filter((one) => one.private && one.personId === chat.personId)
  const works = (id: number | null) =>
    id !== null && id !== chat.id && memory.chats.get(id)?.brokenBecause === null
  return [fallbackChat, defaultChat, ...own.map(({ id }) => id)].find(works) ?? null
}

export function nearDanger(memory: Memory, owner: Owner): boolean {
  return (memory.danger.get(owner)?.size ?? 0) > 0
}

/** The price nearest to liquidation since then: the lowest for a long, the highest for a short. */
export function worstPriceSince(
  memory: Memory,
  marketId: string,
  side: Side,
  sinceTick: number,
): number | null {
  let worst: number | null = null
  for (const { tick, price } of memory.samples.get(marketId) ?? []) {
    if (tick < sinceTick) continue
    if (worst === null || (side === 'long' ? price < worst : price > worst)) worst = price
  }
  return worst
}
