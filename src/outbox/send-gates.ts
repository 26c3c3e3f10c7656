import type { Chat, ChatAdapter, Chats, Limits, Rate } from '../chat/chat.ts'
import { doubledMs } from '../lib/time/backoff.ts'
import { type Address, addressKey } from '../message/address.ts'

/**
 * Which chats may be sent to now: one send at a time each, at the platform's pace, and not while it asked us to wait.
 * Only chats that were sent to lately cost anything.
 */
export interface Gates {
  /** Sends that may start on each platform. */
  room(tick: number): { platform: string; most: number }[]
  /** Chats of ours that must wait, whatever their platform has room for. */
  closed(tick: number): number[]
  isOpen(destination: Destination, tick: number): boolean
  enter(destination: Destination, tick: number): void
  leave(destination: Destination): void
  /** The chat must wait; with `platform`, all others there as well, but for one now and then that shows whether it is over. */
  hold(destination: Destination, scope: 'chat' | 'platform', ms: number, tick: number): void
  /** A send that is under way was taken; true when that ends a hold of its whole platform. */
  taken(destination: Destination): boolean
  /** When the next gate opens that only time keeps closed; null when there is none. */
  opensAt(tick: number): number | null
}

export interface Destination {
  address: Address
  /** Its `addressKey`. */
  key: string
  platform: string
  /** Our own number; null for somebody whom we do not know. */
  chatId: number | null
  group: boolean
}

/**
 * Sends in flight at once on one platform: one that hangs keeps no other waiting. As many as it takes in a second, so that
 * the store works for many at a time where many are told; what may be repeated after a crash is no more than that.
 */
const IN_FLIGHT = { least: 64, most: 512 }
/** While a whole platform has us wait, one send shows so soon whether it still does, the next later: until the hold ends. */
const PROBE = { firstMs: 30_000, longestMs: Infinity }
/** One that hangs shows nothing of its platform: once the hold is over, the next goes so soon. */
const UNANSWERED_MS = 1_000

interface Hold {
  untilTick: number
  probeTick: number
  /** Which one is next, from 1. */
  probe: number
  /** Flights up to this one began before it: what becomes of them says nothing. */
  flight: number
}

export function createGates(adapters: ReadonlyMap<string, ChatAdapter>, chats: Chats): Gates {
  const paces = new Map<string, Pace>([...adapters].map(([name, { limits }]) => [name, createPace(limits)]))
  const most = new Map([...adapters].map(([name, { limits }]) => [name, inFlightAtMost(limits.platform)]))
  const platformHeld = new Map<string, Hold>()
  const chatHeld = new Map<string, number>()
  const busy = new Map<string, Destination & { flight: number }>()
  let flights = 0
  // Who is meant by the keys of chats that must wait.
  const known = new Map<string, Destination>()

  const flying = new Map<string, number>()
  const inFlight = (platform: string) => flying.get(platform) ?? 0
  const room = (platform: string, pace: Pace, tick: number) => {
    const held = platformHeld.get(platform)
    const free = Math.min(pace.room(tick), (most.get(platform) ?? 0) - inFlight(platform))
    if (!held) return free
    const isNext = held.untilTick <= tick && inFlight(platform) === 0
    return isNext || held.probeTick <= tick ? Math.min(free, 1) : 0
  }
  const freeAt = ({ key, platform }: Destination, tick: number) =>
    Math.max(paces.get(platform)?.freeAt(key, tick) ?? tick, chatHeld.get(key) ?? tick)
  const numberOf = ({ chatId, address }: Destination) => chatId ?? chats.at(address)?.id ?? null
  /** Keys that time alone keeps closed. */
  const tired = (tick: number) => {
    for (const [key, until] of chatHeld) if (until <= tick) chatHeld.delete(key)
    return new Set([...chatHeld.keys(), ...[...paces.values()].flatMap((pace) => pace.tired(tick))])
  }

  return {
    room: (tick) => [...paces].map(([platform, pace]) => ({ platform, most: room(platform, pace, tick) })),
    closed(tick) {
      const keys = tired(tick)
      for (const key of known.keys()) if (!keys.has(key) && !busy.has(key)) known.delete(key)
      return [...known.values()].map(numberOf).filter((id) => id !== null)
    },
    isOpen(destination, tick) {
      const { key, platform } = destination
      const pace = paces.get(platform)
      return !busy.has(key) && freeAt(destination, tick) <= tick && (!pace || room(platform, pace, tick) > 0)
    },
    enter(destination, tick) {
      const { key, platform, group } = destination
      if (!busy.has(key)) flying.set(platform, inFlight(platform) + 1)
      busy.set(key, { ...destination, flight: ++flights })
      known.set(key, destination)
      const held = platformHeld.get(platform)
      // The last probe comes when the hold is over; one after the other until it is taken.
      if (held && tick < held.untilTick) {
        held.probe += 1
        held.probeTick = probeTick(held, tick)
      } else if (held) held.probeTick = tick + UNANSWERED_MS
      paces.get(platform)?.spend(key, group, tick)
    },
    leave({ key, platform }) {
      if (busy.delete(key)) flying.set(platform, inFlight(platform) - 1)
    },
    hold(destination, scope, ms, tick) {
      const { key, platform } = destination
      chatHeld.set(key, Math.max(chatHeld.get(key) ?? 0, tick + ms))
      known.set(key, destination)
      if (scope === 'chat') return
      const { untilTick: before = 0, probe = 1 } = platformHeld.get(platform) ?? {}
      const untilTick = Math.max(before, tick + ms)
      platformHeld.set(platform, {
        untilTick,
        probe,
        probeTick: probeTick({ untilTick, probe }, tick),
        flight: flights,
      })
    },
    taken({ key, platform }) {
      const held = platformHeld.get(platform)
      if (!held || (busy.get(key)?.flight ?? 0) <= held.flight) return false
      return platformHeld.delete(platform)
    },
    opensAt(tick) {
      const platforms = [...paces].map(([platform, pace]) =>
        Math.max(pace.roomAt(tick), platformHeld.get(platform)?.probeTick ?? tick),
      )
      const keys = tired(tick)
      const waiting = [...known.values()].filter(({ key }) => keys.has(key)).map((one) => freeAt(one, tick))
      const times = [...platforms, ...waiting].filter((at) => at > tick)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

function probeTick({ untilTick, probe }: Pick<Hold, 'untilTick' | 'probe'>, tick: number): number {
  return Math.min(tick + doubledMs(probe, PROBE), untilTick)
}

function inFlightAtMost({ perSecond }: Rate): number {
  return Math.min(Math.max(perSecond, IN_FLIGHT.least), IN_FLIGHT.most)
}

/** Where a chat of ours is, or whoever is at an address that is none of ours. */
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

/** Token buckets that keep our sends below a platform's limits. Pure but for its own memory; time comes in. */
interface Pace {
  /** Sends that may start on the platform now. */
  room(tick: number): number
  /** When the platform takes another send; `tick` means now. */
  roomAt(tick: number): number
  /** When the chat may be sent to next, whatever else the platform is busy with; `tick` means now. */
  freeAt(chat: string, tick: number): number
  /** A send starts. */
  spend(chat: string, group: boolean, tick: number): void
  /** Chats that have to wait. */
  tired(tick: number): string[]
}

interface Bucket {
  rate: Rate
  tokens: number
  tick: number
}

export function createPace(limits: Limits): Pace {
  const platform = full(limits.platform, 0)
  // A chat whose buckets are full is as good as one never seen, so only the others are remembered.
  const chats = new Map<string, Bucket[]>()

  const freeAt = (chat: string, tick: number) =>
    (chats.get(chat) ?? []).reduce((latest, bucket) => Math.max(latest, nextAt(bucket, tick)), tick)

  return {
    room(tick) {
      refill(platform, tick)
      return Math.floor(platform.tokens)
    },
    roomAt: (tick) => nextAt(platform, tick),
    freeAt,
    spend(chat, group, tick) {
      const buckets = chats.get(chat) ?? [full(limits.chat, tick)]
      if (group && limits.group && buckets.length === 1) buckets.push(full(limits.group, tick))
      chats.set(chat, buckets)
      for (const bucket of [platform, ...buckets]) {
        refill(bucket, tick)
        bucket.tokens -= 1
      }
    },
    tired(tick) {
      const waiting: string[] = []
      for (const [chat, buckets] of chats) {
        if (freeAt(chat, tick) > tick) waiting.push(chat)
        else if (buckets.every(({ tokens, rate }) => tokens >= rate.burst)) chats.delete(chat)
      }
      return waiting
    },
  }
}

function full(rate: Rate, tick: number): Bucket {
  return { rate, tokens: rate.burst, tick }
}

function refill(bucket: Bucket, tick: number): void {
  const { burst, perSecond } = bucket.rate
  const elapsed = Math.max(tick - bucket.tick, 0)
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsed / 1_000) * perSecond)
  bucket.tick = Math.max(tick, bucket.tick)
}

function nextAt(bucket: Bucket, tick: number): number {
  refill(bucket, tick)
  const missing = 1 - bucket.tokens
  return missing <= 0 ? tick : tick + Math.ceil((missing / bucket.rate.perSecond) * 1_000)
}
