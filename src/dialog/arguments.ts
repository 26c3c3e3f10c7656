import { z } from 'zod'

import { argumentMeta } from '../argument.ts'
import type { ArgumentMeta } from '../argument.ts'
import type { Form } from '../command.ts'
import { match, nearMiss } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** `missing` is the field that was not named; it is asked for with the likely choices. */
export type Parsed = { ok: true; args: unknown } | { ok: false; why: string; missing: Field | null }

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

/**
 * Reads words into a form's arguments. Where types tell them apart the order does not matter; what fits nothing is
 * the text, if the form takes one, else a sentence with the nearest valid choice.
 */
export function parseArguments(form: Form, words: readonly string[], vocabulary: Vocabulary): Parsed {
  const fields = fieldsOf(form)
  const found: Record<string, unknown> = {}
  const rest: string[] = []
  for (const word of words) {
    const taken = take(word, fields, found, vocabulary)
    if (typeof taken === 'string') return wrong(taken)
    if (!taken) rest.push(word)
  }
  const missing = fields.find(
    ({ name, meta, required }) => required && found[name] === undefined && meta.argument !== 'text',
  )
  const [odd] = rest
  if (missing && odd !== undefined) return wrong(misfit(odd, missing, fields, vocabulary))
  const text = fields.find(({ meta }) => meta.argument === 'text')
  if (text && rest.length > 0) found[text.name] = rest.join(' ')
  else if (odd !== undefined) {
    const free = fields.find(({ name }) => found[name] === undefined)
    return wrong(misfit(odd, free, fields, vocabulary))
  }
  return validate(form, found, missing)
}

/** Options that a platform has typed already: names and values. */
export function parseOptions(form: Form, given: unknown, vocabulary: Vocabulary): Parsed {
  const options = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  const found: Record<string, unknown> = {}
  for (const { name, meta } of fieldsOf(form)) {
    const option = options[name]
    if (typeof option !== 'string') {
      if (option !== undefined && option !== null) found[name] = option
      continue
    }
    if (meta.argument === 'text') found[name] = option
    else {
      const only = z.object({ [name]: form.args.shape[name] ?? z.unknown() })
      const parsed = parseArguments({ ...form, args: only }, option.split(/\s+/), vocabulary)
      if (!parsed.ok) return parsed
      Object.assign(found, parsed.args)
    }
  }
  return validate(form, found, undefined)
}

function validate(form: Form, found: Record<string, unknown>, missing: Field | undefined): Parsed {
  if (missing) return { ok: false, why: `Please name ${missing.meta.asks}.`, missing }
  const result = form.args.safeParse(found)
  if (result.success) return { ok: true, args: result.data }
  const [issue] = result.error.issues
  const field = fieldsOf(form).find(({ name }) => name === issue?.path[0])
  if (field && found[field.name] === undefined) {
    return { ok: false, why: `Please name ${field.meta.asks}.`, missing: field }
  }
  return wrong(issue?.message ?? 'That does not fit.')
}

function wrong(why: string): Parsed {
  return { ok: false, why, missing: null }
}

/** Gives the word to the first field that it fits. A sentence when it is surely meant for one and wrong. */
function take(
  word: string,
  fields: Field[],
  found: Record<string, unknown>,
  vocabulary: Vocabulary,
): boolean | string {
  let wrong: string | null = null
  for (const { name, meta } of fields) {
    const several = meta.argument === 'percents'
    if (found[name] !== undefined && !several) continue
    const result = match(meta, word, vocabulary)
    if (result.is === 'wrong') wrong ??= result.why
    if (result.is !== 'value') continue
    found[name] = several ? [...((found[name] as unknown[] | undefined) ?? []), result.value] : result.value
    return true
  }
  return wrong ?? false
}

function misfit(word: string, expected: Field | undefined, fields: Field[], vocabulary: Vocabulary): string {
  const shown = word.length > 24 ? `${word.slice(0, 24)}…` : word
  for (const { meta } of fields) {
    const near = nearMiss(meta, word, vocabulary)
    if (near !== null) return `I do not know “${shown}”. Did you mean ${near}?`
  }
  const unseen = fields.some(({ meta }) => meta.argument === 'market') && vocabulary.view.markets().size === 0
  if (unseen)
    return `I cannot tell whether “${shown}” is a market: I have not seen the venue yet. Try again shortly.`
  return expected ? `“${shown}” is not ${expected.meta.asks}.` : `“${shown}” is one word too many.`
}
