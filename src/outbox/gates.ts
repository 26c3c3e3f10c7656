import type { Address, ChatAdapter } from '../chat.ts'
import type { Chat } from '../person.ts'
import { createPace } from './pace.ts'
import type { Pace } from './pace.ts'

/** Which chats may be sent to now: one send at a time each, at the platform's pace, and not while it asked us to wait. */
export interface Gates {
  /** Sends that may start on each open platform. */
  room(tick: number, most: number): { platform: string; most: number }[]
  /** Chats of ours that must wait. */
  closed(tick: number): number[]
  isOpen(destination: Destination, tick: number): boolean
  enter(destination: Destination, tick: number): void
  leave(destination: Destination): void
  hold(destination: Destination, scope: 'chat' | 'platform', untilTick: number): void
  /** When the next closed gate opens; null when none is closed by time. */
  opensAt(tick: number, answers: readonly Destination[]): number | null
}

export interface Destination {
  key: string
  platform: string
  /** Our own number; null for somebody whom we do not know. */
  chatId: number | null
  group: boolean
}

export function createGates(
  adapters: ReadonlyMap<string, ChatAdapter>,
  chats: ReadonlyMap<number, Chat>,
): Gates {
  const paces = new Map<string, Pace>([...adapters].map(([name, { limits }]) => [name, createPace(limits)]))
  const platformHeld = new Map<string, number>()
  const chatHeld = new Map<string, number>()
  const busy = new Set<string>()

  const freeAt = ({ key, platform, group }: Destination, tick: number) =>
    Math.max(
      paces.get(platform)?.freeAt(key, group, tick) ?? tick,
      chatHeld.get(key) ?? tick,
      platformHeld.get(platform) ?? tick,
    )
  const isOpen = (destination: Destination, tick: number) =>
    !busy.has(destination.key) && freeAt(destination, tick) <= tick
  const ours = () => [...chats.values()].map(destinationOf)

  return {
    isOpen,
    room: (tick, most) =>
      [...paces].map(([platform, pace]) => ({
        platform,
        most: (platformHeld.get(platform) ?? tick) > tick ? 0 : Math.min(pace.room(tick), most),
      })),
    closed: (tick) =>
      ours()
        .filter((destination) => !isOpen(destination, tick))
        .map(({ chatId }) => chatId)
        .filter((id) => id !== null),
    enter(destination, tick) {
      busy.add(destination.key)
      paces.get(destination.platform)?.spend(destination.key, destination.group, tick)
    },
    leave: ({ key }) => void busy.delete(key),
    hold({ key, platform }, scope, untilTick) {
      if (scope === 'platform') platformHeld.set(platform, untilTick)
      else chatHeld.set(key, untilTick)
    },
    opensAt(tick, answers) {
      for (const [key, at] of chatHeld) if (at <= tick) chatHeld.delete(key)
      const times = [...ours(), ...answers].map((destination) => freeAt(destination, tick)).filter((at) => at > tick)
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
