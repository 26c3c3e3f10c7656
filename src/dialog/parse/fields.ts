import { type ArgumentMeta, argumentMeta } from '../../chat/argument.ts'
import type { Form } from '../../chat/declaration.ts'
import { usualWord } from './phrases.ts'
import { match, type Vocabulary } from './vocabulary.ts'

export interface Field {
  name: string
  meta: ArgumentMeta
  required: boolean
}

/** The fields of a form, in the order in which people type them. */
export function fieldsOf(form: Form): Field[] {
  return Object.entries(form.args.shape).flatMap(([name, type]) => {
    const meta = argumentMeta(type)
    const required = !(type as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined)
      .success
    return meta ? [{ name, meta, required }] : []
  })
}

/** By field, before the form's schema has seen them: it does so once, for it may change them. */
export type Found = Record<string, unknown>

/** What nobody means by the name of a field: it fits every word. */
const UNNAMED: ReadonlySet<string> = new Set(['text', 'chat', 'mention'])

/** `for 5m`: the name of a field, and what is meant for it; null where the word could be something by itself. */
export function nameOf(
  word: string,
  next: string | undefined,
  fields: Field[],
  found: Found,
  vocabulary: Vocabulary,
): { field: Field; value: unknown } | null {
  const called = new Set([word.toLowerCase(), usualWord(word)])
  const field = fields.find(({ name }) => called.has(name.toLowerCase()))
  if (!field || next === undefined || found[field.name] !== undefined || UNNAMED.has(field.meta.argument))
    return null
  const result = match(field.meta, next, vocabulary)
  const fits = fields.some(
    ({ meta }) => !UNNAMED.has(meta.argument) && match(meta, word, vocabulary).is === 'value',
  )
  return result.is !== 'value' || fits ? null : { field, value: result.value }
}
