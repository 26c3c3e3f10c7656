import { z } from 'zod'

import { ACKNOWLEDGED_FOR_MS } from '../../alert/alert-state.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { type Text, words } from '../../message/message.ts'
import { firingHere } from '../shared/firing-lines.ts'
import {
  acknowledgement,
  allAcknowledged,
  everyAlert,
  nothingToAcknowledge,
  unacknowledged,
} from './acknowledging.ts'

/** Acknowledges an alert: a critical one is not repeated any more. */
export default command({
  name: 'ack',
  aliases: ['acknowledge'],
  summary: words('menu.ack'),
  examples: ['/ack A1', '/ack all'],
  who: 'trusted',
  audience: 'chat',
  implied: new Set(['it', 'them', 'this', 'that', 'of', 'alerts', 'alarme']),
  args: z.object({ alert: argument.alert().optional(), all: everyAlert().optional() }),
  async run(context, { alert: id }) {
    const alerts = firingHere(context, id)
    if (alerts.length === 0) return nothingToAcknowledge(context, id)
    const until = context.from.writtenAt + ACKNOWLEDGED_FOR_MS
    const line: Text = words('ack.until', { at: { time: until, as: 'clock' } })
    const open = id === undefined ? unacknowledged(alerts, until) : alerts
    if (open.length === 0) return allAcknowledged(context, alerts)
    return acknowledgement(context, open, { as: 'acknowledged', until, line, again: '/ack all' })
  },
})
