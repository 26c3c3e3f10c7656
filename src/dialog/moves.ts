import type { ArgumentType } from '../argument.ts'
import { apart, isAll, isFigure } from './move-words.ts'
import { match } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Between moves, and nothing in itself. */
const BETWEEN = /^(?:and|&|\+|,|;|%)$/i

/**
 * What moves and by how much as one word each: `BTC -8%` of BTC and -8%, `BTC -8%` and `ETH -8%` of `BTC ETH -8%`, and `all -10%` of a
 * figure that is the only one. A word before a figure that is no market stays with it, so that it is asked about.
 */
export function withMoves(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  const said = words
    .map((word) => word.replace(/[,;]$/, ''))
    .filter((word) => word !== '' && !BETWEEN.test(word))
    .flatMap((word) => (/\s/.test(word) || isFigure(word) ? [word] : (apart(word) ?? [word])))
  const isOnly = said.filter(isFigure).length === 1
  const is = (argument: ArgumentType, word: string) => {
    const { is: found } = match({ argument, asks: '', words: [] }, word, vocabulary)
    return found === 'value' || found === 'likely' || found === 'several'
  }
  const moves: string[] = []
  let names: string[] = []
  for (const [at, word] of said.entries()) {
    const figured = isFigure(said[at + 1] ?? '')
    if (isFigure(word)) {
      if (names.length > 0) moves.push(...names.map((name) => `${name} ${word}`))
      else moves.push(isOnly ? `all ${word}` : word)
      names = []
    } else if (isAll(word) || is('market', word) || (figured && !is('wallet', word))) names.push(word)
    else moves.push(word)
  }
  return [...moves, ...names]
}
