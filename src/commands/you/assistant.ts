import { createHash } from 'node:crypto'

import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { item, type Item, message, type Message, say, words } from '../../message/message.ts'
import type { Session } from '../../people/session.ts'

/** A name that is a name: it stands in messages and in the trail of alerts. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,29}$/u

/** Lets a program ask for a person, by a token that is shown once. It may look and add alerts, and nothing else. */
export default command({
  name: 'assistant',
  summary: words('menu.assistant'),
  examples: ['/assistant', '/assistant new claude', '/assistant end claude'],
  reach: 'chat',
  args: z.object({
    what: argument.choice(['new', 'end'], words('assistant.what.asks')).optional(),
    name: argument.text(words('assistant.name.asks')).optional(),
  }),
  run(context, { what, name }) {
    // The buttons of the list ask which one to end.
    if (what === undefined || (what === 'end' && name === undefined)) return list(context)
    const typed = name?.trim() ?? ''
    return what === 'new' ? make(context, typed) : end(context, typed)
  },
})

async function make({ person, assistants, change, newToken }: Context, name: string): Promise<Message> {
  if (assistants === null) return say(words('assistant.off'), words('assistant.off.how'))
  if (!NAME.test(name)) return say(words('assistant.name.wrong'), words('assistant.name.example'))
  const token = newToken()
  const user = createHash('sha256').update(token).digest('hex')
  const { refused, repeated } = await change({
    ...{ is: 'open-session', as: 'assistant', user, name },
    proof: { is: 'person', personId: person.id },
  })
  if (refused !== null) return say(refused)
  // Answered again after a crash: nobody has seen the token of the first answer.
  if (repeated) return say(words('assistant.repeated', { name }))
  const address = [{ code: `${assistants.url}/mcp` }]
  const header = [{ code: 'Authorization: Bearer …' }]
  return message([
    item('plain', words('assistant.made', { name }), [
      [{ code: token }],
      words('assistant.once'),
      words('assistant.http', { address, header }),
      words('assistant.stdio', {
        line: [{ code: 'npm run --silent mcp' }],
        variable: [{ code: 'PERCH_TOKEN=…' }],
      }),
      words('assistant.may'),
    ]),
  ])
}

async function end(context: Context, name: string): Promise<Message> {
  const { person, change } = context
  const meant = assistantsOf(context).filter((one) => isCalled(one, name))
  if (meant.length === 0) return list(context, item('plain', words('assistant.unknown')))
  await change({ is: 'end-sessions', personId: person.id, ids: meant.map(({ id }) => id) })
  return list(
    context,
    item('plain', words('assistant.ended', { name: meant.map((one) => one.name).join(', ') })),
  )
}

function assistantsOf({ view, person }: Context): readonly Session[] {
  return view.sessions(person.id).filter(({ is }) => is === 'assistant')
}

function isCalled({ id, name }: Session, typed: string): boolean {
  return [name.toLowerCase(), `s${id}`].includes(typed.toLowerCase())
}

function list(context: Context, done?: Item): Message {
  const all = assistantsOf(context)
  const head =
    all.length === 0
      ? item('plain', words('assistant.none'), [words('assistant.may'), words('assistant.new')])
      : item('plain', words('assistant.title', { n: all.length }), [words('assistant.new')])
  const entries = all.map(({ id, name, since, until }) =>
    item('plain', words('assistant.one', { id: `S${id}`, name }), [
      words('assistant.since', { since: { time: since, as: 'clock' }, until: { time: until, as: 'clock' } }),
    ]),
  )
  return message([...(done ? [done] : []), head, ...entries], {
    buttons: all.map(({ id, name }) => ({
      ...{ label: words('assistant.button.end', { name }), line: `/assistant end S${id}`, replace: true },
    })),
  })
}
