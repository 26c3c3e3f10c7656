import type { WalletSubject } from '../../alert/subject.ts'
import { price, quantity, usd } from '../../message/figure.ts'
import { joined, type Text, text, words } from '../../message/message.ts'
import { type Amount, divide, magnitude, multiply, toNumber } from '../../venue/amount.ts'
import { realisedUsd } from '../../venue/close-outcome.ts'
import { feesText, madeText } from '../../venue/closed-position.ts'
import type { Order } from '../../venue/order.ts'
import type { OrderFills } from '../../venue/record/order-fills.ts'
import { awayLines, readLine } from './order-lines.ts'

/** The trades of each order, where the venue's record has those of all. */
export function allFills(orders: readonly Order[]): OrderFills[] | null {
  const fills = orders.flatMap((order) => order.fills ?? [])
  return fills.length === orders.length && fills.length > 0 ? fills : null
}

/** `ETH buy filled: 3 ETH at $3,412`, `ETH: 100 orders filled, bought 30 ETH at $3,412`. */
export function fillsTitle(
  orders: readonly Order[],
  fills: readonly OrderFills[],
  symbol: string,
  what: 'filled' | 'part',
): Text {
  const [order] = orders
  const ways = waysOf(fills)
  const [way] = ways
  if (!order || !way || ways.length > 1)
    return words('kind.filled.many', { market: symbol, orders: orders.length, what })
  const said = { market: symbol, way: way.way, units: unitsText(way.size, symbol), price: priceText(way) }
  if (orders.length > 1) return words('kind.filled.many-one-way', { ...said, orders: orders.length, what })
  const whole = typeof order.size === 'bigint' ? wholeSize(order) : null
  return what === 'filled' || whole === null
    ? words('kind.filled.title', said)
    : words('kind.filled.part', { ...said, done: sizeText(way.size), whole: sizeText(whole) })
}

/** The result with the fee, and what is left of the position; then the wallet. */
export function fillLines(
  orders: readonly Order[],
  fills: readonly OrderFills[],
  symbol: string,
  subject: WalletSubject,
): Text[] {
  const ways = waysOf(fills)
  const apart = ways.length < 2 ? [] : ways.map((way) => wayText(way, symbol))
  const result = joined([...resultParts(fills), ...leftText(fills, symbol)], ' · ')
  const placed = orders.length === 1 ? placedText(orders[0]?.createdAt ?? null) : []
  return [
    ...(apart.length === 0 ? [] : [joined(apart, ', ')]),
    result,
    joined([readLine(subject), ...placed, ...endText(orders)], ' · '),
    ...awayLines(subject),
  ]
}

interface Way {
  way: 'buy' | 'sell'
  /** Unsigned. */
  size: Amount
  price: Amount
}

/** Adds up the purchases and the sales. */
function waysOf(fills: readonly OrderFills[]): Way[] {
  return (['buy', 'sell'] as const).flatMap((way) => {
    const own = fills.filter(({ size }) => size > 0n === (way === 'buy'))
    const size = sum(own.map((one) => magnitude(one.size)))
    const paid = sum(own.map((one) => multiply(one.price, magnitude(one.size))))
    return size === 0n ? [] : [{ way, size, price: divide(paid, size) }]
  })
}

function wayText(way: Way, symbol: string): Text {
  return words('kind.filled.way', { way: way.way, units: unitsText(way.size, symbol), price: priceText(way) })
}

/** The result of the closed parts, after fees. A trade that only opened something has a fee alone. */
function resultParts(fills: readonly OrderFills[]): Text[] {
  const fees = fills.map(({ feeUsd }) => feeUsd)
  const feesUsd = fees.every((fee) => fee !== null) ? sum(fees) : null
  if (fills.some(isReducing)) {
    const realised = realisedUsd({ tradeUsd: sum(fills.map((one) => one.realisedUsd)), feesUsd })
    const made = madeText(realised ?? 0n)
    return [text`${made}, ${feesUsd === null ? words('closed.no-fees') : feesText(feesUsd)}`]
  }
  if (feesUsd === null) return []
  if (feesUsd === 0n) return [feesText(feesUsd)]
  const money = usd(Math.abs(toNumber(feesUsd)))
  return [feesUsd > 0n ? words('kind.filled.fee', { money }) : feesText(feesUsd)]
}

function isReducing({ before, size }: OrderFills): boolean {
  return before !== 0n && before < 0n !== size < 0n
}

/** `5 ETH long left`, `position closed`, `now 5 ETH long`. Nothing where the order of the trades is unclear. */
function leftText(fills: readonly OrderFills[], symbol: string): Text[] {
  const last = lastOf(fills)
  if (!last) return []
  const { before, after } = last
  if (after === 0n) return [words('kind.filled.closed')]
  const said = { units: unitsText(magnitude(after), symbol), side: sideOf(after) }
  const isLeft = isReducing(last) && before < 0n === after < 0n
  return [isLeft ? words('kind.filled.left', said) : words('kind.filled.now', said)]
}

/** Returns the last trades. Among orders of one millisecond and one way, the last one has gone furthest. */
function lastOf(fills: readonly OrderFills[]): OrderFills | null {
  const at = Math.max(...fills.map((one) => one.at))
  const latest = fills.filter((one) => one.at === at)
  const [first] = latest
  if (!first || waysOf(latest).length > 1) return null
  const gone = ({ after }: OrderFills) => (first.size < 0n ? -after : after)
  return latest.reduce((last, one) => (gone(one) > gone(last) ? one : last), first)
}

/** Says that an order ended before all of it was filled. */
function endText(orders: readonly Order[]): Text[] {
  const isOver = orders.length === 1 && orders.some(({ state }) => state === 'cancelled')
  return isOver ? [words('kind.filled.rest-cancelled')] : []
}

function placedText(at: number | null): Text[] {
  return at === null ? [] : [words('kind.order.placed', { at: { time: at, as: 'clock' } })]
}

/** An open order shows what is left of it. */
function wholeSize({ size, state, doneSize = 0n }: Order): Amount | null {
  if (typeof size !== 'bigint') return null
  return state === 'open' ? magnitude(size) + doneSize : magnitude(size)
}

function unitsText(size: Amount, symbol: string): Text {
  return text`${sizeText(size)} ${symbol}`
}

function sizeText(size: Amount) {
  return quantity(toNumber(size))
}

function priceText({ price: at }: Way) {
  return price(toNumber(at))
}

function sideOf(size: Amount): 'long' | 'short' {
  return size < 0n ? 'short' : 'long'
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, one) => all + one, 0n)
}
