import { escaped } from '../lib/text/escape.ts'
import { percentAway, price as priceFigure, quantity, signedUsd, usd } from '../message/figure.ts'
import { type Text, text, words } from '../message/message.ts'
import { type Amount, magnitude, multiply, toNumber } from './amount.ts'
import type { Market } from './market.ts'
import { shortAccount, type Wallet } from './wallet.ts'

export type Side = 'long' | 'short'

/** An open position, in our units. It stays the same position as long as its key does (see `positionKey`). */
export interface Position {
  wallet: Wallet
  /** The venue's name for it: a decimal integer of up to 39 digits (text, never a number), or a word. */
  accountId: string
  marketId: string
  /** Base asset, signed: negative is short. Never zero. */
  size: Amount
  /** Null: the venue does not say. */
  entryPrice: Amount | null
  /**
   * Null: no price of this market alone liquidates the account. It depends on the whole account, so it moves
   * by itself.
   */
  liquidationPrice: Amount | null
  /** Whether it shares its margin with the account's other positions. Null: the venue has not said. */
  margin: 'cross' | 'isolated' | null
  /** The leverage that the trader chose: it sets the initial margin, not the maintenance margin. */
  leverage: number | null
  /** Funding since it was opened: positive was received. It explains why a liquidation price has moved. */
  fundingUsd: Amount | null
  /**
   * The exit price without gain or loss, fees and realised results included. Null: the venue does not say.
   */
  breakEvenPrice: Amount | null
  /** The result of partial closes, without fees and funding. Null: the venue does not say. */
  realisedPnlUsd: Amount | null
  /** Unix milliseconds of the entry. Null if the venue left it out. */
  openedAt: number | null
}

export function side(position: { size: Amount }): Side {
  return position.size < 0n ? 'short' : 'long'
}

/** A position's key is (wallet, account, market, side): a long that turns short is another position. */
export function positionKey(position: Pick<Position, 'wallet' | 'accountId' | 'marketId' | 'size'>): string {
  return keyOfSide(position, side(position))
}

/** Builds the same key from the side alone. `subjectOf` parses it. */
export function keyOfSide(
  { wallet, accountId, marketId }: Pick<Position, 'wallet' | 'accountId' | 'marketId'>,
  towards: Side,
): string {
  return `${wallet}/${escaped(accountId)}/${escaped(marketId)}/${towards}`
}

/** Whether this is the other position in a market of another name: nobody trades to the same entry twice. */
export function isRenamed(was: Position, is: Position): boolean {
  return (
    was.marketId !== is.marketId &&
    was.accountId === is.accountId &&
    was.size === is.size &&
    was.entryPrice !== null &&
    was.entryPrice === is.entryPrice &&
    was.openedAt === is.openedAt
  )
}

/**
 * Distance to liquidation as a fraction of the price: (price − liq) / price for a long, (liq − price) / price
 * for a short. Zero or negative: the price has reached liquidation.
 */
export function distance(side: Side, price: number, liquidationPrice: number): number {
  return (side === 'long' ? price - liquidationPrice : liquidationPrice - price) / price
}

/** Whether the price has reached the position's liquidation price. */
export function isPast(position: Pick<Position, 'size' | 'liquidationPrice'>, price: number): boolean {
  const { liquidationPrice } = position
  return liquidationPrice !== null && distance(side(position), price, toNumber(liquidationPrice)) <= 0
}

/**
 * `4.8% from liquidation`. A negative distance becomes words, because nobody should have to interpret it at
 * night.
 */
export function fromLiquidation(away: number): Text {
  return away > 0 ? words('position.from', { distance: percentAway(away) }) : atLiquidation(away)
}

/** The distance of a liquidation price that was just named: `4.8% away`, or that the price has passed it. */
export function awayFromIt(away: number): Text {
  return away > 0
    ? words('position.away', { distance: percentAway(away) })
    : words('position.at-it', { where: away < 0 ? 'past' : 'at' })
}

export function atLiquidation(away: number): Text {
  return words('position.at-liquidation', { where: away < 0 ? 'past' : 'at' })
}

/** USD, unsigned. */
export function notional(position: Position, price: Amount): number {
  return toNumber(multiply(magnitude(position.size), price))
}

/** USD against the entry price, without funding, interest and fees; null without an entry price. */
export function unrealisedPnl({ size, entryPrice }: Position, price: Amount): number | null {
  return entryPrice === null ? null : toNumber(multiply(size, price - entryPrice))
}

/** `PnL +$196`, or `PnL ?` without an entry price. */
export function pnlText(position: Position, price: Amount): Text {
  const pnl = unrealisedPnl(position, price)
  return pnl === null ? 'PnL ?' : text`PnL ${signedUsd(pnl)}`
}

/** `entry $97,013`, or `entry ?`. */
export function entryText({ entryPrice }: Pick<Position, 'entryPrice'>): Text {
  return words('position.entry', { price: entryPrice === null ? '?' : priceFigure(toNumber(entryPrice)) })
}

/** USD per day at today's rate; positive is received, negative is paid. */
export function fundingPerDay(
  { size }: Position,
  { price, fundingPrice, fundingRatePerDay }: Pick<Market, 'price' | 'fundingPrice' | 'fundingRatePerDay'>,
): number {
  return -toNumber(multiply(multiply(size, fundingPrice ?? price), fundingRatePerDay))
}

/** The label of its wallet, with the account if the wallet holds the same market in another one as well. */
export function labelOf(
  { accountId, marketId }: Pick<Position, 'accountId' | 'marketId'>,
  label: string,
  all: Iterable<Position>,
): string {
  for (const one of all)
    if (one.marketId === marketId && one.accountId !== accountId)
      return `${label} …${shortAccount(accountId)}`
  return label
}

/** `1.5 BTC, $146.5k`, for people; leaves the value out if there is no price. */
export function sizeText(position: Position, symbol: string, price: Amount | null): Text {
  const units = text`${quantity(toNumber(magnitude(position.size)))} ${symbol}`
  return price === null ? units : text`${units}, ${usd(notional(position, price))}`
}

/** `0.42 BTC ($47.7k)`, for an alert. */
export function holdingText(position: Position, { symbol, price }: Pick<Market, 'symbol' | 'price'>): Text {
  return text`${quantity(toNumber(magnitude(position.size)))} ${symbol} (${usd(notional(position, price))})`
}

/** `liquidation at $92,013`, or a statement that there is none. */
export function liquidationText(position: Position): Text {
  return position.liquidationPrice === null
    ? words('position.no-liquidation')
    : words('position.liquidation', { price: priceFigure(toNumber(position.liquidationPrice)) })
}

/** No open position is this far past its liquidation price: the venue would have closed it. */
const IMPOSSIBLY_PAST = 4n

/** Whether the liquidation price cannot be true, such as one with a misplaced decimal point. */
export function isImpossiblyPast(
  { size, liquidationPrice: at }: Pick<Position, 'size' | 'liquidationPrice'>,
  marketPrice: Amount,
): boolean {
  if (at === null) return false
  return size > 0n ? at >= marketPrice * IMPOSSIBLY_PAST : at * IMPOSSIBLY_PAST <= marketPrice
}

/** A price that differs from its market by this factor or more has a broken scale and is no danger. */
const BROKEN_SCALE = 1_000_000n

/**
 * Whether the position's prices are on another scale than its market. Without an entry price, only an
 * impossible liquidation price says so: one far behind the market may be true.
 */
export function onBrokenScale(
  { size, entryPrice, liquidationPrice }: Pick<Position, 'size' | 'entryPrice' | 'liquidationPrice'>,
  marketPrice: Amount,
): boolean {
  const isAbove = (price: Amount) => price >= marketPrice * BROKEN_SCALE
  const isBelow = (price: Amount) => marketPrice >= price * BROKEN_SCALE
  if (entryPrice !== null) return isAbove(entryPrice) || isBelow(entryPrice)
  if (liquidationPrice === null) return false
  return size > 0n ? isAbove(liquidationPrice) : isBelow(liquidationPrice)
}
