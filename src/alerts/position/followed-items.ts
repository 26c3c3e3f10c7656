import type { WalletSubject } from '../../alert/subject.ts'
import { ago, percent, price as priceFigure, quantity, usd } from '../../message/figure.ts'
import { type Item, item, type Text, text, words } from '../../message/message.ts'
import { type Amount, magnitude, toNumber } from '../../venue/amount.ts'
import { closingOf, type CloseOutcome } from '../../venue/close-outcome.ts'
import {
  aboutText,
  awayText,
  closeTitle,
  type ClosedPosition,
  guessText,
  madeText,
  partResult,
  resultOf,
  type TakenPart,
  takenTitle,
} from '../../venue/closed-position.ts'
import {
  entryText,
  labelOf,
  liquidationText,
  notional,
  type Position,
  side,
  sizeText,
} from '../../venue/position.ts'
import { oldText } from '../../venue/reading.ts'

/** `whale opened BTC long, $1.2M`. */
export function openedItem(position: Position, subject: WalletSubject): Item {
  const title = words('kind.followed.opened.title', {
    ...namesOf(position, subject),
    ...worthOf(position, subject),
  })
  return item('info', title, [bare(position, subject), liquidationText(position), ...lateness(subject)])
}

/** `whale turned short in BTC, $1.2M`: with what the long has brought. */
export function turnedItem(gone: ClosedPosition, position: Position, subject: WalletSubject): Item {
  const given = { ...namesOf(position, subject), ...worthOf(position, subject) }
  const { made, basis } = broughtBy(gone)
  const before = { side: side(gone.position), result: made }
  const lines = [bare(position, subject), words('kind.followed.turned.before', before), ...lateness(subject)]
  return { ...item('info', words('kind.followed.turned.title', given), lines), ...basis }
}

/** `whale: BTC long was closed`, with what it has brought. */
export function endedItem(gone: ClosedPosition, subject: WalletSubject): Item {
  const { position, symbol, ending, lastSeenAt } = gone
  const { wallet } = namesOf(position, subject)
  const { made, basis } = broughtBy(gone)
  const since = { ago: ago(subject.now - (ending?.at ?? lastSeenAt)) }
  return {
    ...item('info', words('kind.followed.title', { wallet, what: closeTitle(gone) }), [
      text`${sizeText(position, symbol, null)} · ${entryText(position)}${leverageText(position)}`,
      made,
      ending === null ? words('closed.seen', since) : words('closed.ended', since),
    ]),
    ...basis,
  }
}

/** The venue has closed a part of it. */
export function takenItem(part: TakenPart, subject: WalletSubject): Item {
  const { position, at } = part
  const { wallet, market } = namesOf(position, subject)
  const what = takenTitle(part, market)
  const brought = partResult(part, market)
  return item('info', words('kind.followed.title', { wallet, what }), [
    ...(brought === null ? [] : [brought]),
    words('closed.left', { what: standing(position, subject) }),
    words('closed.ago', { ago: ago(subject.now - at) }),
  ])
}

/** `whale: BTC long grew by 35%`. One that shrinks brings money. */
export function resizedItem(
  { position, before, closing }: { position: Position; before: Amount; closing: CloseOutcome | null },
  isOpen: boolean,
  subject: WalletSubject,
): Item {
  const [was, is] = [magnitude(before), magnitude(position.size)]
  const { wallet, ...given } = namesOf(position, subject)
  const share = percent(toNumber(magnitude(is - was)) / toNumber(was))
  const what = words('kind.resized.title', { ...given, way: is > was ? 'grew' : 'shrank', share })
  return item('info', words('kind.followed.title', { wallet, what }), [
    text`${quantity(toNumber(was))} → ${standing(position, subject)}`,
    ...(closing === null ? [] : broughtText(closing)),
    ...(isOpen ? [] : [words('kind.followed.before-end')]),
    ...lateness(subject),
  ])
}

/** The same size at another entry. */
export function tradedItem(position: Position, entry: Amount, subject: WalletSubject): Item {
  const { wallet, ...given } = namesOf(position, subject)
  const what = words('kind.resized.traded.title', given)
  const [from, to] = [entry, position.entryPrice ?? entry].map((one) => priceFigure(toNumber(one)))
  return item('info', words('kind.followed.title', { wallet, what }), [
    words('kind.resized.traded', { from: from ?? '?', to: to ?? '?' }),
    ...lateness(subject),
  ])
}

/** Corrects an earlier message: the venue had left out a position that never ended. */
export function stillOpenItem(position: Position, subject: WalletSubject): Item {
  const { wallet, ...given } = namesOf(position, subject)
  const what = words('kind.closed.still-open', given)
  return item('info', words('kind.followed.title', { wallet, what }), [
    words('kind.closed.left-out'),
    standing(position, subject),
  ])
}

function namesOf(position: Position, { label, positions, symbol }: WalletSubject) {
  return {
    wallet: labelOf(position, label, positions),
    market: symbol(position.marketId),
    side: side(position),
  }
}

function worthOf(position: Position, { market }: WalletSubject): { worth: Text } {
  const price = market(position.marketId)?.price ?? position.entryPrice
  return { worth: price === null ? '?' : text`${usd(notional(position, price))}` }
}

/** Returns the result of a close in one line, and the basis of an estimate. */
function broughtBy(gone: ClosedPosition): { made: Text; basis: Pick<Item, 'details'> } {
  const [made, ...basis] = resultOf(gone) ?? []
  if (made === undefined) return { made: words('kind.followed.unknown'), basis: {} }
  return {
    made: gone.ending === null ? guessText(made, basis.length > 0 ? closingOf(gone) : null) : made,
    basis: basis.length === 0 ? {} : { details: basis },
  }
}

/** `13.5 BTC · entry $97,013 · 20x`: its worth stands in the title. */
function bare(position: Position, { symbol }: WalletSubject): Text {
  const size = sizeText(position, symbol(position.marketId), null)
  return text`${size} · ${entryText(position)}${leverageText(position)}`
}

/** `13.5 BTC, $1.3M · entry $97,013 · 20x`. */
function standing(position: Position, { market, symbol }: WalletSubject): Text {
  const { marketId } = position
  const size = sizeText(position, symbol(marketId), market(marketId)?.price ?? null)
  return text`${size} · ${entryText(position)}${leverageText(position)}`
}

function leverageText({ leverage }: Position): Text {
  return leverage === null ? '' : ` · ${leverage}x`
}

function broughtText({ tradeUsd, feesUsd, estimate }: CloseOutcome): Text[] {
  if (tradeUsd === null) return []
  if (estimate) return [guessText(aboutText(toNumber(tradeUsd - (feesUsd ?? 0n))), { feesUsd })]
  return tradeUsd === 0n ? [] : [words('kind.resized.made', { made: madeText(tradeUsd) })]
}

/** The age of the figures from 10 s on, and that Perch was away when it happened. */
function lateness({ now, positionAt, awaySince }: WalletSubject): Text[] {
  const old = oldText(now - positionAt)
  return [
    ...(old === null ? [] : [text`${words('kind.what.position')} ${old}`]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
}
