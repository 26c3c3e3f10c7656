import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { identityText } from '../../message/address.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'

const LINK_LIVES_MS = 15 * 60_000

/** Joins a person's accounts on two platforms by a one-time code, after both sides have confirmed. */
export default command({
  name: 'link',
  summary: words('menu.link'),
  examples: ['/link', '/link ABCD-EFGH-JKLM'],
  reach: 'chat',
  who: 'stranger',
  args: z.object({
    code: argument.code().optional(),
    answer: argument.choice(['yes', 'no'], words('link.answer.asks')).optional(),
  }),
  async run(context, { code, answer }) {
    if (context.person.id === 0) {
      return code === undefined ? say(words('link.here')) : ask(context, code, answer)
    }
    return code === undefined ? make(context) : decide(context, code, answer)
  },
})

async function make({ person, change, newCode, reader }: Context): Promise<Message> {
  const code = newCode()
  const expiresAt = reader.now + LINK_LIVES_MS
  const { repeated } = await change({ is: 'code', code, for: 'link', personId: person.id, expiresAt })
  // Answered again after a crash: the code that counts is the one of the first answer.
  if (repeated) return say(words('link.repeated'))
  return say(words('link.make'), [{ code: `/link ${code}` }], words('link.secret'))
}

/** An unknown person enters a code: they learn whose it is, and its maker is asked to confirm. */
async function ask(
  { view, from, change }: Context,
  code: string,
  answer: 'yes' | 'no' | undefined,
): Promise<Message> {
  const maker = view.linkMaker(code)
  if (!maker) return say(words('link.invalid'))
  const there = maker.identities.map(identityText).join(', ')
  if (answer === 'no') return say(words('link.unchanged'))
  if (answer === undefined) {
    return question(
      code,
      words('link.are-you', { there }),
      words('link.are-you.why'),
      words('link.are-you.care'),
    )
  }
  const { refused } = await change({ is: 'ask-link', code, by: from.by, home: from.home })
  if (refused !== null) return say(refused)
  return say(words('link.confirm'), words('link.asked', { there, here: identityText(from.by) }))
}

/** The maker of a link decides about the person who used it. */
async function decide(context: Context, request: string, answer: 'yes' | 'no' | undefined): Promise<Message> {
  const { person, view, change } = context
  const claimant = view.linkClaimant(person.id, request)
  if (!claimant) {
    const maker = view.linkMaker(request)
    if (maker?.id === person.id) return say(words('link.own'))
    if (maker && isBlank({ person, view })) return ask(context, request, answer)
    return maker ? say(words('link.another')) : say(words('link.nobody'))
  }
  if (answer === undefined) {
    return question(
      request,
      words('link.is-you', { name: identityText(claimant) }),
      words('link.is-you.why'),
      words('link.is-you.care'),
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
    ? say(words('link.done'), words('link.done.reach'))
    : say(words('link.refused', { name: identityText(claimant) }), words('link.refused.code'))
}

/** Nothing is lost if this person becomes another one. The engine decides it again. */
function isBlank({ person, view }: Pick<Context, 'person' | 'view'>): boolean {
  const bound = view.chats(person.id).some((chat) => !chat.private)
  return !bound && view.watches(person.id).length + view.rules(person.id).length === 0
}

function question(code: string, title: Text, ...lines: Text[]): Message {
  const button = (label: Text, answer: string): Button => ({
    label,
    line: `/link ${code} ${answer}`,
    replace: true,
  })
  return message([item('plain', title, lines)], {
    buttons: [button(words('link.button.yes'), 'yes'), button(words('link.button.no'), 'no')],
  })
}
