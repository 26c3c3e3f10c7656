import { age, ago, price, quantity, signedUsd, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import {
  distance,
  entryText,
  fromLiquidation,
  fundingPerDay,
  liquidationText,
  notional,
  pnlText,
  type Position,
  side,
  sizeText,
  unrealisedPnl,
  onBrokenScale,
} from '../../venue/position.ts'
import { count } from '../shared/pages.ts'
import { priceText } from './market-lines.ts'

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
export function worstFirst(held: readonly ShownPosition[]): ShownPosition[] {
  const away = (one: ShownPosition) =>
    distanceOf(one) ?? (one.position.liquidationPrice === null ? Infinity : Number.MAX_VALUE)
  return held.toSorted((a, b) => (away(a) === away(b) ? 0 : away(a) - away(b)))
}

/** Shows one position with every figure that its venue gives. */
export function positionItem(held: ShownPosition, now: number): Item {
  const { position, symbol, wallet } = held
  const market = marketOf(held)
  const away = distanceOf(held)
  const name = `${symbol} ${side(position)}`
  const title =
    away === null ? text`${name}: ${liquidationText(position)}` : text`${name}: ${fromLiquidation(away)}`
  const open = position.openedAt === null ? [] : [text`open for ${age(now - position.openedAt)}`]
  const past = position.fundingUsd ? [pastText(toNumber(position.fundingUsd))] : []
  const entry = entryText(position)
  const seen =
    held.seenAt === undefined
      ? []
      : [text`the venue does not show it now: as I saw it ${ago(now - held.seenAt)}`]
  if (!market) {
    const why = held.market
      ? `its figures do not fit the price of ${symbol}: I do not trust them`
      : 'its market is not in view: no price, so no distance'
    const units = text`${quantity(Math.abs(toNumber(position.size)))} of ${symbol}`
    return item('plain', title, [
      ...seen,
      joined([units, ...marginText(position), wallet], ' · '),
      why,
      joined([text`${entry} · PnL ? · funding ?`, ...past, ...open], ' · '),
    ])
  }
  const funding = fundingPerDay(position, market)
  return item('plain', title, [
    ...seen,
    joined([sizeText(position, symbol, market.price), ...marginText(position), wallet], ' · '),
    text`${market.delisted ? 'delisted, last ' : ''}${priceText(market)}${standsText(held)}${liquidationOf(position, market)}`,
    text`${entry} · ${pnlText(position, market.price)}`,
    joined(
      [funding === 0 ? 'no funding now' : text`funding: ${fundingText(funding)}`, ...past, ...open],
      ' · ',
    ),
  ])
}

/** A price that stands for longer than this may be an old one, and people are told. */
const STANDS_MS = 120_000

/** ` (the same for 4 min)`: in a quiet market that is true, and elsewhere the venue may show what was before. */
function standsText({ market, standsMs = 0 }: ShownPosition): Text {
  return standsMs < STANDS_MS || market?.delisted ? '' : text` (the same for ${age(standsMs)})`
}

/** `cross 20x`; leaves out a part that the venue does not give. */
function marginText({ margin, leverage }: Position): string[] {
  const parts = [margin, leverage === null ? null : `${leverage}x`].filter((part) => part !== null)
  return parts.length === 0 ? [] : [parts.join(' ')]
}

/** `paid $33.70 so far`: since the position was opened. */
function pastText(funding: number): Text {
  return text`${funding < 0 ? 'paid' : 'received'} ${usd(Math.abs(funding))} so far`
}

/** ` · liquidation at $90.00 ($40.00 away)`; empty without a liquidation price, because the title says so. */
function liquidationOf(position: Position, market: Market): Text {
  if (position.liquidationPrice === null) return ''
  const size = Math.abs(toNumber(market.price - position.liquidationPrice))
  return text` · ${liquidationText(position)} (${size >= 1 ? usd(size) : price(size)} away)`
}

/** `pays $3.90 a day`. */
export function fundingText(perDay: number): Text {
  if (perDay === 0) return 'no funding now'
  return text`${perDay < 0 ? 'pays' : 'receives'} ${usd(Math.abs(perDay))} a day`
}

/** `you pay $3.90 a day in funding`. */
export function yourFunding(perDay: number): Text {
  if (perDay === 0) return 'no funding now'
  return text`you ${perDay < 0 ? 'pay' : 'receive'} ${usd(Math.abs(perDay))} a day in funding`
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
    ...(missing === 0 ? [] : [`without ${count(missing, 'position')} whose price I do not know`]),
    ...(without === 0 ? [] : [`PnL without ${count(without, 'position')} whose entry I do not know`]),
  ]
  const title = count(all.length, 'position')
  if (counted.length === 0) return item('plain', title, left)
  const pnl = withPnl.reduce((total, one) => total + one, 0)
  const funding = sum((position, market) => fundingPerDay(position, market))
  return item('plain', text`${title}, PnL ${signedUsd(pnl)}`, [
    text`long ${usd(ofSide('long'))}, short ${usd(ofSide('short'))}`,
    yourFunding(funding),
    ...left,
  ])
}
