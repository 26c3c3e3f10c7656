import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { say } from '../message.ts'
import { ACKNOWLEDGED_FOR_MS } from '../state.ts'
import { firingHere, heeded, nothingToHeed, placeOf } from './words/heeding.ts'

/** Says that somebody has seen an alert: what is critical is not repeated any more. */
export default command({
  name: 'ack',
  aliases: ['acknowledge'],
  summary: 'says that you have seen an alert, so that I stop repeating it',
  examples: ['/ack A1', '/ack'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ alert: argument.alert().optional() }),
  async run(context, { alert: id }) {
    const { from, reader, change } = context
    const here = firingHere(context)
    const alerts = id === undefined ? here : here.filter(({ alertId }) => alertId === id)
    if (alerts.length === 0) return nothingToHeed(context, id)
    const until = reader.now + ACKNOWLEDGED_FOR_MS
    const alertIds = alerts.map(({ alertId }) => alertId)
    const { refused } = await change({
      ...{ is: 'heed', as: 'acknowledged', alertIds, by: from.name, until },
      readIn: placeOf(context),
    })
    if (refused !== null) return say(refused)
    return heeded(context, alerts, {
      as: 'acknowledged',
      line: ['quiet until it is worse or over, at the latest ', { time: until, as: 'clock' }],
    })
  },
})
