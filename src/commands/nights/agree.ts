import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { legibleName } from '../../lib/text/legible.ts'
import { type Button, item, type Message, message, say, type Text, text } from '../../message/message.ts'
import { type Delegation, called } from '../../people/delegation.ts'
import { shown } from './people.ts'

const DAY_MS = 86_400_000

const forms = [
  {
    name: '',
    aliases: [],
    summary: 'shows who stands in for whom; with a code, you agree to stand in for whoever made it',
    examples: ['/agree', '/agree ABCD-EFGH-JKLM'],
    args: z.object({
      code: argument.code().optional(),
      answer: argument.choice(['yes', 'no'], 'yes or no').optional(),
    }),
  },
  {
    name: 'ask',
    aliases: [],
    summary: 'makes a code for somebody whom you want to be woken when you do not answer',
    examples: ['/agree ask'],
    args: z.object({}),
  },
  {
    name: 'end',
    aliases: [],
    summary: 'ends it, whichever of the two you are',
    examples: ['/agree end @bob'],
    args: z.object({ who: argument.text('who it is, such as @bob') }),
  },
]

/** A delegate gets another person's alerts only after agreeing once. Either of the two can end that. */
const agree: Command = {
  name: 'agree',
  aliases: [],
  summary: 'Ask for a backup person',
  who: 'person',
  audience: 'person',
  forms,
  run(context, form, args) {
    const { code, answer, who } = args as { code?: string; answer?: 'yes' | 'no'; who?: string }
    if (form.name === 'ask') return ask(context)
    if (who !== undefined) return end(context, who)
    return code === undefined ? list(context) : decide(context, code, answer)
  },
}

export default agree

async function ask({ person, from, change, newCode, reader }: Context): Promise<Message> {
  const code = newCode()
  const expiresAt = reader.now + DAY_MS
  const name = legibleName(from.name, 'somebody')
  const { repeated } = await change({ is: 'code', code, for: 'agree', personId: person.id, expiresAt, name })
  // Answered again after a crash: the code that counts is the one of the first answer.
  if (repeated) return say('I have answered this before. Say /agree ask again for a new code.')
  return say(
    'Pass this on to whoever should be woken when you do not answer',
    [{ code: `/agree ${code}` }],
    ['They send it to me in a private chat. It works once, and ends ', { time: expiresAt, as: 'clock' }, '.'],
    'I tell you when they have agreed; before that nothing of yours reaches them.',
  )
}

async function decide(
  { person, from, view, change }: Context,
  code: string,
  answer: 'yes' | 'no' | undefined,
): Promise<Message> {
  const asked = view.delegationAsked(code)
  if (!asked) return say('This code is not valid (any more). Ask for a new one.')
  const { name, personId } = asked
  if (personId === person.id) return say('That is your own code: pass it on to whoever stands in for you.')
  if (answer === 'no') return say(`Nothing has changed: you do not stand in for ${name}.`)
  if (answer === undefined) {
    const button = (label: string, line: string): Button => ({ label, line, replace: true })
    return message(
      [
        item('plain', `${name} asks you to stand in for them`, [
          `What is critical for ${name} comes to you when nobody there answers, and while they hand over to you.`,
          'It rings at any hour, also in your quiet hours, and so do their drills.',
          'You see that alert, with their position, and can acknowledge or snooze it; nothing else of theirs.',
        ]),
        // An item of its own, so that the text is not cut off.
        item('plain', `You can end it at any time: /agree end @${name}`, [
          'They see your name, and what you have acknowledged.',
        ]),
      ],
      {
        buttons: [button('Yes, wake me', `/agree ${code} yes`), button('No', `/agree ${code} no`)],
      },
    )
  }
  const delegateName = legibleName(from.name, 'somebody')
  const { refused, repeated } = await change({ is: 'agree', code, personId: person.id, name: delegateName })
  if (refused !== null && !repeated) return say(refused)
  return say(`You stand in for ${name}`, 'I have told them. What comes says whose it is; to end it: /agree')
}

async function end({ person, view, change }: Context, typed: string): Promise<Message> {
  const delegates = view
    .delegates(person.id)
    .map((one) => ({ ...one, id: one.delegateId, name: one.delegateName }))
  const helped = view.helped(person.id).map((one) => ({ ...one, id: one.personId }))
  // Two people may be each other's delegates. Ending one delegation then ends both.
  const found = [...called(delegates, typed), ...called(helped, typed)]
  if (found.length === 0) return say(`Nothing is agreed with ${shown(typed)}. /agree shows what is.`)
  if (new Set(found.map(({ id }) => id)).size > 1) {
    const buttons = found.map(({ id, name }) => endButton(id, name))
    return message([item('plain', `Several are called ${shown(typed)}: choose one by its number`)], {
      buttons,
    })
  }
  for (const { personId, delegateId } of found) {
    const { refused } = await change({ is: 'disagree', personId, delegateId, byId: person.id })
    if (refused !== null) return say(refused)
  }
  const [one] = found
  const lines: string[] = []
  if (called(delegates, typed).length > 0) lines.push('Nothing of yours reaches them any more.')
  if (called(helped, typed).length > 0)
    lines.push('Nothing of theirs reaches you any more, not even the end of what fires now.')
  return say(`It is ended with ${one?.name ?? ''}, and I have told them`, ...lines)
}

function list({ person, view }: Context): Message {
  const delegates = view.delegates(person.id)
  const helped = view.helped(person.id)
  if (delegates.length + helped.length === 0) {
    return say(
      'You stand in for nobody, and nobody for you',
      'To be looked after when you do not answer: /agree ask',
    )
  }
  const line = (name: string, { handoverUntil }: Delegation): Text =>
    handoverUntil === null ? name : text`${name}, handed over until ${{ time: handoverUntil, as: 'clock' }}`
  const buttons = [
    ...delegates.map(({ delegateId, delegateName }) => endButton(delegateId, delegateName)),
    ...helped.map(({ personId, name }) => endButton(personId, name)),
  ]
  const items = [
    ...(delegates.length > 0
      ? [
          item(
            'plain',
            'They stand in for you',
            delegates.map((one) => line(`@${one.delegateName}`, one)),
          ),
        ]
      : []),
    ...(helped.length > 0
      ? [
          item(
            'plain',
            'You stand in for them',
            helped.map((one) => line(`@${one.name}`, one)),
          ),
        ]
      : []),
  ]
  return message(items, {
    buttons: [...new Map(buttons.map((one) => [one.line, one])).values()],
    footnote: 'When they are told: /escalate, /handover',
  })
}

function endButton(id: number, name: string): Button {
  return { label: `End ${name}`, line: `/agree end P${id}`, replace: true }
}
