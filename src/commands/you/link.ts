import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { identityText } from '../../message/address.ts'
import { type Button, item, type Message, message, say, words } from '../../message/message.ts'

const LINK_LIVES_MS = 15 * 60_000

/** Joins a person's accounts on two platforms by a one-time code, after both sides have confirmed. */
export default command({
  name: 'link',
  summary: words('menu.link'),
  examples: ['/link', '/link ABCD-EFGH-JKLM'],
  who: 'stranger',
  args: z.object({
    code: argument.code().optional(),
    answer: argument.choice(['yes', 'no'], 'yes or no').optional(),
  }),
  async run(context, { code, answer }) {
    if (context.person.id === 0) {
      return code === undefined
        ? say('Make the code where I know you: send me /link there, then the code here.')
        : ask(context, code, answer)
    }
    return code === undefined ? make(context) : decide(context, code, answer)
  },
})

async function make({ person, change, newCode, reader }: Context): Promise<Message> {
  const code = newCode()
  const expiresAt = reader.now + LINK_LIVES_MS
  const { repeated } = await change({ is: 'code', code, for: 'link', personId: person.id, expiresAt })
  // Answered again after a crash: the code that counts is the one of the first answer.
  if (repeated) return say('I have answered this before. Say /link again for a new code.')
  return say(
    'Send me this from the other platform, within 15 minutes',
    [{ code: `/link ${code}` }],
    'Keep it to yourself. I ask you here before anybody becomes you.',
  )
}

/** An unknown person enters a code: they learn whose it is, and its maker is asked to confirm. */
async function ask(
  { view, from, change }: Context,
  code: string,
  answer: 'yes' | 'no' | undefined,
): Promise<Message> {
  const maker = view.linkMaker(code)
  if (!maker) return say('This code is not valid (any more). Ask for a new one.')
  const there = maker.identities.map(identityText).join(', ')
  if (answer === 'no') return say('Nothing has changed.')
  if (answer === undefined) {
    return question(
      code,
      `Are you ${there}?`,
      'Then you are one person here and there: what is watched and told is the same, and both sides see and change it.',
      'If somebody else gave you this code, do not.',
    )
  }
  const { refused } = await change({ is: 'ask-link', code, by: from.by, home: from.home })
  if (refused !== null) return say(refused)
  return say(
    'Now say yes there as well',
    `I have asked ${there} whether you, ${identityText(from.by)}, are the same person. Nothing is joined before.`,
  )
}

/** The maker of a link decides about the person who used it. */
async function decide(context: Context, request: string, answer: 'yes' | 'no' | undefined): Promise<Message> {
  const { person, view, change } = context
  const claimant = view.linkClaimant(person.id, request)
  if (!claimant) {
    const maker = view.linkMaker(request)
    if (maker?.id === person.id) return say('That is your own code: use it on the other platform.')
    if (maker && isBlank({ person, view })) return ask(context, request, answer)
    return maker
      ? say('I know you here as another person. /forget that one first, then use the code again.')
      : say('Nobody waits for that answer (any more). Say /link for a new code.')
  }
  if (answer === undefined) {
    return question(
      request,
      `${identityText(claimant)} wants to be the same person as you`,
      'They would see and change all that is yours.',
      'Say yes only if that is you.',
    )
  }
  const { refused } = await change({
    is: 'answer-link',
    personId: person.id,
    request,
    yes: answer === 'yes',
  })
  if (refused !== null) return say(refused)
  return answer === 'yes'
    ? say(
        'You are the same person here as there',
        'Alerts go to your preferred chat, with the other as fallback: /settings.',
      )
    : say(`${identityText(claimant)} stays a stranger`, 'The code is of no use any more.')
}

/** Nothing is lost if this person becomes another one. The engine decides it again. */
function isBlank({ person, view }: Pick<Context, 'person' | 'view'>): boolean {
  const bound = view.chats(person.id).some((chat) => !chat.private)
  return !bound && view.watches(person.id).length + view.rules(person.id).length === 0
}

function question(code: string, title: string, ...lines: string[]): Message {
  const button = (label: string, answer: string): Button => ({
    label,
    line: `/link ${code} ${answer}`,
    replace: true,
  })
  return message([item('plain', title, lines)], {
    buttons: [button('Yes, that is me', 'yes'), button('No', 'no')],
  })
}
