import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { parseHours } from '../lib/daytime.ts'
import { item, message, say } from '../message.ts'
import { heldNote, hoursText, restful, restLines } from './words/rest.ts'

/** Hours of every day in which only what is critical rings. */
export default command({
  name: 'quiet',
  summary: 'sets hours in which only what is critical rings',
  examples: ['/quiet 23:00-07:00', '/quiet off', '/quiet'],
  audience: 'bound',
  args: z.object({ hours: argument.text('hours, such as 23:00-07:00, or off').optional() }),
  async run(context, { hours }) {
    const { change, chat, reader } = context
    if (!chat) return say('I have no private chat with you yet: write to me there first.')
    if (hours === undefined) {
      const lines = restLines(context)
      return lines.length === 0
        ? say('No hours are quiet here.', 'To set some: /quiet 23:00-07:00')
        : message([item('plain', 'What is quiet here', lines)], { buttons: [off] })
    }
    if (/^(?:off|none|no|never)$/i.test(hours)) {
      const held = heldNote(context, 'quiet hours')
      await change({ is: 'quiet', chatIds: restful(context), quiet: null })
      return say('No hours are quiet any more', ...held)
    }
    const quiet = parseHours(hours)
    if (quiet === null) return say('Those are no hours. For example: /quiet 23:00-07:00, or /quiet off')
    await change({ is: 'quiet', chatIds: restful(context), quiet })
    return message(
      [
        item('plain', `Quiet ${hoursText(quiet)}, in ${reader.zone}`, [
          'What is critical rings all the same. I sum the rest up at the end, in one message.',
          ...(chat.private ? ['To name another time zone: /settings zone'] : []),
        ]),
      ],
      { buttons: [off] },
    )
  },
})

const off = { label: 'Quiet off', line: '/quiet off', replace: true }
