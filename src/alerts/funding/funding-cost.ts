import { z } from 'zod'

import type { Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument, type Sum, typedSum } from '../../chat/argument.ts'
import { percent, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, words } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import { nextFunding } from '../../venue/market.ts'
import { fundingPerDay, notional, side, sizeText } from '../../venue/position.ts'
import { oldText } from '../../venue/reading.ts'

/** A line of $10 a day clears at $8.50. */
const CLEAR_BAND = 0.15
const DAYS_A_YEAR = 365

const params = z.object({
  /** USD a day to pay, the mildest first. */
  lines: argument
    .sums(words('kind.cost.asks'))
    .refine((lines) => lines.length > 0 && lines.length <= 8, 'check.costs')
    .refine((lines) => lines.every(({ unit, value }) => unit === 'usd' && value > 0), 'check.cost')
    .transform(mildestFirst),
})

/** Alerts when a position pays this much funding a day, at the current rate and price. */
export default levelKind({
  name: 'funding-cost',
  aliases: ['cost'],
  summary: words('kind.cost.summary'),
  example: 'funding-cost BTC $10',
  on: 'position',
  params,
  when: ({ lines }) => words('kind.cost.when', { lines: sumsText(lines) }),
  describe: ({ lines }) => words('kind.cost.line', { lines: sumsText(lines) }),
  typed: ({ lines }) => lines.map(typedSum).join(' '),
  merge: (all) => ({ lines: mildestFirst(all.flatMap(({ lines }) => lines)) }),
  tierUnder: (before, tier, after) =>
    after.lines.filter(({ value }) => value <= (before.lines[tier - 1]?.value ?? 0)).length,
  severity: () => 'warning',
  tier: ({ lines }, tier) => words('kind.cost.tier', { money: usd(lines[tier - 1]?.value ?? 0) }),
  figure: (value) => words('kind.cost.figure', { cost: costText(value) }),
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

function sumsText(lines: readonly Sum[]): Text {
  return joined(
    lines.map(({ value }) => usd(value)),
    ' / ',
  )
}

/** `costs $3.90 a day`. */
function costText(perDay: number): Text {
  if (perDay === 0) return words('kind.cost.nothing')
  return words('kind.cost.costs', { verb: perDay > 0 ? 'costs' : 'brings', money: usd(Math.abs(perDay)) })
}

function tell({ lines: asked }: z.output<typeof params>, change: Transition, subject: PositionSubject): Item {
  const { from, to, value } = change
  const { position, market, label, now, marketAt, positionAt, awaySince } = subject
  const line = (tier: number) => words('kind.cost.tier', { money: usd(asked[tier - 1]?.value ?? 0) })
  const worth = notional(position, market.price)
  const share = worth > 0 ? percent((Math.abs(value) / worth) * DAYS_A_YEAR) : null
  const next = market.delisted ? null : nextFunding(market, now)
  const [rateOld, positionOld] = [oldText(now - marketAt), oldText(now - positionAt)]
  const rate = joined(
    [
      words('kind.cost.rate', { rate: percent(Math.abs(Number(market.fundingRatePerDay) / 1e18)) }),
      ...(rateOld === null ? [] : [rateOld]),
      ...(next === null ? [] : [words('kind.cost.next', { at: { time: next, as: 'clock' } })]),
    ],
    ', ',
  )
  const isPast = value >= (asked[to - 1]?.value ?? 0)
  const clear = usd((asked[to - 1]?.value ?? 0) * (1 - CLEAR_BAND))
  const near = words('kind.cost.near', { line: line(to), figure: clear })
  const passed = isPast ? words('kind.cost.past', { line: line(to) }) : near
  const rest = isPast ? words('kind.cost.still-past', { line: line(to) }) : near
  const stands =
    to > from
      ? joined([passed, ...(isPast && share !== null ? [words('kind.cost.yearly', { share })] : [])], ' · ')
      : to > 0
        ? words('kind.cost.cleared', { line: line(from), rest })
        : words('kind.cost.below', { line: line(1) })
  const said = { market: market.symbol, side: side(position), cost: costText(value) }
  const isStill = to > 0 && to < from
  return item(
    to === 0 ? 'good' : to > from ? 'warning' : 'info',
    isStill ? words('kind.cost.still', said) : words('kind.cost.title', said),
    [
      text`${sizeText(position, market.symbol, market.price)} · ${label}`,
      stands,
      rate,
      ...(positionOld === null ? [] : [text`${words('kind.what.position')} ${positionOld}`]),
      ...(awaySince === null ? [] : [awayText(awaySince, now)]),
    ],
  )
}
