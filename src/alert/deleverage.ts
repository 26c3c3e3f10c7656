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

/** `$1,240 more margin → 10% away, $3,410 → 20% (estimate, ±5%)`; null if margin brings nothing. */
export function marginLine(position: Position, market: Market): Text | null {
  const ways = waysTo(TARGET_DISTANCES, (away) => marginFor(position, market, away))
  const [first, ...others] = ways
  if (!first || market.delisted) return null
  const isSmall = ways.some(({ margin }) => margin < SMALL_MARGIN_USD)
  const error = isSmall ? 'a rough estimate' : text`estimate, ±${threshold(ERROR_OF_ESTIMATE)}`
  return text`${added({ ...first, to: text`${first.to} away` }, others)} (${error})`
}

/** The ratios to reach, for a person without lines of their own. */
const USUAL_RATIOS = [0.5, 0.3]

/** `$417 more margin → ratio 50%, $1,042 → 30%`; null if margin brings nothing. */
export function accountMarginLine(account: Account, ratios: readonly number[] = USUAL_RATIOS): Text | null {
  const [first, ...others] = waysTo(ratios, (ratio) => marginForRatio(account, ratio))
  if (!first) return null
  // The venue may not show how far such an account is beyond its end.
  const least = (account.marginRatio ?? 0) >= 1 ? 'at least ' : ''
  return text`${least}${added({ ...first, to: text`ratio ${first.to}` }, others)}`
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

function added(first: Way, others: readonly Way[]): Text {
  const more = others.map(({ margin, to }) => text`${usd(margin)} → ${to}`)
  return joined([text`${usd(first.margin)} more margin → ${first.to}`, ...more], ', ')
}

/** The position to reduce, with its market. */
interface Closed {
  position: Position
  market: Market
  /** Wall time of the price. */
  at: number
}

/** The effects of closing parts of a position at the current price, the smallest part first. */
export function closingLines(closed: Closed, quotes: readonly Quote[]): Text[] {
  const { position, market, at } = closed
  const head = text`closing at ${priceFigure(toNumber(market.price))}, ${{ time: at, as: 'clock' }}`
  return linesOf(head, closed, quotes, (quote) => lineAfter(position, market, quote))
}

/** The effects of closing parts on the account that shares the position's margin. */
export function accountClosingLines(closed: Closed, quotes: readonly Quote[]): Text[] {
  const { position, market, at } = closed
  const price = priceFigure(toNumber(market.price))
  const head = text`closing ${market.symbol} ${side(position)} at ${price}, ${{ time: at, as: 'clock' }}`
  return linesOf(head, closed, quotes, (quote) => {
    const { marginRatio } = quote.preview
    return marginRatio === null
      ? lineAfter(position, market, quote)
      : text`margin ratio ${percent(marginRatio)}`
  })
}

function linesOf(
  head: Text,
  closed: Closed,
  quotes: readonly Quote[],
  after: (quote: Quote) => Text | null,
): Text[] {
  const by = quotes.some(({ preview }) => preview.estimate) ? 'my estimate' : 'the venue’s preview'
  const lines = reduceOptionsOf(closed.position)
    .toSorted((a, b) => (a.share < b.share ? -1 : 1))
    .map(({ share }) => {
      const quote = quotes.find((one) => one.share === share)
      const part = share === ONE ? 'all' : threshold(toNumber(share))
      return text`${part}: ${quote ? closing(closed, quote, after) : 'the venue has not answered'}`
    })
  return [text`${head}, by ${by}:`, ...lines]
}

/** Cuts longer refusals of a venue: the rest says no more. */
const MAX_REFUSAL_CODE_POINTS = 60
/** A fill this many times the price, or this small a part of it, belongs to another market or scale. */
const MAX_PRICE_FACTOR = 2

function closing({ position, market }: Closed, quote: Quote, after: (quote: Quote) => Text | null): Text {
  const { fillPrice, totalFeesUsd, feasible, refusal } = quote.preview
  const fill = fillPrice === null ? 1 : toNumber(fillPrice) / toNumber(market.price)
  const why = refusal === null ? 'the venue does not say why' : beginning(refusal)
  if (feasible === false) return text`not possible: ${why}`
  if (fillPrice === null && totalFeesUsd === null) return refusal === null ? 'the venue does not say' : why
  if (fill > MAX_PRICE_FACTOR || fill < 1 / MAX_PRICE_FACTOR)
    return 'the venue’s answer does not fit the price: I do not trust it'
  const realised = fillPrice === null ? null : realisedPnl(position, quote, fillPrice)
  const pnl = realised === null ? 'PnL ?' : text`PnL ${signedUsd(toNumber(realised))}`
  const fees = totalFeesUsd === null ? 'fees ?' : text`fees ${usd(toNumber(totalFeesUsd))}`
  return joined(
    [after(quote), pnl, fees].filter((part) => part !== null),
    ', ',
  )
}

function beginning(words: string): string {
  return codePointsIn(words) <= MAX_REFUSAL_CODE_POINTS ? words : startOf(words, MAX_REFUSAL_CODE_POINTS - 1)
}

/** The liquidation price of the rest; null if nothing is left. */
function lineAfter(position: Position, market: Market, { share, preview }: Quote): Text | null {
  const { liquidationPrice } = preview
  if (share === ONE) return null
  if (liquidationPrice === null) return 'liquidation ?'
  if (liquidationPrice === 'none') return 'no liquidation price'
  const line = toNumber(liquidationPrice)
  const away = distance(side(position), toNumber(market.price), line)
  return text`liquidation ${priceFigure(line)}${away > 0 ? text` (${percentAway(away)} away)` : ' (past the price)'}`
}
