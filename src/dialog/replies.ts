import type { Command, Form } from '../command.ts'
import { nearest } from '../lib/nearest.ts'
import { item, message } from '../message.ts'
import type { Message } from '../message.ts'
import type { Field } from './arguments.ts'
import { choices } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** More buttons than this are no help on a phone. */
const BUTTONS = 8
const SHOWN = 24

/** Asks for an argument with the likely choices as buttons; null when there is nothing to choose from. */
export function askFor(field: Field, why: string, typed: string, vocabulary: Vocabulary): Message | null {
  const likely = choices(field.meta, vocabulary).slice(0, BUTTONS)
  if (likely.length === 0) return null
  return message([item('plain', why)], {
    buttons: likely.map(({ label, value }) => ({
      label,
      line: `${typed} ${/\s/.test(value) ? `"${value}"` : value}`,
      replace: true,
    })),
  })
}

export function withExample(why: string, form: Form): string {
  const [example] = form.examples
  return example === undefined ? why : `${why} For example: ${example}`
}

export function unknownCommand(typed: string, name: string, commands: readonly Command[]): string {
  const near = nearest(
    name,
    commands.flatMap((command) => [command.name, ...command.aliases]),
  )
  return near === null
    ? `I do not know ${short(typed)}. Say /help to see what I can do, or for example /positions.`
    : `I do not know ${short(typed)}. Did you mean /${near}? /help shows all.`
}

export function unknownForm(command: Command, which: string): string {
  const names = command.forms.map(({ name }) => name).join(', ')
  const [example] = command.forms.flatMap(({ examples }) => examples)
  if (which === '') return `/${command.name} needs one of: ${names}. For example: ${example}`
  const near = nearest(
    which,
    command.forms.flatMap(({ name, aliases }) => [name, ...aliases]),
  )
  const known = `There are: ${names}.`
  return near === null
    ? `/${command.name} does not know “${short(which)}”. ${known} For example: ${example}`
    : `/${command.name} does not know “${short(which)}”. Did you mean /${command.name} ${near}? ${known}`
}

function short(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
