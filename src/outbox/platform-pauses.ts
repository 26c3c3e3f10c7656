import type { Chats } from '../people/chat.ts'
import { ageText } from '../lib/text/format.ts'
import type { Delivery } from '../message/delivery.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import { askedMs, LONGEST_HOLD_MS } from './outcome.ts'
import type { Destination, SendGates } from './send-gates.ts'

/** Obeys platforms that ask us to wait, though never for long without asking again, and tells of it. */
export interface PlatformPauses {
  /** How a send to there has ended; `ms` is how long nothing goes there, null when that is nobody's wish. */
  ended(to: Destination, delivery: Delivery, ms: number | null): void
}

/** From so long on a whole platform's hold is told: shorter ones are its everyday life. */
const TOLD_MS = 30_000
/** Chats that are told to wait for long come in crowds; the log has them all. */
const NEXT_NOTICE_MS = 10 * 60_000

export function createPlatformPauses(world: {
  clock: Clock
  emit: Emit
  gates: SendGates
  chats: Chats
  change: (change: Change) => Promise<unknown>
}): PlatformPauses {
  const { clock, emit, gates, chats, change } = world
  const heldSince = new Map<string, number>()
  const lastNotice = new Map<string, number>()

  function tellOperator(words: string, about: { over?: boolean; except?: string } = {}): void {
    const { over = false, except = null } = about
    change({ is: 'notice', words, over, except }).catch((error: unknown) =>
      emit({ is: 'trouble', where: 'outbox', why: `not kept: ${words}`, error }),
    )
  }

  /** As people write it. */
  const named = (platform: string) => platform.charAt(0).toUpperCase() + platform.slice(1)

  function tellOfPlatform(platform: string, asked: number): void {
    if (asked < TOLD_MS || heldSince.has(platform)) return
    heldSince.set(platform, clock.monotonic())
    emit({ is: 'held', platform, why: `it asks us to wait ${ageText(asked)}` })
    tellOperator(
      `${named(platform)} asks me to send nothing there for ${ageText(asked)}. I try again every few minutes; what waits is sent as soon as it may.`,
      { except: platform },
    )
  }

  /** We ask again sooner than a chat has asked for. */
  function tellOfChat({ platform, chatId }: Destination, asked: number): void {
    if (asked <= LONGEST_HOLD_MS) return
    const chat = chats.get(chatId ?? -1)
    const name = chat?.title ?? 'a private chat'
    const words = `${named(platform)} asks me to wait ${ageText(asked)} before I write to ${name} again. I try every ${ageText(LONGEST_HOLD_MS)}.`
    emit({ is: 'trouble', where: 'outbox', why: words })
    const due = clock.monotonic() - (lastNotice.get(platform) ?? -Infinity) >= NEXT_NOTICE_MS
    if (!chat || !due) return
    lastNotice.set(platform, clock.monotonic())
    tellOperator(words)
  }

  function tellOfEnd(platform: string): void {
    const since = heldSince.get(platform)
    if (since === undefined) return
    heldSince.delete(platform)
    emit({ is: 'held', platform, why: null })
    tellOperator(
      `${named(platform)} takes my messages again, after ${ageText(clock.monotonic() - since)}. What waited says how late it is.`,
      { over: true },
    )
  }

  return {
    ended(to, delivery, ms) {
      if (delivery.is !== 'delayed') {
        if (gates.taken(to)) tellOfEnd(to.platform)
        return
      }
      if (ms === null) return
      gates.hold(to, delivery.scope, Math.min(ms, LONGEST_HOLD_MS), clock.monotonic())
      const asked = askedMs(delivery.retryAfterMs) ?? 0
      if (delivery.scope === 'platform') tellOfPlatform(to.platform, asked)
      else tellOfChat(to, asked)
    },
  }
}
