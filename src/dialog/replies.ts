import type { Form } from '../declaration.ts'
import type { Command } from '../command.ts'
import { nearest } from '../lib/nearest.ts'
import { item, message } from '../message.ts'
import type { Button, Message } from '../message.ts'
import type { Misread } from './arguments.ts'
import { choices } from './choices.ts'
import { lineOf, saidBack } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** More buttons than this are no help on a phone. */
const BUTTONS = 8

/**
 * Why a line was not understood, with an example; buttons complete what was `said` with the likely choices, or say it
 * as it was probably meant. `start` is the command with its form.
 */
export function misread(
  { why, missing, said, meant }: Misread,
  form: Form,
  start: string,
  vocabulary: Vocabulary,
): Message {
  const buttons: Button[] = []
  if (missing) {
    for (const { label, value } of choices(missing.meta, vocabulary).slice(0, BUTTONS)) {
      buttons.push({ label, line: `${start} ${lineOf([...said, value])}`, replace: true })
    }
  }
  for (const words of meant.slice(0, BUTTONS)) {
    const line = `${start} ${lineOf(words)}`
    buttons.push({ label: line, line, replace: true })
  }
  const [example] = form.examples
  const whole = example === undefined || meant.length > 1 ? why : `${why} For example: ${example}`
  return message([item('plain', whole)], { buttons })
}

export function unknownCommand(typed: string, name: string, commands: readonly Command[]): Message {
  const near = nearest(
    name,
    commands.flatMap((command) => [command.name, ...command.aliases]),
  )
  const help = { label: '/help', line: '/help', replace: true }
  if (near === null) {
    const why = `I do not know ${saidBack(typed)}. Say /help to see what I can do, or for example /positions.`
    return message([item('plain', why)], { buttons: [help] })
  }
  const meant = { label: `/${near}`, line: `/${near}`, replace: true }
  const why = `I do not know ${saidBack(typed)}. Did you mean /${near}? /help shows all.`
  return message([item('plain', why)], { buttons: [meant, help] })
}

/** Several forms would understand it: the whole lines are the buttons. */
export function whichForm({ name }: Command, lines: readonly string[], odd: string | null = null): Message {
  const [only, ...others] = lines
  const what = odd === null ? '' : ` by “${saidBack(odd)}”`
  const [first, ...more] = [...new Set(lines)].slice(0, BUTTONS)
  const why =
    others.length === 0
      ? `I am not sure what you mean${what}. Did you mean ${only}?`
      : `I am not sure which /${name} you mean. ${more.length === 1 ? 'One of these two' : 'One of these'}?`
  const buttons = [first, ...more].flatMap((line) =>
    line === undefined ? [] : [{ label: line, line, replace: true }],
  )
  return message([item('plain', why)], { buttons })
}

/** The command has several forms and none was named: they are the buttons, or the nearest line that is understood. */
export function unknownForm(command: Command, which: string, near: string | null = null): Message {
  const absent = command.absent?.get(which.toLowerCase())
  if (absent !== undefined) return message([item('plain', absent)])
  const names = command.forms.map(({ name }) => name)
  const [example] = command.forms.flatMap(({ examples }) => examples)
  const meant =
    near ??
    (which === ''
      ? null
      : nearest(
          which,
          command.forms.flatMap(({ name, aliases }) => [name, ...aliases]),
        ))
  const known = `There are: ${names.join(', ')}.`
  const why =
    which === ''
      ? `/${command.name} needs one of: ${names.join(', ')}. For example: ${example}`
      : meant === null
        ? `/${command.name} does not know “${saidBack(which)}”. ${known} For example: ${example}`
        : `/${command.name} does not know “${saidBack(which)}”. Did you mean /${command.name} ${meant}? ${known}`
  const offered = meant === null ? names.slice(0, BUTTONS) : [meant]
  return message([item('plain', why)], {
    buttons: offered.map((name) => ({ label: name, line: `/${command.name} ${name}`, replace: true })),
  })
}
