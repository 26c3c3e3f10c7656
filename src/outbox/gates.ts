import type { Address, ChatAdapter } from '../chat.ts'
import type { Chat } from '../person.ts'
import { createPace } from './pace.ts'
import type { Pace } from './pace.ts'

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
  hold(destination: Destination, scope: 'chat' | 'platform', untilTick: number): void
  /** When the next gate opens that only time keeps closed; null when there is none. */
  opensAt(tick: number): number | null
}

export interface Destination {
  key: string
  platform: string
  /** Our own number; null for somebody whom we do not know. */
  chatId: number | null
  group: boolean
}

/** Sends in flight at once on one platform: one that hangs keeps no other waiting. */
const IN_FLIGHT = 64

export function createGates(
  adapters: ReadonlyMap<string, ChatAdapter>,
  chats: ReadonlyMap<number, Chat>,
): Gates {
  const paces = new Map<string, Pace>([...adapters].map(([name, { limits }]) => [name, createPace(limits)]))
  const platformHeld = new Map<string, number>()
  const chatHeld = new Map<string, number>()
  const busy = new Map<string, Destination>()
  // Who is meant by the keys of chats that must wait.
  const known = new Map<string, Destination>()

  const inFlight = (platform: string) => [...busy.values()].filter((one) => one.platform === platform).length
  const room = (platform: string, pace: Pace, tick: number) =>
    (platformHeld.get(platform) ?? tick) > tick
      ? 0
      : Math.min(pace.room(tick), IN_FLIGHT - inFlight(platform))
  const freeAt = ({ key, platform }: Destination, tick: number) =>
    Math.max(paces.get(platform)?.freeAt(key, tick) ?? tick, chatHeld.get(key) ?? tick)
  const numberOf = ({ chatId, key }: Destination) =>
    chatId ?? [...chats.values()].find(({ address }) => keyOf(address) === key)?.id ?? null
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
      busy.set(key, destination)
      known.set(key, destination)
      paces.get(platform)?.spend(key, group, tick)
    },
    leave: ({ key }) => void busy.delete(key),
    hold(destination, scope, untilTick) {
      const [held, key] =
        scope === 'platform' ? [platformHeld, destination.platform] : [chatHeld, destination.key]
      held.set(key, Math.max(held.get(key) ?? untilTick, untilTick))
      if (scope === 'chat') known.set(key, destination)
    },
    opensAt(tick) {
      const platforms = [...paces].map(([platform, pace]) =>
        Math.max(pace.roomAt(tick), platformHeld.get(platform) ?? tick),
      )
      const keys = tired(tick)
      const waiting = [...known.values()].filter(({ key }) => keys.has(key)).map((one) => freeAt(one, tick))
      const times = [...platforms, ...waiting].filter((at) => at > tick)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

export function destinationOf({ id, address, private: own }: Chat): Destination {
  return { key: keyOf(address), platform: address.platform, chatId: id, group: !own }
}

export function keyOf({ platform, chat, thread }: Address): string {
  return `${platform} ${chat} ${thread ?? ''}`
}
