import type { ArgumentType } from '../argument.ts'
import { apart, isAll, isFigure, signOf } from './move-words.ts'
import { match } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Between moves, and nothing in itself. */
const BETWEEN = /^(?:and|&|\+|,|;|%|by|if|when|the|goes|moves)$/i
const PRICE = /^\$?\d[\d.,]*[kmb]?\$?$/i
/** `100k` and `$90,000` are prices; a bare figure is one behind `to`. */
const IS_PRICE = /^(?:\$.*\d|\d[\d.,]*[kmb]\$?|\d[\d.,]*\$)$/i

/**
 * What moves and by how much as one word each: `BTC -8%` of BTC and -8%, also of `BTC down 8%`, `BTC -8%` and `ETH -8%` of
 * `BTC ETH -8%`, `BTC to 90k` of a price, and `all -10%` of a figure that is the only one. A word before a figure that is no
 * market stays with it, so that it is asked about.
 */
export function withMoves(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
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

/** `down 8%` as `-8%`, and `to 90k` as one word. What has a sign of its own keeps it. */
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
