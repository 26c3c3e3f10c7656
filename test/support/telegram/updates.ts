import type { Clock } from '../../../src/runtime/clock.ts'
import { Refusal } from './refusal.ts'
import type { Args } from './request.ts'

type Update = Record<string, unknown> & { update_id: number }
interface Waiting {
  offset: number
  limit: number
  answer: (updates: Update[]) => void
  refuse: (why: Refusal) => void
  callOff: () => void
}

/** What has happened and the bot has not confirmed, and the one poll that waits for more. */
export interface Updates {
  /** Kept for `lifeMs`, unless the bot does not want this type. */
  push(type: string, payload: unknown, lifeMs: number): void
  /** getUpdates. The signal says that the client has gone. */
  poll(args: Args, gone: AbortSignal): Promise<Update[]>
  allow(args: Args): void
  /** The waiting poll is refused: somebody polls elsewhere, or a webhook is set. */
  displace(by: 'getUpdates' | 'webhook'): void
  conflict(description: string): Promise<Refusal>
  /** Not confirmed yet, oldest first. */
  waiting(): readonly Update[]
  /** Whether a poll waits now. */
  polled(): boolean
  allowed(): readonly string[]
  clear(): void
}

const LONGEST_POLL_S = 50
const MOST_UPDATES = 100
const LONGEST_ANSWER_BYTES = 2 ** 22
/** https://core.telegram.org/bots/api#getupdates: all types but these, which must be asked for. */
const ON_REQUEST = ['chat_member', 'message_reaction', 'message_reaction_count']
const TYPES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  ...ON_REQUEST,
]

/** As Client::process_get_updates_query of https://github.com/tdlib/telegram-bot-api/blob/01a3679 does it. */
export function createUpdates(clock: Clock, firstId: number, touch: () => void): Updates {
  let kept: { update: Update; bytes: number; until: number }[] = []
  let nextId = firstId
  let types = TYPES.filter((type) => !ON_REQUEST.includes(type))
  let poll: Waiting | null = null
  let waking = false
  let previous = { offset: -1, mono: -Infinity }
  let conflictsAt = -Infinity

  const take = (offset: number, limit: number): Update[] => {
    if (offset < 0) kept = kept.slice(offset)
    kept = kept.filter(({ update, until }) => update.update_id >= asked(offset) && until > clock.now())
    let left = LONGEST_ANSWER_BYTES
    const found = kept.slice(0, limit).filter(({ bytes }) => (left -= bytes + 50) > 0)
    touch()
    return found.map(({ update }) => update)
  }
  /** An offset far in the future is taken for a mistake and confirms nothing. */
  const asked = (offset: number) => (offset > nextId + 10 ? 0 : offset)
  const wake = () => {
    waking = false
    if (!poll) return
    const found = take(poll.offset, poll.limit)
    if (found.length === 0) return
    poll.callOff()
    poll.answer(found)
    poll = null
  }
  const updates: Updates = {
    push(type, payload, lifeMs) {
      if (!types.includes(type)) return
      const update = { update_id: nextId++, [type]: payload }
      kept.push({ update, bytes: JSON.stringify(update).length, until: clock.now() + lifeMs })
      touch()
      // What happens together is told together.
      if (poll && !waking) setImmediate(wake)
      waking ||= poll !== null
    },
    allow(args) {
      const names = args.json('allowed_updates')
      if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) return
      const wanted = new Set(names.map((name) => name.toLowerCase()))
      types = TYPES.filter((type) => wanted.has(type))
      if (types.length === 0) types = TYPES.filter((type) => !ON_REQUEST.includes(type))
    },
    async poll(args, gone) {
      let limit = Math.min(Math.max(args.text('limit') === '' ? MOST_UPDATES : args.whole('limit'), 1), 100)
      let timeout = Math.min(Math.max(args.whole('timeout'), 0), LONGEST_POLL_S)
      let offset = args.whole('offset')
      updates.allow(args)
      // Somebody who asks the same again is slowed down.
      if (offset === previous.offset && clock.monotonic() < previous.mono + 3_000)
        timeout = Math.max(timeout, 3)
      if (offset === previous.offset && clock.monotonic() < previous.mono + 500) limit = 1
      previous = { offset, mono: clock.monotonic() }
      const found = take(offset, limit)
      if (found.length > 0 || timeout === 0 || gone.aborted) return found
      offset = Math.max(offset, 0)
      updates.displace('getUpdates')
      return await new Promise<Update[]>((answer, refuse) => {
        const end = () => {
          poll = null
          answer(take(offset, limit))
        }
        const mine = {
          offset,
          limit,
          answer,
          refuse,
          callOff: clock.wakeAt(clock.monotonic() + timeout * 1000, end),
        }
        poll = mine
        gone.addEventListener('abort', () => {
          mine.callOff()
          if (poll === mine) poll = null
          answer([])
        })
        touch()
      })
    },
    displace(by) {
      const displaced = poll
      if (!displaced) return
      displaced.callOff()
      poll = null
      const why =
        by === 'webhook'
          ? 'Conflict: terminated by setWebhook request'
          : 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'
      void updates.conflict(why).then(displaced.refuse)
    },
    /** The first conflict is told at once, those within the next 3 s are told 3 s late. */
    conflict(description) {
      const refusal = new Refusal(409, description)
      if (clock.monotonic() < conflictsAt) {
        return new Promise((resolve) => clock.wakeAt(clock.monotonic() + 3_000, () => resolve(refusal)))
      }
      conflictsAt = clock.monotonic() + 3_000
      return Promise.resolve(refusal)
    },
    waiting: () => kept.filter(({ until }) => until > clock.now()).map(({ update }) => update),
    polled: () => poll !== null,
    allowed: () => types,
    clear: () => void (kept = []),
  }
  return updates
}
