import { type ArgumentType, typedPrice } from '../../chat/argument.ts'
import type { Amount } from '../../venue/amount.ts'
import { inWords } from '../../message/message.ts'
import { nearMiss } from './choices.ts'
import type { Field, Found } from './fields.ts'
import { saidBack } from './phrases.ts'
import { match, type Several, type Vocabulary } from './vocabulary.ts'

/** Why words are not the arguments of a form, and which words would be. */
export interface Misread {
  ok: false
  why: string
  /** A field without a value. The answer asks for it and offers the likely choices. */
  missing: Field | null
  /** The values of the words, by field. */
  found?: Found
  /** The words as typed, and their likely corrections. All of them read the same whenever they are sent. */
  said: readonly string[]
  meant: readonly (readonly string[])[]
  /** Short words for the corrections, in the same order. */
  labels?: readonly string[]
  /** The corrections are lines to send one after the other, not alternatives. */
  each?: true
}

export function unnamed(missing: Field, said: readonly string[], found: Found): Misread {
  return { ok: false, why: `Please name ${inWords(missing.meta.asks)}.`, missing, said, found, meant: [] }
}

/** A name that exists on several dexes, or a figure without its unit: offers each of them. */
export function whichOf(
  word: string,
  { names, labels, why: asked }: Pick<Several, 'names' | 'labels' | 'why'>,
  said: readonly string[],
): Misread {
  // `10% 5%` is two words in a line.
  const meant = names.map((name) => said.flatMap((one) => (one === word ? name.split(' ') : one)))
  const why = asked ?? `There are ${names.length} called “${saidBack(word)}”. Which one?`
  return { ok: false, why, missing: null, said, meant, labels: labels ?? names }
}

export function wrong(why: string): Misread {
  return { ok: false, why, missing: null, said: [], meant: [] }
}

export function misfit(
  word: string,
  expected: Field | undefined,
  free: Field[],
  words: readonly string[],
  vocabulary: Vocabulary,
): Misread {
  const shown = saidBack(word)
  for (const { meta } of free) {
    const near = nearMiss(meta, word, vocabulary)
    if (near === null) continue
    const isPile =
      meta.argument === 'market' &&
      [`k${word}`, `1000${word}`].some((one) => one.toLowerCase() === near.toLowerCase())
    const meant = [words.map((one) => (one === word ? near : isPile ? timesThousand(one, vocabulary) : one))]
    const pile = isPile ? ` It is 1,000 ${shown}, so its price is 1,000 times as high.` : ''
    return {
      ok: false,
      why: `I do not know “${shown}”. Did you mean ${near}?${pile}`,
      missing: null,
      said: words,
      meant,
    }
  }
  const unseen = free.some(({ meta }) => meta.argument === 'market') && vocabulary.view.listed().size === 0
  if (unseen) {
    return wrong(
      `I cannot tell whether “${shown}” is a market: I have not seen the venue yet. Try again shortly.`,
    )
  }
  return wrong(invalid(shown, expected?.required ? [expected] : free))
}

/** The price of a thousand, where the word is a price. */
function timesThousand(word: string, vocabulary: Vocabulary): string {
  const found = match({ argument: 'price', asks: '', words: [] }, word, vocabulary)
  return found.is === 'value' ? typedPrice((found.value as Amount) * 1_000n) : word
}

/** Arguments that are names, not figures. */
const NAMES: ReadonlySet<ArgumentType> = new Set(['market', 'wallet', 'alert', 'rule', 'dex', 'choice'])
/** With this many possible meanings or more, the answer lists none. */
const MAX_POSSIBLE_MEANINGS = 3

function asked({ meta: { argument, words, asks } }: Field): string {
  return argument === 'choice' ? words.map((word) => `“${word}”`).join(' or ') : inWords(asks)
}

function invalid(shown: string, fields: readonly Field[]): string {
  const names = /\p{L}/u.test(shown) ? fields.filter(({ meta }) => NAMES.has(meta.argument)) : []
  const asks = (names.length > 0 ? names : fields).map(asked)
  const last = asks.pop()
  if (last === undefined) return `“${shown}” is one word too many.`
  if (asks.length === 0) return `“${shown}” is not ${last}.`
  if (asks.length >= MAX_POSSIBLE_MEANINGS) return `I do not know “${shown}” here.`
  return `“${shown}” is neither ${asks.join(', ')} nor ${last}.`
}
