import type { Kind } from '../alert/alert.ts'
import type { Chat, Chats } from '../people/chat.ts'
import type { Failure, VenueLook, View } from '../command/context.ts'
import { placeKey } from '../message/address.ts'
import { GUEST, languageOfPerson } from '../people/person.ts'
import { questionKey } from '../people/question.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Standing } from '../runtime/standing.ts'
import type { Market } from '../venue/market.ts'
import { type SourceKey, marketsSource, sourceKey, sourceOf, walletSource } from '../venue/source.ts'
import { venueField, venueOf } from '../venue/venue-name.ts'
import { linkClaimant, linkMaker, validCode } from './changes/codes.ts'
import { delegationAsked } from './changes/delegations.ts'
import { chatAt, seatsTaken, sessionOf, sessionsOf, speakerOf } from './memory/people.ts'
import type { Memory } from './memory/memory.ts'
import { nearDanger } from './memory/monitors.ts'
import { priceSight, symbolOf } from './memory/markets.ts'
import { missing, type WalletView } from './memory/wallet-view.ts'
import { isListed } from './monitors/context.ts'
import { paramsNamed } from './monitors/monitors.ts'
import { escalationOf } from './notify/escalation.ts'
import { firingIn, helpingOf, lookAt, pendingIn, worstFirst } from './notify/firing.ts'
import { neededMarkets } from './observe/read-demand.ts'
import type { Input } from './queue.ts'

/** The working set as commands see it. */
export function createView(
  memory: Memory,
  kinds: readonly Kind[],
  clock: Clock,
  about: {
    venue: string
    venues?: readonly string[]
    hidesOrders?: readonly string[]
    version: string
    marketStaleMs: number
    /** How this process stands to the others of its cell; left out where there are none. */
    standing?: () => Standing | null
  },
  failure: () => Failure | null,
): View {
  const started = clock.monotonic()
  const { standing = () => null, ...names } = about
  const look = lookAt(memory, kinds)
  function oldestLookMs(venue?: string): number | null {
    const { views } = memory.wallets
    const { watches, onlyFollowed } = memory.rules
    const unread = watches.size - views.sizeAt(venue)
    const isEach = unread <= 0 || unread <= [...onlyFollowed].filter((one) => !views.at(one, venue)).length
    const oldest = (isEach ? views.oldestMono(venue, onlyFollowed) : null) ?? -Infinity
    return Number.isFinite(oldest) ? clock.monotonic() - oldest : null
  }
  /** The entries that a person's rules have a part in, in any chat. */
  function own<T extends { ruleIds: readonly number[] }>(
    personId: number,
    standingIn: (memory: Memory, kinds: readonly Kind[], chatId: number) => T[],
  ): T[] {
    const chats = new Set([...memory.rules.rulesOf.valuesOf(personId)].map(({ chatId }) => chatId))
    return [...chats]
      .flatMap((chatId) => standingIn(memory, kinds, chatId))
      .filter(({ ruleIds }) => ruleIds.some((id) => memory.rules.all.get(id)?.personId === personId))
  }
  return {
    person: (by) => speakerOf(memory, by, clock.now()) ?? null,
    session(by) {
      const session = sessionOf(memory, by)
      return session && session.until > clock.now() ? session : null
    },
    sessions: (personId) => sessionsOf(memory, personId).filter(({ until }) => until > clock.now()),
    opensPage: (code) => validCode(memory, code, clock.now())?.is === 'page',
    chatAt: (address) => chatAt(memory, address) ?? null,
    personAt(address) {
      const chat = chatAt(memory, address)
      return chat?.private ? (memory.people.persons.get(chat.personId) ?? null) : null
    },
    question: (by, chat) => memory.people.questions.get(questionKey({ by, chat })) ?? null,
    chatsIn: (place) => [...memory.people.chatsIn.of(placeKey(place)).values()],
    chat: (id) => memory.people.chats.get(id) ?? null,
    numbers: (personId) => memory.people.persons.get(personId)?.numbers ?? GUEST.numbers,
    pictures: (personId) => (memory.people.persons.get(personId) ?? GUEST).pictures,
    theme: (personId) => (memory.people.persons.get(personId) ?? GUEST).theme,
    detail: (personId) => (memory.people.persons.get(personId) ?? GUEST).detail,
    language: (personId) => languageOfPerson(memory.people.persons.get(personId) ?? GUEST),
    zone: (personId) => memory.people.persons.get(personId)?.zone ?? null,
    watches: (personId) => [...memory.rules.watchesOf.valuesOf(personId)],
    follows: (personId) => [...memory.rules.followsOf.valuesOf(personId)],
    named: (personId) => [
      ...memory.rules.watchesOf.valuesOf(personId),
      ...memory.rules.followsOf.valuesOf(personId),
    ],
    rules: (personId) => [...memory.rules.rulesOf.valuesOf(personId)].sort((a, b) => a.id - b.id),
    rulesIn: (chatId) => [...memory.rules.rulesIn.of(chatId).values()],
    markets: () => marketsOf(memory, about.marketStaleMs),
    listed: () => listedOf(memory, Infinity),
    market(id) {
      const reading = memory.markets.readings.get(id)
      return reading && isListed(memory, reading) ? reading : null
    },
    positionSeenAt: (wallet, key) => memory.wallets.views.get(wallet)?.held.get(key)?.seenAt ?? null,
    priceStandsMs(marketId) {
      const { readings, priceSince } = memory.markets
      return (readings.get(marketId)?.mono ?? 0) - (priceSince.get(marketId) ?? 0)
    },
    unreadable() {
      const listed = listedOf(memory, Infinity)
      const symbols = [...memory.markets.listedMarkets.dexes().values()].flatMap((dex) => [...dex.symbols])
      return symbols.flatMap(([id, symbol]) => (listed.has(id) ? [] : [symbol]))
    },
    symbol: (id) => symbolOf(memory, id),
    marketsAt: (venue) => priceSight(memory, venue).marketsAt,
    positions(wallet) {
      const view = memory.wallets.views.get(wallet)
      if (!view || view.mono === -Infinity) return null
      // A position that only an earlier run has read may have ended long ago.
      const read = [...(view.looks?.values() ?? [view])].filter((look) => look.mono > -Infinity)
      const value = read.flatMap(({ held }) => [...held.values()].map(({ position }) => position))
      return { value, at: view.at, mono: view.mono }
    },
    sight(wallet) {
      const view = memory.wallets.views.get(wallet)
      if (!view || view.mono === -Infinity) return null
      const whole = isWhole(view, memory.wallets.views.venues)
      return { mono: view.mono, whole, nearDanger: nearDanger(memory, wallet), unasked: view.unasked }
    },
    looks(wallet) {
      const { views } = memory.wallets
      return views.venues.flatMap((venue): VenueLook[] => {
        const view = views.at(wallet, venue)
        if (!view || view.mono === -Infinity) return []
        const there = {
          ...venueField(venue),
          ...(view.isUnknown && { isUnknown: true as const }),
        }
        return [{ ...there, at: view.at, mono: view.mono, whole: isWhole(view) }]
      })
    },
    oldestLookMs,
    accounts(wallet) {
      const view = memory.wallets.views.get(wallet)
      return [...(view?.looks?.values() ?? (view ? [view] : []))].flatMap(({ accounts, mono }) => {
        const last = [...accounts.values()].filter(({ seenMono }) => seenMono === mono)
        return last.map(({ account }) => account)
      })
    },
    monitor(id) {
      const monitor = paramsNamed(look, id)
      return monitor && { params: monitor.params, ruleIds: monitor.rules.map((rule) => rule.id) }
    },
    firing: (personId) => own(personId, firingIn).toSorted(worstFirst),
    firingIn: (chatId) => firingIn(memory, kinds, chatId).toSorted(worstFirst),
    pending: (personId) => own(personId, pendingIn),
    pendingIn: (chatId) => pendingIn(memory, kinds, chatId),
    mutes: (chatId) =>
      [...memory.silences.mutesIn.of(chatId).values()].filter(({ until }) => until > clock.now()),
    held: (chatId) => [...memory.silences.suppressedIn.of(chatId).values()].toSorted((a, b) => a.at - b.at),
    chats: (personId) => [...memory.people.chatsOf.of(personId).values()],
    escalation: (personId) => escalationOf(memory, personId),
    delegates: (personId) => [...memory.people.delegatesOf.of(personId).values()],
    helped: (personId) => [...memory.people.coveredBy.of(personId).values()],
    helping: (personId) => helpingOf(memory, kinds, personId).toSorted(worstFirst),
    delegationAsked: (code) => delegationAsked(memory, code, clock.now()),
    drill: (personId) => memory.people.drills.get(personId) ?? null,
    linkMaker: (code) => linkMaker(memory, code, clock.now()),
    linkClaimant: (personId, request) => linkClaimant(memory, personId, request, clock.now()),
    claimed: () => memory.people.operatorId !== null,
    blind(personId) {
      if (memory.sources.blind.size === 0) return { own: [], others: 0 }
      const own = concerning(memory, personId).flatMap((key) => {
        const blind = memory.sources.blind.get(key)
        return blind ? [{ source: sourceOf(key), since: blind.since, why: blind.why }] : []
      })
      return { own, others: memory.sources.blind.size - own.length }
    },
    failing(personId) {
      const isFailing = (key: SourceKey) => !memory.sources.blind.has(key)
      const own = concerning(memory, personId).flatMap((key) => {
        const trouble = isFailing(key) ? memory.sources.lastFailure.get(key) : undefined
        return trouble ? [{ source: sourceOf(key), seenAt: seenAt(memory, key), why: trouble.why }] : []
      })
      let all = 0
      for (const key of memory.sources.lastFailure.keys()) if (isFailing(key)) all++
      return { own, others: all - own.length }
    },
    failureOf: (source) => memory.sources.lastFailure.get(sourceKey(source))?.why ?? null,
    status() {
      const { watches, onlyFollowed } = memory.rules
      const watched = watches.size - onlyFollowed.size
      return {
        venues: [],
        hidesOrders: [],
        ...names,
        upMs: clock.monotonic() - started,
        wallets: watched,
        // Where very many are watched, finding it takes longer than all else here.
        get oldestWalletMs() {
          const ages = memory.wallets.views.venues.map((venue) => oldestLookMs(venue))
          return ages.some((ms) => ms === null) ? null : Math.max(...ages.map((ms) => ms ?? 0))
        },
        rules: memory.rules.all.size,
        brokenChats: memory.people.broken.size,
        // As late as it is asked for: it looks through all codes.
        get seats() {
          return seatsTaken(memory, clock.now())
        },
        failure: failure(),
        standing: standing(),
      }
    },
  }
}

function isWhole(view: WalletView, venues: readonly (string | undefined)[] = []): boolean {
  if (view.looks)
    return view.looks.size === venues.length && [...view.looks.values()].every((look) => isWhole(look))
  return view.completeMono === view.mono && view.failedParts.size === 0 && missing(view).length === 0
}

/** The chats, for the senders of messages. */
export function chatsOf(memory: Memory): Chats {
  return {
    get: (id) => memory.people.chats.get(id),
    at: (address) => chatAt(memory, address),
    broken: () => memory.people.broken,
  }
}

/** Who is told past the outbox: where the operator is, and everybody who watches something, each in their first chat. */
export function toldDirectly(memory: Memory): Record<'chats' | 'everybody', () => Chat[]> {
  return {
    chats: () => [...memory.people.chatsOf.of(memory.people.operatorId ?? -1).values()],
    everybody: () =>
      [...memory.rules.watchesOf.groups()].flatMap((id) => escalationOf(memory, id).first ?? []),
  }
}

/** The people for whom this input may have changed something; null for everybody. */
export function affectedBy({ rules, people }: Memory, input: Input): ReadonlySet<number> | null {
  if (input.is !== 'wallet' && input.is !== 'orders') return null
  const watchers = [...rules.watches.keysOf(input.reading.wallet)]
  return new Set([...watchers, ...watchers.flatMap((id) => [...people.delegatesOf.keysOf(id)])])
}

/** The markets, and what a person's wallets are seen by: everybody else's are many, and theirs. */
function concerning(memory: Memory, personId: number): SourceKey[] {
  const markets = new Set([...memory.markets.readings.keys(), ...neededMarkets(memory)])
  return [
    ...memory.wallets.views.venues.map(marketsSource),
    ...[...markets].map((marketId) => sourceKey({ is: 'market', marketId })),
    ...[...memory.rules.watchesOf.of(personId).keys()].flatMap((wallet) => [
      ...memory.wallets.views.venues.map((venue) => walletSource(wallet, venue)),
      ...memory.sources.accountSources.of(wallet).keys(),
    ]),
  ]
}

/** When a source was last read; a wish to read it is no reading. */
function seenAt(memory: Memory, source: string): number | null {
  const of = sourceOf(source)
  if (of.is === 'markets') return priceSight(memory, of.venue).marketsAt?.at ?? null
  if (of.is === 'market') return memory.markets.readings.get(of.marketId)?.at ?? null
  if (of.is === 'orders' && of.of === undefined)
    return memory.wallets.orders.get(of.wallet)?.listed.get(of.venue)?.at ?? null
  if (of.is === 'account' || of.is === 'margin' || of.is === 'orders')
    return memory.sources.lastSuccess.get(source)?.at ?? null
  const view = memory.wallets.views.at(of.wallet, of.venue)
  return view && view.mono > -Infinity ? view.at : null
}

/**
 * A market is listed while it is in the last answer about its dex. It is in view if that answer is not too
 * old to judge by.
 */
function listedOf(memory: Memory, staleMs: number): ReadonlyMap<string, Reading<Market>> {
  const { venues } = memory.wallets.views
  const lastMono = new Map(venues.map((one) => [one, priceSight(memory, one).marketsAt?.mono ?? -Infinity]))
  const isInView = (id: string, mono: number) =>
    (lastMono.get(venueOf(id, memory.run.venues)) ?? -Infinity) - mono <= staleMs
  return new Map(
    [...memory.markets.readings].filter(([id, one]) => isInView(id, one.mono) && isListed(memory, one)),
  )
}

function marketsOf(memory: Memory, staleMs: number): ReadonlyMap<string, Market> {
  return new Map([...listedOf(memory, staleMs)].map(([id, { value }]) => [id, value]))
}
