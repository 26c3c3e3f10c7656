import type { Kind } from '../alert/alert.ts'
import type { Chat, Chats } from '../chat/chat.ts'
import type { Failure, View } from '../command/context.ts'
import { placeKey } from '../message/address.ts'
import { GUEST } from '../people/person.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Market } from '../venue/market.ts'
import { type FeedKey, feedKey, feedOf, MARKETS } from '../venue/source.ts'
import { linkClaimant, linkMaker } from './changes/codes.ts'
import { agreementAsked } from './changes/delegations.ts'
import { chatAt, type Memory, nearDanger, personOf, symbolOf } from './memory/memory.ts'
import { missing } from './memory/wallet-view.ts'
import { isListed } from './monitors/context.ts'
import { guardNamed } from './monitors/monitors.ts'
import { chainOf } from './notify/escalation.ts'
import { firingIn, helpingOf, lookAt, pendingIn, worstFirst } from './notify/firing.ts'
import { neededMarkets } from './observe/read-demand.ts'

/** What commands see of the working set. */
export function createView(
  memory: Memory,
  kinds: readonly Kind[],
  clock: Clock,
  about: { venue: string; version: string; marketStaleMs: number },
  failure: () => Failure | null,
): View {
  const started = clock.tick()
  /** What a person's rules have a part in, wherever it is told. */
  function own<T extends { ruleIds: readonly number[] }>(
    personId: number,
    standingIn: (memory: Memory, kinds: readonly Kind[], chatId: number) => T[],
  ): T[] {
    const chats = new Set([...memory.rulesOf.of(personId).values()].map(({ chatId }) => chatId))
    return [...chats]
      .flatMap((chatId) => standingIn(memory, kinds, chatId))
      .filter(({ ruleIds }) => ruleIds.some((id) => memory.rules.get(id)?.personId === personId))
  }
  return {
    person: (by) => personOf(memory, by) ?? null,
    chatAt: (address) => chatAt(memory, address) ?? null,
    personAt(address) {
      const chat = chatAt(memory, address)
      return chat?.private ? (memory.persons.get(chat.personId) ?? null) : null
    },
    chatsIn: (place) => [...memory.chatsIn.of(placeKey(place)).values()],
    chat: (id) => memory.chats.get(id) ?? null,
    numbers: (personId) => memory.persons.get(personId)?.numbers ?? GUEST.numbers,
    zone: (personId) => memory.persons.get(personId)?.zone ?? null,
    watches: (personId) => [...memory.watchesOf.of(personId).values()],
    rules: (personId) => [...memory.rulesOf.of(personId).values()].sort((a, b) => a.id - b.id),
    rulesIn: (chatId) => [...memory.rulesIn.of(chatId).values()],
    markets: () => marketsOf(memory, about.marketStaleMs),
    listed: () => listedOf(memory, Infinity),
    unreadable() {
      const listed = listedOf(memory, Infinity)
      const symbols = [...memory.roster.books().values()].flatMap((book) => [...book.symbols])
      return symbols.flatMap(([id, symbol]) => (listed.has(id) ? [] : [symbol]))
    },
    symbol: (id) => symbolOf(memory, id),
    marketsAt: () => memory.marketsAt,
    positions(owner) {
      const view = memory.owners.get(owner)
      if (!view || view.tick === -Infinity) return null
      return { value: [...view.held.values()].map(({ position }) => position), at: view.at, tick: view.tick }
    },
    sight(owner) {
      const view = memory.owners.get(owner)
      if (!view || view.tick === -Infinity) return null
      const whole = view.completeTick === view.tick && view.unread.size === 0 && missing(view).length === 0
      return { tick: view.tick, whole, nearDanger: nearDanger(memory, owner) }
    },
    accounts(owner) {
      const view = memory.owners.get(owner)
      const last = [...(view?.accounts.values() ?? [])].filter(({ seenTick }) => seenTick === view?.tick)
      return last.map(({ account }) => account)
    },
    guard(id) {
      const guard = guardNamed(lookAt(memory, kinds), id)
      return guard && { params: guard.params, ruleIds: guard.rules.map((rule) => rule.id) }
    },
    firing: (personId) => own(personId, firingIn).toSorted(worstFirst),
    firingIn: (chatId) => firingIn(memory, kinds, chatId).toSorted(worstFirst),
    pending: (personId) => own(personId, pendingIn),
    pendingIn: (chatId) => pendingIn(memory, kinds, chatId),
    mutes: (chatId) => [...memory.mutesIn.of(chatId).values()].filter(({ until }) => until > clock.now()),
    held: (chatId) => [...memory.heldIn.of(chatId).values()].toSorted((a, b) => a.at - b.at),
    chats: (personId) => [...memory.chatsOf.of(personId).values()],
    chain: (personId) => chainOf(memory, personId),
    helpers: (personId) => [...memory.helpersOf.of(personId).values()],
    helped: (personId) => [...memory.helpedBy.of(personId).values()],
    helping: (personId) => helpingOf(memory, kinds, personId).toSorted(worstFirst),
    agreementAsked: (code) => agreementAsked(memory, code, clock.now()),
    drill: (personId) => memory.drills.get(personId) ?? null,
    linkMaker: (code) => linkMaker(memory, code, clock.now()),
    linkClaimant: (personId, request) => linkClaimant(memory, personId, request, clock.now()),
    claimed: () => memory.operatorId !== null,
    blind(personId) {
      const own = concerning(memory, personId).flatMap((key) => {
        const blind = memory.blind.get(key)
        return blind ? [{ feed: feedOf(key), since: blind.since, why: blind.why }] : []
      })
      return { own, others: memory.blind.size - own.length }
    },
    failing(personId) {
      const isFailing = (key: FeedKey) => !memory.blind.has(key)
      const own = concerning(memory, personId).flatMap((key) => {
        const trouble = isFailing(key) ? memory.trouble.get(key) : undefined
        return trouble ? [{ feed: feedOf(key), seenAt: seenAt(memory, key), why: trouble.why }] : []
      })
      let all = 0
      for (const key of memory.trouble.keys()) if (isFailing(key)) all++
      return { own, others: all - own.length }
    },
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

/** The chats, for whoever sends to them. */
export function chatsOf(memory: Memory): Chats {
  return {
    get: (id) => memory.chats.get(id),
    at: (address) => chatAt(memory, address),
    broken: () => memory.broken,
  }
}

/** Who is told past the outbox: where the operator is, and everybody who watches something, each in their first chat. */
export function toldDirectly(memory: Memory): Record<'chats' | 'everybody', () => Chat[]> {
  return {
    chats: () => [...memory.chatsOf.of(memory.operatorId ?? -1).values()],
    everybody: () => [...memory.watchesOf.groups()].flatMap((id) => chainOf(memory, id).first ?? []),
  }
}

/** The markets, and what a person's wallets are seen by: everybody else's are many, and theirs. */
function concerning(memory: Memory, personId: number): FeedKey[] {
  const markets = new Set([...memory.markets.keys(), ...neededMarkets(memory)])
  return [
    MARKETS,
    ...[...markets].map((marketId) => feedKey({ is: 'market', marketId })),
    ...[...memory.watchesOf.of(personId).keys()].flatMap((owner) => [
      feedKey({ is: 'owner', owner }),
      ...memory.accountFeeds.of(owner).keys(),
    ]),
  ]
}

/** When a feed was last read; wanting it is not reading it. */
function seenAt(memory: Memory, feed: string): number | null {
  const of = feedOf(feed)
  if (of.is === 'markets') return memory.marketsAt?.at ?? null
  if (of.is === 'market') return memory.markets.get(of.marketId)?.at ?? null
  if (of.is === 'orders') return memory.orders.get(of.owner)?.listed?.at ?? null
  if (of.is === 'account' || of.is === 'margin') return memory.sight.get(feed)?.at ?? null
  const view = memory.owners.get(of.owner)
  return view && view.tick > -Infinity ? view.at : null
}

/** A market is listed while it is in the last answer about its book; in view, if that is not too old to be judged by. */
function listedOf(memory: Memory, staleMs: number): ReadonlyMap<string, Reading<Market>> {
  const lastTick = memory.marketsAt?.tick ?? -Infinity
  return new Map(
    [...memory.markets].filter(([, one]) => lastTick - one.tick <= staleMs && isListed(memory, one)),
  )
}

function marketsOf(memory: Memory, staleMs: number): ReadonlyMap<string, Market> {
  return new Map([...listedOf(memory, staleMs)].map(([id, { value }]) => [id, value]))
}
