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

/** Values by field, before the form's schema has parsed them. The schema runs only once, as it may transform them. */
export type Found = Record<string, unknown>

/** Arguments that take any word. For these, a field's name in the line is read as content. */
const UNNAMED: ReadonlySet<string> = new Set(['text', 'chat', 'mention'])

/** Reads `for 5m` as a field's name and its value; null if the name could be a value itself. */
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
  const typed = match(field.meta, next, vocabulary)
  // Behind its name, a bare hour is a time: `until 8`.
  const isHour = field.meta.argument === 'time' && /^\d{1,2}$/.test(next)
  const result = isHour ? match(field.meta, `${next}:00`, vocabulary) : typed
  const fits = fields.some(
    ({ meta }) => !UNNAMED.has(meta.argument) && match(meta, word, vocabulary).is === 'value',
  )
  return result.is !== 'value' || fits ? null : { field, value: result.value }
}
