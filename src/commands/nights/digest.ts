import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Chat } from '../../people/chat.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { nextTime, parseTime, timeText } from '../../lib/time/daytime.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import { digestKeeper } from '../../people/escalation.ts'
import { setWeekly } from './weekly.ts'
import { zoneHere } from '../shared/suppression-lines.ts'

/** The weekly one is asked for by this word. */
const WEEKLY = /^(?:weekly|week|wöchentlich|woche)\b(.*)$/i

/** A daily summary, off by default. */
export default command({
  name: 'digest',
  summary: words('menu.digest'),
  examples: ['/digest 08:00', '/digest weekly Mon 08:00', '/digest off', '/digest'],
  audience: 'bound',
  args: z.object({ time: argument.text(words('digest.time.asks')).optional() }),
  async run(context, { time }) {
    const { change, chat } = context
    if (!chat) return say(words('people.no-chat'))
    const weekly = WEEKLY.exec(time ?? '')
    if (weekly) return setWeekly(context, chat, weekly[1]?.trim() ?? '')
    const minute = keeperOf(context, chat)?.digest?.minute ?? null
    if (time === undefined) {
      return minute === null ? which(words('digest.ask')) : coming(context, chat, minute)
    }
    if (/^(?:off|none|no|never)$/i.test(time)) {
      await change({ is: 'digest', chatId: chat.id, minute: null })
      return say(words('digest.off'))
    }
    const wanted = parseTime(time)
    if (wanted === null) return which(words('digest.unclear'))
    const { refused } = await change({ is: 'digest', chatId: chat.id, minute: wanted })
    return refused === null ? coming(context, chat, wanted) : say(refused)
  },
})

/** Asks for a time, with the usual ones to tap. */
function which(asks: Text): Message {
  const buttons = ['07:00', '08:00', '20:00'].map((label) => ({
    ...{ label, line: `/digest ${label}` },
    replace: true,
  }))
  return asking(asks, { start: '/digest', prompt: words('ask.word.time'), placeholder: '9am' }, buttons)
}

/** A person has one digest, whichever of their private chats keeps it. */
function keeperOf({ person, view }: Context, chat: Chat): Chat | undefined {
  return chat.private ? digestKeeper(view.chats(person.id)) : chat
}

const weekly: Button = { label: words('weekly.button'), line: '/digest weekly', replace: false }
const off: Button = { label: words('digest.button.off'), line: '/digest off', replace: true }
const zoneButton: Button = { label: words('quiet.button.zone'), line: '/settings zone', replace: false }

function coming(context: Context, chat: Chat, minute: number): Message {
  const { reader, person, view } = context
  const zone = zoneHere(context)
  const preferred = view.chats(person.id).find(({ id }) => id === person.defaultChat) ?? chat
  const next = { time: nextTime(minute, reader.now, zone), as: 'clock' } as const
  const line = chat.private
    ? words('digest.next.on', { next, platform: preferred.address.platform })
    : words('digest.next', { next })
  return message([item('plain', words('digest.set', { time: timeText(minute), zone }), [line])], {
    buttons: [off, weekly, ...(chat.private ? [zoneButton] : [])],
  })
}
