import type { SizeText } from '../../chat/argument.ts'
import { percent, percentAway, price, quantity, usd } from '../../message/figure.ts'
import { type Item, item, type Text, text, words } from '../../message/message.ts'
import { type Amount, divide, magnitude, multiply, toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import type { OrderDraft, Preview } from '../../venue/order.ts'
import { distance, type Position, side } from '../../venue/position.ts'
import { idAt, venueOf } from '../../venue/venue-name.ts'
import { accountsByDigits, shortAccount, type Wallet } from '../../venue/wallet.ts'

/** An order for the venue to preview, or the reason why there is none. */
type Drafted = Draft | ChoiceOfAccount | { is: 'refused'; why: Text }

interface Draft {
  is: 'draft'
  draft: OrderDraft
  /** The position that the order changes; null when it opens one. */
  held: Position | null
}

/** The wallet has several accounts, and the person has to name one. */
export interface ChoiceOfAccount {
  is: 'which'
  why: Text
  accounts: readonly { digits: string; open: number }[]
}

/** This many digits name an account fully, even one without positions. */
const WHOLE_ACCOUNT_DIGITS = 10

export interface Asked {
  wallet: Wallet
  market: string
  size: SizeText
  account?: string | undefined
}

export function draftOf(
  { wallet, market: marketId, size, account }: Asked,
  positions: readonly Position[],
  market: Market,
  [, ...venues]: readonly string[],
): Drafted {
  const venue = venueOf(marketId, venues)
  const there = positions.filter(({ accountId }) => venueOf(accountId, venues) === venue)
  const chosen = market.accountId ?? choose(account, there, marketId, venue)
  if (typeof chosen !== 'string') return chosen
  const held =
    positions.find((position) => position.marketId === marketId && position.accountId === chosen) ?? null
  const sizeDelta = signedSize(size, held, market)
  if (sizeDelta === null) {
    return {
      is: 'refused',
      why: words('preview.no-share', { typed: size.typed, symbol: market.symbol }),
    }
  }
  if (sizeDelta === 0n) return { is: 'refused', why: words('preview.too-little', { typed: size.typed }) }
  return { is: 'draft', draft: { wallet, accountId: chosen, marketId, sizeDelta }, held }
}

export function sameDraft(a: OrderDraft, b: OrderDraft): boolean {
  return (
    a.wallet === b.wallet &&
    a.accountId === b.accountId &&
    a.marketId === b.marketId &&
    a.sizeDelta === b.sizeDelta
  )
}

/** Returns the account with the typed last digits, the only account, or the only one that holds the market. */
function choose(
  typed: string | undefined,
  positions: readonly Position[],
  marketId: string,
  venue: string | undefined,
): string | Drafted {
  const accounts = [...new Set(positions.map(({ accountId }) => accountId))]
  const which = (why: Text, among: readonly string[]): Drafted => ({
    is: 'which',
    why,
    accounts: among.map((account) => ({
      digits: shortAccount(account),
      open: positions.filter(({ accountId }) => accountId === account).length,
    })),
  })
  if (typed !== undefined) {
    const ending = accountsByDigits(accounts, typed)
    if (ending.length === 1 && ending[0] !== undefined) return ending[0]
    if (ending.length > 1) return which(words('preview.several', { n: String(ending.length), typed }), ending)
    return typed.length >= WHOLE_ACCOUNT_DIGITS
      ? venue === undefined
        ? typed
        : idAt(venue, typed)
      : which(words('preview.none-ends', { typed }), accounts)
  }
  const [only, ...others] = accounts
  if (only === undefined) {
    return { is: 'refused', why: words('preview.no-account') }
  }
  if (others.length === 0) return only
  const there = new Set(
    positions.filter((position) => position.marketId === marketId).map(({ accountId }) => accountId),
  )
  const [holder, ...more] = there
  return holder !== undefined && more.length === 0
    ? holder
    : which(words('preview.which', { n: String(accounts.length) }), accounts)
}

/** Exact to the last digit: shares and dollars are cut towards zero. Null for a share without a position. */
function signedSize(size: SizeText, held: Position | null, market: Market): Amount | null {
  if (size.unit === 'base') return size.amount
  if (size.unit === 'usd') return divide(size.amount, market.price)
  if (!held) return null
  // `-50%` makes a position smaller, whichever side it is on.
  const change = multiply(magnitude(held.size), size.amount)
  return held.size < 0n ? -change : change
}

/** The position that is left, its liquidation price, and the cost: at most eight lines. */
export function previewItem(
  preview: Preview,
  { draft: { sizeDelta }, held }: Pick<Draft, 'draft' | 'held'>,
  market: Market,
): Item {
  const units = text`${quantity(toNumber(magnitude(sizeDelta)))} ${market.symbol}`
  const value = usd(toNumber(magnitude(multiply(sizeDelta, market.price))))
  const order = { does: sizeDelta < 0n ? ('sell' as const) : ('buy' as const), units, value }
  const { estimate, feasible, refusal, fillPrice, totalFeesUsd, marginUsagePercent } = preview
  const lines: Text[] = [
    ...(feasible === false ? [refusal ?? words('preview.no-reason')] : []),
    ...(feasible === null ? [refusal ?? words('preview.unsure')] : []),
    ...afterwards(held, sizeDelta, market),
    liquidationLine(preview, sizeDelta, held, market),
    // An estimate that failed has a reason and no figures.
    ...(fillPrice !== null ? [fillText(fillPrice, market)] : estimate ? [] : [words('preview.no-fill')]),
    ...(totalFeesUsd !== null
      ? [words('preview.fees', { usd: usd(toNumber(totalFeesUsd)) })]
      : estimate
        ? []
        : [words('preview.no-fees')]),
    ...(marginUsagePercent === null ? [] : [marginText(marginUsagePercent / 100)]),
    ...(estimate ? [words('preview.estimate')] : []),
  ]
  const title =
    feasible === false
      ? words('preview.impossible', { ...order, symbol: market.symbol })
      : words('preview.order', { ...order, symbol: market.symbol })
  return item('plain', title, lines)
}

/** Says which position is left after the order; a change of side comes first. */
function afterwards(held: Position | null, sizeDelta: Amount, market: Market): Text[] {
  const size = (held?.size ?? 0n) + sizeDelta
  if (size === 0n) return [words('preview.then-none')]
  const then = words('preview.then', {
    side: side({ size }),
    units: text`${quantity(toNumber(magnitude(size)))} ${market.symbol}`,
    value: usd(toNumber(magnitude(multiply(size, market.price)))),
  })
  return held && side(held) !== side({ size })
    ? [words('preview.turns', { side: side({ size }) }), then]
    : [then]
}

/** A larger share of the margin, or a larger distance, is not worth a figure. */
const ABSURD = 10

function marginText(share: number): Text {
  return share > ABSURD ? words('preview.margin.absurd') : words('preview.margin', { share: percent(share) })
}

/** Computed from the two prices, because the unit of the venue's own figure is not documented. */
function fillText(fillPrice: Amount, market: Market): Text {
  const impact = toNumber(divide(fillPrice - market.price, market.price))
  const at = price(toNumber(fillPrice))
  if (impact === 0) return words('preview.fill', { price: at })
  return words('preview.fill.off', {
    price: at,
    impact: percent(Math.abs(impact)),
    side: impact < 0 ? 'below' : 'above',
    name: market.priceName,
  })
}

function liquidationLine(preview: Preview, sizeDelta: Amount, held: Position | null, market: Market): Text {
  const after = (held?.size ?? 0n) + sizeDelta
  const now = held ? at(held.liquidationPrice, held.size, market) : words('preview.no-position')
  return words('preview.liquidation', { now, later: thenText(preview, after, market) })
}

function thenText(preview: Preview, after: Amount, market: Market): Text {
  if (after === 0n) return words('preview.no-position')
  if (preview.liquidationPrice === null)
    return words(preview.estimate ? 'preview.not-known' : 'preview.not-shown')
  return at(preview.liquidationPrice === 'none' ? null : preview.liquidationPrice, after, market)
}

function at(liquidation: Amount | null, size: Amount, market: Market): Text {
  if (liquidation === null) return words('preview.none')
  const away = distance(side({ size }), toNumber(market.price), toNumber(liquidation))
  const figure = price(toNumber(liquidation))
  if (away <= 0) return words('preview.at-once', { price: figure })
  if (away > ABSURD) return words('preview.far', { price: figure })
  return words('preview.away', { price: figure, away: percentAway(away) })
}
