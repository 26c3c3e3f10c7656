import type { Clock } from '../../../src/runtime/clock.ts'
import { tooMany } from './refusal.ts'
import type { Chat } from './world.ts'

/** How much the stand-in takes; what is left out has no limit. */
export interface Rates {
  /** Per chat: a bucket of `burst` messages that fills again at `perSecond`. */
  chat?: { perSecond: number; burst: number }
  /** Per group or supergroup: so many in any 60 s. */
  group?: { perMinute: number }
  /** The bot in all: so many in any second. */
  bot?: { perSecond: number }
  /** Single methods, by name: so many in any `perMs`. */
  methods?: Record<string, { count: number; perMs: number }>
}

/** What is said of the real limits, which nobody publishes: reference/platforms.md, section 3. */
export const USUAL: Rates = {
  chat: { perSecond: 1, burst: 3 },
  group: { perMinute: 20 },
  bot: { perSecond: 30 },
}

/**
 * The server takes files above this size that have the same size one after the other, each for about half a second. With
 * more than five seconds of them it refuses: https://github.com/tdlib/telegram-bot-api, Client.cpp, on_cmd.
 */
const FREE_BYTES = 100_000
const LARGE = { burst: 10, perSecond: 2, waitS: 60 }

export interface Limits {
  /** Counts a message, or refuses it with 429: then nothing is counted. */
  message(chat: Chat): void
  /** Counts a call of a method, whatever it does. */
  call(method: string): void
  /** Counts an uploaded file, or refuses it with 429. */
  upload(bytes: number): void
}

/** Says how long to wait (0: go), and counts one that went. */
interface Gate {
  wait(): number
  pass(): void
}

export function createLimits(clock: Clock, rates: Rates): Limits {
  const gates = new Map<string, Gate>()
  const gate = (key: string, make: () => Gate) => {
    const found = gates.get(key) ?? make()
    gates.set(key, found)
    return found
  }
  const spend = (asked: Gate[]) => {
    const waitMs = Math.max(0, ...asked.map((one) => one.wait()))
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
    for (const one of asked) one.pass()
  }
  return {
    message(chat) {
      const { chat: perChat, group, bot } = rates
      const isGroup = chat.kind === 'group' || chat.kind === 'supergroup'
      const asked: Gate[] = []
      if (perChat) asked.push(gate(`chat ${chat.id}`, () => bucket(clock, perChat.burst, perChat.perSecond)))
      if (group && isGroup) asked.push(gate(`group ${chat.id}`, () => within(clock, group.perMinute, 60_000)))
      if (bot) asked.push(gate('bot', () => within(clock, bot.perSecond, 1_000)))
      spend(asked)
    },
    upload(bytes) {
      if (bytes <= FREE_BYTES) return
      const one = gate(`upload ${bytes}`, () => bucket(clock, LARGE.burst, LARGE.perSecond))
      if (one.wait() > 0) throw tooMany(LARGE.waitS)
      one.pass()
    },
    call(method) {
      const rate = rates.methods?.[method]
      if (rate) spend([gate(`method ${method}`, () => within(clock, rate.count, rate.perMs))])
    },
  }
}

function bucket(clock: Clock, burst: number, perSecond: number): Gate {
  const eachMs = 1000 / perSecond
  // When the bucket would be full again.
  let fullAt = -Infinity
  return {
    wait: () => Math.max(0, fullAt + eachMs - burst * eachMs - clock.monotonic()),
    pass: () => void (fullAt = Math.max(fullAt, clock.monotonic()) + eachMs),
  }
}

/** No more than `count` in any `perMs`, wherever one begins to count. */
function within(clock: Clock, count: number, perMs: number): Gate {
  let ticks: number[] = []
  return {
    wait() {
      ticks = ticks.filter((mono) => mono > clock.monotonic() - perMs)
      const first = ticks.at(-count)
      return first === undefined ? 0 : first + perMs - clock.monotonic()
    },
    pass: () => void ticks.push(clock.monotonic()),
  }
}
