import type { Context } from '../../command/context.ts'
import { nextWeekly } from '../../lib/time/calendar.ts'
import { parseTime, timeText } from '../../lib/time/daytime.ts'
import { parseSpan } from '../../lib/time/span-text.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import type { Chat } from '../../people/chat.ts'
import type { WeeklyDigest } from '../../people/digest.ts'
import { digestKeeper } from '../../people/escalation.ts'
import { zoneHere } from '../shared/suppression-lines.ts'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
/** The time of somebody who names a day alone. */
const USUAL_MINUTE = 8 * 60

type When = Pick<WeeklyDigest, 'weekday' | 'minute'>

/** Sets, shows or ends the weekly digest: `/digest weekly Mon 08:00`. */
export async function setWeekly(context: Context, chat: Chat, typed: string): Promise<Message> {
  const { change, view, person } = context
  if (typed === '') {
    const keeper = chat.private ? digestKeeper(view.chats(person.id), 'weekly') : chat
    return keeper?.weekly ? coming(context, chat, keeper.weekly) : which(words('weekly.ask'))
  }
  if (/^(?:off|none|no|never|aus)$/i.test(typed)) {
    await change({ is: 'weekly', chatId: chat.id, at: null })
    return say(words('weekly.off'))
  }
  const at = whenOf(typed)
  if (at === null) return which(words('weekly.unclear'))
  const { refused } = await change({ is: 'weekly', chatId: chat.id, at })
  return refused === null ? coming(context, chat, at) : say(refused)
}

/** Reads `Mon 08:00`, `montags 8`, `Sunday`, also the other way round. */
function whenOf(typed: string): When | null {
  const [first = '', second, ...more] = typed
    .split(/[\s,]+/)
    .filter((word) => !/^(?:at|on|um|am|every|jeden)$/i.test(word))
  if (more.length > 0) return null
  const [day, time] = weekdayOf(first) === null && second !== undefined ? [second, first] : [first, second]
  const weekday = weekdayOf(day)
  const minute = time === undefined ? USUAL_MINUTE : parseTime(time)
  return weekday === null || minute === null ? null : { weekday, minute }
}

function weekdayOf(word: string): number | null {
  const span = parseSpan(`since ${word.replace(/(?<=day|tag)s$/i, '')}`)
  return span?.is === 'weekday' ? span.weekday : null
}

function which(asks: Text): Message {
  const buttons = ['Mon 08:00', 'Fri 18:00', 'Sun 20:00'].map((label) => ({
    ...{ label, line: `/digest weekly ${label}` },
    replace: true,
  }))
  const question = { start: '/digest weekly', prompt: words('ask.word.time'), placeholder: 'Mon 8am' }
  return asking(asks, question, buttons)
}

const off: Button = { label: words('digest.button.off'), line: '/digest weekly off', replace: true }

function coming(context: Context, chat: Chat, { weekday, minute }: When): Message {
  const { reader, person, view } = context
  const zone = zoneHere(context)
  const preferred = view.chats(person.id).find(({ id }) => id === person.defaultChat) ?? chat
  const next = { time: nextWeekly({ weekday, minute }, reader.now, zone), as: 'clock' } as const
  const line = chat.private
    ? words('weekly.next.on', { next, platform: preferred.address.platform })
    : words('weekly.next', { next })
  const day = WEEKDAYS[weekday] ?? 'mon'
  const title = words('weekly.set', { day, time: timeText(minute), zone })
  return message([item('plain', title, [line])], { buttons: [off] })
}
