import { z } from 'zod'

import { command } from '../command.ts'
import { say } from '../message.ts'

const DAY_MS = 86_400_000

/** Makes a one-time code that lets one other person in. */
export default command({
  name: 'invite',
  summary: 'makes a one-time code that lets one other person in',
  examples: ['/invite'],
  who: 'operator',
  args: z.object({}),
  async run({ person, change, newCode, reader }) {
    const code = newCode()
    const expiresAt = reader.now + DAY_MS
    await change({ is: 'code', code: { code, is: 'invite', personId: person.id, expiresAt } })
    return say(
      'Pass this on; it works once, for a day',
      [{ code: `/start ${code}` }],
      ['They send it to me in a private chat. It ends ', { time: expiresAt, as: 'clock' }, '.'],
    )
  },
})
