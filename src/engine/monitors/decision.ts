import type { Severity } from '../../alert/alert.ts'
import type { MonitorId } from '../../alert/monitor.ts'
import type { NewTimelineEntry } from '../../alert/timeline.ts'
import type { Item } from '../../message/message.ts'
import type { Reason } from '../../message/reason.ts'
import type { Event } from '../../runtime/event.ts'
import type { Effect } from '../memory/effect.ts'
import type { Recipient } from './recipients.ts'

/**
 * The result of a judgement in one chat: notices, and the effects to commit with them. Deciding changes
 * nothing yet.
 */
export interface Decision {
  chatId: number
  effects: Effect[]
  notices: Notice[]
  /** Notices for other chats, committed with this decision. */
  elsewhere?: { chatId: number; notices: Notice }[]
  /** The trail; the message that carries the step is added when it has a number. */
  steps: Omit<NewTimelineEntry, 'rowId'>[]
  /** Keys of positions whose end it tells. */
  mentions: string[]
  /** For the event stream; null when no state changed. */
  transition: Omit<Extract<Event, { is: 'transition' }>, 'is'> | null
}

export interface Notice {
  item: Item
  reason: Reason
  severity: Severity
  /** Within one severity, the smaller comes first. */
  order: number
  alertIds: number[]
  /** The monitor or source that it is about. */
  about: string
  /** The position that it is about, where its monitor is about more than that: mutes go by it. */
  of?: MonitorId
  /** A tier that gets better, and a resolved alert, do not ring. */
  quiet: boolean
  /** It ends what this chat was warned of: the alert that fires there. */
  ends?: number | null
  /** So often it was said before, and nobody has answered; left out for what is not said again. */
  reminders?: number
  /** Where it is said as well; nowhere else where it is left out. */
  copiesTo?: readonly CopyTo[]
}

/** Another chat in which something is said. */
export interface CopyTo extends Recipient {
  /** It is where that goes when the chat itself fails. */
  takesOver: boolean
  /** The recipient as the alert's person knows them: `blue`, `@bob`. */
  name: string
}

/** It only moves bounds, which need not be kept with its chat. */
export function leavesNoTrace({
  effects,
  notices: said,
  elsewhere,
  steps,
  mentions,
  transition,
}: Decision): boolean {
  const isHeard = said.length + (elsewhere?.length ?? 0) + steps.length + mentions.length > 0
  return !isHeard && transition === null && effects.every(({ is }) => is === 'bounds' || is === 'judged')
}

export function silent(chatId: number, effects: Effect[]): Decision {
  return { chatId, effects, notices: [], steps: [], mentions: [], transition: null }
}
