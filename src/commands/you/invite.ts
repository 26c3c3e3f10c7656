import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { say, words } from '../../message/message.ts'
import { namingNext } from '../../people/cell.ts'

const DAY_MS = 86_400_000
const LONGEST_MS = 30 * DAY_MS

/** Makes a one-time code that lets one other person in. */
export default command({
  name: 'invite',
  summary: words('menu.invite'),
  examples: ['/invite', '/invite 2h'],
  reach: 'chat',
  who: 'operator',
  args: z.object({
    lasts: argument
      .duration(words('arg.invite.for'))
      .refine((ms) => ms <= LONGEST_MS, 'invite.too-long')
      .default(DAY_MS),
  }),
  async run({ person, change, newCode, reader, nextCell }, { lasts }) {
    const code = newCode()
    const expiresAt = reader.now + lasts
    const { repeated, refused } = await change({
      ...{ is: 'code', code, for: 'invite', personId: person.id, expiresAt },
      ...(nextCell && { most: nextCell.fullAt }),
    })
    if (refused !== null)
      return nextCell ? namingNext(refused, nextCell, '/invite', words('invite.full.backup')) : say(refused)
    // Answered again after a crash: the code that counts is the one of the first answer.
    if (repeated) return say(words('invite.repeated'))
    return say(
      words('invite.title', { until: [{ time: expiresAt, as: 'clock' }] }),
      [{ code: `/start ${code}` }],
      words('invite.how'),
    )
  },
})
