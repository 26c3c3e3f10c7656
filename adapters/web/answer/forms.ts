import { type ArgumentType, argumentMeta } from '../../../src/chat/argument.ts'
import type { Declaration, Form } from '../../../src/chat/declaration.ts'
import { inWords, type Text } from '../../../src/message/message.ts'
import type { Language } from '../../../src/words/words.ts'

/** One way of saying a command, for a form on the page. */
export interface FormView {
  /** `alert price-below`: as `call` names it. */
  command: string
  name: string
  summary: string
  examples: readonly string[]
  fields: readonly FieldView[]
}

interface FieldView {
  name: string
  label: string
  type: ArgumentType
  isOptional: boolean
  /** The words of a choice; none where something is typed. */
  choices: readonly string[]
  /** The period in which the value of a rate counts. */
  per: 'year' | 'day' | null
}

/** The forms of one command in a language; null where there is no such command. Pure. */
export function formsOf(
  commands: readonly Declaration[],
  name: string,
  language: Language,
): readonly FormView[] | null {
  const command = commands.find((one) => one.name === name)
  return command ? command.forms.map((form) => formOf(command.name, form, language)) : null
}

function formOf(command: string, form: Form, language: Language): FormView {
  const words = (text: Text) => inWords(text, language)
  return {
    command: form.name === '' ? command : `${command} ${form.name}`,
    name: form.name,
    summary: words(form.summary),
    examples: form.examples,
    fields: Object.entries(form.args.shape).flatMap(([name, type]) => {
      const meta = argumentMeta(type)
      if (!meta) return []
      return {
        name,
        label: words(meta.asks),
        type: meta.argument,
        // `custom` accepts undefined too. Only an argument with a default, or declared optional, may be left out.
        isOptional: type._zod.optin !== undefined,
        choices: meta.argument === 'choice' ? meta.words : [],
        per: meta.per ?? null,
      }
    }),
  }
}
