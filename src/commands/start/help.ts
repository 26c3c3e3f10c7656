import { z } from 'zod'

import { findKind, type Kind } from '../../alert/alert.ts'
import { argument, type ArgumentMeta, argumentMeta } from '../../chat/argument.ts'
import type { Declaration, Form } from '../../chat/declaration.ts'
import { type Command, command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { type Item, item, message, type Message, type Text, text, words } from '../../message/message.ts'
import { go, pageButtons, pageOf } from '../shared/pages.ts'
import { worksHere } from './menu.ts'

/** Commands that belong together, under a title of help. */
export interface Group {
  /** Names the topic in a line: `/help alerts`. */
  name: string
  title: Text
  /** A few words on its commands. */
  about: Text
  commands: readonly Command[]
}

/** Forms of a command on one page, two lines each. */
const FORMS = 3

const ALL_TOPICS = go(words('help.button.help'), '/help')

/** Leads to the commands by topic, or explains one of them, or one kind of alert; all of it derived from the declarations. */
export function helpCommand(groups: readonly Group[]): Command {
  return command({
    name: 'help',
    summary: words('menu.help'),
    examples: ['/help', '/help alert', '/help alert liq', '/help funding-flip'],
    who: 'guest',
    audience: 'chat',
    args: z.object({
      command: argument.command().optional(),
      page: argument.page().default(1),
      topic: argument.text(words('help.topic.asks')).optional(),
    }),
    run(context, { command: name, topic, page }) {
      const typed = topic ?? name ?? ''
      const group = groups.find((one) => one.name === typed.toLowerCase())
      if (group) return groupPage(context, group)
      const found = context.commands.find((one) => one.name === name)
      if (found) return explain(context, found, topic ?? '', page)
      const kind = findKind(context.kinds, typed.toLowerCase()) ?? kindCalled(context.kinds, typed)
      return kind ? kindPage(context, kind) : topics(context, groups, typed)
    },
  })
}

function kindCalled(kinds: readonly Kind[], typed: string): Kind | undefined {
  return kinds.find(({ aliases }) => aliases.includes(typed.toLowerCase()))
}

function topics(context: Context, groups: readonly Group[], odd: string): Message {
  const open = groups.filter(({ commands }) => commands.some((one) => worksHere(one, context)))
  const near = odd === '' ? null : nearest(odd.toLowerCase(), namesOf(context))
  const title =
    odd === ''
      ? words('help.ask')
      : near === null
        ? words('help.unknown')
        : words('help.near', { name: near })
  const lines = open.map(({ title: topic, about }) => words('help.topic', { topic, about }))
  return message([item('plain', title, near === null ? lines : [])], {
    buttons: [
      ...(near === null ? open.map((one) => go(one.title, `/help ${one.name}`)) : []),
      ...(near === null ? [] : [go(near, `/help ${near}`), go(words('help.button.topics'), '/help')]),
      go(words('home.button.menu'), '/menu'),
    ],
  })
}

function namesOf(context: Context): string[] {
  const commands = context.commands.filter((one) => worksHere(one, context)).map(({ name }) => name)
  return [...commands, ...context.kinds.flatMap(({ name, aliases }) => [name, ...aliases])]
}

/** Commands that do not work here are not shown. */
function groupPage(context: Context, { title, commands }: Group): Message {
  const open = commands.filter((one) => worksHere(one, context))
  const lines = open.map(({ name, summary }) => words('help.command', { name, summary }))
  return message([item('plain', title, lines)], { buttons: [ALL_TOPICS] })
}

function explain(context: Context, asked: Declaration, typed: string, page: number): Message {
  const wanted = typed.toLowerCase()
  const named = asked.forms.filter(
    ({ name, aliases }) => wanted !== '' && [name, ...aliases].includes(wanted),
  )
  const [only, ...others] = named.length > 0 ? named : asked.forms
  const also =
    asked.aliases.length > 0
      ? words('help.also', { names: asked.aliases.map((alias) => `/${alias}`).join(', ') })
      : null
  if (only && others.length === 0) {
    const kind = asked.name === 'alert' ? findKind(context.kinds, only.name) : undefined
    if (kind) return kindPage(context, kind)
    return message([formItem(asked, only)], { footnote: also, buttons: [ALL_TOPICS] })
  }
  const shown = pageOf(named.length > 0 ? named : asked.forms, page, FORMS)
  const lines = shown.shown.map(({ name, summary }) =>
    words('help.form', { name: name === '' ? `/${asked.name}` : name, summary }),
  )
  return message(
    [item('plain', words('help.form', { name: `/${asked.name}`, summary: asked.summary }), lines)],
    {
      footnote: also,
      buttons: [
        ...shown.shown.flatMap(({ name }) => (name === '' ? [] : [go(name, `/help ${asked.name} ${name}`)])),
        ...pageButtons(shown, (to) => `/help ${asked.name} ${to}`),
        ALL_TOPICS,
      ],
    },
  )
}

/** Explains a kind of alert, with a button that sets it. */
function kindPage(context: Context, { name, aliases, summary, example }: Kind): Message {
  const alert = context.commands.find((one) => one.name === 'alert')
  const others = aliases.length > 0 ? [words('help.also', { names: aliases.join(', ') })] : []
  const set = alert && worksHere(alert, context) ? [go(words('help.button.set'), `/alert ${name}`)] : []
  const lines = [
    words('help.kind.when', { when: summary }),
    ...others,
    words('help.example', { line: [{ code: `/alert ${example}` }] }),
  ]
  return message([item('plain', words('help.kind', { kind: name }), lines)], {
    buttons: [...set, go(words('help.button.kinds'), '/help alert'), ALL_TOPICS],
  })
}

function formItem(asked: Declaration, form: Form): Item {
  const others = form.aliases.length > 0 ? [words('help.also', { names: form.aliases.join(', ') })] : []
  return item('plain', usage(asked, form), [
    text`${form.summary}.`,
    ...others,
    ...form.examples.map((line) => words('help.example', { line: [{ code: line }] })),
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
