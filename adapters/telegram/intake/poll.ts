import type { Bot } from '../../../src/chat/bot.ts'
import { ageText } from '../../../src/lib/text/format.ts'
import { type Clock, waited } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import { type Api, type ApiAnswer, isObject, waitMs, whyOf } from '../send/api.ts'
import type { Inbox } from './inbox.ts'

/** The updates that the bot asks for. Telegram does not keep any others for it. */
const ALLOWED_UPDATES = ['message', 'channel_post', 'callback_query', 'my_chat_member']
/** The longest that getUpdates waits is 50 s; half of it notices sooner that nobody is there any more. */
const POLL_S = 25
const MARGIN_MS = 10_000
/** Somebody who asks the same again within 500 ms gets one update at a time: Client.cpp of tdlib/telegram-bot-api. */
const SAME_AGAIN_MS = 520
/** A single failure is a hiccup, a single conflict is what a quick restart looks like. */
const TOLD = 2
/** Conflicts further apart are another story. */
const CONFLICT_OVER_MS = 60_000
const CONFIRM_LIMIT_MS = 2_000

export interface Limits {
  pollS: number
  marginMs: number
}
export const LIMITS: Limits = { pollS: POLL_S, marginMs: MARGIN_MS }

/** Asks for updates until the signal aborts, even if handling an answer fails. */
export function createPoll<U extends { update_id: number }>(world: {
  api: Api
  clock: Clock
  random: () => number
  emit: Emit
  inbox: Inbox<U>
  limits: Limits
  tellOperator: Bot['tellOperator']
  /** Why we hear nothing, or null. */
  reachable: (why: string | null) => void
}): { run(signal: AbortSignal): Promise<void>; confirm(): Promise<void> } {
  const { api, clock, random, emit, inbox, limits, tellOperator, reachable } = world
  let failures = 0
  let failingSince = 0
  let conflicts = 0
  let lastConflict = -Infinity

  const poll = (offset: number, timeout: number, limitMs: number, signal?: AbortSignal) =>
    api.call('getUpdates', { offset, timeout, limit: 100, allowed_updates: ALLOWED_UPDATES }, limitMs, signal)

  async function failed(answer: ApiAnswer, signal: AbortSignal): Promise<void> {
    failures++
    if (failures === 1) {
      failingSince = clock.monotonic()
      emit({ is: 'trouble', where: 'telegram', why: `no updates, trying again: ${wordsOf(answer)}` })
    }
    // A single hiccup is no outage.
    if (failures >= TOLD) reachable(wordsOf(answer))
    if (isStatus(answer, 409)) await conflict(whyOf(answer), signal)
    else if (isStatus(answer, 401) && failures === TOLD) {
      tellOperator(
        'Telegram does not know my token any more. Get a new one from @BotFather and start me with it.',
        'telegram',
      )
    }
    await waited(clock, waitMs(answer, failures, random()), signal)
  }

  /** Another instance takes our updates, or a webhook does. */
  async function conflict(why: string, signal: AbortSignal): Promise<void> {
    if (clock.monotonic() - lastConflict > CONFLICT_OVER_MS) conflicts = 0
    lastConflict = clock.monotonic()
    conflicts++
    if (/webhook/i.test(why)) {
      await api.call('deleteWebhook', { drop_pending_updates: false }, limits.marginMs, signal)
    }
    if (conflicts !== TOLD) return
    emit({ is: 'trouble', where: 'telegram', why: 'another instance uses the same token' })
    tellOperator(
      'Another program takes messages with my Telegram token. I may miss what people say: stop it, or get a new token from @BotFather.',
    )
  }

  function worked(): void {
    if (failures > 0) {
      emit({
        is: 'remark',
        where: 'telegram',
        text: `updates again after ${ageText(clock.monotonic() - failingSince)}`,
      })
    }
    failures = 0
    reachable(null)
  }

  return {
    async run(signal) {
      while (!signal.aborted) {
        const offset = inbox.offset()
        const asked = clock.monotonic()
        // After a failure, whether Telegram is back shows at once and not when something happens.
        const pollS = failures === 0 ? limits.pollS : 0
        const answer = await poll(offset, pollS, pollS * 1_000 + limits.marginMs, signal)
        if (signal.aborted) return
        const updates = updatesOf(answer)
        const readable = updates?.filter(isUpdate) as U[] | undefined
        if (!updates || !readable || (updates.length > 0 && readable.length === 0)) {
          await failed(answer, signal)
          continue
        }
        worked()
        inbox.confirmed(offset)
        inbox.take(readable)
        // What is under way would be the answer again, at once; so would nothing, from a server that does not wait.
        const early = asked + SAME_AGAIN_MS - clock.monotonic()
        if (early > 0) await (updates.length > 0 ? inbox.rest(early) : waited(clock, early, signal))
      }
    },
    /** So that nothing is answered twice after a restart. */
    async confirm() {
      const offset = inbox.offset()
      if (!inbox.hasNews()) return
      const answer = await poll(offset, 0, CONFIRM_LIMIT_MS)
      if (updatesOf(answer)) inbox.confirmed(offset)
    },
  }
}

/** The one field that the intake needs; what else is in it is looked at where an update is handled. */
function isUpdate(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value['update_id'])
}

/** Shown by /readyz while we are not ready. */
function wordsOf(answer: ApiAnswer): string {
  if (answer.is === 'answered' && answer.body.ok) return 'Telegram answers with updates that I cannot read'
  if (isStatus(answer, 401)) return 'Telegram does not know the token: check TELEGRAM_BOT_TOKEN'
  return isStatus(answer, 409) ? `another program takes the updates: ${whyOf(answer)}` : whyOf(answer)
}

function updatesOf(answer: ApiAnswer): unknown[] | null {
  return answer.is === 'answered' && answer.body.ok && Array.isArray(answer.body.result)
    ? answer.body.result
    : null
}

function isStatus(answer: ApiAnswer, status: number): boolean {
  return answer.is === 'answered' && answer.status === status
}
