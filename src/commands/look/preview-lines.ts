import type { SizeText } from '../../chat/argument.ts'
import { percent, percentAway, price, quantity, usd } from '../../message/figure.ts'
import { type Item, item, type Text, text } from '../../message/message.ts'
import { type Amount, divide, magnitude, multiply, toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import type { OrderDraft, Preview } from '../../venue/order.ts'
import { distance, type Position, side } from '../../venue/position.ts'
import { type Wallet, shortAccount } from '../../venue/wallet.ts'

/** An order for the venue to preview, or the reason why there is none. */
type Drafted = Draft | ChoiceOfAccount | { is: 'refused'; why: string }

interface Draft {
  is: 'draft'
  draft: OrderDraft
  /** The position that the order changes; null when it opens one. */
  held: Position | null
}

/** The wallet has several accounts, and the person has to name one. */
export interface ChoiceOfAccount {
  is: 'which'
  why: string
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
): Drafted {
  const accounts = [...new Set(positions.map(({ accountId }) => accountId))]
  const chosen = market.accountId ?? choose(account, accounts, positions, marketId)
  if (typeof chosen !== 'string') return chosen
  const held =
    positions.find((position) => position.marketId === marketId && position.accountId === chosen) ?? null
  const sizeDelta = signedSize(size, held, market)
  if (sizeDelta === null) {
    return {
      is: 'refused',
      why: `“${size.typed}” is a share of a position, and this account holds no ${market.symbol}.`,
    }
  }
  if (sizeDelta === 0n) return { is: 'refused', why: `“${size.typed}” is too little to be an order.` }
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
  accounts: readonly string[],
  positions: readonly Position[],
  marketId: string,
): string | Drafted {
  const which = (why: string, among: readonly string[]): Drafted => ({
    is: 'which',
    why,
    accounts: among.map((account) => ({
      digits: shortAccount(account),
      open: positions.filter(({ accountId }) => accountId === account).length,
    })),
  })
  if (typed !== undefined) {
    const ending = accounts.filter((account) => account.endsWith(typed))
    if (ending.length === 1 && ending[0] !== undefined) return ending[0]
    if (ending.length > 1) return which(`${ending.length} accounts end with ${typed}. Which one?`, ending)
    return typed.length >= WHOLE_ACCOUNT_DIGITS
      ? typed
      : which(`No account of that wallet ends with ${typed}.`, accounts)
  }
  const [only, ...others] = accounts
  if (only === undefined) {
    const why =
      'I know no account of that wallet: the venue shows accounts only with their positions, and there is none. Add the account’s number at the end.'
    return { is: 'refused', why }
  }
  if (others.length === 0) return only
  const there = new Set(
    positions.filter((position) => position.marketId === marketId).map(({ accountId }) => accountId),
  )
  const [holder, ...more] = there
  return holder !== undefined && more.length === 0
    ? holder
    : which(`Which account? That wallet has ${accounts.length}.`, accounts)
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

export function previewItem(
  preview: Preview,
  { draft: { sizeDelta }, held }: Pick<Draft, 'draft' | 'held'>,
  market: Market,
): Item {
  const units = text`${quantity(toNumber(magnitude(sizeDelta)))} ${market.symbol}`
  const value = usd(toNumber(magnitude(multiply(sizeDelta, market.price))))
  const { estimate, feasible, fillPrice, totalFeesUsd, marginUsagePercent } = preview
  const possible = feasible === false ? ', not possible' : ''
  const lines: Text[] = afterwards(held, sizeDelta, market)
  if (estimate) lines.unshift('our estimate, from its order book as it is now and your taker fee')
  if (feasible === false) lines.push(`why: ${preview.refusal ?? 'the venue does not say'}`)
  if (feasible === null) lines.push(preview.refusal ?? 'whether it is possible is not shown by the venue')
  // An estimate that failed has a reason and no figures.
  if (fillPrice !== null)
    lines.push(text`fill price ${price(toNumber(fillPrice))}, ${impactText(fillPrice, market)}`)
  else if (!estimate) lines.push('fill price not shown by the venue')
  if (totalFeesUsd !== null) lines.push(text`fees ${usd(toNumber(totalFeesUsd))} in all`)
  else if (!estimate) lines.push('fees not shown by the venue')
  lines.push(liquidationLine(preview, sizeDelta, held, market))
  if (marginUsagePercent !== null) lines.push(marginText(marginUsagePercent / 100))
  return item(
    'plain',
    text`${market.symbol}: ${sizeDelta < 0n ? 'sell' : 'buy'} ${units} (${value})${possible}`,
    lines,
  )
}

/** Says which position is left after the order; a change of side comes first. */
function afterwards(held: Position | null, sizeDelta: Amount, market: Market): Text[] {
  const size = (held?.size ?? 0n) + sizeDelta
  if (size === 0n) return ['afterwards: no position']
  const value = usd(toNumber(magnitude(multiply(size, market.price))))
  const then = text`afterwards: ${side({ size })} ${quantity(toNumber(magnitude(size)))} ${market.symbol} (${value})`
  const turned = held && side(held) !== side({ size })
  return turned ? [`careful: this turns your ${side(held)} into a ${side({ size })}`, then] : [then]
}

/** A larger share of the margin, or a larger distance, is not worth a figure. */
const ABSURD = 10

function marginText(share: number): Text {
  return share > ABSURD
    ? 'margin used afterwards: far more than there is'
    : text`margin used afterwards ${percent(share)}`
}

/** Computed from the two prices, because the unit of the venue's own figure is not documented. */
function impactText(fillPrice: Amount, market: Market): Text {
  const impact = toNumber(divide(fillPrice - market.price, market.price))
  if (impact === 0) return `at the ${market.priceName} price`
  return text`${percent(Math.abs(impact))} ${impact < 0 ? 'below' : 'above'} the ${market.priceName} price`
}

function liquidationLine(preview: Preview, sizeDelta: Amount, held: Position | null, market: Market): Text {
  const after = (held?.size ?? 0n) + sizeDelta
  const now = held ? at(held.liquidationPrice, held.size, market) : 'no position'
  if (after === 0n) return text`liquidation: ${now} → no position`
  if (preview.liquidationPrice === null)
    return text`liquidation: ${now} → ${preview.estimate ? 'not known' : 'not shown by the venue'}`
  const then = preview.liquidationPrice === 'none' ? null : preview.liquidationPrice
  return text`liquidation: ${now} → ${at(then, after, market)}`
}

function at(liquidation: Amount | null, size: Amount, market: Market): Text {
  if (liquidation === null) return 'none'
  const away = distance(side({ size }), toNumber(market.price), toNumber(liquidation))
  if (away <= 0) return text`${price(toNumber(liquidation))} (past the price: liquidated at once)`
  if (away > ABSURD) return text`${price(toNumber(liquidation))} (far away)`
  return text`${price(toNumber(liquidation))} (${percentAway(away)} away)`
}
