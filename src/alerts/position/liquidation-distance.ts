import { z } from 'zod'

import type { Severity, Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import { marginDoubt, waysOut } from '../../alert/deleverage.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { percentAway, points, price as priceFigure, threshold } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, type Tone, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import { distance, holdingText, pnlText, side } from '../../venue/position.ts'
import { liveText, oldText } from '../../venue/reading.ts'
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
    .percents(words('arg.liquidation.tiers'))
    .refine((tiers) => tiers.length > 0 && tiers.length <= 8, 'check.distances')
    .refine((tiers) => tiers.every((tier) => tier >= 0.001 && tier <= 0.9), 'check.distance')
    .transform(mildestFirst),
})

/** Alerts when a position comes near liquidation, in tiers that get louder. */
export default levelKind({
  name: 'liquidation-distance',
  aliases: ['liq', 'liquidation'],
  summary: words('danger.summary'),
  example: 'liq ETH 10% 5%',
  on: 'position',
  params,
  armedByWatch: { tiers: [0.2, 0.1, 0.05, 0.025] },
  presets: {
    // One info less. The warning and the critical tiers stay.
    calm: { tiers: [0.15, 0.1, 0.05, 0.025] },
    // A position of 20x begins some 4% away: it must not ring while it is opened.
    scalper: { tiers: [0.08, 0.04, 0.02, 0.01] },
  },
  describe: ({ tiers }) => words('danger.at', { lines: joined(tiers.map(points), ' / ') }),
  describeMerged: ({ tiers }) => byLoudness(tiers, severityOf),
  typed: ({ tiers }) => tiers.map(percentTyped).join(' '),
  merge: (all) => ({ tiers: mildestFirst(all.flatMap(({ tiers }) => tiers)) }),
  tierUnder: (before, tier, after) =>
    after.tiers.filter((line) => line >= (before.tiers[tier - 1] ?? Infinity)).length,
  severity: ({ tiers }, tier) => severityOf(tiers[tier - 1] ?? 0),
  tier: ({ tiers }, tier) => words('danger.tier', { line: threshold(tiers[tier - 1] ?? 0) }),
  figure: (value) =>
    value < 0 ? words('danger.figure.past', { distance: percentAway(-value) }) : text`${percentAway(value)}`,
  lines: ({ tiers }) => tiers,
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
  const passed = (bounds: readonly number[]) => {
    let count = 0
    for (const bound of bounds) if (towards === 'long' ? price <= bound : price >= bound) count++
    return count
  }
  const enters = tiers.map(level)
  const clears = tiers.map((tier) => level(tier * (1 + CLEAR_BAND)))
  const beyonds = tiers.map((tier) => level(tier * (1 - CLEAR_BAND)))
  return {
    enter: passed(enters),
    stay: passed(clears),
    beyond: passed(beyonds),
    value: distance(towards, price, liquidation),
    // Judge again at the liquidation price itself, beyond the last line: touching it tells how the position
    // may have closed.
    stableWithin: between(price, [enters, clears, beyonds, liquidation]),
    stableWithinAt: (tier) => between(price, [enters.slice(tier), clears.slice(0, tier), liquidation]),
  }
}

/** The rule's lines may have changed since the alert began. */
function tell(tiers: number[], change: Transition, subject: PositionSubject): Item {
  const { position, market, now, marketAt, positionAt, awaySince } = subject
  const worse = change.to > change.from
  const isEasing = !worse && change.to > 0
  const size = text`${holdingText(position, market)} · ${pnlText(position, market.price)}`
  const ages = words('danger.ages', { price: liveText(now - marketAt), position: liveText(now - positionAt) })
  const ways = worse ? waysFrom(tiers, change, subject) : []
  const doubt = ways.length === 0 ? null : marginDoubt(position, market)
  return {
    ...item(toneOf(tiers, change), title(change, subject), [
      prices(subject),
      ...(worse ? [] : cleared(tiers, change)),
      ...(awaySince === null ? [] : [awayText(awaySince, now)]),
    ]),
    ...(isEasing ? {} : { figures: [size] }),
    ...(ways.length === 0 ? {} : { ways }),
    details: [
      words('danger.basis', {
        price: market.priceName,
        state: worse ? inside(tiers, change) : standing(tiers, change),
      }),
      ages,
      ...(isEasing ? [size] : []),
      ...(doubt === null ? [] : [doubt]),
      // The basis of the quote takes its place.
      ...(ways.length === 0 ? [] : [words('danger.no-quote')]),
    ],
  }
}

function title({ value, from, to }: Transition, { market, position }: PositionSubject): Text {
  const name = { position: words('shown.position', { symbol: market.symbol, side: side(position) }) }
  if (value === Infinity && market.delisted) return words('danger.delisted.title', name)
  if (value === Infinity) return words('danger.none.title', name)
  const said = { ...name, distance: percentAway(value) }
  if (to === 0) return words('danger.safe.title', said)
  if (to < from) return words('danger.better.title', said)
  if (value > 0) return words('danger.title', said)
  return words('danger.title.at', { ...name, where: value < 0 ? 'past' : 'at' })
}

/** A reminder of a distance that hovers around its line must not claim to be inside. */
function inside(tiers: number[], { to, value }: Transition): Text {
  const line = tiers[to - 1] ?? 0
  return value <= line
    ? words('danger.past', { line: threshold(line) })
    : words('danger.clears', { line: threshold(line), clears: threshold(line * (1 + CLEAR_BAND)) })
}

/** The alerts that an easing has cleared, and the one that is still on; an end has cleared them all. */
function cleared(tiers: number[], { from, to }: Transition): Text[] {
  if (to === 0) return []
  const line = (tier: number) => threshold(tiers[tier - 1] ?? 0)
  return [words('danger.cleared', { line: line(from), next: line(to) })]
}

function standing(tiers: number[], change: Transition): Text {
  return change.to === 0 ? words('danger.outside') : inside(tiers, change)
}

/**
 * The ways out of danger. Left out for info alerts, and for positions that cannot be read now.
 */
function waysFrom(tiers: number[], { to }: Transition, subject: PositionSubject): Text[] {
  const { position, market, unseenSince, remembered } = subject
  const isEarly = severityOf(tiers[to - 1] ?? 0) === 'info'
  return isEarly || unseenSince !== null || remembered ? [] : waysOut(position, market)
}

function toneOf(tiers: number[], { from, to }: Transition): Tone {
  if (to === 0) return 'good'
  return to < from ? 'info' : severityOf(tiers[to - 1] ?? 0)
}

/** `$113,507 → $118,424 · demo`: the price, and the one that liquidates. Old figures say so beside it. */
function prices({ price, position, label, now, marketAt, positionAt }: PositionSubject): Text {
  const old = oldText(now - Math.min(marketAt, positionAt))
  const end = joined([...(old === null ? [] : [old]), label], ' · ')
  if (position.liquidationPrice === null) return text`${priceFigure(price)} · ${end}`
  const liquidation = toNumber(position.liquidationPrice)
  const isPast = distance(side(position), price, liquidation) < 0
  const [is, at] = [priceFigure(price), priceFigure(liquidation)]
  const both = isPast ? words('danger.prices.past', { price: is, liquidation: at }) : text`${is} → ${at}`
  return text`${both} · ${end}`
}
