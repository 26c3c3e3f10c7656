import { age, ago, percentAway, price, quantity, signedUsd, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, type Tone, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import {
  distance,
  fundingPerDay,
  notional,
  type Position,
  side,
  unrealisedPnl,
  onBrokenScale,
} from '../../venue/position.ts'

/** A position with its market. */
export interface ShownPosition {
  position: Position
  /** Null when the market was not seen. */
  market: Market | null
  /** When it was last seen (wall time), if the venue does not show it now. */
  seenAt?: number
  /** For how long its price has been the same, where that is known. */
  standsMs?: number
  symbol: string
  /** The name that means its market alone, where the symbol means the coin at every venue. */
  exact?: string
  /** The label of the wallet. */
  wallet: string
}

/** Returns the market if it was seen and its price is on the scale of the position. */
export function marketOf({ position, market }: ShownPosition): Market | undefined {
  return market && !onBrokenScale(position, market.price) ? market : undefined
}

/** A fraction; null when the position has no liquidation price or its market was not seen. */
export function distanceOf(held: ShownPosition): number | null {
  const { position } = held
  const market = marketOf(held)
  if (!market || position.liquidationPrice === null) return null
  return distance(side(position), toNumber(market.price), toNumber(position.liquidationPrice))
}

/** Sorts by distance to liquidation: the nearest first, then unknown distances, then positions without a liquidation price. */
export function worstFirst<Held extends ShownPosition>(held: readonly Held[]): Held[] {
  const awayOf = (one: Held) =>
    distanceOf(one) ?? (one.position.liquidationPrice === null ? Infinity : Number.MAX_VALUE)
  const all = held.map((one) => ({ one, away: awayOf(one) }))
  return all.sort((a, b) => (a.away === b.away ? 0 : a.away - b.away)).map(({ one }) => one)
}

/** `BTC short`, or `BTC short · main` where several wallets are shown. */
function nameOf({ symbol, position, wallet }: ShownPosition, isNamed: boolean): Text {
  const named = { symbol, side: side(position) }
  return isNamed ? words('shown.position.of', { ...named, wallet }) : words('shown.position', named)
}

/** How near it is: `4.3% to liquidation`, or `4.3% away` behind a longer name. */
function distanceText(held: ShownPosition, isNamed: boolean): Text {
  const away = distanceOf(held)
  if (away === null)
    return words(held.position.liquidationPrice === null ? 'shown.no-liquidation' : 'shown.price-unseen')
  if (away <= 0) return words(away < 0 ? 'shown.past-liquidation' : 'shown.at-liquidation')
  return words(isNamed ? 'shown.away' : 'shown.to-liquidation', { away: percentAway(away) })
}

/** Two lines: `BTC short: 4.3% to liquidation` and `PnL -$4,097 · pays $22.09 a day`. */
export function positionItem(held: ShownPosition, now: number, isNamed: boolean, tone: Tone = 'plain'): Item {
  const { position, symbol } = held
  const market = marketOf(held)
  const title = text`${nameOf(held, isNamed)}: ${distanceText(held, isNamed)}`
  const seen = seenLines(held, now)
  if (!market) return item(tone, title, [...seen, unpricedText(held, symbol)])
  return item(tone, title, [...seen, moneyText(position, market)])
}

/** The same with the price and the liquidation price, for somebody who is about to act on them. */
export function pricedPositionItem(held: ShownPosition, now: number): Item {
  const market = marketOf(held)
  const short = positionItem(held, now, false)
  return market ? { ...short, lines: [...short.lines, pricesText(held, market)] } : short
}

function moneyText(position: Position, market: Market): Text {
  const pnl = words('shown.pnl', { pnl: pnlFigure(position, market) })
  return joined([pnl, fundingText(fundingPerDay(position, market))], ' · ')
}

function pnlFigure(position: Position, market: Market): Text {
  const pnl = unrealisedPnl(position, market.price)
  return pnl === null ? '?' : [signedUsd(pnl)]
}

function unpricedText({ market }: ShownPosition, symbol: string): Text {
  return market ? words('shown.untrusted', { symbol }) : words('shown.no-market')
}

function seenLines({ seenAt }: ShownPosition, now: number): Text[] {
  return seenAt === undefined ? [] : [words('shown.seen', { ago: ago(now - seenAt) })]
}

/** One position with every figure that its venue gives. */
export function wholePositionItem(held: ShownPosition, now: number): Item {
  const { position, symbol, wallet } = held
  const market = marketOf(held)
  const title = text`${nameOf(held, false)}: ${distanceText(held, false)}`
  const units = text`${quantity(Math.abs(toNumber(position.size)))} ${symbol}`
  const entry = words('shown.entry', {
    price: position.entryPrice === null ? '?' : price(toNumber(position.entryPrice)),
  })
  const open =
    position.openedAt === null ? [] : [words('shown.open-for', { age: age(now - position.openedAt) })]
  const funding = toNumber(position.fundingUsd ?? 0n)
  const past =
    funding === 0
      ? []
      : [words(funding < 0 ? 'shown.paid' : 'shown.received', { usd: usd(Math.abs(funding)) })]
  const seen = seenLines(held, now)
  if (!market)
    return item('plain', title, [
      ...seen,
      unpricedText(held, symbol),
      joined([units, ...marginText(position), wallet], ' · '),
      joined([entry, ...open, ...past], ' · '),
    ])
  const size = words('shown.size', { size: units, value: usd(notional(position, market.price)) })
  return item('plain', title, [
    ...seen,
    moneyText(position, market),
    joined([size, ...marginText(position), wallet], ' · '),
    pricesText(held, market),
    joined([entry, ...open, ...past], ' · '),
  ])
}

/** `index $97,678 · liquidation $92,500`. */
function pricesText({ position, standsMs = 0 }: ShownPosition, market: Market): Text {
  const figure = price(toNumber(market.price))
  if (market.delisted) return words('shown.last-price', { at: figure })
  const at = standsMs < STANDS_MS ? figure : words('shown.stands', { price: figure, age: age(standsMs) })
  const of = { price: market.priceName, at }
  return position.liquidationPrice === null
    ? words('shown.price', of)
    : words('shown.prices', { ...of, liquidation: price(toNumber(position.liquidationPrice)) })
}

/** A price that stands for longer than this may be an old one, and people are told. */
const STANDS_MS = 120_000

/** `cross 20x`; leaves out a part that the venue does not give. */
function marginText({ margin, leverage }: Position): Text[] {
  const parts: Text[] = [
    ...(margin === null ? [] : [words(margin === 'cross' ? 'shown.cross' : 'shown.isolated')]),
    ...(leverage === null ? [] : [`${leverage}x`]),
  ]
  return parts.length === 0 ? [] : [joined(parts, ' ')]
}

/** `pays $3.90 a day`. */
export function fundingText(perDay: number): Text {
  if (perDay === 0) return words('shown.no-funding')
  return words(perDay < 0 ? 'shown.pays' : 'shown.gets', { usd: usd(Math.abs(perDay)) })
}

/** `you pay $3.90 a day`. */
export function yourFunding(perDay: number): Text {
  if (perDay === 0) return words('shown.no-funding')
  return words(perDay < 0 ? 'shown.you-pay' : 'shown.you-get', { usd: usd(Math.abs(perDay)) })
}

/** Sums over the positions whose price is known, and counts the others. */
export function totalItem(all: readonly ShownPosition[]): Item {
  const counted = all.flatMap((held) => {
    const market = marketOf(held)
    const pnl = market && unrealisedPnl(held.position, market.price)
    return market ? [{ position: held.position, market, pnl: pnl ?? null }] : []
  })
  const sum = (figure: (position: Position, market: Market) => number) =>
    counted.reduce((total, { position, market }) => total + figure(position, market), 0)
  const withPnl = counted.flatMap(({ pnl }) => pnl ?? [])
  const ofSide = (wanted: 'long' | 'short') =>
    sum((position, market) => (side(position) === wanted ? notional(position, market.price) : 0))
  const missing = all.length - counted.length
  const without = counted.length - withPnl.length
  const left: Text[] = [
    ...(missing === 0 ? [] : [words('shown.without-price', { n: missing })]),
    ...(without === 0 ? [] : [words('shown.without-entry', { n: without })]),
  ]
  const positions = countText(all.length)
  if (counted.length === 0) return item('plain', positions, left)
  const pnl = withPnl.reduce((total, one) => total + one, 0)
  const funding = sum((position, market) => fundingPerDay(position, market))
  return item('plain', words('shown.sum', { positions, pnl: signedUsd(pnl) }), [
    words('shown.sum.sides', {
      funding: yourFunding(funding),
      long: usd(ofSide('long')),
      short: usd(ofSide('short')),
    }),
    ...left,
  ])
}

/** `3 positions`. */
export function countText(n: number): Text {
  return words('shown.count', { n })
}
