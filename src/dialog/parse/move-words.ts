import type { Move } from '../../chat/argument.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { type Text, words } from '../../message/message.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { type Amount, toNumber } from '../../venue/amount.ts'
import { saidBack } from './phrases.ts'

// `BTC -8%`: a name and a figure in one word.

const FIGURE = String.raw`[+\-−–—]?\d[\d.,]*%?`
const IS_FIGURE = new RegExp(`^${FIGURE}$`)
const MOVE = new RegExp(String.raw`^(\S+)\s+(${FIGURE})$`)
/** `BTC to 90k`: a name and a target price. */
const TARGET = /^(\S+)\s+to\s+(\$?\d[\d.,]*[kmb]?\$?)$/i
/** `BTC-8%`, `BTC=-8%`, `BTC:+5`. A symbol that ends with a digit is excluded. */
const GLUED = /^(\S*?[^\s\d+\-−–—:=])[:=]?([+\-−–—]\d[\d.,]*%?)$/

export function isFigure(word: string): boolean {
  return IS_FIGURE.test(word)
}

/** Splits `BTC -8%` and `BTC-8%` into name and figure; null if the word has no such parts. */
export function apart(word: string): readonly [name: string, figure: string] | null {
  const [, name, figure] = MOVE.exec(word) ?? GLUED.exec(word) ?? []
  return name === undefined || figure === undefined ? null : [name, figure]
}

/** Splits `BTC to 90k` into name and price. */
function target(word: string): readonly [name: string, price: string] | null {
  const [, name, price] = TARGET.exec(word) ?? []
  return name === undefined || price === undefined ? null : [name, price]
}

/** As a fraction of the price: a bare figure for a larger rise is taken for a price. */
const MAX_RISE = 10

/** True for words that mean all markets. */
export function isAll(word: string): boolean {
  return /^(?:all|everything|every|market|markets|prices|\*)$/i.test(word)
}

const WAYS = [
  { sign: '-', said: /^(?:down|falls?|drops?|loses?|crash|crashes|dumps?)$/i },
  { sign: '+', said: /^(?:up|rises?|gains?|climbs?|jumps?|pumps?)$/i },
] as const

/** Returns `-` for `down`, `+` for `up`, and null for other words. */
export function signOf(word: string): '-' | '+' | null {
  return WAYS.find(({ said }) => said.test(word))?.sign ?? null
}

type Read =
  | { is: 'value' | 'likely'; value: unknown; also?: readonly string[] }
  | { is: 'several'; names: readonly string[]; labels?: readonly string[]; why?: Text }
  | { is: 'other' }
  | { is: 'wrong'; why: Text }

const wrong = (why: Text): Read => ({ is: 'wrong', why })

/** Reads a move that `withMoves` has joined. An incomplete one gets a sentence with the complete form. */
export function moveOf(
  word: string,
  read: {
    market(name: string): Read
    percent(figure: string): Read
    price(figure: string): Read
    /** Present price of the market. */
    priceOf(marketId: string): number | null
    symbols(): readonly string[]
  },
): Read {
  if (isFigure(word)) return wrong(words('parse.move.what', { figure: word }))
  const [name, figure, goesTo] = [
    ...(target(word) ?? apart(word) ?? [word, undefined]),
    target(word) !== null,
  ]
  const market: Read = isAll(name) ? { is: 'value', value: null } : read.market(name)
  if (market.is === 'wrong') return market
  if (figure === undefined)
    return market.is === 'other' ? market : wrong(words('parse.move.how-far', { market: saidBack(name) }))
  if (market.is === 'several') return { is: 'several', names: market.names.map((one) => `${one} ${figure}`) }
  if (market.is === 'other') return wrong(unknown(name, figure, goesTo, read.symbols()))
  const meant = { market: market.value as string | null, ...(market.also && { also: market.also }) }
  if (goesTo) return moveTo(name, meant, figure, read)
  const by = read.percent(figure)
  if (by.is === 'several') return { ...by, names: by.names.map((one) => `${name} ${one}`) }
  if (by.is !== 'value') return by
  if ((by.value as number) > MAX_RISE && /^\d[^%]*$/.test(figure) && market.value !== null)
    return wrong(words('parse.move.price', { figure, market: saidBack(name) }))
  const move: Move = { ...meant, by: by.value as number }
  return { is: 'value', value: move }
}

/** Relative to the present price. */
function moveTo(
  name: string,
  meant: Pick<Move, 'market' | 'also'>,
  figure: string,
  read: Parameters<typeof moveOf>[1],
): Read {
  const to = read.price(figure)
  if (to.is === 'several') return { ...to, names: to.names.map((one) => `${name} to ${one}`) }
  if (to.is !== 'value') return to
  const now = meant.market === null ? null : read.priceOf(meant.market)
  if (now === null) return wrong(words('parse.move.all', { figure }))
  const move: Move = { ...meant, by: toNumber(to.value as Amount) / now - 1 }
  return { is: 'value', value: move }
}

function unknown(name: string, figure: string, goesTo: boolean, symbols: readonly string[]): Text {
  const shown = saidBack(name)
  if (symbols.length === 0) return words('parse.market.unread', { word: shown })
  const near = nearest(name, symbols)
  if (near !== null)
    return words('parse.move.near', { word: shown, near, line: `${near} ${goesTo ? 'to ' : ''}${figure}` })
  return goesTo
    ? words('parse.move.unknown', { word: shown })
    : words('parse.move.unknown-all', { word: shown, figure })
}

/** Writes the move so that it reads the same in all number styles. */
export function moveTyped(word: string, { by }: Move): string {
  const [name] = target(word) ?? apart(word) ?? ['all']
  return `${name} ${percentTyped(by)}`
}
