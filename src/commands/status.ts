import { z } from 'zod'

import { command } from '../command.ts'
import { age, say } from '../message.ts'
import type { Text } from '../message.ts'

/** Says whether Perch sees, and how old what it knows is. */
export default command({
  name: 'status',
  aliases: ['ping'],
  summary: 'says what I see and how old it is',
  examples: ['/status'],
  args: z.object({}),
  async run({ view, person, reader, recall }) {
    const status = view.status()
    const { waiting, parked } = await recall.backlog()
    const blind = view.blind()
    const markets = view.marketsAt()
    const seen = markets === null ? 'never read' : `read ${age(reader.now - markets.at)} ago`
    const lines: Text[] = [
      `venue ${status.venue}`,
      `${view.markets().size} markets, ${seen}`,
      status.owners === 0
        ? 'no wallet is watched'
        : `${status.owners} wallet${status.owners === 1 ? '' : 's'}, the oldest ${status.oldestOwnerMs === null ? 'never read' : `read ${age(status.oldestOwnerMs)} ago`}`,
      ...blind.map(({ feed, since, why }): Text => [
        `blind: ${feed} since `,
        { time: since, as: 'clock' },
        `, ${why}`,
      ]),
      `${view.firing(person.id).length} of your alerts fire now`,
      `${waiting} messages wait, ${parked} given up, ${status.brokenChats} broken chats`,
      `version ${status.version}, up ${age(status.upMs)}`,
    ]
    return say(
      blind.length === 0 && markets !== null ? 'I see the venue' : 'I do not see everything',
      ...lines,
    )
  },
})
