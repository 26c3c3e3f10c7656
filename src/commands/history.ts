import { z } from 'zod'

import { command } from '../command.ts'
import { item, message, say } from '../message.ts'

const SHOWN = 10

/** Lists the last alerts. */
export default command({
  name: 'history',
  summary: 'lists your last alerts',
  examples: ['/history'],
  args: z.object({}),
  async run({ person, recall }) {
    const alerts = await recall.history(person.id, SHOWN)
    if (alerts.length === 0) return say('Nothing has fired for you yet.')
    return message(
      alerts.map(({ title, openedAt, closedAt, severity }) =>
        item('plain', title, [
          [
            { time: openedAt, as: 'clock' },
            `, ${severity}`,
            ...(closedAt === null
              ? [', still open']
              : closedAt === openedAt
                ? []
                : [', ended ', { time: closedAt, as: 'clock' } as const]),
          ],
        ]),
      ),
      { footnote: `/why A${alerts[0]?.id ?? 1} shows its trail` },
    )
  },
})
