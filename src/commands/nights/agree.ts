import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import type { Command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { legibleName } from '../../lib/text/legible.ts'
import { type Button, item, type Message, message, say, type Text, words } from '../../message/message.ts'
import { type Delegation, called } from '../../people/delegation.ts'
import { askSomebody, shown } from './people.ts'

const DAY_MS = 86_400_000

const forms = [
  {
    name: '',
    aliases: [],
    summary: words('menu.agree.show'),
    examples: ['/agree', '/agree ABCD-EFGH-JKLM'],
    args: z.object({
      code: argument.code().optional(),
      answer: argument.choice(['yes', 'no'], words('agree.answer.asks')).optional(),
    }),
  },
  {
    name: 'ask',
    aliases: [],
    summary: words('menu.agree.ask'),
    examples: ['/agree ask'],
    args: z.object({}),
  },
  {
    name: 'end',
    aliases: [],
    summary: words('menu.agree.end'),
    examples: ['/agree end @bob'],
    args: z.object({ who: argument.text(words('agree.who.asks')) }),
  },
]

/** A delegate gets another person's alerts only after agreeing once. Either of the two can end that. */
const agree: Command = {
  name: 'agree',
  aliases: [],
  summary: words('menu.agree'),
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
  if (repeated) return message([item('plain', words('agree.repeated'))], { buttons: [askSomebody] })
  return say(words('agree.pass-on'), [{ code: `/agree ${code}` }], words('agree.within-a-day'))
}

async function decide(
  { person, from, view, change }: Context,
  code: string,
  answer: 'yes' | 'no' | undefined,
): Promise<Message> {
  const asked = view.delegationAsked(code)
  if (!asked) return say(words('agree.invalid'))
  const { name, personId } = asked
  if (personId === person.id) return say(words('agree.own'))
  if (answer === 'no') return say(words('agree.refused', { name }))
  if (answer === undefined) {
    const button = (label: Text, line: string): Button => ({ label, line, replace: true })
    return message(
      [
        item('plain', words('agree.question', { name }), [
          words('agree.rings'),
          words('agree.sees'),
          words('agree.seen'),
        ]),
      ],
      {
        buttons: [
          button(words('agree.button.yes'), `/agree ${code} yes`),
          button(words('agree.button.no'), `/agree ${code} no`),
        ],
      },
    )
  }
  const delegateName = legibleName(from.name, 'somebody')
  const { refused, repeated } = await change({ is: 'agree', code, personId: person.id, name: delegateName })
  if (refused !== null && !repeated) return say(refused)
  return message([item('plain', words('agree.done', { name }), [words('agree.says-whose')])], {
    buttons: [showBackups],
  })
}

async function end({ person, view, change }: Context, typed: string): Promise<Message> {
  const delegates = view
    .delegates(person.id)
    .map((one) => ({ ...one, id: one.delegateId, name: one.delegateName }))
  const helped = view.helped(person.id).map((one) => ({ ...one, id: one.personId }))
  // Two people may be each other's delegates. Ending one delegation then ends both.
  const found = [...called(delegates, typed), ...called(helped, typed)]
  if (found.length === 0)
    return message([item('plain', words('agree.nobody', { name: shown(typed) }))], { buttons: [showBackups] })
  if (new Set(found.map(({ id }) => id)).size > 1) {
    const buttons = found.map(({ id, name }) => endButton(id, `${name}, P${id}`))
    return message([item('plain', words('agree.several', { name: shown(typed) }))], { buttons })
  }
  for (const { personId, delegateId } of found) {
    const { refused } = await change({ is: 'disagree', personId, delegateId, byId: person.id })
    if (refused !== null) return say(refused)
  }
  const [one] = found
  const lines: Text[] = []
  if (called(delegates, typed).length > 0) lines.push(words('agree.ended.theirs'))
  if (called(helped, typed).length > 0) lines.push(words('agree.ended.yours'))
  return say(words('agree.ended', { name: one?.name ?? '' }), ...lines)
}

function list({ person, view }: Context): Message {
  const delegates = view.delegates(person.id)
  const helped = view.helped(person.id)
  if (delegates.length + helped.length === 0)
    return message([item('plain', words('agree.none'))], { buttons: [askSomebody] })
  const line = (name: string, { handoverUntil }: Delegation): Text =>
    handoverUntil === null
      ? name
      : words('agree.handed-over', { name, until: { time: handoverUntil, as: 'clock' } })
  const [given, taken] = [
    delegates.map((one) => line(`@${one.delegateName}`, one)),
    helped.map((one) => line(`@${one.name}`, one)),
  ]
  const buttons = [
    ...delegates.map(({ delegateId, delegateName }) => endButton(delegateId, delegateName)),
    ...helped.map(({ personId, name }) => endButton(personId, name)),
  ]
  return message(
    [
      ...(given.length > 0 ? [item('plain', words('agree.backups'), given)] : []),
      ...(taken.length > 0 ? [item('plain', words('agree.helped'), taken)] : []),
    ],
    {
      buttons: [
        ...new Map(buttons.map((one) => [one.line, one])).values(),
        ...(given.length > 0 ? [whoGets, handOver] : []),
      ],
    },
  )
}

const showBackups: Button = { label: words('agree.button.show'), line: '/agree', replace: true }
const whoGets: Button = { label: words('escalate.button.list'), line: '/escalate', replace: false }
const handOver: Button = { label: words('handover.button.give'), line: '/handover', replace: false }

function endButton(id: number, name: string): Button {
  return { label: words('agree.button.end', { name }), line: `/agree end P${id}`, replace: true }
}
