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

// What gets a position out of danger, and what each way costs. Nothing here says which one to take.

/** Of a position, the one that says most first: what comes too late may be the others. */
const SHARES = [ONE / 2n, ONE / 4n, ONE]
/**
 * Maintenance margin as a fraction of the notional, where the venue does not show it: whatever it is between none and
 * seven percent, the estimate is within its margin of error.
 */
const USUAL_MAINTENANCE = 0.025
/** Of `marginFor`, as a fraction. */
export const ERROR_OF_ESTIMATE = 0.05

/** An alert at warning or worse that closing a part of a position helps, as it stands now. */
export interface Endangered {
  alertId: number
  chatId: number
  tier: number
  severity: Severity
  /** How much its figure leaves: the one with less is worse. */
  room: number
  /** The account that covers the position together with others; null where it has its own margin, or nothing tells. */
  pool: string | null
  /** It is about that account as a whole, of which the position is the largest. */
  isOfAccount: boolean
  position: Position
  market: Reading<Market>
}

/** An order that closes a share of a position (1 is all of it), to the last digit of its size. */
export interface Closing {
  share: Amount
  draft: OrderDraft
}

/** A closing, and what the venue says that it would do. */
export interface Quote extends Closing {
  preview: Preview
}

export function closingsOf({ wallet, accountId, marketId, size }: Position): Closing[] {
  return SHARES.map((share) => ({
    share,
    draft: { wallet, accountId, marketId, sizeDelta: -multiply(size, share) },
  })).filter(({ draft }) => draft.sizeDelta !== 0n)
}

/** USD that a closing realises over the entry price, without fees and funding. */
export function realisedPnl({ entryPrice }: Position, { draft }: Closing, fillPrice: Amount): Amount {
  return multiply(-draft.sizeDelta, fillPrice - entryPrice)
}

/**
 * USD of margin that move the liquidation price to this distance from the price; null where it is as far away already.
 * What is spare falls with the price by size × (1 ∓ maintenance ratio), so that is what each dollar of the way costs.
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
 * USD of margin that bring an account to this ratio while its prices stay; null where it is there already, or nothing tells.
 * What a portfolio is measured by is the venue's to know.
 */
function marginForRatio(
  { mode, maintenanceUsd, marginRatio }: Pick<Account, 'mode' | 'maintenanceUsd' | 'marginRatio'>,
  ratio: number,
): number | null {
  if (mode === 'portfolio' || maintenanceUsd === null || marginRatio === null || marginRatio <= ratio)
    return null
  return toNumber(maintenanceUsd) * (1 / ratio - 1 / marginRatio)
}

// What getting a position out of danger costs, in words: what there is to choose from, and never what to choose.

/** How far away from liquidation added margin is to bring it, as fractions of the price. */
const AIMS = [0.1, 0.2]

/** USD. Of smaller sums the venue's own fixed ones, such as its reward for liquidating, may be more than the error that is stated. */
const SMALL = 20

/** `$1,240 more margin → 10 % away, $3,410 → 20 % (estimate, ±5 %)`; null where that brings nothing. */
export function marginLine(position: Position, market: Market): Text | null {
  const ways = waysTo(AIMS, (away) => marginFor(position, market, away))
  const [first, ...others] = ways
  if (!first || market.delisted) return null
  const isSmall = ways.some(({ margin }) => margin < SMALL)
  const error = isSmall ? 'a rough estimate' : text`estimate, ±${threshold(ERROR_OF_ESTIMATE)}`
  return text`${added({ ...first, to: text`${first.to} away` }, others)} (${error})`
}

/** As those of the distances, where nobody has set lines of their own. */
const USUAL_RATIOS = [0.5, 0.3]

/** `$417 more margin → ratio 50 %, $1,042 → 30 %`; null where that brings nothing. */
export function accountMarginLine(account: Account, ratios: readonly number[] = USUAL_RATIOS): Text | null {
  const [first, ...others] = waysTo(ratios, (ratio) => marginForRatio(account, ratio))
  if (!first) return null
  // Of an account that has nothing left its venue may say no more than that.
  const least = (account.marginRatio ?? 0) >= 1 ? 'at least ' : ''
  return text`${least}${added({ ...first, to: text`ratio ${first.to}` }, others)}`
}

/** USD of margin, and where it leads. */
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

/** What is closed, and of what. */
interface Closed {
  position: Position
  market: Market
  /** Wall time of the price. */
  at: number
}

/** What closing parts of a position would do at the price of now, the smallest part first. */
export function closingLines(closed: Closed, quotes: readonly Quote[]): Text[] {
  const { position, market, at } = closed
  const head = text`closing at ${priceFigure(toNumber(market.price))}, ${{ time: at, as: 'clock' }}`
  return linesOf(head, closed, quotes, (quote) => lineAfter(position, market, quote))
}

/** What that would do to the account that it shares its margin with. */
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
  const lines = closingsOf(closed.position)
    .toSorted((a, b) => (a.share < b.share ? -1 : 1))
    .map(({ share }) => {
      const quote = quotes.find((one) => one.share === share)
      const part = share === ONE ? 'all' : threshold(toNumber(share))
      return text`${part}: ${quote ? closing(closed, quote, after) : 'the venue has not answered'}`
    })
  return [text`${head}, by ${by}:`, ...lines]
}

/** Longer words of a venue say no more. */
const MOST_OF_A_REFUSAL = 60
/** A fill that is so many times the price, or as small a part of it, is one of another market or scale. */
const OFF = 2

function closing({ position, market }: Closed, quote: Quote, after: (quote: Quote) => Text | null): Text {
  const { fillPrice, totalFeesUsd, feasible, refusal } = quote.preview
  const fill = fillPrice === null ? 1 : toNumber(fillPrice) / toNumber(market.price)
  const why = refusal === null ? 'the venue does not say why' : beginning(refusal)
  if (feasible === false) return text`not possible: ${why}`
  if (fillPrice === null && totalFeesUsd === null) return refusal === null ? 'the venue does not say' : why
  if (fill > OFF || fill < 1 / OFF) return 'the venue’s answer does not fit the price: I do not trust it'
  const pnl =
    fillPrice === null ? 'PnL ?' : text`PnL ${signedUsd(toNumber(realisedPnl(position, quote, fillPrice)))}`
  const fees = totalFeesUsd === null ? 'fees ?' : text`fees ${usd(toNumber(totalFeesUsd))}`
  return joined(
    [after(quote), pnl, fees].filter((part) => part !== null),
    ', ',
  )
}

function beginning(words: string): string {
  return codePointsIn(words) <= MOST_OF_A_REFUSAL ? words : startOf(words, MOST_OF_A_REFUSAL - 1)
}

/** Where the liquidation price of what is left would be; null where nothing is. */
function lineAfter(position: Position, market: Market, { share, preview }: Quote): Text | null {
  const { liquidationPrice } = preview
  if (share === ONE) return null
  if (liquidationPrice === null) return 'liquidation ?'
  if (liquidationPrice === 'none') return 'no liquidation price'
  const line = toNumber(liquidationPrice)
  const away = distance(side(position), toNumber(market.price), line)
  return text`liquidation ${priceFigure(line)}${away > 0 ? text` (${percentAway(away)} away)` : ' (past the price)'}`
}
