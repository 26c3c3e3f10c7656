import type { Notifier } from '../chat/notifier.ts'
import { doubledMs } from '../lib/time/backoff.ts'
import type { Rate } from '../lib/time/token-bucket.ts'
import { type Address, addressKey } from '../message/address.ts'
import { type Chat, type Chats, UNPROVEN } from '../people/chat.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { DispatchRound } from '../store/store.ts'
import { isServed, type Left, type Pace, pacesOf } from './pace.ts'

/**
 * Decides which chats may be sent to now: one send at a time each, at the platform's pace, and not during a pause that
 * the platform asked for. Its cost depends on recently used chats alone.
 */
export interface SendGates {
  /** How many sends may start now, by platform and server; of these, how many may be edits or pictures. */
  room(mono: number): DispatchRound['take']
  /** Chats that were sent to lately, where a platform takes little: the others go first. */
  served(mono: number): number[]
  /** Known chats that must wait even if their platform has capacity. */
  closed(mono: number): number[]
  /** Chats in which no such send starts now: they are closed, or what they would take is kept for messages. */
  closedTo(aside: Aside, mono: number): number[]
  isOpen(destination: Destination, mono: number): boolean
  /** Returns the number of the send, for `leave`. */
  enter(destination: Destination, mono: number, isAnswer?: boolean): number
  /** An earlier run has sent something there, at a time that may lie before the start of the clock. */
  sentBefore(destination: Destination, mono: number): void
  leave(destination: Destination, flight: number): void
  /** Takes back an `enter` after which nothing was sent: it takes no part in the pace. */
  giveBack(destination: Destination, flight: number, mono: number): void
  /** An answer that is still under way in one of these chats keeps it closed no longer. */
  passAnswers(chatIds: readonly number[]): void
  /** An edit or a picture starts. It takes part in the pace, but keeps neither its chat nor its platform closed. */
  enterAside(aside: Aside, destination: Destination, mono: number): void
  leaveAside(aside: Aside, destination: Destination): void
  /** The platform takes no more of these for that long. All else goes on. */
  holdAside(aside: Aside, platform: string, ms: number, mono: number): void
  /**
   * Pauses the chat. With `platform`, pauses all its chats, except for a probe now and then that shows whether the
   * pause is over.
   */
  hold(destination: Destination, scope: 'chat' | 'platform', ms: number, mono: number): void
  /** A send under way has arrived. Returns true if that ends a pause of its whole platform. */
  taken(destination: Destination): boolean
  /**
   * When the first gate opens that only time kept closed at `mono`; null if there is none. Pass the time at which the
   * gates were found closed: a gate that has opened since then is not missed, even if the answer is in the past.
   */
  opensAt(mono: number): number | null
}

/** The sends beside the messages. They keep no message waiting, and neither of them the other. */
export type Aside = 'edit' | 'picture'

export interface Destination {
  address: Address
  /** Its `addressKey`. */
  key: string
  platform: string
  /** Our id of the chat; null if it is unknown. */
  chatId: number | null
  group: boolean
}

/**
 * Bounds of sends in flight per platform. Within them it is as many as the platform takes in a second, so that one that
 * hangs blocks no other and the store commits many outcomes at once. After a crash, no more than these may be repeated.
 */
const IN_FLIGHT = { least: 64, most: 512 }
/** Under way at once on one platform: those that hang must not take up our sockets. */
const ASIDE_IN_FLIGHT: Record<Aside, number> = { edit: 8, picture: 4 }
/**
 * Sends that an edit or a picture leaves to messages, of those that a chat or a platform would take at once. A place that
 * takes one in 20 s would let words wait for minutes after some pictures.
 */
const KEPT_FOR_MESSAGES: Record<Aside, Left> = { edit: 1, picture: 'half' }
/**
 * During a pause of a whole platform, the first probe comes after this time and later ones ever more rarely, until the
 * pause ends.
 */
const PROBE = { firstMs: 30_000, longestMs: Infinity }
/** A probe that hangs proves nothing. After the end of the pause, the next one follows after this time. */
const UNANSWERED_MS = 1_000

interface Hold {
  untilMono: number
  probeMono: number
  /** Number of the next probe, from 1. */
  probe: number
  /** Number of the last send before the pause. Outcomes of sends up to this one prove nothing about it. */
  flight: number
}

export function createSendGates(adapters: ReadonlyMap<string, Notifier>, chats: Chats): SendGates {
  const paces = [...adapters].flatMap(([platform, { limits }]) => pacesOf(platform, limits))
  const paceOf = ({ platform, address }: Destination) =>
    paces.find((one) => one.platform === platform && isServed(one, address))?.pace
  const most = new Map([...adapters].map(([name, { limits }]) => [name, inFlightAtMost(limits.platform)]))
  const platformHeld = new Map<string, Hold>()
  const chatHeld = new Map<string, number>()
  const busy = new Map<string, Destination & { flight: number; isAnswer: boolean }>()
  let flights = 0
  // The destinations of chats that must wait, by key.
  const known = new Map<string, Destination>()

  const flying = new Map<string, number>()
  const inFlight = (platform: string) => flying.get(platform) ?? 0
  const asideOf = () => ({ flying: new Map<string, number>(), heldUntil: new Map<string, number>() })
  const asides: Record<Aside, ReturnType<typeof asideOf>> = { edit: asideOf(), picture: asideOf() }
  const room = (platform: string, pace: Pace, mono: number) => {
    const held = platformHeld.get(platform)
    const free = Math.min(pace.room(mono), (most.get(platform) ?? 0) - inFlight(platform))
    if (!held) return free
    const isNext = held.untilMono <= mono && inFlight(platform) === 0
    return isNext || held.probeMono <= mono ? Math.min(free, 1) : 0
  }
  const roomAside = (aside: Aside, platform: string, pace: Pace, mono: number) => {
    const { flying: underWay, heldUntil } = asides[aside]
    if (platformHeld.has(platform) || (heldUntil.get(platform) ?? 0) > mono) return 0
    const free = ASIDE_IN_FLIGHT[aside] - (underWay.get(platform) ?? 0)
    return Math.max(Math.min(pace.room(mono, KEPT_FOR_MESSAGES[aside]), free), 0)
  }
  const freeAt = (destination: Destination, mono: number) =>
    Math.max(
      paceOf(destination)?.freeAt(destination.key, mono) ?? mono,
      chatHeld.get(destination.key) ?? mono,
    )
  const numberOf = ({ chatId, address }: Destination) => chatId ?? chats.at(address)?.id ?? null
  /** Keys of chats that only time keeps closed. */
  const tired = (mono: number) => {
    for (const [key, until] of chatHeld) if (until <= mono) chatHeld.delete(key)
    return new Set([...chatHeld.keys(), ...paces.flatMap(({ pace }) => pace.tired(mono))])
  }

  const release = (key: string) => {
    const one = busy.get(key)
    if (one && busy.delete(key)) flying.set(one.platform, inFlight(one.platform) - 1)
  }

  const numbersOf = (isMeant: (key: string) => boolean) =>
    [...known].flatMap(([key, one]) => (isMeant(key) ? (numberOf(one) ?? []) : []))

  return {
    room: (mono) =>
      paces.map(({ platform, pace, server }) => ({
        ...{ platform, most: room(platform, pace, mono), ...(server && { server }) },
        edits: roomAside('edit', platform, pace, mono),
        pictures: roomAside('picture', platform, pace, mono),
      })),
    served(mono) {
      const keys = new Set(paces.flatMap(({ pace }) => pace.served(mono)))
      return keys.size === 0 ? [] : numbersOf((key) => keys.has(key))
    },
    closed(mono) {
      const keys = tired(mono)
      const low = new Set(
        paces.flatMap(({ pace }) => [
          ...Object.values(KEPT_FOR_MESSAGES).flatMap((left) => pace.tired(mono, left)),
          ...pace.served(mono),
        ]),
      )
      for (const key of known.keys()) if (!keys.has(key) && !busy.has(key) && !low.has(key)) known.delete(key)
      return numbersOf((key) => keys.has(key) || busy.has(key))
    },
    closedTo(aside, mono) {
      const keys = tired(mono)
      for (const { pace } of paces)
        for (const key of pace.tired(mono, KEPT_FOR_MESSAGES[aside])) keys.add(key)
      return numbersOf((key) => keys.has(key) || busy.has(key))
    },
    isOpen(destination, mono) {
      const { key, platform } = destination
      const pace = paceOf(destination)
      return !busy.has(key) && freeAt(destination, mono) <= mono && (!pace || room(platform, pace, mono) > 0)
    },
    enter(destination, mono, isAnswer = false) {
      const { key, platform, group } = destination
      if (!busy.has(key)) flying.set(platform, inFlight(platform) + 1)
      busy.set(key, { ...destination, flight: ++flights, isAnswer })
      known.set(key, destination)
      const held = platformHeld.get(platform)
      // The last probe comes at the end of the pause. After it, one follows the other until one arrives.
      if (held && mono < held.untilMono) {
        held.probe += 1
        held.probeMono = probeMono(held, mono)
      } else if (held) held.probeMono = mono + UNANSWERED_MS
      paceOf(destination)?.spend(key, group, mono)
      return flights
    },
    sentBefore(destination, mono) {
      const { key, group } = destination
      known.set(key, destination)
      paceOf(destination)?.spend(key, group, mono)
    },
    leave({ key }, flight) {
      if (busy.get(key)?.flight === flight) release(key)
    },
    giveBack(destination, flight, mono) {
      if (busy.get(destination.key)?.flight === flight) release(destination.key)
      paceOf(destination)?.refund(destination.key, mono)
    },
    passAnswers(chatIds) {
      if (chatIds.length === 0) return
      for (const [key, one] of busy) if (one.isAnswer && chatIds.includes(numberOf(one) ?? 0)) release(key)
    },
    enterAside(aside, destination, mono) {
      const { key, platform, group } = destination
      const { flying: underWay } = asides[aside]
      underWay.set(platform, (underWay.get(platform) ?? 0) + 1)
      known.set(key, destination)
      paceOf(destination)?.spend(key, group, mono)
    },
    leaveAside(aside, { platform }) {
      const { flying: underWay } = asides[aside]
      underWay.set(platform, (underWay.get(platform) ?? 0) - 1)
    },
    holdAside(aside, platform, ms, mono) {
      const { heldUntil } = asides[aside]
      heldUntil.set(platform, Math.max(heldUntil.get(platform) ?? 0, mono + ms))
    },
    hold(destination, scope, ms, mono) {
      const { key, platform } = destination
      chatHeld.set(key, Math.max(chatHeld.get(key) ?? 0, mono + ms))
      known.set(key, destination)
      if (scope === 'chat') return
      const { untilMono: before = 0, probe = 1 } = platformHeld.get(platform) ?? {}
      const untilMono = Math.max(before, mono + ms)
      platformHeld.set(platform, {
        untilMono,
        probe,
        probeMono: probeMono({ untilMono, probe }, mono),
        flight: flights,
      })
    },
    taken({ key, platform }) {
      const held = platformHeld.get(platform)
      if (!held || (busy.get(key)?.flight ?? 0) <= held.flight) return false
      return platformHeld.delete(platform)
    },
    opensAt(mono) {
      const platforms = paces.map(({ platform, pace }) =>
        Math.max(pace.roomAt(mono), platformHeld.get(platform)?.probeMono ?? mono),
      )
      const keys = tired(mono)
      const waiting = [...known.values()].filter(({ key }) => keys.has(key)).map((one) => freeAt(one, mono))
      const times = [...platforms, ...waiting].filter((at) => at > mono)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

function probeMono({ untilMono, probe }: Pick<Hold, 'untilMono' | 'probe'>, mono: number): number {
  return Math.min(mono + doubledMs(probe, PROBE), untilMono)
}

function inFlightAtMost({ perSecond }: Rate): number {
  return Math.min(Math.max(perSecond, IN_FLIGHT.least), IN_FLIGHT.most)
}

/** The destination of an address, which may belong to no known chat. */
export function destinationOf(address: Address, chat: Chat | undefined): Destination {
  const { platform } = address
  return {
    address,
    key: addressKey(address),
    platform,
    chatId: chat?.id ?? null,
    group: chat?.private === false,
  }
}

/** The sends under way. Each closes the gate of its chat at its start and opens it at its end. */
export interface Flights {
  begin(to: Destination, work: () => Promise<void>, isAnswer?: boolean): void
  /** Begins one whose gate is closed already. */
  depart(to: Destination, flight: number, work: () => Promise<void>): void
  /** An edit or a picture takes another way: the gate of its chat stays open. */
  beginAside(aside: Aside, to: Destination, work: () => Promise<void>): void
  underWay(): readonly Promise<void>[]
}

export function createFlights(world: {
  gates: SendGates
  clock: Clock
  emit: Emit
  /** A send has ended. `last` is true if no other message is under way. */
  landed(last: boolean): void
}): Flights {
  const { gates, clock, emit, landed } = world
  const messages = new Set<Promise<void>>()
  const beside = new Set<Promise<void>>()
  const fly = (work: () => Promise<void>, among: Set<Promise<void>>, leave: () => void) => {
    const flight = work()
      .catch((error: unknown) => emit({ is: 'trouble', where: 'outbox', why: String(error), error }))
      .finally(() => {
        leave()
        among.delete(flight)
        landed(messages.size === 0)
      })
    among.add(flight)
  }
  return {
    underWay: () => [...messages, ...beside],
    begin(to, work, isAnswer) {
      const flight = gates.enter(to, clock.monotonic(), isAnswer)
      fly(work, messages, () => gates.leave(to, flight))
    },
    depart: (to, flight, work) => fly(work, messages, () => gates.leave(to, flight)),
    beginAside(aside, to, work) {
      gates.enterAside(aside, to, clock.monotonic())
      fly(work, beside, () => gates.leaveAside(aside, to))
    },
  }
}

/**
 * Decides when a broken chat is probed with one of its waiting rows: every hour, and at once when somebody writes
 * there.
 */
export interface Probes {
  /** Broken chats that may be sent one row now. */
  due(mono: number): number[]
  /** Somebody has written there: probe with the next row at once. */
  soon(chatId: number, mono: number): void
  /** A row is under way there. */
  begun(chatId: number, mono: number): void
  /** The row was inconclusive: probe again at this time. */
  again(chatId: number, atMono: number): void
  /** Time of the next probe that is not due yet; null if there is none. */
  nextAt(mono: number): number | null
}

const HOUR_MS = 60 * 60_000
/** First probe after a start. A chat that was broken then may have been repaired while Perch was off. */
const AFTER_START_MS = 60_000
/**
 * Shortest time between probes that commands trigger: repeated commands in a broken chat must not flood the platform.
 */
const ASKED_AGAIN_MS = 60_000

export function createProbes(chats: Chats, startedAt: number): Probes {
  const dueAt = new Map<number, number>()
  const lastAt = new Map<number, number>()
  let first = true

  /** Broken chats with their due times. Forgets the chats that work. */
  function times(mono: number): ReadonlyMap<number, number> {
    for (const id of dueAt.keys()) {
      if ((chats.get(id)?.brokenBecause ?? null) !== null) continue
      dueAt.delete(id)
      lastAt.delete(id)
    }
    for (const id of chats.broken())
      if (!dueAt.has(id)) dueAt.set(id, first ? startedAt + AFTER_START_MS : mono + HOUR_MS)
    first = false
    return dueAt
  }

  return {
    due: (mono) => [...times(mono)].flatMap(([id, at]) => (at <= mono ? [id] : [])),
    soon(chatId, mono) {
      if (!times(mono).has(chatId)) return
      // The place has only just been named.
      const last = chats.get(chatId)?.brokenBecause === UNPROVEN ? undefined : lastAt.get(chatId)
      dueAt.set(
        chatId,
        Math.min(dueAt.get(chatId) ?? mono, last === undefined ? mono : last + ASKED_AGAIN_MS),
      )
    },
    begun(chatId, mono) {
      if (!dueAt.has(chatId)) return
      lastAt.set(chatId, mono)
      dueAt.set(chatId, mono + HOUR_MS)
    },
    again(chatId, atMono) {
      if (dueAt.has(chatId)) dueAt.set(chatId, atMono)
    },
    nextAt(mono) {
      const later = [...dueAt.values()].filter((at) => at > mono)
      return later.length === 0 ? null : Math.min(...later)
    },
  }
}
