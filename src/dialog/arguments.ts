import type { Form } from '../declaration.ts'
import { legible } from '../lib/legible.ts'
import { STYLE_MARKS } from '../lib/number-style.ts'
import { fieldsOf, nameOf } from './fields.ts'
import type { Field, Found } from './fields.ts'
import { withLabels } from './labels.ts'
import { withLists } from './lists.ts'
import { misfit, unnamed, whichOf, wrong } from './misread.ts'
import type { Misread } from './misread.ts'
import { isTie, phrased } from './phrases.ts'
import { withMoves } from './moves.ts'
import { severalLines } from './several.ts'
import type { Placed } from './several.ts'
import { tokens } from './tokens.ts'
import { forLater, match } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

export type Parsed = { ok: true; args: unknown } | Misread

/**
 * Reads words into a form's arguments. Where types tell them apart the order does not matter; what fits nothing is
 * the text, if the form takes one, else a sentence with the nearest valid choice.
 */
export function parseArguments(form: Form, typed: readonly string[], vocabulary: Vocabulary): Parsed {
  const read = readWords(fieldsOf(form), typed, vocabulary, form.cues !== undefined)
  return read.ok ? validate(form, read.found, read.said) : read
}

/** The same words, for a line that is read later; null where they are not understood. */
export function saidLater(
  form: Form,
  typed: readonly string[],
  vocabulary: Vocabulary,
): readonly string[] | null {
  const read = readWords(fieldsOf(form), typed, vocabulary, form.cues !== undefined)
  return read.ok ? read.said : null
}

function readWords(
  fields: Field[],
  typed: readonly string[],
  vocabulary: Vocabulary,
  isSentence = false,
): { ok: true; found: Found; said: readonly string[] } | Misread {
  const words = together(typed, fields, vocabulary)
  if (typeof words === 'string') return wrong(words)
  const found: Found = {}
  const rest: string[] = []
  const said: string[] = []
  const filled: Placed[] = []
  const more: Placed[] = []
  let open: { word: string; names: readonly string[] } | null = null
  const isNothing = (word: string) =>
    word.toLowerCase() === 'for'
      ? fields.some(({ name }) => name === 'for')
      : isSentence && isTie(word) && !fields.some(({ meta }) => match(meta, word, vocabulary).is === 'value')
  for (let at = 0; at < words.length; at++) {
    const [word = '', next] = words.slice(at)
    const named = nameOf(word, next, fields, found, vocabulary)
    if (named && next !== undefined) {
      give(named.field, named.value, found)
      filled.push({ at: said.length + 1, field: named.field })
      said.push(word, forLater(named.field.meta, next, vocabulary))
      at += 1
      continue
    }
    if (isNothing(word)) continue
    const taken = take(word, fields, found, vocabulary)
    if (typeof taken === 'string') return wrong(taken)
    if (taken?.is === 'given') filled.push({ at: said.length, field: taken.field })
    if (!taken) {
      const again = filled.find(({ field }) => match(field.meta, word, vocabulary).is === 'value')
      if (again) more.push({ at: said.length, field: again.field })
      rest.push(word)
    }
    if (taken?.is === 'several') open ??= { word, names: taken.names }
    const meta =
      taken?.is === 'given' ? taken.field.meta : more.find(({ at }) => at === said.length)?.field.meta
    said.push(meta ? forLater(meta, word, vocabulary) : word)
  }
  if (open) return whichOf(open.word, open.names, said)
  const free = fields.filter(({ name }) => found[name] === undefined)
  const missing = free.find(({ meta, required }) => required && meta.argument !== 'text')
  const [odd] = rest
  const text = fields.find(({ meta }) => meta.argument === 'text')
  if (odd !== undefined && more.length === rest.length && !text) {
    const { why, lines } = severalLines(said, filled, more)
    return { ok: false, why, missing: null, said, meant: lines, each: true }
  }
  if (missing && odd !== undefined) return misfit(odd, missing, free, said, vocabulary)
  if (text && rest.length > 0) found[text.name] = rest.join(' ')
  else if (odd !== undefined) return misfit(odd, free[0], free, said, vocabulary)
  return missing ? unnamed(missing, said) : { ok: true, found, said }
}

/** Options that a platform has typed already: names and values. */
export function parseOptions(form: Form, given: unknown, vocabulary: Vocabulary): Parsed {
  const options = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  const found: Found = {}
  const said: string[] = []
  const fields = fieldsOf(form)
  for (const [at, field] of fields.entries()) {
    const { name, meta } = field
    const option = options[name]
    if (typeof option !== 'string') {
      if (option === undefined || option === null) continue
      found[name] = option
      if (typeof option === 'number') said.push(String(option))
      continue
    }
    if (meta.argument === 'text') {
      found[name] = legible(option).trim()
      said.push(option)
    } else {
      const read = readWords([field], tokens(option), vocabulary, form.cues !== undefined)
      if (!read.ok) return { ...read, meant: wholeLines(read.meant, said, fields.slice(at + 1), options) }
      Object.assign(found, read.found)
      said.push(...read.said)
    }
  }
  return validate(form, found, said)
}

/** What was meant by one option, with what stands in the others: buttons are lines, also where options are typed. */
function wholeLines(
  meant: Misread['meant'],
  said: readonly string[],
  after: readonly Field[],
  options: Readonly<Record<string, unknown>>,
): Misread['meant'] {
  const rest = after.flatMap(({ name }) => {
    const option = options[name]
    return typeof option === 'string' ? tokens(option) : typeof option === 'number' ? [String(option)] : []
  })
  return meant.map((words) => [...said, ...words, ...rest])
}

function validate(form: Form, found: Found, said: readonly string[]): Parsed {
  const result = form.args.safeParse(found)
  if (result.success) return { ok: true, args: result.data }
  const [issue] = result.error.issues
  const field = fieldsOf(form).find(({ name }) => name === issue?.path[0])
  if (field && found[field.name] === undefined) return unnamed(field, said)
  return wrong(issue?.message ?? 'That does not fit.')
}

/** Words that are one: a label, or a size. A sentence where that cannot be told. */
function together(
  typed: readonly string[],
  fields: Field[],
  vocabulary: Vocabulary,
): readonly string[] | string {
  const takes = (argument: string) => fields.some(({ meta }) => meta.argument === argument)
  const labelled = takes('wallet') ? withLabels(typed, vocabulary) : typed
  const words = phrased(
    takes('percents') ? withLists(labelled) : labelled,
    fields.map(({ meta }) => meta),
  )
  if (takes('moves')) return withMoves(words, vocabulary)
  return withThousands(words, fields, vocabulary)
}

const START_OF_THOUSANDS = /^[-+$−–—]{0,3}[1-9]\d{0,2}(?: \d{3})*$/
const MORE_THOUSANDS = /^\d{3}(?:,\d*)?[kmb%$]{0,2}$/i

/** Words that are one size together, for those who write a space between thousands. A sentence where it may be two. */
function withThousands(
  words: readonly string[],
  fields: Field[],
  { numbers }: Vocabulary,
): readonly string[] | string {
  const takes = (argument: string) => fields.some(({ meta }) => meta.argument === argument)
  if (STYLE_MARKS[numbers].group !== ' ' || !['size', 'price', 'usd', 'sums'].some(takes)) return words
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1) ?? ''
    if (START_OF_THOUSANDS.test(last) && MORE_THOUSANDS.test(word))
      joined[joined.length - 1] = `${last} ${word}`
    else joined.push(word)
  }
  const odd = joined.find((word) => /^\D*\d+ \d{3}$/.test(word) && !words.includes(word))
  if (odd === undefined || !takes('account')) return joined
  const [size = '', account = ''] = odd.split(' ')
  return `“${odd}” could be ${odd}, or ${size} in the account that ends with ${account}. Type ${size}${account} or ${size} …${account}.`
}

type Taken = { is: 'given'; field: Field } | { is: 'several'; names: readonly string[] }

/** Gives the word to the first field that it fits, exactly before likely. A sentence when it is surely wrong. */
function take(word: string, fields: Field[], found: Found, vocabulary: Vocabulary): Taken | string | null {
  let wrong: string | null = null
  let several: Taken | null = null
  let likely: { field: Field; value: unknown } | null = null
  for (const field of fields) {
    if (found[field.name] !== undefined && !isList(field)) continue
    const result = match(field.meta, word, vocabulary)
    if (result.is === 'wrong' && field.required) return result.why
    if (result.is === 'wrong') wrong ??= result.why
    if (result.is === 'several') several ??= result
    if (result.is === 'likely') likely ??= { field, value: result.value }
    if (result.is === 'value') return give(field, result.value, found)
  }
  return likely ? give(likely.field, likely.value, found) : (several ?? wrong)
}

function give(field: Field, value: unknown, found: Found): Taken {
  const { name } = field
  const before = (found[name] as unknown[] | undefined) ?? []
  found[name] = isList(field) ? [...before, value] : value
  return { is: 'given', field }
}

/** It takes as many words as there are. */
function isList({ meta: { argument } }: Field): boolean {
  return argument === 'percents' || argument === 'sums' || argument === 'moves'
}
