import { codePointsIn, startOf } from '../lib/text/legible.ts'
import { percent, percentAway, price as priceFigure, signedUsd, threshold, usd } from '../message/figure.ts'
import { joined, type Text, text, words } from '../message/message.ts'
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
  { size, liquidationPrice }: Pick<Position, 'size' | 'liquidationPrice'>,
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
export function marginForRatio(
  {
    mode,
    equityUsd,
    maintenanceUsd,
    marginRatio,
  }: Pick<Account, 'mode' | 'equityUsd' | 'maintenanceUsd' | 'marginRatio'>,
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
  return added.length === 0 ? [words('ways.any')] : [...added, words('ways.close')]
}

/** `Add $1,240 margin → 10% away`, one line for each distance; none if margin brings nothing. */
export function marginWays(position: Position, market: Market): Text[] {
  if (market.delisted) return []
  return waysTo(TARGET_DISTANCES, (away) => marginFor(position, market, away)).map(({ margin, to }) =>
    words('ways.margin', { margin: usd(margin), distance: to }),
  )
}

/** How far the margin that was named may be off; null where none was. */
export function marginDoubt(position: Position, market: Market): Text | null {
  const ways = waysTo(TARGET_DISTANCES, (away) => marginFor(position, market, away))
  if (ways.length === 0 || market.delisted) return null
  const isSmall = ways.some(({ margin }) => margin < SMALL_MARGIN_USD)
  return isSmall ? words('ways.rough') : words('ways.estimate', { error: threshold(ERROR_OF_ESTIMATE) })
}

/** The ratios to reach, for a person without lines of their own. */
const USUAL_RATIOS = [0.5, 0.3]

/** `Add $417 margin → ratio 50%`, one line for each ratio; none if margin brings nothing. */
export function accountMarginWays(account: Account, ratios: readonly number[] = USUAL_RATIOS): Text[] {
  // The venue may not show how far such an account is beyond its end.
  const key = (account.marginRatio ?? 0) >= 1 ? 'ways.ratio.least' : 'ways.ratio'
  return waysTo(ratios, (ratio) => marginForRatio(account, ratio)).map(({ margin, to }) =>
    words(key, { margin: usd(margin), ratio: to }),
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
      const part = share === ONE ? words('ways.all') : text`${threshold(toNumber(share))}`
      const line = (effect: Text) =>
        closed.isOfAccount
          ? words('ways.part.of', { part, symbol: market.symbol, effect })
          : words('ways.part', { part, effect })
      const { short, long } = quote ? effectOf(closed, quote) : NO_ANSWER
      return { share, short: line(short), long: line(long) }
    })
  const isEstimate = quotes.some(({ preview }) => preview.estimate)
  return {
    short: parts.filter(({ share }) => share !== ONE).map(({ short }) => short),
    long: parts.map(({ long }) => long),
    basis: words(isEstimate ? 'ways.by-estimate' : 'ways.by-venue', {
      price: priceFigure(toNumber(market.price)),
      at: { time: at, as: 'clock' },
    }),
  }
}

/** The effect of closing a part, in short and in full. */
interface EffectText {
  short: Text
  long: Text
}

const NO_ANSWER: EffectText = { short: words('ways.no-answer.short'), long: words('ways.no-answer') }

/** Cuts longer refusals of a venue: the rest says no more. */
const MAX_REFUSAL_CODE_POINTS = 60
/** A fill this many times the price, or this small a part of it, belongs to another market or scale. */
const MAX_PRICE_FACTOR = 2

function effectOf({ position, market, isOfAccount }: Closed, quote: Quote): EffectText {
  const { fillPrice, totalFeesUsd, feasible, refusal, marginRatio } = quote.preview
  const fill = fillPrice === null ? 1 : toNumber(fillPrice) / toNumber(market.price)
  const why = refusal === null ? words('ways.no-reason') : beginning(refusal)
  if (feasible === false)
    return { short: words('ways.impossible.short'), long: words('ways.impossible', { why }) }
  if (fillPrice === null && totalFeesUsd === null)
    return { short: words('ways.silent'), long: refusal === null ? words('ways.silent') : why }
  if (fill > MAX_PRICE_FACTOR || fill < 1 / MAX_PRICE_FACTOR)
    return { short: words('ways.odd.short'), long: words('ways.odd') }
  const realised = fillPrice === null ? null : realisedPnl(position, quote, fillPrice)
  const pnl = realised === null ? '?' : signedUsd(toNumber(realised))
  const fees = totalFeesUsd === null ? '?' : usd(toNumber(totalFeesUsd))
  const ratio =
    isOfAccount && marginRatio !== null ? words('ways.ratio.after', { ratio: percent(marginRatio) }) : null
  const after = ratio ?? distanceAfter(position, market, quote)
  return {
    short: after === null ? words('ways.pnl', { pnl }) : text`${after} (${pnl})`,
    long: joined(
      [...(after === null ? [] : [after]), words('ways.pnl', { pnl }), words('ways.fee', { fee: fees })],
      ' · ',
    ),
  }
}

function beginning(words: string): string {
  return codePointsIn(words) <= MAX_REFUSAL_CODE_POINTS ? words : startOf(words, MAX_REFUSAL_CODE_POINTS - 1)
}

/** How far the rest is from liquidation; null if nothing is left. */
function distanceAfter(position: Position, market: Market, { share, preview }: Quote): Text | null {
  const { liquidationPrice } = preview
  if (share === ONE) return null
  if (liquidationPrice === null) return words('ways.unknown')
  if (liquidationPrice === 'none') return words('ways.no-liquidation')
  const away = distance(side(position), toNumber(market.price), toNumber(liquidationPrice))
  return away > 0 ? words('ways.after', { distance: percentAway(away) }) : words('ways.still-past')
}
