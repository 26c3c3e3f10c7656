import german from './de/index.ts'
import english from './en/index.ts'
import { codePointsIn } from '../lib/text/legible.ts'
import { type Part, partsIn, pieceOf } from './parts.ts'

// Every sentence that people read has a key here. A language is a folder of this one: `en` names the keys, each other
// language has the same. `words()` of src/message/message.ts makes a text of a key and its arguments; the text stays a key
// until the reader is known.
//
// `{name}` is an argument. `{n:alert|alerts}` chooses by a number: the first form for one, the second for all others.
// `{side:long=Long|short=Short}` chooses by a word. A choice holds no other argument.

const CATALOGUES = { en: english, de: german }

export type Language = keyof typeof CATALOGUES
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[]
export type Key = keyof typeof english

/** The arguments of a key by name, read from its English words. `Any` is an argument of any type. */
export type Arguments<K extends Key, Any> = Named<(typeof english)[K], Any>

type Named<Words extends string, Any> = Words extends `${string}{${infer Body}}${infer Rest}`
  ? One<Body, Any> & Named<Rest, Any>
  : unknown
type One<Body extends string, Any> = Body extends `${infer Name}:${infer Forms}`
  ? Record<Name, Forms extends `${string}=${string}` ? Chosen<Forms> : number>
  : Record<Body, Any>
type Chosen<Forms extends string> = Forms extends `${infer First}|${infer Rest}`
  ? Before<First> | Chosen<Rest>
  : Before<Forms>
type Before<Form extends string> = Form extends `${infer Word}=${string}` ? Word : never

/**
 * Gives the words and arguments of the sentence to `take`, in order, each with `into`. An unknown key, stored by another
 * version, gives its arguments alone: figures are never lost.
 */
export function eachPart<Argument, Into>(
  language: Language,
  key: string,
  given: Readonly<Record<string, Argument>>,
  take: (into: Into, part: string | Argument, language: Language) => void,
  into: Into,
): void {
  const said = sentenceOf(language, key)
  if (said === null) for (const part of spaced(given)) take(into, part, language)
  else for (const part of said.parts) take(into, pieceOf(part, given), language)
}

/** Sums up the lengths of its words and arguments, without putting them together: a crash measures very many sentences. */
export function sentenceLength<Argument>(
  language: Language,
  key: string,
  given: Readonly<Record<string, Argument>>,
  lengthOf: (part: string | Argument, language: Language) => number,
): number {
  const said = sentenceOf(language, key)
  let sum = said?.points ?? 0
  if (said === null) for (const part of spaced(given)) sum += lengthOf(part, language)
  else for (const part of said.open) sum += lengthOf(pieceOf(part, given), language)
  return sum
}

function spaced<Argument>(given: Readonly<Record<string, Argument>>): (string | Argument)[] {
  return Object.values(given).flatMap((one, at) => (at === 0 ? [one] : [' ', one]))
}

/** Whether this is a key of the catalogue. */
export function isKey(words: string): words is Key {
  return Object.hasOwn(english, words)
}

/** The sentences of a language whose keys start like one of these, with their arguments in braces. */
export function sayings(language: Language, starts: readonly string[]): Readonly<Record<string, string>> {
  const isWanted = (key: string) => starts.some((start) => key.startsWith(start))
  return Object.fromEntries(Object.entries(CATALOGUES[language]).filter(([key]) => isWanted(key)))
}

/** A reason why something was not sent. */
export type ReasonKey = Extract<Key, `why.${string}`>

/** Finds the key of a reason by its English words, in which reasons are stored and logged. */
export function reasonKey(english: string): ReasonKey | null {
  return reasons.get(english) ?? null
}

const reasons = new Map(
  (Object.keys(english) as Key[]).flatMap((key) =>
    key.startsWith('why.') ? [[english[key] as string, key as ReasonKey] as const] : [],
  ),
)

/** The language of this tag (`de-AT`), by IETF BCP 47; null if there is none. */
export function languageOf(tag: string | null | undefined): Language | null {
  const [first] = (tag ?? '').toLowerCase().split(/[-_.]/)
  return LANGUAGES.find((one) => one === first) ?? null
}

/** A sentence of the catalogue as it is read once. */
interface Sentence {
  parts: readonly Part[]
  /** Those that depend on the arguments. */
  open: readonly Part[]
  /** Code points of all others together. */
  points: number
}

const read: Record<Language, Map<string, Sentence | null>> = { en: new Map(), de: new Map() }

function sentenceOf(language: Language, key: string): Sentence | null {
  const before = read[language].get(key)
  if (before !== undefined) return before
  const said = isKey(key) ? sentenceIn(CATALOGUES[language][key]) : null
  read[language].set(key, said)
  return said
}

function sentenceIn(words: string): Sentence {
  const parts = partsIn(words)
  let points = 0
  for (const part of parts) if ('words' in part) points += codePointsIn(part.words)
  return { parts, open: parts.filter((part) => !('words' in part)), points }
}
