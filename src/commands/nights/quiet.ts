import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { hoursText, parseHours } from '../../lib/time/daytime.ts'
import { item, message, say } from '../../message/message.ts'
import { releaseLines, restful, quietPeriodLines, zoneHere } from '../shared/suppression-lines.ts'

/** Sets daily hours in which only critical alerts ring. */
export default command({
  name: 'quiet',
  summary: 'Quiet hours',
  examples: ['/quiet 23:00-07:00', '/quiet off', '/quiet'],
  audience: 'bound',
  args: z.object({ hours: argument.text('hours, such as 23:00-07:00, or off').optional() }),
  async run(context, { hours }) {
    const { change, chat, view } = context
    if (!chat) return say('I have no private chat with you yet: write to me there first.')
    if (hours === undefined) {
      const lines = quietPeriodLines(context)
      return lines.length === 0
        ? say('No hours are quiet here.', 'To set some: /quiet 23:00-07:00')
        : message([item('plain', 'What is quiet here', lines)], {
            buttons: [...(chat.quiet ? [off] : []), ...(view.mutes(chat.id).length > 0 ? [unmute] : [])],
          })
    }
    if (/^(?:off|none|no|never)$/i.test(hours)) {
      await change({ is: 'quiet', chatIds: restful(context), quiet: null })
      return say('No hours are quiet any more', ...releaseLines(context))
    }
    const quiet = parseHours(hours)
    if (quiet === null) return say('Those are no hours. For example: /quiet 23:00-07:00, or /quiet off')
    await change({ is: 'quiet', chatIds: restful(context), quiet })
    return message(
      [
        item('plain', `Quiet ${hoursText(quiet)}, in ${zoneHere(context)}`, [
          'What is critical rings all the same. I sum the rest up at the end, in one message.',
          ...(chat.private ? ['To name another time zone: /settings zone'] : []),
        ]),
      ],
      { buttons: [off] },
    )
  },
})

const off = { label: 'Quiet off', line: '/quiet off', replace: true }
const unmute = { label: 'Unmute', line: '/unmute', replace: true }
