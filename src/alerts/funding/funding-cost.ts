import { z } from 'zod'

import type { Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument, type Sum, typedSum } from '../../chat/argument.ts'
import { age, percent, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import { nextFunding } from '../../venue/market.ts'
import { fundingPerDay, notional, side, sizeText } from '../../venue/position.ts'

/** A line of $10 a day clears at $8.50. */
const CLEAR_BAND = 0.15
const DAYS_A_YEAR = 365

const params = z.object({
  /** USD a day to pay, the mildest first. */
  lines: argument
    .sums('what it may cost a day, such as $10')
    .refine((lines) => lines.length > 0 && lines.length <= 8, 'Name one to eight amounts, such as $10 $50.')
    .refine(
      (lines) => lines.every(({ unit, value }) => unit === 'usd' && value > 0),
      'What funding costs is an amount of dollars a day above zero, such as $10.',
    )
    .transform(mildestFirst),
})

/** Alerts when a position pays this much funding a day, at the current rate and price. */
export default levelKind({
  name: 'funding-cost',
  aliases: ['cost'],
  summary: 'a position pays so much funding a day',
  example: 'funding-cost BTC $10',
  on: 'position',
  params,
  describe: ({ lines }) =>
    text`from ${joined(
      lines.map(({ value }) => text`${usd(value)}`),
      ' / ',
    )} a day on`,
  typed: ({ lines }) => lines.map(typedSum).join(' '),
  merge: (all) => ({ lines: mildestFirst(all.flatMap(({ lines }) => lines)) }),
  tierUnder: (before, tier, after) =>
    after.lines.filter(({ value }) => value <= (before.lines[tier - 1]?.value ?? 0)).length,
  severity: () => 'warning',
  tier: ({ lines }, tier) => text`${usd(lines[tier - 1]?.value ?? 0)} a day line`,
  figure: (value) => text`funding ${costText(value)}`,
  // Among equally loud alerts, those near liquidation come first.
  headroom: () => 1,
  // Without bounds: the cost depends on the rate and the price, and bounds have one measure.
  judge({ lines }, subject): Verdict | 'unknown' {
    const { position, market, marketAt, positionAt } = subject
    if (market.delisted && positionAt < marketAt) return 'unknown'
    const cost = market.delisted ? 0 : -fundingPerDay(position, market)
    return {
      enter: lines.filter(({ value }) => cost >= value).length,
      stay: lines.filter(({ value }) => cost > value * (1 - CLEAR_BAND)).length,
      beyond: lines.filter(({ value }) => cost > value * (1 + CLEAR_BAND)).length,
      value: cost,
    }
  },
  tell,
})

function mildestFirst(lines: readonly Sum[]): Sum[] {
  const values = [...new Set(lines.map(({ value }) => value))].toSorted((a, b) => a - b)
  return values.map((value) => ({ unit: 'usd', value }))
}

/** `costs $3.90 a day`. */
function costText(perDay: number): Text {
  if (perDay === 0) return 'costs nothing now'
  return text`${perDay > 0 ? 'costs' : 'brings'} ${usd(Math.abs(perDay))} a day`
}

function tell({ lines: asked }: z.output<typeof params>, change: Transition, subject: PositionSubject): Item {
  const { from, to, value } = change
  const { position, market, label, now, marketAt, positionAt, awaySince } = subject
  const line = (tier: number) => text`${usd(asked[tier - 1]?.value ?? 0)} a day`
  const worth = notional(position, market.price)
  const yearly =
    worth > 0 ? text`: ${percent((Math.abs(value) / worth) * DAYS_A_YEAR)} a year of its worth` : ''
  const next = market.delisted ? null : nextFunding(market, now)
  const due = next === null ? '' : text`, next at ${{ time: next, as: 'clock' }}`
  const isPast = value >= (asked[to - 1]?.value ?? 0)
  const past = isPast
    ? text`past your ${line(to)}`
    : text`just below your ${line(to)}: over at ${usd((asked[to - 1]?.value ?? 0) * (1 - CLEAR_BAND))}`
  const stands =
    to > from
      ? text`${past}${isPast ? yearly : ''}`
      : to > 0
        ? text`${line(from)} line cleared, ${isPast ? 'still ' : ''}${past}`
        : text`below your ${line(1)}`
  const texts: Text[] = [
    text`${sizeText(position, market.symbol, market.price)} · ${label}`,
    stands,
    text`rate ${percent(Math.abs(Number(market.fundingRatePerDay) / 1e18))} a day, ${age(now - marketAt)} old${due}`,
    text`position ${age(now - positionAt)} old`,
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
  const title = text`${market.symbol} ${side(position)}: funding ${to > 0 && to < from ? 'still ' : ''}${costText(value)}`
  return item(to === 0 ? 'good' : to > from ? 'warning' : 'info', title, texts)
}
