import type { Move } from '../argument.ts'
import { nearest } from '../lib/nearest.ts'
import { percentTyped } from '../lib/quantity.ts'
import { saidBack } from './tokens.ts'

// `BTC -8%`: a name and a figure that are one word together.

const FIGURE = String.raw`[+\-−–—]?\d[\d.,]*%?`
const IS_FIGURE = new RegExp(`^${FIGURE}$`)
const MOVE = new RegExp(String.raw`^(\S+)\s+(${FIGURE})$`)
/** `BTC-8%`, `BTC=-8%`, `BTC:+5`; no symbol that ends with a digit. */
const GLUED = /^(\S*?[^\s\d+\-−–—:=])[:=]?([+\-−–—]\d[\d.,]*%?)$/

export function isFigure(word: string): boolean {
  return IS_FIGURE.test(word)
}

/** `BTC -8%` and `BTC-8%` as `BTC` and `-8%`; null where there are no two. */
export function apart(word: string): readonly [name: string, figure: string] | null {
  const [, name, figure] = MOVE.exec(word) ?? GLUED.exec(word) ?? []
  return name === undefined || figure === undefined ? null : [name, figure]
}

/** What stands for every market. */
export function isAll(word: string): boolean {
  return /^(?:all|everything|\*)$/i.test(word)
}

type Read =
  | { is: 'value' | 'likely'; value: unknown }
  | { is: 'several'; names: readonly string[] }
  | { is: 'other' }
  | { is: 'wrong'; why: string }

const wrong = (why: string): Read => ({ is: 'wrong', why })

/** A move of the words that `withMoves` has put together; the half of one gets the sentence that completes it. */
export function moveOf(
  word: string,
  read: { market(name: string): Read; percent(figure: string): Read; symbols(): readonly string[] },
): Read {
  if (isFigure(word)) return wrong(`What moves by ${word}? Say BTC ${word}, or all ${word}.`)
  const [name, figure] = apart(word) ?? [word, undefined]
  const market: Read = isAll(name) ? { is: 'value', value: null } : read.market(name)
  if (market.is === 'wrong') return market
  if (figure === undefined)
    return market.is === 'other'
      ? market
      : wrong(`By how much does ${saidBack(name)} move? Say for example ${saidBack(name)} -8%.`)
  if (market.is === 'several') return { is: 'several', names: market.names.map((one) => `${one} ${figure}`) }
  if (market.is === 'other') return wrong(unknown(name, figure, read.symbols()))
  const by = read.percent(figure)
  if (by.is !== 'value') return by
  const move: Move = { market: market.value as string | null, by: by.value as number }
  return { is: 'value', value: move }
}

function unknown(name: string, figure: string, symbols: readonly string[]): string {
  const shown = saidBack(name)
  if (symbols.length === 0)
    return `I cannot tell whether “${shown}” is a market: I have not seen the venue yet. Try again shortly.`
  const near = nearest(name, symbols)
  return near === null
    ? `I do not know a market “${shown}”. See /markets, or say all ${figure}.`
    : `I do not know “${shown}”. Did you mean ${near}? Then say ${near} ${figure}.`
}

/** Read the same in every style of numbers. */
export function moveTyped(word: string, { by }: Move): string {
  const [name] = apart(word) ?? ['all']
  return `${name} ${percentTyped(by)}`
}
