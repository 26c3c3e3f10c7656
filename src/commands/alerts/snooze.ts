import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { durationText } from '../../lib/text/duration.ts'
import { nextTime } from '../../lib/time/daytime.ts'
import { say, type Text, words } from '../../message/message.ts'
import { asking } from '../../message/question.ts'
import { firingHere } from '../shared/firing-lines.ts'
import { acknowledgement, everyAlert, nothingToAcknowledge } from './acknowledging.ts'

const HOUR_MS = 3_600_000
/** Until it is worse, and all the same with an end. */
const UNTIL_WORSE_MS = 12 * HOUR_MS
/** Longer is not a pause: the rule is not wanted. */
const MAX_SNOOZE_MS = 24 * HOUR_MS

/** Silences firing alerts for a while. Worsening and resolution are still reported. */
export default command({
  name: 'snooze',
  aliases: [],
  summary: words('menu.snooze'),
  examples: ['/snooze A1 2h', '/snooze all 30m', '/snooze A1 until 08:00', '/snooze A1 worse'],
  who: 'trusted',
  audience: 'chat',
  implied: new Set(['it', 'them', 'this', 'that', 'of', 'alerts', 'alarme', 'for', 'bis']),
  args: z.object({
    time: argument.duration(words('arg.snooze.time')).optional(),
    until: argument.time(['worse']).optional(),
    alert: argument.alert().optional(),
    all: everyAlert().optional(),
  }),
  async run(context, { alert: id, time: asked, until: end }) {
    const alerts = firingHere(context, id)
    if (alerts.length === 0) return nothingToAcknowledge(context, id)
    const { from, reader } = context
    const worse = end === 'worse' ? end : undefined
    const time = typeof end === 'number' ? nextTime(end, from.writtenAt, reader.zone) - from.writtenAt : asked
    if (time === undefined && worse === undefined) return howLong(id)
    if (time !== undefined && time > MAX_SNOOZE_MS) {
      return say(words('snooze.limit'))
    }
    const until = context.from.writtenAt + (time ?? UNTIL_WORSE_MS)
    const at = { time: until, as: 'clock' } as const
    const line = worse === undefined ? words('snooze.until', { at }) : words('snooze.worse', { at })
    const which = id === undefined ? ' all' : ` A${id}`
    const again = `/snooze${which} ${time === undefined ? 'worse' : durationText(time)}`
    return acknowledgement(context, alerts, { as: 'snoozed', until, line, again })
  },
})

function howLong(id: number | undefined) {
  const which = id === undefined ? ' all' : ` A${id}`
  const choices: [Text, string][] = [
    ['30 min', '30m'],
    ['2 h', '2h'],
    [words('snooze.button.morning'), 'until 08:00'],
    [words('snooze.button.worse'), 'worse'],
  ]
  return asking(
    words('snooze.how-long'),
    { start: `/snooze${which}`, prompt: words('ask.word.time'), placeholder: '3h' },
    choices.map(([label, time]) => ({ label, line: `/snooze${which} ${time}`, replace: true })),
    { lines: [words('snooze.still')] },
  )
}
