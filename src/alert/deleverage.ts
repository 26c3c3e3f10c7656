import { codePointsIn, startOf } from '../lib/text/legible.ts'
import { percent, percentAway, price as priceFigure, signedUsd, threshold, usd } from '../message/figure.ts'
import { joined, type Text, text } from '../message/message.ts'
import type { Reading } from '../runtime/clock.ts'
import type { Account } from '../venue/account.ts'
import { type Amount, magnitude, multiply, ONE, toNumber } from '../venue/amount.ts'
import type { Market } from '../venue/market.ts'
import type { OrderDraft, Preview } from '../venue/order.ts'
import { distance, type Position, side } from '../venue/position.ts'
import type { Severity } from './alert.ts'

// The ways to get a position out of danger, and their costs. This file never recommends one.

/** The most useful share first: the answers for the others may come too late. */
const SHARES = [ONE / 2n, ONE / 4n, ONE]
/**
 * The maintenance margin as a fraction of the notional, for venues that do not show it. Real ratios lie
 * between zero and seven percent, which keeps the estimate within its stated error.
 */
const USUAL_MAINTENANCE = 0.025
/** The error of `marginFor`, as a fraction. */
export const ERROR_OF_ESTIMATE = 0.05

/** An alert from warning on whose position could be reduced, as it stands now. */
export interface AtRisk {
  alertId: number
  chatId: number
  tier: number
  severity: Severity
  /** The headroom of its figure: less is worse. */
  room: number
  /**
   * The account that shares the position's margin; null if it has its own margin, or the venue does not show
   * the account.
   */
  pool: string | null
  /** The alert is about the account as a whole, and this is its largest position. */
  isOfAccount: boolean
  position: Position
  market: Reading<Market>
}

/** An order that closes this share of a position (1 is all), exact to the last digit. */
export interface ReduceOption {
  share: Amount
  draft: OrderDraft
}

/** A reducing order with the venue's preview of it. */
export interface Quote extends ReduceOption {
  preview: Preview
}

export function reduceOptionsOf({ wallet, accountId, marketId, size }: Position): ReduceOption[] {
  return SHARES.map((share) => ({
    share,
    draft: { wallet, accountId, marketId, sizeDelta: -multiply(size, share) },
  })).filter(({ draft }) => draft.sizeDelta !== 0n)
}

/** USD that closing this share realises over the entry price, without fees and funding; null without an entry price. */
export function realisedPnl(
  { entryPrice }: Position,
  { draft }: ReduceOption,
  fillPrice: Amount,
): Amount | null {
  return entryPrice === null ? null : multiply(-draft.sizeDelta, fillPrice - entryPrice)
}

/**
 * USD of margin that move the liquidation price to this distance from the price; null if it is already that
 * far. The spare margin falls with the price by size × (1 ∓ maintenance ratio), which is the cost of each
 * dollar of distance.
 */
export function marginFor(
  { size, liquidationPrice }: Position,
  { price, maintenanceRatio }: Pick<Market, 'price' | 'maintenanceRatio'>,
  away: number,
): number | null {
  if (liquidationPrice === null) return null
  const towards = size > 0n ? 1 : -1
  const aim = toNumber(price) * (1 - towards * away)
  const way = towards * (toNumber(liquidationPrice) - aim)
  const needed = maintenanceRatio === null ? USUAL_MAINTENANCE : toNumber(maintenanceRatio)
  return way <= 0 ? null : way * toNumber(magnitude(size)) * (1 - towards * needed)
}

/**
 * USD of margin that bring an account to this ratio at the same prices; null if it is already there, or the
 * figures are missing. Only the venue knows the value of a portfolio's tokens.
 */
function marginForRatio(
  { mode, equityUsd, maintenanceUsd, marginRatio }: Account,
  ratio: number,
): number | null {
  if (mode === 'portfolio' || maintenanceUsd === null || marginRatio === null || marginRatio <= ratio)
    return null
  // Without any equity the ratio stands at its end, however much is missing.
  if (equityUsd !== null && equityUsd <= 0n) return toNumber(maintenanceUsd) / ratio - toNumber(equityUsd)
  return toNumber(maintenanceUsd) * (1 / ratio - 1 / marginRatio)
}

// The cost of getting a position out of danger, in words: the options, never advice.

/** The distances from liquidation that more margin should reach, as fractions of the price. */
const TARGET_DISTANCES = [0.1, 0.2]

/**
 * USD. For smaller sums, fixed costs of the venue, such as its liquidation reward, may exceed the stated
 * error.
 */
const SMALL_MARGIN_USD = 20

/**
 * Returns the lines of an alert that name the ways out of danger: `Add $1,240 margin → 10% away`. The last line keeps
 * the place of a quote for closing parts, which comes later.
 */
export function waysOut(position: Position, market: Market): Text[] {
  const added = marginWays(position, market)
  return added.length === 0 ? ['Add margin, or close a part of it'] : [...added, 'Or close a part of it']
}

/** `Add $1,240 margin → 10% away`, one line for each distance; none if margin brings nothing. */
export function marginWays(position: Position, market: Market): Text[] {
  if (market.delisted) return []
  return waysTo(TARGET_DISTANCES, (away) => marginFor(position, market, away)).map(
    ({ margin, to }) => text`Add ${usd(margin)} margin → ${to} away`,
  )
}

/** How far the margin that was named may be off; null where none was. */
export function marginDoubt(position: Position, market: Market): Text | null {
  const ways = waysTo(TARGET_DISTANCES, (away) => marginFor(position, market, away))
  if (ways.length === 0 || market.delisted) return null
  const isSmall = ways.some(({ margin }) => margin < SMALL_MARGIN_USD)
  return isSmall ? 'Margin: a rough estimate' : text`Margin: my estimate, ±${threshold(ERROR_OF_ESTIMATE)}`
}

/** The ratios to reach, for a person without lines of their own. */
const USUAL_RATIOS = [0.5, 0.3]

/** `Add $417 margin → ratio 50%`, one line for each ratio; none if margin brings nothing. */
export function accountMarginWays(account: Account, ratios: readonly number[] = USUAL_RATIOS): Text[] {
  // The venue may not show how far such an account is beyond its end.
  const least = (account.marginRatio ?? 0) >= 1 ? 'at least ' : ''
  return waysTo(ratios, (ratio) => marginForRatio(account, ratio)).map(
    ({ margin, to }) => text`Add ${least}${usd(margin)} margin → ratio ${to}`,
  )
}

/** USD of margin, and the distance or ratio that it reaches. */
interface Way {
  margin: number
  to: Text
}

function waysTo(aims: readonly number[], marginTo: (aim: number) => number | null): Way[] {
  return aims.flatMap((aim) => {
    const margin = marginTo(aim)
    return margin === null ? [] : [{ margin, to: text`${threshold(aim)}` }]
  })
}

/** The position to reduce, with its market. */
interface Closed {
  position: Position
  market: Market
  /** Wall time of the price. */
  at: number
  /** It is closed for its account, which other positions share. */
  isOfAccount: boolean
}

/** A line for each part that could be closed, the smallest first, and on which quote they rest. */
interface ClosingLines {
  /** `Close 25% → 6.1% away (-$1,025)`, without closing everything: that needs no figure. */
  short: Text[]
  /** `Close 25% → 6.1% away · PnL -$1,025 · fee $9.64`. */
  long: Text[]
  /** `Fees $9.64 to $38.56, venue’s quote at $113,507, 20:30`. */
  basis: Text
}

/** The effect of closing parts at the current price, on a position or on the account that shares its margin. */
export function closingLines(closed: Closed, quotes: readonly Quote[]): ClosingLines {
  const { position, market, at } = closed
  const parts = reduceOptionsOf(position)
    .toSorted((a, b) => (a.share < b.share ? -1 : 1))
    .map(({ share }) => {
      const quote = quotes.find((one) => one.share === share)
      const size = share === ONE ? 'all' : text`${threshold(toNumber(share))}`
      const what = closed.isOfAccount ? text`${size} of ${market.symbol}` : size
      return { share, what, effect: quote ? effectOf(closed, quote) : NO_ANSWER }
    })
  const isEstimate = quotes.some(({ preview }) => preview.estimate)
  const by = isEstimate ? 'my estimate' : 'venue’s quote'
  return {
    short: parts
      .filter(({ share }) => share !== ONE)
      .map(({ what, effect }) => text`Close ${what} → ${effect.short}`),
    long: parts.map(({ what, effect }) => text`Close ${what} → ${effect.long}`),
    basis: text`${by} at ${priceFigure(toNumber(market.price))}, ${{ time: at, as: 'clock' }}`,
  }
}

/** The effect of closing a part, in short and in full. */
interface EffectText {
  short: Text
  long: Text
}

const NO_ANSWER: EffectText = { short: 'no answer yet', long: 'no answer from the venue' }

/** Cuts longer refusals of a venue: the rest says no more. */
const MAX_REFUSAL_CODE_POINTS = 60
/** A fill this many times the price, or this small a part of it, belongs to another market or scale. */
const MAX_PRICE_FACTOR = 2

function effectOf({ position, market, isOfAccount }: Closed, quote: Quote): EffectText {
  const { fillPrice, totalFeesUsd, feasible, refusal, marginRatio } = quote.preview
  const fill = fillPrice === null ? 1 : toNumber(fillPrice) / toNumber(market.price)
  const why = refusal === null ? 'the venue doesn’t say why' : beginning(refusal)
  if (feasible === false) return { short: 'not possible', long: `not possible: ${why}` }
  if (fillPrice === null && totalFeesUsd === null)
    return { short: 'the venue doesn’t say', long: refusal === null ? 'the venue doesn’t say' : why }
  if (fill > MAX_PRICE_FACTOR || fill < 1 / MAX_PRICE_FACTOR)
    return {
      short: 'no quote that I trust',
      long: 'the venue’s quote doesn’t fit the price: I don’t trust it',
    }
  const realised = fillPrice === null ? null : realisedPnl(position, quote, fillPrice)
  const pnl = realised === null ? '?' : signedUsd(toNumber(realised))
  const fees = totalFeesUsd === null ? '?' : usd(toNumber(totalFeesUsd))
  const ratio = isOfAccount && marginRatio !== null ? text`ratio ${percent(marginRatio)}` : null
  const after = ratio ?? distanceAfter(position, market, quote)
  return {
    short: after === null ? text`PnL ${pnl}` : text`${after} (${pnl})`,
    long: joined([...(after === null ? [] : [after]), text`PnL ${pnl}`, text`fee ${fees}`], ' · '),
  }
}

function beginning(words: string): string {
  return codePointsIn(words) <= MAX_REFUSAL_CODE_POINTS ? words : startOf(words, MAX_REFUSAL_CODE_POINTS - 1)
}

/** How far the rest is from liquidation; null if nothing is left. */
function distanceAfter(position: Position, market: Market, { share, preview }: Quote): Text | null {
  const { liquidationPrice } = preview
  if (share === ONE) return null
  if (liquidationPrice === null) return 'distance unknown'
  if (liquidationPrice === 'none') return 'no liquidation price'
  const away = distance(side(position), toNumber(market.price), toNumber(liquidationPrice))
  return away > 0 ? text`${percentAway(away)} away` : 'still past liquidation'
}
