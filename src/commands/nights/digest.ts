import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Chat } from '../../people/chat.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { nextTime, parseTime, timeText } from '../../lib/time/daytime.ts'
import { item, type Message, message, say } from '../../message/message.ts'
import { digestKeeper } from '../../people/escalation.ts'
import { zoneHere } from '../shared/suppression-lines.ts'

/** A daily summary, off by default. */
export default command({
  name: 'digest',
  summary: 'Daily summary',
  examples: ['/digest 08:00', '/digest off', '/digest'],
  audience: 'bound',
  args: z.object({ time: argument.text('a time of day, such as 08:00, or off').optional() }),
  async run(context, { time }) {
    const { change, chat } = context
    if (!chat) return say('I have no private chat with you yet: write to me there first.')
    const minute = keeperOf(context, chat)?.digest?.minute ?? null
    if (time === undefined) {
      return minute === null
        ? message([item('plain', 'No digest comes here.')], { buttons: [morning] })
        : coming(context, chat, minute)
    }
    if (/^(?:off|none|no|never)$/i.test(time)) {
      await change({ is: 'digest', chatId: chat.id, minute: null })
      return say('No digest comes here any more')
    }
    const wanted = parseTime(time)
    if (wanted === null) return say('That is no time of day. Say it like this: /digest 08:00, or /digest off')
    const { refused } = await change({ is: 'digest', chatId: chat.id, minute: wanted })
    return refused === null ? coming(context, chat, wanted) : say(refused)
  },
})

const morning = { label: '08:00', line: '/digest 08:00', replace: true }

/** A person has one digest, whichever of their private chats keeps it. */
function keeperOf({ person, view }: Context, chat: Chat): Chat | undefined {
  return chat.private ? digestKeeper(view.chats(person.id)) : chat
}

function coming(context: Context, chat: Chat, minute: number): Message {
  const { reader, person, view } = context
  const zone = zoneHere(context)
  const preferred = view.chats(person.id).find(({ id }) => id === person.defaultChat) ?? chat
  const next = nextTime(minute, reader.now, zone)
  return message(
    [
      item('plain', `A digest comes every day at ${timeText(minute)}, in ${zone}`, [
        [
          'the next one ',
          { time: next, as: 'clock' },
          ...(chat.private ? [` on ${preferred.address.platform}`] : []),
        ],
        'Silent: positions, PnL, funding, what fired and what I could not see.',
        ...(chat.private ? ['Another time zone: /settings zone Europe/Berlin'] : []),
      ]),
    ],
    { buttons: [{ label: 'Digest off', line: '/digest off', replace: true }] },
  )
}
