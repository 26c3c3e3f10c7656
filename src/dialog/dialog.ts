import type { Kind } from '../alert.ts'
import type { Bot, Choice, Inbound } from '../chat.ts'
import type { Clock } from '../clock.ts'
import type { Command, Context, Form, Read, Recall, View } from '../command.ts'
import type { Emit } from '../event.ts'
import { inOrder } from '../lib/in-order.ts'
import { nearest } from '../lib/nearest.ts'
import { say } from '../message.ts'
import type { Message } from '../message.ts'
import type { Chat, Person } from '../person.ts'
import type { Change, Changed, InputId } from '../store.ts'
import { fieldsOf, parseArguments, parseOptions } from './arguments.ts'
import type { Parsed } from './arguments.ts'
import { tokens } from './tokens.ts'
import { choices } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

type Dialog = Pick<Bot, 'commands' | 'audience' | 'greet' | 'line' | 'call' | 'suggest'>

/** Platforms take no more suggestions than this (Discord's autocomplete). */
const SUGGESTIONS = 25

/** Turns what people say into commands, and always has an answer. */
export function createDialog(world: {
  commands: readonly Command[]
  kinds: readonly Kind[]
  introduction: readonly string[]
  view: View
  read: Read
  recall: Recall
  clock: Clock
  emit: Emit
  /** Who this is; null for a stranger. A newcomer at a local adapter is met here. */
  known(from: Inbound): Promise<{ person: Person; chat: Chat } | null>
  /** The same from memory, for suggestions. */
  personId(from: Inbound): number
  change(change: Change, input: InputId): Promise<Changed>
  /** Whether the chat is on this machine. */
  local(from: Inbound): boolean
  quit(): void
}): Dialog {
  const { commands, kinds, view, clock, emit } = world
  const perPerson = inOrder()

  const findCommand = (name: string) =>
    commands.find((one) => one.name === name || one.aliases.includes(name))

  function vocabulary(personId: number): Vocabulary {
    return { view, personId, commands }
  }

  async function run(
    from: Inbound,
    command: Command,
    form: Form,
    parse: (vocabulary: Vocabulary) => Parsed,
  ): Promise<Message> {
    const started = clock.tick()
    const done = (outcome: 'answered' | 'refused' | 'failed') =>
      emit({
        is: 'command',
        platform: from.by.platform,
        command: command.name,
        ms: clock.tick() - started,
        outcome,
      })
    try {
      const known = await world.known(from)
      if (!known) {
        done('refused')
        return say('This Perch is private. Ask the person who runs it for an invitation.')
      }
      const refusal = refused(command, known.person, world.local(from))
      const parsed = refusal === null ? parse(vocabulary(known.person.id)) : null
      if (!parsed?.ok) {
        done('refused')
        return say(refusal ?? withExample(parsed?.why ?? '', form))
      }
      const answer = await command.run(contextOf(from, known), form, parsed.args)
      done('answered')
      return answer
    } catch (error) {
      done('failed')
      emit({
        is: 'trouble',
        where: `/${command.name}`,
        why: error instanceof Error ? error.message : String(error),
        error,
      })
      return say('That did not work, and the operator can see why. Nothing was changed; please try again.')
    }
  }

  function contextOf(from: Inbound, { person, chat }: { person: Person; chat: Chat }): Context {
    let changes = 0
    const { read, recall, introduction, quit } = world
    return {
      from,
      person,
      chat,
      reader: { now: clock.now(), zone: person.zone },
      view,
      read,
      recall,
      kinds,
      commands,
      introduction,
      quit,
      change: (change) => world.change(change, { platform: from.by.platform, id: `${from.id}#${changes++}` }),
    }
  }

  async function answerLine(from: Inbound, text: string): Promise<Message> {
    const [first = '', ...words] = tokens(text)
    if (first === '') return say('Say /help to see what I can do.')
    const name = first.replace(/^\//, '').toLowerCase()
    const command = findCommand(name)
    if (!command) return say(unknownCommand(first, name, commands))
    const [single] = command.forms
    if (single && command.forms.length === 1 && single.name === '') {
      return run(from, command, single, (known) => parseArguments(single, words, known))
    }
    const [which = '', ...rest] = words
    const form = command.forms.find(
      (one) => one.name === which.toLowerCase() || one.aliases.includes(which.toLowerCase()),
    )
    if (!form) return say(unknownForm(command, which))
    return run(from, command, form, (known) => parseArguments(form, rest, known))
  }

  return {
    commands,
    audience: (_from, name) => findCommand(name)?.audience ?? 'person',
    greet: (from) => perPerson(identityKey(from), () => answerLine(from, '/start')),
    line: (from, text) => perPerson(identityKey(from), () => answerLine(from, text)),
    call: (from, name, args) =>
      perPerson(identityKey(from), async () => {
        const [base = '', which = ''] = name.split(' ')
        const command = findCommand(base)
        const form = command?.forms.find((one) => one.name === which)
        if (!command || !form) return say(unknownCommand(name, base, commands))
        return run(from, command, form, (known) => parseOptions(form, args, known))
      }),
    suggest(from, name, argument, typed): readonly Choice[] {
      const [base = '', which = ''] = name.split(' ')
      const form = findCommand(base)?.forms.find((one) => one.name === which)
      const field = form && fieldsOf(form).find((one) => one.name === argument)
      if (!field) return []
      const wanted = typed.toLowerCase()
      return choices(field.meta.argument, vocabulary(world.personId(from)))
        .filter(({ label, value }) => `${label} ${value}`.toLowerCase().includes(wanted))
        .slice(0, SUGGESTIONS)
    },
  }
}

function identityKey({ by }: Inbound): string {
  return `${by.platform} ${by.user}`
}

function refused(command: Command, person: Person, local: boolean): string | null {
  if (command.who === 'local' && !local) return `/${command.name} works only in the terminal that runs me.`
  if (command.who === 'operator' && !person.operator)
    return `/${command.name} is for the operator of this Perch.`
  return null
}

function withExample(why: string, form: Form): string {
  const [example] = form.examples
  return example === undefined ? why : `${why} For example: ${example}`
}

function unknownCommand(typed: string, name: string, commands: readonly Command[]): string {
  const shown = typed.length > 24 ? `${typed.slice(0, 24)}…` : typed
  const near = nearest(
    name,
    commands.flatMap((command) => [command.name, ...command.aliases]),
  )
  return near === null
    ? `I do not know ${shown}. Say /help to see what I can do, or for example /positions.`
    : `I do not know ${shown}. Did you mean /${near}? /help shows all.`
}

function unknownForm(command: Command, which: string): string {
  const names = command.forms.map(({ name }) => name).join(', ')
  const [example] = command.forms.flatMap(({ examples }) => examples)
  if (which === '') return `/${command.name} needs one of: ${names}. For example: ${example}`
  const near = nearest(
    which,
    command.forms.flatMap(({ name, aliases }) => [name, ...aliases]),
  )
  const shown = which.length > 24 ? `${which.slice(0, 24)}…` : which
  return near === null
    ? `I do not know the alert “${shown}”. There are: ${names}. For example: ${example}`
    : `I do not know the alert “${shown}”. Did you mean /${command.name} ${near}? There are: ${names}.`
}
