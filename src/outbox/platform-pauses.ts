import type { Chats } from '../people/chat.ts'
import { ageText } from '../lib/text/format.ts'
import type { Delivery } from '../message/delivery.ts'
import { age } from '../message/figure.ts'
import { inWords, type Text, words } from '../message/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Change } from '../store/change.ts'
import { askedMs, LONGEST_HOLD_MS } from './outcome.ts'
import type { Destination, SendGates } from './send-gates.ts'

/** Obeys platforms that ask for a pause, tells the operator about long ones, and asks again every few minutes. */
export interface PlatformPauses {
  /** Takes the outcome of a send. `ms` is the pause that follows for its scope; null if there is none. */
  ended(to: Destination, delivery: Delivery, ms: number | null): void
}

/** Pauses of a whole platform are reported from this length on. Shorter ones are routine. */
const REPORTED_FROM_MS = 30_000
/**
 * At most one notice per platform in this time about pauses of chats: these come in crowds, and the log lists them all.
 */
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

  function tellOperator(title: Text, line: Text, about: { over?: boolean; except?: string } = {}): void {
    const { over = false, except = null } = about
    change({ is: 'notice', title, lines: [line], over, except }).catch((error: unknown) =>
      emit({ is: 'trouble', where: 'outbox', why: `not kept: ${inWords(title)}`, error }),
    )
  }

  /** The platform's name with a capital letter. */
  const named = (platform: string) => platform.charAt(0).toUpperCase() + platform.slice(1)

  function reportPlatformPause(platform: string, asked: number): void {
    if (asked < REPORTED_FROM_MS || heldSince.has(platform)) return
    heldSince.set(platform, clock.monotonic())
    emit({ is: 'held', platform, why: `it asks us to wait ${ageText(asked)}` })
    tellOperator(
      words('operator.paused', { platform: named(platform), age: age(asked) }),
      words('operator.paused.again'),
      { except: platform },
    )
  }

  /** Only for pauses longer than the longest that we keep: we ask again sooner than the platform wants. */
  function reportChatPause({ platform, chatId }: Destination, asked: number): void {
    if (asked <= LONGEST_HOLD_MS) return
    const chat = chats.get(chatId ?? -1)
    const name = chat?.title ?? words('operator.private-chat')
    const title = words('operator.chat-paused', { platform: named(platform), name, age: age(asked) })
    const line = words('operator.chat-paused.again', { age: age(LONGEST_HOLD_MS) })
    emit({ is: 'trouble', where: 'outbox', why: `${inWords(title)}. ${inWords(line)}` })
    const due = clock.monotonic() - (lastNotice.get(platform) ?? -Infinity) >= NEXT_NOTICE_MS
    if (!chat || !due) return
    lastNotice.set(platform, clock.monotonic())
    tellOperator(title, line)
  }

  function reportPauseEnd(platform: string): void {
    const since = heldSince.get(platform)
    if (since === undefined) return
    heldSince.delete(platform)
    emit({ is: 'held', platform, why: null })
    tellOperator(
      words('operator.resumed', { platform: named(platform), age: age(clock.monotonic() - since) }),
      words('operator.resumed.late'),
      { over: true },
    )
  }

  return {
    ended(to, delivery, ms) {
      if (delivery.is !== 'delayed') {
        if (gates.taken(to)) reportPauseEnd(to.platform)
        return
      }
      if (ms === null || delivery.scope === 'message') return
      gates.hold(to, delivery.scope, Math.min(ms, LONGEST_HOLD_MS), clock.monotonic())
      const asked = askedMs(delivery.retryAfterMs) ?? 0
      if (delivery.scope === 'platform') reportPlatformPause(to.platform, asked)
      else reportChatPause(to, asked)
    },
  }
}
