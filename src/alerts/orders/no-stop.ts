import { z } from 'zod'

import type { Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument, typedSum } from '../../chat/argument.ts'
import { price as priceFigure, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import { awayFromIt, distance, liquidationText, notional, side, sizeText } from '../../venue/position.ts'
import { type Protection, protectionsOf, isProtectedSomehow } from './protective.ts'
import { oldText } from '../../venue/reading.ts'

/** USD. */
const USUAL_ABOVE_USD = 1_000
/** After opening a position, a trader needs some minutes to place its protective orders. */
const USUAL_HOLD_MS = 300_000
/** Keeps a position that hovers around the threshold from alerting again and again. */
const CLEAR_SHARE = 0.9

const params = z.object({
  /** The least value of a position, in USD. */
  above: argument
    .usd(words('arg.no-stop.above'))
    .refine((above) => above > 0, 'check.worth')
    .default(USUAL_ABOVE_USD),
  /** Which protection must be missing: both, or the stop loss. */
  lacks: argument
    .choice(['both', 'stop-loss'], words('kind.no-stop.lacks'), new Map([['loss', 'stop-loss']]))
    .default('both'),
})
type Params = z.output<typeof params>

/** Alerts when a position of some value has no order that closes it. */
export default levelKind({
  name: 'no-stop',
  aliases: ['naked'],
  summary: words('kind.no-stop.summary'),
  example: 'no-stop 5000',
  on: 'position',
  reads: 'orders',
  params,
  holdMs: USUAL_HOLD_MS,
  when: ({ above, lacks }) => words('kind.no-stop.when', { money: usd(above), lacks }),
  describe: ({ above, lacks }) =>
    lacks === 'stop-loss'
      ? words('kind.no-stop.line-loss', { money: usd(above) })
      : words('kind.no-stop.line', { money: usd(above) }),
  typed: ({ above, lacks }) =>
    `${typedSum({ unit: 'usd', value: above })}${lacks === 'both' ? '' : ` ${lacks}`}`,
  // The two choices count different orders as a stop, so neither replaces the other.
  identity: ({ lacks }) => (lacks === 'both' ? '' : lacks),
  merge: ([first, ...others]) =>
    others.reduce((least, one) => (one.above < least.above ? one : least), first),
  severity: 'warning',
  figure: (value) => [usd(value)],
  // A larger position has more to lose.
  headroom: (value) => 1 / (1 + value),
  judge,
  tell,
})

function judge(
  { above, lacks }: Params,
  { position, price, market, orders }: PositionSubject,
): Verdict | 'unknown' {
  if (orders === null) return 'unknown'
  const value = notional(position, market.price)
  if (counting(lacks, protectionsOf(position, orders)).length > 0)
    return { enter: 0, stay: 0, value, stableWithin: { of: 'price' } }
  if (isProtectedSomehow(position, orders)) return 'unknown'
  const units = Math.abs(toNumber(position.size))
  const [enterAt, clearAt] = [above / units, (CLEAR_SHARE * above) / units]
  return {
    enter: price >= enterAt ? 1 : 0,
    stay: price >= clearAt ? 1 : 0,
    value,
    stableWithin:
      price >= enterAt
        ? { of: 'price', below: enterAt }
        : price >= clearAt
          ? { of: 'price', below: clearAt, above: enterAt }
          : { of: 'price', above: clearAt },
  }
}

function counting(lacks: Params['lacks'], protections: Protection[]): Protection[] {
  return lacks === 'both' ? protections : protections.filter(({ role }) => role === 'stop loss')
}

function tell({ above, lacks }: Params, { to }: Transition, subject: PositionSubject): Item {
  const { position, market, orders, label, now, ordersAt, positionAt, awaySince } = subject
  const said = { market: market.symbol, side: side(position) }
  const protections = protectionsOf(position, orders ?? [])
  const [positionOld, ordersOld] = [now - positionAt, now - (ordersAt ?? now)].map(oldText)
  const ages = [
    ...(positionOld ? [text`${words('kind.what.position')} ${positionOld}`] : []),
    ...(ordersOld ? [text`${words('kind.what.orders')} ${ordersOld}`] : []),
  ]
  const lines: Text[] = [
    text`${sizeText(position, market.symbol, market.price)} · ${label}`,
    text`${liquidationText(position)}${awayFrom(subject)}`,
    ...(protections.length === 0 ? [] : [joined(protections.slice(0, 3).map(protectionText), ', ')]),
    ...(ages.length === 0 ? [] : [joined(ages, ', ')]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
  if (to > 0) return item('warning', words('kind.no-stop.title', { ...said, lacks }), lines)
  const isProtected = counting(lacks, protections).length > 0
  return item(
    'good',
    isProtected
      ? words('kind.no-stop.protected', said)
      : words('kind.no-stop.small', { ...said, money: usd(above) }),
    lines,
  )
}

function awayFrom({ position, price }: PositionSubject): Text {
  if (position.liquidationPrice === null) return ''
  return text`, ${awayFromIt(distance(side(position), price, toNumber(position.liquidationPrice)))}`
}

function protectionText({ role, trigger }: Protection): Text {
  return words('kind.no-stop.has', { role, price: priceFigure(toNumber(trigger)) })
}
