import type { Place, User } from './guilds.ts'
import type { Message } from './messages.ts'
import type { Modal } from './validate/modal.ts'
import type { Choice, Option } from './validate/options.ts'
import type { World } from './world.ts'

/** https://docs.discord.com/developers/interactions/receiving-and-responding */
export const ANSWER_WITHIN_MS = 3_000
export const TOKEN_LASTS_MS = 15 * 60_000
export const MOST_FOLLOW_UPS = 5

export const COMMAND = 2
export const TAP = 3
export const COMPLETION = 4
export const SUBMIT = 5

export interface Interaction {
  id: string
  token: string
  type: typeof COMMAND | typeof TAP | typeof COMPLETION | typeof SUBMIT
  /** What the person did: a line, or a button's label in brackets. */
  what: string
  user: User
  place: Place
  /** The message whose button was tapped, and how many former versions it had then. */
  message: Message | null
  versions: number
  /** The option that is being completed. */
  focused: Option | null
  /** Monotonic time at which it was handed to the gateway. */
  at: number
  /** Whether a session of the bot was there to get it. */
  delivered: boolean
  /** Monotonic time at which the callback request arrived; `at` until then is the ack latency. */
  ackedAt: number | null
  callback: number | null
  /** What `@original` stands for. */
  original: Message | null
  followUps: Message[]
  choices: Choice[] | null
  /** The dialog that the bot has opened, until the person submits it. */
  modal: Modal | null
  guildInstalled: boolean
  owners: Record<string, string>
}

/** What the person sees in place of an answer; null when all is well or may still become so. */
export function failure({ clock }: World, interaction: Interaction): string | null {
  const { ackedAt, at, delivered, type } = interaction
  if (ackedAt !== null || (delivered && clock.monotonic() - at <= ANSWER_WITHIN_MS)) return null
  if (type === COMPLETION) return 'Loading options failed'
  return type === TAP ? 'This interaction failed' : 'The application did not respond'
}

/** What the person sees as answer: a message, or the tapped message in its new form. */
export function answerTo({ original, followUps, message, callback, versions }: Interaction): Message | null {
  if (original && original !== message) return original.thinking ? null : original
  const [first] = followUps
  if (first) return first
  return callback !== null && message && message.former.length > versions ? message : null
}
