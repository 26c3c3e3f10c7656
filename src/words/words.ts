import german from './de/index.ts'
import english from './en/index.ts'
import { filled, type Part, partsIn, pieceOf } from './parts.ts'

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
 * Returns the sentence as words and arguments, in order. An unknown key, stored by another version, gives its arguments
 * alone: figures are never lost.
 */
export function sentence<Argument>(
  language: Language,
  key: string,
  given: Readonly<Record<string, Argument>>,
): (string | Argument)[] {
  const parts = partsOf(language, key)
  if (parts === null) return Object.values(given).flatMap((one, at) => (at === 0 ? [one] : [' ', one]))
  return filled(parts, given)
}

/** Sums up the lengths of its words and arguments, without putting them together: a crash measures very many sentences. */
export function sentenceLength<Argument>(
  language: Language,
  key: string,
  given: Readonly<Record<string, Argument>>,
  lengthOf: (part: string | Argument, language: Language) => number,
): number {
  const parts = partsOf(language, key)
  let sum = 0
  if (parts === null) for (const part of sentence(language, key, given)) sum += lengthOf(part, language)
  else for (const part of parts) sum += lengthOf(pieceOf(part, given), language)
  return sum
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

const read: Record<Language, Map<string, readonly Part[] | null>> = { en: new Map(), de: new Map() }

function partsOf(language: Language, key: string): readonly Part[] | null {
  const before = read[language].get(key)
  if (before !== undefined) return before
  const parts = isKey(key) ? partsIn(CATALOGUES[language][key]) : null
  read[language].set(key, parts)
  return parts
}
