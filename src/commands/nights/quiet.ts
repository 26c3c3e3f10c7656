import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { hoursText, parseHours } from '../../lib/time/daytime.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import { releaseLines, restful, quietPeriodLines, zoneHere } from '../shared/suppression-lines.ts'

/** Sets daily hours in which only critical alerts ring. */
export default command({
  name: 'quiet',
  summary: words('menu.quiet'),
  examples: ['/quiet 23:00-07:00', '/quiet off', '/quiet'],
  audience: 'bound',
  args: z.object({ hours: argument.text(words('quiet.hours.asks')).optional() }),
  async run(context, { hours }) {
    const { change, chat, view } = context
    if (!chat) return say(words('people.no-chat'))
    if (hours === undefined) {
      const lines = quietPeriodLines(context)
      return lines.length === 0
        ? which(words('quiet.ask'))
        : message([item('plain', words('quiet.here'), lines)], {
            buttons: [...(chat.quiet ? [off] : []), ...(view.mutes(chat.id).length > 0 ? [unmute] : [])],
          })
    }
    if (/^(?:off|none|no|never)$/i.test(hours)) {
      await change({ is: 'quiet', chatIds: restful(context), quiet: null })
      return say(words('quiet.off'), ...releaseLines(context))
    }
    const quiet = parseHours(hours)
    if (quiet === null) return which(words('quiet.unclear'))
    await change({ is: 'quiet', chatIds: restful(context), quiet })
    const done = words('quiet.set', { hours: hoursText(quiet), zone: zoneHere(context) })
    return message([item('plain', done, [words('quiet.rings')])], {
      buttons: [off, ...(chat.private ? [zone] : [])],
    })
  },
})

const off: Button = { label: words('quiet.button.off'), line: '/quiet off', replace: true }
const unmute: Button = { label: words('quiet.button.unmute'), line: '/unmute', replace: true }
const zone: Button = { label: words('quiet.button.zone'), line: '/settings zone', replace: false }

/** Asks for hours, with the usual ones to tap. */
function which(asks: Text): Message {
  const usual = ['23:00-07:00', '22:00-08:00', '00:00-06:00']
  const buttons = usual.map((label) => ({ label, line: `/quiet ${label}`, replace: true }))
  return asking(
    asks,
    { start: '/quiet', prompt: words('ask.word.hours'), placeholder: '11pm to 7am' },
    buttons,
  )
}
