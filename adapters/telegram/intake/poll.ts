import type { Bot } from '../../../src/chat/bot.ts'
import { ageText } from '../../../src/lib/text/format.ts'
import { words } from '../../../src/message/message.ts'
import { type Clock, endsWithin, waited, within } from '../../../src/runtime/clock.ts'
import type { Emit } from '../../../src/runtime/event.ts'
import { type Api, type ApiAnswer, isObject, waitMs, whyOf } from '../send/api.ts'

/** The updates that the bot asks for. Telegram does not keep any others for it. */
const ALLOWED_UPDATES = ['message', 'channel_post', 'callback_query', 'my_chat_member']
/** getUpdates waits up to 50 s. Half of it notices a dead connection sooner. */
const POLL_S = 25
const MARGIN_MS = 10_000
/**
 * Telegram answers a client that repeats a request within 500 ms with one update at a time (Client.cpp of
 * tdlib/telegram-bot-api).
 */
const SAME_AGAIN_MS = 520
/** https://core.telegram.org/bots/api#getupdates: at most so many at once. */
const BATCH = 100
/** A single failure is a hiccup, a single conflict is what a quick restart looks like. */
const REPORTED_FROM_FAILURES = 2
/** Conflicts further apart are another story. */
const CONFLICT_OVER_MS = 60_000
const CONFIRM_LIMIT_MS = 2_000
/**
 * A poll confirms as soon as it has arrived. Telegram holds one that repeats an offset for 3 s (Client.cpp), so its answer is not
 * worth the wait.
 */
const ARRIVAL_MS = 700
const NO_POLL = { offset: 0, mono: -Infinity }
/** How soon to look again whether another process leads. */
const LOOK_AGAIN_MS = 200

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
  /** The reason why no updates arrive; null if they do. */
  reachable: (why: string | null) => void
  /** False while another process may take updates: to ask would take them from it, and confirm what it has not done. */
  mayAct: () => boolean
}): {
  run(signal: AbortSignal): Promise<void>
  confirm(): Promise<void>
  /** Whether the updates that come in now are fresh. Others may be as old as Telegram keeps them: a day. */
  isLive(): boolean
} {
  const { api, clock, random, emit, inbox, limits, tellOperator, reachable, mayAct } = world
  let failures = 0
  let failingSince = 0
  let conflicts = 0
  let lastConflict = -Infinity
  /** Until then Telegram kept nothing for us: wall time, since a process that was stopped counts no other. */
  let heardUntil = -Infinity
  let live = false
  /** The offset of the last poll, and when it began. */
  let last = NO_POLL

  const poll = (offset: number, timeout: number, limitMs: number, signal?: AbortSignal) =>
    api.call(
      'getUpdates',
      { offset, timeout, limit: BATCH, allowed_updates: ALLOWED_UPDATES },
      limitMs,
      signal,
    )

  async function failed(answer: ApiAnswer, signal: AbortSignal): Promise<void> {
    failures++
    last = NO_POLL
    if (failures === 1) {
      failingSince = clock.monotonic()
      emit({ is: 'trouble', where: 'telegram', why: `no updates, trying again: ${wordsOf(answer)}` })
    }
    // A single hiccup is no outage.
    if (failures >= REPORTED_FROM_FAILURES) reachable(wordsOf(answer))
    if (isStatus(answer, 409)) await conflict(whyOf(answer), signal)
    else if (isStatus(answer, 401) && failures === REPORTED_FROM_FAILURES) {
      tellOperator({ title: words('telegram.token'), lines: [words('telegram.token.mend')] }, 'telegram')
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
    if (conflicts !== REPORTED_FROM_FAILURES) return
    emit({ is: 'trouble', where: 'telegram', why: 'another instance uses the same token' })
    tellOperator({ title: words('telegram.shared-token'), lines: [words('telegram.shared-token.mend')] })
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
        if (!mayAct()) {
          await waited(clock, LOOK_AGAIN_MS, signal)
          continue
        }
        const offset = inbox.offset()
        const asked = clock.monotonic()
        last = { offset, mono: asked }
        // After a failure, whether Telegram is back shows at once and not when something happens.
        const pollS = failures === 0 ? limits.pollS : 0
        const answer = await poll(offset, pollS, pollS * 1_000 + limits.marginMs, signal)
        if (signal.aborted) return
        if (!mayAct()) continue
        const updates = updatesOf(answer)
        const readable = updates?.filter(isUpdate) as U[] | undefined
        if (!updates || !readable || (updates.length > 0 && readable.length === 0)) {
          await failed(answer, signal)
          continue
        }
        worked()
        inbox.confirmed(offset)
        live = clock.now() - heardUntil <= limits.pollS * 1_000 + limits.marginMs
        if (updates.length < BATCH) heardUntil = clock.now()
        inbox.take(readable)
        // An immediate poll would return the updates under way again. A server that does not wait would return nothing,
        // at once, again and again.
        const early = asked + SAME_AGAIN_MS - clock.monotonic()
        if (early > 0) await (updates.length > 0 ? inbox.rest(early) : waited(clock, early, signal))
      }
    },
    isLive: () => live,
    /** So that nothing is answered twice after a restart. */
    async confirm() {
      const offset = inbox.offset()
      if (!inbox.hasNews() || !mayAct()) return
      const limitMs = offset === last.offset ? ARRIVAL_MS - (clock.monotonic() - last.mono) : CONFIRM_LIMIT_MS
      if (limitMs <= 0) return
      const answer = await poll(offset, 0, limitMs)
      if (updatesOf(answer)) inbox.confirmed(offset)
    },
  }
}

/** The intake needs this field alone. Handlers check the others. */
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

/**
 * Tracks which updates are under way, and how far they may be confirmed. Telegram drops an update once a poll has a
 * later offset. So the offset stays at the oldest update whose command has not run, and after a crash it comes again.
 */
interface Inbox<U extends { update_id: number }> {
  /** For the next poll; 0 asks for everything and confirms nothing. */
  offset(): number
  /** A poll with this offset was answered: what lies before it is forgotten there. */
  confirmed(offset: number): void
  take(updates: readonly U[]): void
  /** Whether something is finished and not confirmed. */
  hasNews(): boolean
  /** An update has not begun and will not: it stays unconfirmed, and comes again after a restart. */
  leave(updateId: number): void
  /** Resolves when nothing is under way, or after `ms`. */
  rest(ms: number): Promise<void>
  idle(): Promise<void>
}

/**
 * Commands take seconds. One that never ends must not block the intake, because Telegram returns only the 100 oldest
 * updates.
 */
const PATIENCE_MS = 60_000

export function createInbox<U extends { update_id: number }>(world: {
  clock: Clock
  signal: AbortSignal
  handle: (update: U) => Promise<void>
  /** An update was given up, and why. */
  failed: (error: unknown, updateId: number) => void
}): Inbox<U> {
  const { clock, signal, handle, failed } = world
  const running = new Map<number, Promise<void>>()
  const finished = new Set<number>()
  const left = new Set<number>()
  const leaves = new Map<number, () => void>()
  const idle = async () => {
    while (running.size > 0) await Promise.all(running.values())
  }
  /** Once we are stopping, only the end of the work counts: the rest comes again after a restart. */
  async function patiently(update: U): Promise<void> {
    const over = Promise.withResolvers<void>()
    leaves.set(update.update_id, over.resolve)
    handle(update).then(over.resolve, over.reject)
    try {
      await within(clock, PATIENCE_MS, signal, () => over.promise)
    } catch (error) {
      if (!signal.aborted) throw error
      await over.promise
    }
  }
  return {
    // Ids may restart after a quiet week, so no offset beyond a long confirmed update is used.
    offset() {
      const unfinished = [...running.keys(), ...left]
      if (unfinished.length > 0) return Math.min(...unfinished)
      return finished.size > 0 ? Math.max(...finished) + 1 : 0
    },
    confirmed(offset) {
      for (const id of finished) if (id < offset) finished.delete(id)
    },
    take(updates) {
      for (const update of updates) {
        const { update_id: id } = update
        if (running.has(id) || finished.has(id)) continue
        running.set(
          id,
          patiently(update)
            // An update that breaks its handler must not come again and again.
            .catch((error: unknown) => failed(error, id))
            .finally(() => {
              running.delete(id)
              leaves.delete(id)
              if (!left.has(id)) finished.add(id)
            }),
        )
      }
    },
    leave(updateId) {
      left.add(updateId)
      leaves.get(updateId)?.()
    },
    hasNews: () => finished.size > 0,
    async rest(ms) {
      await endsWithin(clock, ms, idle())
    },
    idle,
  }
}
