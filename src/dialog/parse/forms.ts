import type { ArgumentType } from '../../chat/argument.ts'
import type { Form } from '../../chat/declaration.ts'
import type { Command } from '../../command/command.ts'
import { nearest } from '../../lib/text/nearest.ts'
import type { Message } from '../../message/message.ts'
import { parseArguments, type Parsed, saidLater } from './arguments.ts'
import { fieldsOf } from './fields.ts'
import { isTie, isWay, lineOf, phrased, tokens, usualWord, withoutAsking } from './phrases.ts'
import { ABOUT, formsAbout, opposite, spokenFirst, unknownForm, whichForm } from './replies.ts'
import { match, type Vocabulary } from './vocabulary.ts'

/** The form of the command with its parsed arguments, or a question if the form is unclear. */
export type Understood =
  | { is: 'form'; form: Form; start: string; parsed: Parsed }
  | { is: 'unclear'; answer: Message }

/** A form with the words that remain for its arguments. */
interface Candidate {
  form: Form
  words: readonly string[]
}

/** Punctuation at the end of a word or a sign. */
const STOP = /(?<=[\p{L}%$])[,;.!?]+$/u
/** Longest sentence that is tried, in words. Rules are shorter, and each reading takes time. */
const SENTENCE_WORDS = 24

/**
 * Finds the form by its name, which stands first. In a sentence the name may stand anywhere, or a cue decides. Takes a
 * form only if it alone reads every word; otherwise offers the possible sentences.
 */
export function understood(command: Command, typed: readonly string[], vocabulary: Vocabulary): Understood {
  const { forms } = command
  const isSentence = forms.some(({ cues }) => cues !== undefined)
  const words = isSentence
    ? withoutAsking(typed.map((word) => word.replace(STOP, '')))
    : withoutImplied(command, typed, vocabulary)
  const [start = '', ...rest] = words
  if (command.opposite?.has(start.toLowerCase()))
    return { is: 'unclear', answer: opposite(command, start, rest, vocabulary) }
  if (start === ABOUT && command.forms.length > 1)
    return { is: 'unclear', answer: formsAbout(command, rest[0] ?? '') }
  const [first] = named(forms, words, 0, isSentence)
  const bare = forms.find(({ name }) => name === '')
  if (!first && command.absent?.has(start.toLowerCase()) && !isSentence)
    return { is: 'unclear', answer: unknownForm(command, start) }
  const candidate = first ?? (bare && { form: bare, words })
  const direct = candidate && readAs(command, candidate, vocabulary)
  if (direct && (direct.parsed.ok || !isSentence)) return direct
  if (!isSentence || words.length === 0 || words.length > SENTENCE_WORDS)
    return direct ?? { is: 'unclear', answer: unknownForm(command, words[0] ?? '') }

  const meant = words.flatMap((_word, at) => named(forms, words, at, true))
  const plain = [...meant, ...cued(forms, words)]
  const gone = words.find((word) => command.absent?.has(word.toLowerCase()))
  if (plain.length === 0 && gone !== undefined) return { is: 'unclear', answer: unknownForm(command, gone) }
  const candidates = plain.length > 0 ? plain : partlyNamed(forms, words)
  const readings = candidates.map((one) => readAs(command, one, vocabulary))
  const read = readings.filter(({ parsed }) => parsed.ok)
  const [only] = read
  if (only && read.every(({ form }) => form === only.form)) return only
  if (only) return { is: 'unclear', answer: whichForm(command, lines(command, candidates, vocabulary)) }
  // `MOVE below 2` is about a market of that name, listed or not.
  const asCued =
    direct && isBesideWay(direct.parsed) ? readings.find((_, at) => isCued(candidates[at])) : null
  const wrong = asCued ?? direct ?? readings.find(({ parsed }) => helps(parsed)) ?? readings[0]
  if (wrong && (plain.length > 0 || readings.length === 1)) {
    const shorter = helps(wrong.parsed) ? [] : candidates.flatMap((one) => lessOne(command, one, vocabulary))
    const [first] = shorter
    return first && shorter.every(({ line }) => line === first.line)
      ? { is: 'unclear', answer: whichForm(command, [first.line], first.word) }
      : wrong
  }
  return { is: 'unclear', answer: unnamed(command, candidates, words, vocabulary) }
}

/** A word that names something of the person, such as a wallet called `all`, stays. */
function withoutImplied(
  { implied, forms }: Command,
  words: readonly string[],
  vocabulary: Vocabulary,
): readonly string[] {
  if (!implied) return words
  const isName = (word: string) =>
    forms.some((form) => fieldsOf(form).some(({ meta }) => match(meta, word, vocabulary).is === 'value'))
  return words.filter((word) => !implied.has(word.toLowerCase()) || isName(word))
}

/** Whether the word that does not fit is one like `below`: then the form was meant by no word before it. */
function isBesideWay(parsed: Parsed): boolean {
  return !parsed.ok && parsed.odd !== undefined && isWay(parsed.odd)
}

function isCued(candidate: Candidate | undefined): boolean {
  return candidate?.words.some((word) => candidate.form.cues?.includes(usualWord(word))) === true
}

type Reading = Extract<Understood, { is: 'form' }>

function readAs({ name }: Command, { form, words }: Candidate, vocabulary: Vocabulary): Reading {
  const start = form.name === '' ? `/${name}` : `/${name} ${form.name}`
  return { is: 'form', form, start, parsed: parseArguments(form, words, vocabulary) }
}

/** True if its answer offers a button. */
function helps(parsed: Parsed): boolean {
  return !parsed.ok && (parsed.missing !== null || parsed.meant.length > 0)
}

/** Longest name of a form, in words. */
const NAME_WORDS = 3

/** The form that is named at this place by one or more words, such as `funding rate`. */
function named(
  forms: readonly Form[],
  words: readonly string[],
  at: number,
  isSentence: boolean,
): Candidate[] {
  // The longest name first. In `price MOVE below 2` the shorter one is meant, as MOVE is a market.
  const found: Candidate[] = []
  for (let count = isSentence ? NAME_WORDS : 1; count > 0; count--) {
    if (at + count > words.length) continue
    const typed = words
      .slice(at, at + count)
      .join('-')
      .toLowerCase()
    const form = forms.find(({ name, aliases }) => name !== '' && [name, ...aliases].includes(typed))
    if (form) found.push({ form, words: words.toSpliced(at, count) })
  }
  return found
}

function cued(forms: readonly Form[], words: readonly string[]): Candidate[] {
  return forms.flatMap((form) => {
    const metas = fieldsOf(form).map(({ meta }) => meta)
    const said = [...words, ...phrased(words, metas)].some((word) => form.cues?.includes(usualWord(word)))
    return said ? [{ form, words }] : []
  })
}

/** `order` is a part of several names, so the answer asks which. Shorter parts are ordinary words like `no`. */
const SHORTEST_PART = 3

function partlyNamed(forms: readonly Form[], words: readonly string[]): Candidate[] {
  return words.flatMap((word, at) => {
    const part = word.toLowerCase()
    const fitting = forms.filter(({ name }) => name.split('-').includes(part))
    return part.length < SHORTEST_PART ? [] : fitting.map((form) => ({ form, words: words.toSpliced(at, 1) }))
  })
}

/**
 * Returns the full lines by which these candidates would be understood, as they are or with one more word of a choice.
 */
function lines({ name }: Command, candidates: readonly Candidate[], vocabulary: Vocabulary): string[] {
  return candidates.flatMap(({ form, words }) => {
    const parsed = parseArguments(form, words, vocabulary)
    const choice = parsed.ok || parsed.missing?.meta.argument !== 'choice' ? [] : parsed.missing.meta.words
    const whole = parsed.ok ? [words] : choice.map((word) => [...words, word])
    return whole.flatMap((one) => {
      const said = parseArguments(form, one, vocabulary).ok ? saidLater(form, one, vocabulary) : null
      return said ? [`/${name} ${form.name} ${lineOf(said)}`.trimEnd()] : []
    })
  })
}

/**
 * Drops one word that fits nothing, and returns the line without it. Only for a comparison (`pnl below -5k`), or a
 * lowercase word if a market or wallet is named too. The answer asks all the same, as the word may be a misspelled one.
 */
function lessOne(
  command: Command,
  { form, words }: Candidate,
  vocabulary: Vocabulary,
): { word: string; line: string }[] {
  return words.flatMap((word, at) => {
    const rest = words.toSpliced(at, 1)
    const parsed = parseArguments(form, rest, vocabulary)
    if (!parsed.ok) return []
    const args = parsed.args as Readonly<Record<string, unknown>>
    const scope = fieldsOf(form).filter(({ meta }) => SCOPE.has(meta.argument))
    const isSmall = /^\p{Ll}+$/u.test(word) && scope.some(({ name }) => args[name] !== undefined)
    if (!isWay(word) && !isSmall) return []
    return lines(command, [{ form, words: rest }], vocabulary).map((line) => ({ word, line }))
  })
}

const SCOPE: ReadonlySet<ArgumentType> = new Set(['market', 'wallet'])

function isScope(word: string, vocabulary: Vocabulary): boolean {
  return [...SCOPE].some(
    (argument) => match({ argument, asks: '', words: [] }, word, vocabulary).is === 'value',
  )
}

/**
 * For a sentence that names no form: offers the forms that would read it, or the nearest sentence that is understood.
 */
function unnamed(
  command: Command,
  candidates: readonly Candidate[],
  words: readonly string[],
  vocabulary: Vocabulary,
): Message {
  const { forms, name } = command
  if (candidates.length === 0 && words.every((word) => isScope(word, vocabulary))) {
    const taking = spokenFirst(forms).filter((form) => {
      const parsed = parseArguments(form, words, vocabulary)
      return parsed.ok || parsed.missing !== null
    })
    return whichForm(
      command,
      taking.map((form) => `/${name} ${form.name} ${lineOf(words)}`),
    )
  }
  // A figure next to a market is most often a price.
  const needing = forms.filter((form) =>
    fieldsOf(form).some(({ name: field, required }) => required && field === 'market'),
  )
  const sorted = [...new Set([...needing, ...forms])]
  const all = candidates.length > 0 ? candidates : sorted.map((form) => ({ form, words }))
  const offered = lines(command, all, vocabulary)
  if (offered.length > 0) return whichForm(command, offered)
  if (candidates.length > 0)
    return whichForm(
      command,
      candidates.map(({ form }) => `/${name} ${form.name}`),
    )
  const isKnown = (word: string) =>
    isTie(word) ||
    forms.some((form) => fieldsOf(form).some(({ meta }) => match(meta, word, vocabulary).is === 'value'))
  const odd = words.find((word) => !isKnown(word)) ?? words[0] ?? ''
  const near = nearest(
    odd,
    forms.flatMap((form) => [form.name, ...form.aliases, ...(form.cues ?? [])]),
  )
  if (near === null || !/\p{L}/u.test(odd)) return unknownForm(command, odd)
  const mended = lineOf(words.map((word) => (word === odd ? near : word)))
  const again = understood(command, tokens(mended), vocabulary)
  if (again.is === 'form' && again.parsed.ok) return unknownForm(command, odd, mended)
  const [shorter, ...others] = forms.flatMap((form) =>
    lessOne(command, { form, words }, vocabulary).filter(({ word }) => word === odd),
  )
  return shorter && others.length === 0
    ? whichForm(command, [shorter.line], odd)
    : unknownForm(command, odd, words.length === 1 ? near : null)
}
