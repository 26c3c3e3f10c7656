import { z } from 'zod'

import { argumentMeta } from '../argument.ts'
import type { ArgumentMeta } from '../argument.ts'
import type { Form } from '../command.ts'
import { legible } from '../lib/legible.ts'
import { nearMiss } from './choices.ts'
import { tokens } from './tokens.ts'
import { match } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

export type Parsed = { ok: true; args: unknown } | Misread

export interface Misread {
  ok: false
  why: string
  /** The field that was not named; it is asked for with the likely choices. */
  missing: Field | null
  /** The words as they were probably meant. */
  meant: readonly string[] | null
}

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
export function parseArguments(form: Form, typed: readonly string[], vocabulary: Vocabulary): Parsed {
  const fields = fieldsOf(form)
  const words = withLabels(typed, fields, vocabulary)
  const found: Record<string, unknown> = {}
  const rest: string[] = []
  for (const word of words) {
    const taken = take(word, fields, found, vocabulary)
    if (typeof taken === 'string') return wrong(taken)
    if (!taken) rest.push(word)
  }
  const free = fields.filter(({ name }) => found[name] === undefined)
  const missing = free.find(({ meta, required }) => required && meta.argument !== 'text')
  const [odd] = rest
  if (missing && odd !== undefined) return misfit(odd, missing, free, words, vocabulary)
  const text = fields.find(({ meta }) => meta.argument === 'text')
  if (text && rest.length > 0) found[text.name] = rest.join(' ')
  else if (odd !== undefined) return misfit(odd, free[0], free, words, vocabulary)
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
    if (meta.argument === 'text') found[name] = legible(option).trim()
    else {
      const only = z.object({ [name]: form.args.shape[name] ?? z.unknown() })
      const parsed = parseArguments({ ...form, args: only }, tokens(option), vocabulary)
      if (!parsed.ok) return { ...parsed, meant: null }
      Object.assign(found, parsed.args)
    }
  }
  return validate(form, found, undefined)
}

function validate(form: Form, found: Record<string, unknown>, missing: Field | undefined): Parsed {
  if (missing) return unnamed(missing)
  const result = form.args.safeParse(found)
  if (result.success) return { ok: true, args: result.data }
  const [issue] = result.error.issues
  const field = fieldsOf(form).find(({ name }) => name === issue?.path[0])
  if (field && found[field.name] === undefined) return unnamed(field)
  return wrong(issue?.message ?? 'That does not fit.')
}

function unnamed(missing: Field): Misread {
  return { ok: false, why: `Please name ${missing.meta.asks}.`, missing, meant: null }
}

function wrong(why: string): Misread {
  return { ok: false, why, missing: null, meant: null }
}

/** The most words that a label is looked for in. */
const LABEL_WORDS = 6

/** Words that are a wallet's label together count as one, quoted or not. */
function withLabels(words: readonly string[], fields: Field[], { view, personId }: Vocabulary): string[] {
  if (!fields.some(({ meta }) => meta.argument === 'wallet')) return [...words]
  const labels = new Set(view.watches(personId).map(({ label }) => label.toLowerCase()))
  const joined: string[] = []
  for (let at = 0; at < words.length;) {
    let count = LABEL_WORDS
    while (
      count > 1 &&
      !labels.has(
        words
          .slice(at, at + count)
          .join(' ')
          .toLowerCase(),
      )
    )
      count -= 1
    joined.push(words.slice(at, at + count).join(' '))
    at += count
  }
  return joined
}

/** Gives the word to the first field that it fits, exactly before likely. A sentence when it is surely wrong. */
function take(
  word: string,
  fields: Field[],
  found: Record<string, unknown>,
  vocabulary: Vocabulary,
): boolean | string {
  let wrong: string | null = null
  let likely: { field: Field; value: unknown } | null = null
  for (const field of fields) {
    if (found[field.name] !== undefined && field.meta.argument !== 'percents') continue
    const result = match(field.meta, word, vocabulary)
    if (result.is === 'wrong' && field.required) return result.why
    if (result.is === 'wrong') wrong ??= result.why
    if (result.is === 'likely') likely ??= { field, value: result.value }
    if (result.is === 'value') return give(field, result.value, found)
  }
  return likely ? give(likely.field, likely.value, found) : (wrong ?? false)
}

function give({ name, meta }: Field, value: unknown, found: Record<string, unknown>): true {
  const before = (found[name] as unknown[] | undefined) ?? []
  found[name] = meta.argument === 'percents' ? [...before, value] : value
  return true
}

const SHOWN = 24

function misfit(
  word: string,
  expected: Field | undefined,
  free: Field[],
  words: readonly string[],
  vocabulary: Vocabulary,
): Misread {
  const shown = [...word].length > SHOWN ? `${[...word].slice(0, SHOWN).join('')}…` : word
  for (const { meta } of free) {
    const near = nearMiss(meta, word, vocabulary)
    if (near === null) continue
    const meant = words.map((one) => (one === word ? near : one))
    return { ok: false, why: `I do not know “${shown}”. Did you mean ${near}?`, missing: null, meant }
  }
  const unseen = free.some(({ meta }) => meta.argument === 'market') && vocabulary.view.markets().size === 0
  if (unseen) {
    return wrong(
      `I cannot tell whether “${shown}” is a market: I have not seen the venue yet. Try again shortly.`,
    )
  }
  return wrong(expected ? `“${shown}” is not ${expected.meta.asks}.` : `“${shown}” is one word too many.`)
}
