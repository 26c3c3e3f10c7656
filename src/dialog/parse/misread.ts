import { typedPrice } from '../../chat/argument.ts'
import type { Amount } from '../../venue/amount.ts'
import { edits } from '../../lib/text/nearest.ts'
import { type Text, words } from '../../message/message.ts'
import { foreignAddress } from './addresses.ts'
import { nearMiss } from './choices.ts'
import type { Field, Found } from './fields.ts'
import { saidBack } from './phrases.ts'
import { match, type Several, type Vocabulary } from './vocabulary.ts'

/** Why words are not the arguments of a form, and which words would be. */
export interface Misread {
  ok: false
  why: Text
  /** A field without a value. The answer asks for it and offers the likely choices. */
  missing: Field | null
  /** The values of the words, by field. */
  found?: Found
  /** The words as typed, and their likely corrections. All of them read the same whenever they are sent. */
  said: readonly string[]
  meant: readonly (readonly string[])[]
  /** Short words for the corrections, in the same order. */
  labels?: readonly Text[]
  /** The line that watches a followed wallet, where an own one is needed. */
  guard?: string
  /** A word that fits nothing. */
  odd?: string
  /** The field that is most often meant where a word fits nothing: its choices are offered. */
  usual?: Field
  /** The corrections are lines to send one after the other, not alternatives. */
  each?: true
}

export function unnamed(missing: Field, said: readonly string[], found: Found): Misread {
  return {
    ok: false,
    why: words('ask.anything', { what: missing.meta.asks }),
    missing,
    said,
    found,
    meant: [],
  }
}

/** A name that exists on several dexes, or a figure without its unit: offers each of them. */
export function whichOf(
  word: string,
  { names, labels, why: asked }: Pick<Several, 'names' | 'labels' | 'why'>,
  said: readonly string[],
): Misread {
  // `10% 5%` is two words in a line.
  const meant = names.map((name) => said.flatMap((one) => (one === word ? name.split(' ') : one)))
  const why = asked ?? words('parse.several', { count: names.length, word: saidBack(word) })
  return { ok: false, why, missing: null, said, meant, labels: labels ?? names }
}

export function wrong(why: Text, guard?: string): Misread {
  return { ok: false, why, missing: null, said: [], meant: [], ...(guard === undefined ? {} : { guard }) }
}

/** Offers the nearest that would be understood instead of the first of these odd words. */
export function misfit(
  odd: readonly string[],
  expected: Field | undefined,
  { free, found, said: typed }: { free: readonly Field[]; found: Found; said: readonly string[] },
  vocabulary: Vocabulary,
): Misread {
  const [word = ''] = odd
  const shown = saidBack(word)
  const names = [...free.map((field) => field.name), ...Object.keys(found)]
  const name = names.find((one) => one.length > 3 && edits(one, word.toLowerCase()) === 1)
  for (const { meta } of free) {
    const near = nearMiss(meta, word, vocabulary)
    if (near === null) continue
    const isPile =
      meta.argument === 'market' &&
      [`k${word}`, `1000${word}`].some((one) => one.toLowerCase() === near.toLowerCase())
    const meant = [typed.map((one) => (one === word ? near : isPile ? timesThousand(one, vocabulary) : one))]
    const isMarket = meta.argument === 'market'
    const key = isPile ? 'parse.no-market.pile' : isMarket ? 'parse.no-market.near' : 'parse.odd.near'
    const why = words(key, { word: shown, near })
    return { ...wrong(why), said: typed, meant, labels: [near], odd: word }
  }
  if (name !== undefined) {
    const meant = [typed.map((one) => (one === word ? name : one))]
    return { ...wrong(words('parse.odd.near', { word: shown, near: name })), said: typed, meant, odd: word }
  }
  const market = free.find(({ meta }) => meta.argument === 'market')
  if (market && vocabulary.view.listed().size === 0)
    return wrong(words('parse.market.unread', { word: shown }))
  const said = typed.filter((one) => !odd.includes(one))
  const here = words('parse.odd.here', { word: shown })
  // People say a time in many ways, and a market in one.
  const time = market ? undefined : free.find(({ meta }) => meta.argument === 'span')
  const usual = expected?.required ? expected : market && SYMBOL.test(word) ? market : (time ?? free[0])
  if (!usual) return { ...wrong(here), said: typed, meant: [said], odd: word }
  const isName = usual === market && /\p{L}/u.test(word)
  const foreign = usual.meta.argument === 'address' ? foreignAddress(word) : null
  const why = isName ? words('parse.no-market', { word: shown }) : here
  return { ...wrong(foreign ?? why), said, found, odd: word, usual }
}

/** In capitals, a word is most often a market. */
const SYMBOL = /^\$?[A-Z][A-Z0-9]{1,14}$/

/** The price of a thousand, where the word is a price. */
function timesThousand(word: string, vocabulary: Vocabulary): string {
  const found = match({ argument: 'price', asks: '', words: [] }, word, vocabulary)
  return found.is === 'value' ? typedPrice((found.value as Amount) * 1_000n) : word
}
