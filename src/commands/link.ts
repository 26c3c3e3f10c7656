import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { say } from '../message.ts'

const LINK_LIVES_MS = 15 * 60_000

/** Makes somebody on two platforms one person, by a one-time code. */
export default command({
  name: 'link',
  summary: 'makes you the same person on another platform',
  examples: ['/link', '/link ABCD-EFGH-JKLM'],
  who: 'stranger',
  args: z.object({ code: argument.code().optional() }),
  async run({ person, from, change, newCode, reader }, { code: given }) {
    if (given !== undefined) {
      const { refused } = await change({ is: 'redeem', code: given, by: from.by, home: from.home })
      return refused === null
        ? say(
            'You are the same person here as there',
            'Alerts go to your preferred chat, with the other as fallback: /settings.',
          )
        : say(refused)
    }
    if (person.id === 0)
      return say('Make the code where I know you: send me /link there, then the code here.')
    const code = newCode()
    const expiresAt = reader.now + LINK_LIVES_MS
    const { repeated } = await change({
      is: 'code',
      code: { code, is: 'link', personId: person.id, expiresAt },
    })
    // Answered again after a crash: the code that counts is the one of the first answer.
    if (repeated) return say('I have answered this before. Say /link again for a new code.')
    return say(
      'Send me this from the other platform, within 15 minutes',
      [{ code: `/link ${code}` }],
      'Keep it to yourself: whoever sends it becomes you.',
    )
  },
})
