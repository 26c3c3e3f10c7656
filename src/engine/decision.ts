import type { Severity } from '../alert.ts'
import type { Event } from '../event.ts'
import type { Item } from '../message.ts'
import type { NewStep } from '../trail.ts'
import type { Effect } from './effect.ts'
import type { Reason } from '../reason.ts'

/** What a judgement leads to in one chat: words, and what is kept with them. Deciding changes nothing yet. */
export interface Decision {
  chatId: number
  effects: Effect[]
  said: Said[]
  /** What is kept with it, and said in other chats. */
  elsewhere?: { chatId: number; said: Said }[]
  /** The trail; the message that carries the step is added when it has a number. */
  steps: Omit<NewStep, 'rowId'>[]
  /** Keys of positions whose end it tells. */
  mentions: string[]
  /** For the event stream; null when no state changed. */
  transition: Omit<Extract<Event, { is: 'transition' }>, 'is'> | null
}

export interface Said {
  item: Item
  reason: Reason
  severity: Severity
  /** Within one severity, the smaller comes first. */
  order: number
  alertIds: number[]
  /** The guard or feed that it is about. */
  about: string
  /** A tier that gets better, and what is cleared, do not ring. */
  quiet: boolean
  /** It ends what this chat was warned of: the alert that fires there. */
  ends?: number | null
  /** A chat in which it is said as well; null, and where it is left out, nowhere else. */
  also?: number | null
}

export function silent(chatId: number, effects: Effect[]): Decision {
  return { chatId, effects, said: [], steps: [], mentions: [], transition: null }
}
