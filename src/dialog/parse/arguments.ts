import type { ArgumentType } from '../../chat/argument.ts'
import type { Form } from '../../chat/declaration.ts'
import { STYLE_MARKS } from '../../lib/text/format.ts'
import { legible } from '../../lib/text/legible.ts'
import { type Text, words as sentence } from '../../message/message.ts'
import { isKey } from '../../words/words.ts'
import { type Field, fieldsOf, type Found, nameOf } from './fields.ts'
import { misfit, type Misread, unnamed, whichOf, wrong } from './misread.ts'
import { apart, isAll, isFigure, signOf } from './move-words.ts'
import { isTie, phrased, saidBack, tokens } from './phrases.ts'
import { forLater, match, type Several, type Vocabulary } from './vocabulary.ts'

export type Parsed = { ok: true; args: unknown } | Misread

/**
 * Reads words into a form's arguments. The order matters only where two arguments have the same type. A word that fits
 * no argument becomes the text, if the form takes one; else the answer names the nearest valid choice.
 */
export function parseArguments(form: Form, typed: readonly string[], vocabulary: Vocabulary): Parsed {
  const read = readWords(fieldsOf(form), typed, vocabulary, form.cues !== undefined)
  return read.ok ? validate(form, read.found, read.said) : read
}

/** Rewrites the words for a line that is read later; null if they are not understood. */
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
  if ('why' in words) return wrong(words.why)
  const found: Found = {}
  const rest: string[] = []
  const said: string[] = []
  const filled: Placed[] = []
  const more: Placed[] = []
  let open: { word: string; taken: Several } | null = null
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
    if (taken?.is === 'wrong') return wrong(taken.why, taken.guard)
    if (taken?.is === 'given') filled.push({ at: said.length, field: taken.field })
    if (!taken) {
      const again = filled.find(({ field }) => match(field.meta, word, vocabulary).is === 'value')
      if (again) more.push({ at: said.length, field: again.field })
      rest.push(word)
    }
    if (taken?.is === 'several') open ??= { word, taken }
    const meta =
      taken?.is === 'given' ? taken.field.meta : more.find(({ at }) => at === said.length)?.field.meta
    said.push(meta ? forLater(meta, word, vocabulary) : word)
  }
  if (open) return whichOf(open.word, open.taken, said)
  const free = fields.filter(({ name }) => found[name] === undefined)
  const missing = free.find(({ meta, required }) => required && meta.argument !== 'text')
  const [odd] = rest
  const text = fields.find(({ meta }) => meta.argument === 'text')
  if (odd !== undefined && more.length === rest.length && !text) {
    const { why, lines } = severalLines(said, filled, more)
    return { ok: false, why, missing: null, said, meant: lines, each: true }
  }
  if (missing && odd !== undefined) return misfit(rest, missing, { free, found, said }, vocabulary)
  if (text && rest.length > 0) found[text.name] = rest.join(' ')
  else if (odd !== undefined) return misfit(rest, free[0], { free, found, said }, vocabulary)
  return missing ? unnamed(missing, said, found) : { ok: true, found, said }
}

/** Reads options that the platform has typed already, as names and values. */
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

/**
 * Completes the corrections of one option with the values of the others: buttons carry whole lines, even where options
 * are typed.
 */
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
  if (field && found[field.name] === undefined) return unnamed(field, said, found)
  return wrong(issue ? sentenceOf(issue.message) : sentence('parse.no-fit'))
}

/** The answer to words that are certainly wrong, or ambiguous. */
interface Sentence {
  why: Text
}

/** A check of an argument names its sentence by a key, or says it. */
function sentenceOf(checked: string): Text {
  return isKey(checked) ? [{ phrase: checked, with: {} }] : checked
}

/** Joins words that form one argument, such as a label or a size. Returns a sentence if that is ambiguous. */
function together(
  typed: readonly string[],
  fields: Field[],
  vocabulary: Vocabulary,
): readonly string[] | Sentence {
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

/**
 * Joins the groups of a figure for people who write a space between thousands. Returns a sentence if it could be two
 * figures.
 */
function withThousands(
  words: readonly string[],
  fields: Field[],
  { numbers }: Vocabulary,
): readonly string[] | Sentence {
  const takes = (argument: string) => fields.some(({ meta }) => meta.argument === argument)
  const isStyle = STYLE_MARKS[numbers].group === ' '
  if (!(isStyle ? ['size', 'price', 'usd', 'sums'] : ['price']).some(takes)) return words
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
  const [whole, apart] = [`${size}${account}`, `${size} …${account}`]
  const given = { typed: odd, size: odd, part: size, account, joined: whole, apart }
  return { why: sentence('parse.size.account', given) }
}

type Wrong = Sentence & { is: 'wrong'; guard?: string }
type Taken = { is: 'given'; field: Field } | Several

/**
 * Gives the word to the first field that it fits, exact matches before likely ones. Returns a sentence if it is
 * certainly wrong.
 */
function take(word: string, fields: Field[], found: Found, vocabulary: Vocabulary): Taken | Wrong | null {
  let wrong: Wrong | null = null
  let several: Taken | null = null
  let likely: { field: Field; value: unknown } | null = null
  for (const field of fields) {
    if (found[field.name] !== undefined && !isList(field)) continue
    const result = match(field.meta, word, vocabulary)
    if (result.is === 'wrong' && field.required) return result
    if (result.is === 'wrong') wrong ??= result
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

/** True for fields that take several words. */
function isList({ meta: { argument } }: Field): boolean {
  return argument === 'percents' || argument === 'sums' || argument === 'moves'
}

/** Words between moves, without a meaning of their own. */
const BETWEEN = /^(?:and|&|\+|,|;|%|by|if|when|the|goes|moves)$/i
const PRICE = /^\$?\d[\d.,]*[kmb]?\$?$/i
/** `100k` and `$90,000` are prices. A bare figure is a price only after `to`. */
const IS_PRICE = /^(?:\$.*\d|\d[\d.,]*[kmb]\$?|\d[\d.,]*\$)$/i

/**
 * Joins each market with its move: `BTC down 8%` becomes `BTC -8%`, and `BTC ETH -8%` becomes `BTC -8%` and `ETH -8%`.
 * `BTC to 90k` stays a price; a single figure alone becomes `all -10%`. An unknown name before a figure stays with it,
 * so that the answer asks about it.
 */
function withMoves(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const is = (argument: ArgumentType, word: string) => {
    const { is: found } = match({ argument, asks: '', words: [] }, word, vocabulary)
    return found === 'value' || found === 'likely' || found === 'several'
  }
  const apartWords = words
    .map((word) => word.replace(/[,;]$/, ''))
    .filter((word) => word !== '' && !BETWEEN.test(word))
    .flatMap((word) => (/\s/.test(word) || isFigure(word) ? [word] : (apart(word) ?? [word])))
  const said = signed(apartWords, (word) => is('market', word))
  const isOnly = said.filter(isFigure).length === 1
  const moves: string[] = []
  let names: string[] = []
  for (const [at, word] of said.entries()) {
    const figured = isFigure(said[at + 1] ?? '') || TO.test(said[at + 1] ?? '')
    if (isFigure(word) || TO.test(word)) {
      if (names.length > 0) moves.push(...names.map((name) => `${name} ${word}`))
      else moves.push(isOnly ? `all ${word}` : word)
      names = []
    } else if (isAll(word) || is('market', word) || (figured && !is('wallet', word))) names.push(word)
    else moves.push(word)
  }
  return [...moves, ...names]
}

const TO = /^to \S/

/** Turns `down 8%` into `-8%`, and joins `to 90k`. A figure that has a sign keeps it. */
function signed(words: readonly string[], isMarket: (word: string) => boolean): string[] {
  const said: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [word = '', next = ''] = words.slice(at)
    const sign = isFigure(next) && !isMarket(word) ? signOf(word) : null
    if (sign !== null) {
      said.push(/^\d/.test(next) ? `${sign}${next}` : next)
      at += 1
    } else if (/^(?:to|at)$/i.test(word) && PRICE.test(next)) {
      said.push(`to ${next}`)
      at += 1
    } else said.push(IS_PRICE.test(word) ? `to ${word}` : word)
  }
  return said
}

/** A word at its place in the line, and the field that it fits. */
interface Placed {
  at: number
  field: Field
}

/**
 * Splits a line with several values for one field, e.g. `ETH BTC below 2400`, into one line for each. Values that stand
 * together stay together. `filled` are the words that were taken, `more` those that found their field occupied.
 */
function severalLines(
  said: readonly string[],
  filled: readonly Placed[],
  more: readonly Placed[],
): { why: Text; lines: string[][] } {
  const extra = (name: string, turn: number) => more.filter(({ field }) => field.name === name)[turn - 1]
  const turns = Math.max(
    ...more.map(({ field: { name } }) => more.filter((one) => one.field.name === name).length),
  )
  const left = new Set(more.map(({ at }) => at))
  const lines = Array.from({ length: turns + 1 }, (_, turn) =>
    said.flatMap((word, at) => {
      if (left.has(at)) return []
      const place = filled.find((one) => one.at === at)
      const other = place && extra(place.field.name, turn)
      return [other ? (said[other.at] ?? word) : word]
    }),
  )
  const [first] = more
  const before = first && filled.find(({ field }) => field === first.field)
  const [one = '', other = ''] = [before, first].map((place) => saidBack(said[place?.at ?? -1] ?? ''))
  return { why: sentence('parse.one', { first: one, second: other }), lines }
}

/** Longest label that is searched for, in words. */
const LABEL_WORDS = 6

/** Joins the words of a wallet's label, quoted or not. */
function withLabels(words: readonly string[], { view, personId }: Vocabulary): string[] {
  const labels = new Set(view.named(personId).map(({ label }) => label.toLowerCase()))
  const joined: string[] = []
  for (let at = 0; at < words.length;) {
    const starting = (count: number) => words.slice(at, at + count).join(' ')
    let count = LABEL_WORDS
    while (count > 1 && !labels.has(starting(count).toLowerCase())) count -= 1
    joined.push(starting(count))
    at += count
  }
  return joined
}

const FIGURE = /^\d[\d.,]*%?$/
/** `20,10,5` and `10%,5%`. More than one comma, or a percent sign before it, cannot be one figure. */
const COMMAS = /^\d{1,2}(?:\.\d+)?(?:%(?:,\d{1,2}(?:\.\d+)?%?)+|(?:,\d{1,2}(?:\.\d+)?%?){2,})$/

/** Splits `20 / 10 / 5 / 2.5%`, Perch's own notation, into figures. The last sign applies to all of them. */
function withLists(words: readonly string[]): readonly string[] {
  if (!words.some((word) => /[/,]/.test(word))) return words
  const apart = words.flatMap((typed) => {
    const word = typed.replace(/(?<=[\d%]),$/, '')
    if (COMMAS.test(word)) return word.split(',')
    const parts = word.split('/').filter((part) => part !== '')
    return word === '/' || parts.every((part) => FIGURE.test(part)) ? parts : [word]
  })
  const last = apart.findLast((word) => FIGURE.test(word))
  return last?.endsWith('%')
    ? apart.map((word) => (FIGURE.test(word) ? word.replace(/%?$/, '%') : word))
    : apart
}
