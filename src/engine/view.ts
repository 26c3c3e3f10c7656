import { placeKey } from '../address.ts'
import type { Kind, Severity } from '../alert.ts'
import type { Clock } from '../clock.ts'
import type { Failure, Firing, View } from '../context.ts'
import { feedOf } from '../feed.ts'
import type { Market } from '../market.ts'
import { GUEST } from '../person.ts'
import { linkClaimant, linkMaker } from './changes/codes.ts'
import { guardNamed } from './guards.ts'
import type { Look } from './look.ts'
import { chatAt, nameOfSubject, personOf } from './memory.ts'
import type { Memory } from './memory.ts'

/** What commands see of the working set. */
export function createView(
  memory: Memory,
  kinds: readonly Kind[],
  clock: Clock,
  about: { venue: string; version: string; marketStaleMs: number },
  failure: () => Failure | null,
): View {
  const started = clock.tick()
  return {
    person: (by) => personOf(memory, by) ?? null,
    chatAt: (address) => chatAt(memory, address) ?? null,
    chatsIn: (place) => [...memory.chatsIn.of(placeKey(place)).values()],
    chat: (id) => memory.chats.get(id) ?? null,
    numbers: (personId) => memory.persons.get(personId)?.numbers ?? GUEST.numbers,
    zone: (personId) => memory.persons.get(personId)?.zone ?? null,
    watches: (personId) => [...memory.watchesOf.of(personId).values()],
    rules: (personId) => [...memory.rulesOf.of(personId).values()].sort((a, b) => a.id - b.id),
    rulesIn: (chatId) => [...memory.rulesIn.of(chatId).values()],
    markets: () => marketsOf(memory),
    marketsAt: () => memory.marketsAt,
    positions(owner) {
      const view = memory.owners.get(owner)
      if (!view || view.tick === -Infinity) return null
      return { value: [...view.held.values()].map(({ position }) => position), at: view.at, tick: view.tick }
    },
    guard(id) {
      const guard = guardNamed(lookAt(memory, kinds), id)
      return guard && { params: guard.params, ruleIds: guard.rules.map((rule) => rule.id) }
    },
    firing(personId) {
      const chats = new Set([...memory.rulesOf.of(personId).values()].map(({ chatId }) => chatId))
      return [...chats]
        .flatMap((chatId) => firingIn(memory, kinds, chatId))
        .filter(({ ruleIds }) => ruleIds.some((id) => memory.rules.get(id)?.personId === personId))
        .toSorted(worstFirst)
    },
    firingIn: (chatId) => firingIn(memory, kinds, chatId).toSorted(worstFirst),
    mutes: (chatId) => [...memory.mutesIn.of(chatId).values()].filter(({ until }) => until > clock.now()),
    held: (chatId) => memory.heldIn.of(chatId).size,
    chats: (personId) => [...memory.chatsOf.of(personId).values()],
    linkMaker: (code) => linkMaker(memory, code, clock.now()),
    linkClaimant: (personId, request) => linkClaimant(memory, personId, request, clock.now()),
    claimed: () => memory.operatorId !== null,
    blind: () => [...memory.blind].map(([feed, { since, why }]) => ({ feed: feedOf(feed), since, why })),
    failing: () =>
      [...memory.trouble]
        .filter(([feed]) => !memory.blind.has(feed))
        .map(([feed, why]) => ({ feed: feedOf(feed), seenAt: seenAt(memory, feed), why })),
    status() {
      const watched = memory.watches.size
      const [first] = memory.owners.values()
      const oldest = first && memory.owners.size >= watched ? first.tick : -Infinity
      return {
        ...about,
        upMs: clock.tick() - started,
        owners: watched,
        oldestOwnerMs: Number.isFinite(oldest) ? clock.tick() - oldest : null,
        rules: memory.rules.size,
        brokenChats: memory.broken.size,
        failure: failure(),
      }
    },
  }
}

function firingIn(memory: Memory, kinds: readonly Kind[], chatId: number): Firing[] {
  const all: Firing[] = []
  const look = lookAt(memory, kinds)
  for (const [key, id] of memory.guardsIn.of(chatId)) {
    const { state } = memory.states.get(key) ?? {}
    if (state?.is !== 'firing') continue
    const guard = guardNamed(look, id)
    if (!guard) continue
    const params = memory.states.get(key)?.params
    all.push({
      alertId: state.alertId,
      kind: id.kind,
      params,
      ruleIds: guard.rules.map((rule) => rule.id),
      subject: id.subject,
      about: nameOfSubject(memory, id.subject, guard.rules[0].personId),
      severity: guard.kind.is === 'level' ? guard.kind.severity(params, state.tier) : 'info',
      tier: state.tier,
      since: state.since,
      value: memory.values.get(key) ?? null,
      heed: state.heed,
    })
  }
  return all
}

/** No judgement is made here: only the names and parameters behind guards are looked up. */
function lookAt(memory: Memory, kinds: readonly Kind[]): Look {
  return { memory, kinds, views: new Map(), seen: new Set(), now: 0, tick: 0, marketStaleMs: 0 }
}

const LOUDNESS: Record<Severity, number> = { critical: 0, warning: 1, info: 2 }

/** As messages are ordered: by severity, then by the value, of which the smaller is the worse. */
function worstFirst(a: Firing, b: Firing): number {
  return LOUDNESS[a.severity] - LOUDNESS[b.severity] || (a.value ?? Infinity) - (b.value ?? Infinity) || 0
}

/** When a feed was last read; wanting it is not reading it. */
function seenAt(memory: Memory, feed: string): number | null {
  const of = feedOf(feed)
  if (of.is === 'markets') return memory.marketsAt?.at ?? null
  if (of.is === 'market') return memory.markets.get(of.marketId)?.at ?? null
  const view = memory.owners.get(of.owner)
  return view && view.tick > -Infinity ? view.at : null
}

/** Those of the last answer: a market that it lacked is not in view, however recently it was. */
function marketsOf(memory: Memory): ReadonlyMap<string, Market> {
  const lastTick = memory.marketsAt?.tick
  return new Map(
    [...memory.markets].filter(([, { tick }]) => tick === lastTick).map(([id, { value }]) => [id, value]),
  )
}
