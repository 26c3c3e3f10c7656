import { z } from 'zod'

import type { Severity, Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import { accountMarginWays } from '../../alert/deleverage.ts'
import type { AccountSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { percent, points, threshold, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, type Tone, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import { notional, side } from '../../venue/position.ts'
import { liveText, oldText } from '../../venue/reading.ts'
import { byLoudness } from '../shared/tiers.ts'

/**
 * For one position, (equity − maintenance) / maintenance is proportional to the distance to liquidation. So
 * the same band as that of liquidation-distance flaps as rarely.
 */
const CLEAR_BAND = 0.15
const WARNING_FROM = 0.5
const CRITICAL_FROM = 0.7
/** The most positions of one item: the largest ones explain the ratio. */
const MAX_NAMED_POSITIONS = 3

const params = z.object({
  /** Fractions of equity that maintenance needs, the mildest (smallest) first. */
  tiers: argument
    .percents(words('arg.ratio.tiers'))
    .refine((tiers) => tiers.length > 0 && tiers.length <= 8, 'check.ratios')
    .refine((tiers) => tiers.every((tier) => tier >= 0.01 && tier <= 0.99), 'check.ratio')
    .transform(mildestFirst),
})

/** Alerts when the cross positions of an account need much of its equity, in tiers that get louder. */
export default levelKind({
  name: 'margin-ratio',
  aliases: ['margin', 'ratio'],
  summary: words('kind.margin.summary'),
  example: 'margin-ratio 50% 70%',
  on: 'account',
  params,
  armedByWatch: { tiers: [0.3, 0.5, 0.7, 0.85] },
  presets: {
    // Only the info tier goes: the warning and the critical tiers stay.
    calm: { tiers: [0.5, 0.7, 0.85] },
    // High leverage uses half of the equity on a calm day, and the last steps go fast.
    scalper: { tiers: [0.5, 0.7, 0.85, 0.95] },
  },
  describe: ({ tiers }) => words('kind.margin.line', { tiers: joined(tiers.map(points), ' / ') }),
  describeMerged: ({ tiers }) => byLoudness(tiers, severityOf),
  typed: ({ tiers }) => tiers.map(percentTyped).join(' '),
  merge: (all) => ({ tiers: mildestFirst(all.flatMap(({ tiers }) => tiers)) }),
  tierUnder: (before, tier, after) =>
    after.tiers.filter((line) => line <= (before.tiers[tier - 1] ?? -Infinity)).length,
  severity: ({ tiers }, tier) => severityOf(tiers[tier - 1] ?? 1),
  tier: ({ tiers }, tier) => words('kind.margin.tier', { line: threshold(tiers[tier - 1] ?? 1) }),
  figure: (value) => words('kind.margin.figure', { ratio: percent(value) }),
  headroom: (value) => 1 - value,
  aboutLiquidation: true,
  judge: ({ tiers }, subject) => judge(tiers, subject),
  tell: ({ tiers }, change, subject) => tell(tiers, change, subject),
})

function mildestFirst(tiers: readonly number[]): number[] {
  return [...new Set(tiers)].sort((a, b) => a - b)
}

function severityOf(tier: number): Severity {
  if (tier >= CRITICAL_FROM) return 'critical'
  return tier >= WARNING_FROM ? 'warning' : 'info'
}

function judge(tiers: number[], { account: { marginRatio: ratio } }: AccountSubject): Verdict | 'unknown' {
  if (ratio === null) return 'unknown'
  return {
    enter: tiers.filter((tier) => ratio >= tier).length,
    stay: tiers.filter((tier) => ratio > bandAt(tier, CLEAR_BAND)).length,
    beyond: tiers.filter((tier) => ratio > bandAt(tier, -CLEAR_BAND)).length,
    value: ratio,
  }
}

/** The ratio at this share of headroom more than a line has: a 50% line clears at 46.5%. */
function bandAt(tier: number, band: number): number {
  return 1 / (1 + (1 + band) * (1 / tier - 1))
}

function tell(tiers: number[], change: Transition, subject: AccountSubject): Item {
  const { name, now, accountAt, awaySince, toldBeside } = subject
  const worse = change.to > change.from
  const old = oldText(now - accountAt)
  const ways = worse ? waysFrom(tiers, change, subject) : []
  return {
    ...item(toneOf(tiers, change), title(name, change), [
      old === null ? left(subject, change.value) : text`${left(subject, change.value)} · ${old}`,
      ...(awaySince === null ? [] : [awayText(awaySince, now)]),
    ]),
    ...(ways.length === 0 ? {} : { ways }),
    details: [
      ...(worse || change.to === 0 ? [] : [cleared(tiers, change)]),
      ...(toldBeside ? [] : [sharers(subject)]),
      worse ? past(tiers, change) : change.to === 0 ? words('kind.margin.below') : past(tiers, change),
      words('kind.margin.old', { age: liveText(now - accountAt) }),
      // The basis of the quote takes its place.
      ...(ways.length === 0 ? [] : [words('kind.margin.no-quote')]),
    ],
  }
}

function title(name: string, { value, from, to }: Transition): Text {
  const said = { name, ratio: percent(value) }
  if (to === 0) return words('kind.margin.safe.title', said)
  if (to < from) return words('kind.margin.better.title', said)
  return value >= 1 ? words('kind.margin.used.title', said) : words('kind.margin.title', said)
}

/** The equity and the maintenance margin, and how far the equity may fall. */
function left({ account }: AccountSubject, ratio: number): Text {
  const maintenance = account.maintenanceUsd === null ? null : toNumber(account.maintenanceUsd)
  if (ratio >= 1) {
    return maintenance === null
      ? words('kind.margin.uncovered')
      : words('kind.margin.uncovered-of', { minimum: usd(maintenance) })
  }
  if (maintenance === null || ratio <= 0) return words('kind.margin.at-hundred')
  // Only the venue knows at which price the other tokens of a portfolio count.
  if (account.mode === 'portfolio') {
    const minimum = usd(maintenance)
    return account.equityUsd === null
      ? words('kind.margin.minimum', { minimum })
      : words('kind.margin.equity-minimum', { equity: usd(toNumber(account.equityUsd)), minimum })
  }
  const equity = maintenance / ratio
  const [money, left] = [usd(equity), usd(equity - maintenance)]
  return words('kind.margin.left', { equity: money, left, minimum: usd(maintenance) })
}

function sharers({ positions }: AccountSubject): Text {
  const named = positions.slice(0, MAX_NAMED_POSITIONS).map(({ position, symbol, price }) => {
    const worth = price === null ? '' : text` ${usd(notional(position, price))}`
    return text`${symbol} ${side(position)}${worth}`
  })
  const more = positions.length - MAX_NAMED_POSITIONS
  const rest = more > 0 ? text` ${words('kind.more', { more })}` : ''
  return words('kind.margin.covers', { positions: text`${joined(named, ', ')}${rest}` })
}

/** A reminder of a ratio that hovers around its line must not claim that it is past. */
function past(tiers: number[], { to, value }: Transition): Text {
  const line = tiers[to - 1] ?? 1
  return value >= line
    ? words('kind.margin.past', { line: threshold(line) })
    : words('kind.margin.near', { line: threshold(line), figure: percent(bandAt(line, CLEAR_BAND)) })
}

/** The alert that an easing has cleared, and the one that is still on. */
function cleared(tiers: number[], { from, to }: Transition): Text {
  const line = (tier: number) => threshold(tiers[tier - 1] ?? 1)
  return words('kind.margin.cleared', { cleared: line(from), line: line(to) })
}

/**
 * The margin that brings the ratio below its lines again. Left out for info alerts, and if the alert of a position in
 * the same message already says it.
 */
function waysFrom(tiers: number[], { to }: Transition, subject: AccountSubject): Text[] {
  const { account, unseenSince, toldBeside } = subject
  const isEarly = severityOf(tiers[to - 1] ?? 1) === 'info'
  if (isEarly || toldBeside || unseenSince !== null) return []
  const [mildest] = tiers
  const warning = tiers.find((tier) => severityOf(tier) !== 'info')
  const aims = [warning, mildest].filter((tier) => tier !== undefined)
  const added = accountMarginWays(account, [...new Set(aims)])
  return added.length === 0 ? [words('kind.margin.ways')] : [...added, words('kind.margin.or-close')]
}

function toneOf(tiers: number[], { from, to }: Transition): Tone {
  if (to === 0) return 'good'
  return to < from ? 'info' : severityOf(tiers[to - 1] ?? 1)
}
