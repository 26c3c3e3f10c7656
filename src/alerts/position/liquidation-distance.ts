import { z } from 'zod'

import type { Severity, Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import { marginLine } from '../../alert/deleverage.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { age, percentAway, points, price as priceFigure, threshold, usd } from '../../message/figure.ts'
import { type Cell, type Item, item, joined, type Text, text, type Tone } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import type { Market } from '../../venue/market.ts'
import { distance, fromLiquidation, pnlText, side, sizeText } from '../../venue/position.ts'
import { between, byLoudness } from '../shared/tiers.ts'

/**
 * A tier entered at 10% clears at 11.5%. Measured: this turns 28-59 alerts a day near a threshold into 2-3.
 */
const CLEAR_BAND = 0.15
const CRITICAL_WITHIN = 0.05
const WARNING_WITHIN = 0.1

const params = z.object({
  /** Fractions of the price, the mildest (largest) first. */
  tiers: argument
    .percents()
    .refine((tiers) => tiers.length > 0 && tiers.length <= 8, 'Name one to eight distances, such as 10% 5%.')
    .refine(
      (tiers) => tiers.every((tier) => tier >= 0.001 && tier <= 0.9),
      'A distance lies between 0.1% and 90%, such as 10%.',
    )
    .transform(mildestFirst),
})

/** Alerts when a position comes near liquidation, in tiers that get louder. */
export default levelKind({
  name: 'liquidation-distance',
  aliases: ['liq', 'liquidation'],
  summary: 'a position comes near its liquidation price',
  example: 'liq ETH 10% 5%',
  on: 'position',
  params,
  armedByWatch: { tiers: [0.2, 0.1, 0.05, 0.025] },
  describe: ({ tiers }) => text`at ${joined(tiers.map(points), ' / ')}%`,
  describeMerged: ({ tiers }) => byLoudness(tiers, severityOf),
  typed: ({ tiers }) => tiers.map(percentTyped).join(' '),
  merge: (all) => ({ tiers: mildestFirst(all.flatMap(({ tiers }) => tiers)) }),
  tierUnder: (before, tier, after) =>
    after.tiers.filter((line) => line >= (before.tiers[tier - 1] ?? Infinity)).length,
  severity: ({ tiers }, tier) => severityOf(tiers[tier - 1] ?? 0),
  tier: ({ tiers }, tier) => text`${threshold(tiers[tier - 1] ?? 0)} line`,
  figure: (value) => (value < 0 ? text`${percentAway(-value)} past it` : text`${percentAway(value)}`),
  aboutLiquidation: true,
  judge: ({ tiers }, subject) => judge(tiers, subject),
  tell: ({ tiers }, change, subject) => tell(tiers, change, subject),
})

function mildestFirst(tiers: readonly number[]): number[] {
  return [...new Set(tiers)].sort((a, b) => b - a)
}

function severityOf(tier: number): Severity {
  if (tier <= CRITICAL_WITHIN) return 'critical'
  return tier <= WARNING_WITHIN ? 'warning' : 'info'
}

function judge(
  tiers: number[],
  { position, price, market, marketAt, positionAt }: PositionSubject,
): Verdict | 'unknown' {
  // A delisting usually settles its positions. Wait for the next read of the wallet.
  if (market.delisted && positionAt < marketAt) return 'unknown'
  // Without a liquidation price, or in a delisted market, no price changes the verdict.
  if (position.liquidationPrice === null || market.delisted)
    return { enter: 0, stay: 0, value: Infinity, stableWithin: { of: 'price' } }
  const liquidation = toNumber(position.liquidationPrice)
  const towards = side(position)
  // The price at which the distance is exactly this fraction. A long is never more than 100% away.
  const level = (fraction: number) =>
    towards === 'short'
      ? liquidation / (1 + fraction)
      : fraction < 1
        ? liquidation / (1 - fraction)
        : Infinity
  const passed = (bound: number) => (towards === 'long' ? price <= bound : price >= bound)
  const enters = tiers.map(level)
  const clears = tiers.map((tier) => level(tier * (1 + CLEAR_BAND)))
  const beyonds = tiers.map((tier) => level(tier * (1 - CLEAR_BAND)))
  return {
    enter: enters.filter(passed).length,
    stay: clears.filter(passed).length,
    beyond: beyonds.filter(passed).length,
    value: distance(towards, price, liquidation),
    // Judge again at the liquidation price itself, beyond the last line: touching it tells how the position
    // may have closed.
    stableWithin: between(price, [...enters, ...clears, ...beyonds, liquidation]),
    stableWithinAt: (tier) => between(price, [...enters.slice(tier), ...clears.slice(0, tier), liquidation]),
  }
}

/** The rule's lines may have changed since the alert began. */
function tell(tiers: number[], change: Transition, subject: PositionSubject): Item {
  const { position, market, label, now, marketAt, positionAt, awaySince } = subject
  const name = `${market.symbol} ${side(position)}`
  const away = percentAway(change.value)
  const worse = change.to > change.from
  const lines: Text[] = [
    text`${sizeText(position, market.symbol, market.price)} · ${pnlText(position, market.price)} · ${label}`,
    where(subject),
    worse ? inside(tiers, change) : cleared(tiers, change),
    ...(worse ? margin(tiers, change, subject) : []),
    text`price ${age(now - marketAt)} old, position ${age(now - positionAt)} old`,
  ]
  if (awaySince !== null) lines.push(awayText(awaySince, now))
  return item(toneOf(tiers, change), title(name, away, change, market), lines)
}

function title(name: string, away: Cell, change: Transition, { delisted }: Market): Text {
  if (change.value === Infinity && delisted) return `${name} cannot be liquidated: the market is delisted`
  if (change.value === Infinity) return `${name} has no liquidation price any more`
  if (change.to === 0) return text`${name} is clear, ${away} from liquidation`
  if (change.to < change.from) return text`${name} eases to ${away} from liquidation`
  return text`${name} is ${fromLiquidation(change.value)}`
}

/** A reminder of a distance that hovers around its line must not claim to be inside. */
function inside(tiers: number[], { to, value }: Transition): Text {
  const line = tiers[to - 1] ?? 0
  return value <= line
    ? text`inside your ${threshold(line)} line`
    : text`${threshold(line)} line: over at ${threshold(line * (1 + CLEAR_BAND))}`
}

/** The cleared lines, and the one that still stands. */
function cleared(tiers: number[], change: Transition): Text {
  const { from, to, value } = change
  const line = (tier: number) => threshold(tiers[tier - 1] ?? 0)
  if (from === 0) return 'outside of every line that is set now'
  return to === 0
    ? text`outside your ${line(1)} line`
    : text`${line(from)} line cleared, ${value <= (tiers[to - 1] ?? 0) ? 'still ' : ''}${inside(tiers, change)}`
}

/**
 * The margin that would bring the position away from liquidation. Left out for info alerts, and for positions
 * that cannot be read now.
 */
function margin(tiers: number[], { to }: Transition, subject: PositionSubject): Text[] {
  const { position, market, unseenSince, remembered } = subject
  const isEarly = severityOf(tiers[to - 1] ?? 0) === 'info'
  const line = isEarly || unseenSince !== null || remembered ? null : marginLine(position, market)
  return line === null ? [] : [line]
}

function toneOf(tiers: number[], { from, to }: Transition): Tone {
  if (to === 0) return 'good'
  return to < from ? 'info' : severityOf(tiers[to - 1] ?? 0)
}

function where({ price, position, market }: PositionSubject): Text {
  const name = `${market.priceName} price`
  if (position.liquidationPrice === null) return text`${name} ${priceFigure(price)}`
  const liquidation = toNumber(position.liquidationPrice)
  const past = distance(side(position), price, liquidation) < 0
  return text`${name} ${priceFigure(price)}, liquidation at ${priceFigure(liquidation)} (${gap(Math.abs(price - liquidation))} ${past ? 'past it' : 'away'})`
}

/** Whole dollars from $1 on, else the digits of a price. */
function gap(size: number): Cell {
  return size >= 1 ? usd(size) : priceFigure(size)
}
