import { z } from 'zod'

import { argument, type ArgumentMeta, argumentMeta } from '../../chat/argument.ts'
import type { Declaration, Form } from '../../chat/declaration.ts'
import { type Command, command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type Item, item, ITEMS_PER_MESSAGE, type Message, message, text } from '../../message/message.ts'
import { itemised } from '../shared/pages.ts'

/** Commands that belong together, under a title of help. */
export interface Group {
  title: string
  commands: readonly Command[]
}

/** Lists the commands, or explains one; all of it derived from the declarations. */
export function helpCommand(groups: readonly Group[]): Command {
  return command({
    name: 'help',
    summary: 'lists the commands, or explains one',
    examples: ['/help', '/help alert', '/help alert liq'],
    who: 'guest',
    audience: 'chat',
    args: z.object({
      command: argument.command().optional(),
      form: argument.text('one way to say it').optional(),
    }),
    run(context, { command: asked, form }) {
      const found = context.commands.find(({ name }) => name === asked)
      return found ? explain(found, form ?? '') : list(context, groups, form ?? null)
    },
  })
}

function list(context: Context, groups: readonly Group[], odd: string | null): Message {
  const shown = groups.flatMap(({ title, commands }) => {
    const usable = commands.filter((one) => mayUse(one, context))
    return usable.length === 0
      ? []
      : itemised(
          title,
          usable.map(({ name, summary }) => text`/${name}: ${summary}`),
        )
  })
  const unknown = odd === null ? [] : [item('plain', `I have no command “${odd}”. These are there:`)]
  return message([...unknown, ...shown], { footnote: '/help watch explains one of them.' })
}

/** Commands that the person cannot use are not shown. */
function mayUse({ name, who }: Declaration, { person, commands }: Context): boolean {
  if (!commands.some((one) => one.name === name)) return false
  if (who === 'operator' || who === 'local') return person.operator
  return who !== 'person' || person.id !== 0
}

function explain(asked: Declaration, typed: string): Message {
  const wanted = typed.toLowerCase()
  const named = asked.forms.filter(
    ({ name, aliases }) => wanted !== '' && [name, ...aliases].includes(wanted),
  )
  const forms = named.length > 0 ? named : asked.forms
  const also =
    asked.aliases.length > 0 ? `also: ${asked.aliases.map((alias) => `/${alias}`).join(', ')}` : null
  if (forms.length <= ITEMS_PER_MESSAGE) {
    return message(
      forms.map((form) => formItem(asked, form)),
      { footnote: also },
    )
  }
  const lines = forms.map(({ name, summary }) => text`${name}: ${summary}`)
  return message(itemised(text`/${asked.name} ${asked.summary}`, lines), {
    footnote: `/help ${asked.name} ${forms[0]?.name ?? ''} explains one of them.`,
  })
}

function formItem(asked: Declaration, form: Form): Item {
  const others = form.aliases.length > 0 ? [`also: ${form.aliases.join(', ')}`] : []
  return item('plain', usage(asked, form), [
    text`${form.summary}.`,
    ...others,
    ...form.examples.map((line) => ['for example: ', { code: line }]),
  ])
}

/** `/watch <address> [label]`. */
export function usage(command: Declaration, form: Form): string {
  const fields = Object.entries(form.args.shape).flatMap(([name, type]) => {
    const meta = argumentMeta(type)
    if (!meta) return []
    const optional = (type as z.ZodType).safeParse(undefined).success
    const shown = shownAs(name, meta)
    return [optional ? `[${shown}]` : `<${shown}>`]
  })
  return [`/${command.name}`, form.name, ...fields].filter((part) => part !== '').join(' ')
}

/** As many words of a choice as can be read at a glance. */
const WORDS_CHARACTERS = 30

/** A few words to choose from are shown themselves. */
function shownAs(name: string, { words }: ArgumentMeta): string {
  const all = words.join('|')
  return words.length > 0 && all.length <= WORDS_CHARACTERS && !/[\s,]/.test(all) ? all : name
}
