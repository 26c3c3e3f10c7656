import { z } from 'zod'

import type { Transition, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import type { PositionSubject } from '../../alert/subject.ts'
import { argument, type Sum, typedSum } from '../../chat/argument.ts'
import { price as priceFigure, signedPercent, signedUsd, threshold, usd } from '../../message/figure.ts'
import { type Item, item, joined, type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import { entryText, liquidationText, notional, type Position, side, sizeText } from '../../venue/position.ts'
import { liveText, oldText } from '../../venue/reading.ts'
import { between } from '../shared/tiers.ts'

/**
 * A loss of $5,000 clears at $4,250. At the least, the price must come back by this share of the entry price,
 * because prices hover by less.
 */
const CLEAR_BAND = 0.15
const LEAST_BAND = 0.005

const params = z
  .object({
    /** All gains or all losses, the mildest first. */
    lines: argument
      .sums(words('arg.pnl.lines'))
      .refine((lines) => lines.length > 0 && lines.length <= 8, 'check.sums')
      .refine((lines) => lines.every(({ value }) => value !== 0), 'check.sums.zero')
      .refine(
        (lines) => lines.every(({ value }) => Math.sign(value) === Math.sign(lines[0]?.value ?? 0)),
        'check.sums.signs',
      )
      .refine((lines) => lines.every(({ unit }) => unit === lines[0]?.unit), 'check.sums.units')
      .transform(mildestFirst),
    /** The base of a percentage: the value at the entry, or the margin by the position's leverage. */
    of: argument.choice(['margin', 'notional'], words('arg.pnl.of')).optional(),
  })
  .superRefine(({ lines, of }, { addIssue }) => {
    const isShare = lines[0]?.unit === 'share'
    if (isShare === (of !== undefined)) return
    const message = 'check.sums.share'
    addIssue({ code: 'custom', path: ['of'], message })
  })

type Params = z.output<typeof params>

/** Alerts when the price gives a position this gain or loss. Gains and losses are separate rules. */
export default levelKind({
  name: 'pnl',
  aliases: ['profit'],
  cues: ['loss', 'losses', 'lose', 'loses', 'losing', 'gain', 'gains'],
  summary: words('kind.pnl.summary'),
  example: 'pnl ETH -5k',
  on: 'position',
  params,
  // Every venue shows the value at the entry. 2% of it are two fifths of the margin at 20x.
  presets: {
    scalper: {
      lines: [
        { unit: 'share', value: -0.02 },
        { unit: 'share', value: -0.04 },
      ],
      of: 'notional',
    },
  },
  describe: (asked) => words('kind.pnl.line', { lines: linesText(asked) }),
  when: (asked) => words('kind.pnl.when', { lines: linesText(asked) }),
  typed: ({ lines, of }) => [...lines.map(typedSum), ...(of === undefined ? [] : [of])].join(' '),
  identity: ({ lines: [first], of }) => `${(first?.value ?? 0) < 0 ? 'loss' : 'gain'} ${of ?? 'usd'}`,
  merge: (all) => ({ ...all[0], lines: mildestFirst(all.flatMap(({ lines }) => lines)) }),
  tierUnder: (before, tier, after) =>
    after.lines.filter(({ value }) => Math.abs(value) <= Math.abs(before.lines[tier - 1]?.value ?? 0)).length,
  severity: ({ lines: [first] }) => ((first?.value ?? 0) < 0 ? 'warning' : 'info'),
  tier: ({ lines, of }, tier) => {
    const line = lines[tier - 1]
    return words('kind.pnl.tier', { line: line ? ofText(of, lineText(line)) : '' })
  },
  figure: (value) => words('kind.pnl.figure', { money: signedUsd(value) }),
  // Among equally loud alerts, those near liquidation come first.
  headroom: () => 1,
  notShownByVenue: ({ of }, position) =>
    position.entryPrice === null
      ? 'no entry price is shown'
      : unitUsd(position, of) === null
        ? 'no leverage is shown, so no margin: say notional, or dollars'
        : null,
  judge,
  tell,
})

function mildestFirst(lines: readonly Sum[]): Sum[] {
  const seen = new Set<number>()
  const each = lines.filter(({ value }) => !seen.has(value) && seen.add(value))
  return each.toSorted((a, b) => Math.abs(a.value) - Math.abs(b.value))
}

function lineText({ unit, value }: Sum): Text {
  return unit === 'usd' ? text`${signedUsd(value)}` : text`${value > 0 ? '+' : ''}${threshold(value)}`
}

function linesText({ lines, of }: Params): Text {
  return ofText(of, joined(lines.map(lineText), ' / '))
}

function ofText(of: Params['of'], share: Text): Text {
  return of === undefined ? share : words('kind.pnl.of', { share, of })
}

/** USD for one unit of a line; null if the venue does not show the entry price or the margin. */
function unitUsd(position: Position, of: Params['of']): number | null {
  if (position.entryPrice === null) return null
  if (of === undefined) return 1
  const worth = notional(position, position.entryPrice)
  if (of === 'notional') return worth
  return position.leverage === null || position.leverage <= 0 ? null : worth / position.leverage
}

function judge(
  { lines, of }: Params,
  { position, price, market, marketAt, positionAt }: PositionSubject,
): Verdict | 'unknown' {
  const unit = unitUsd(position, of)
  // A delisting settles its positions. Wait for the next read of the wallet.
  if (position.entryPrice === null || unit === null || (market.delisted && positionAt < marketAt))
    return 'unknown'
  const [size, entry] = [toNumber(position.size), toNumber(position.entryPrice)]
  const isLoss = (lines[0]?.value ?? 0) < 0
  const level = (usd: number) => entry + usd / size
  const passed = isLoss === size > 0 ? (at: number) => price <= at : (at: number) => price >= at
  const enters = lines.map(({ value }) => level(value * unit))
  const worth = notional(position, position.entryPrice)
  const clears = lines.map(({ value }) => level(clearUsd(value * unit, worth)))
  const beyonds = lines.map(({ value }) => level(value * unit + bandUsd(value * unit, worth)))
  return {
    enter: enters.filter(passed).length,
    stay: clears.filter(passed).length,
    beyond: beyonds.filter(passed).length,
    value: size * (price - entry),
    stableWithin: between(price, [enters, clears, beyonds]),
    stableWithinAt: (tier) => between(price, [enters.slice(tier), clears.slice(0, tier)]),
  }
}

/** USD at which a line clears, for a position that was worth this at its entry. */
function clearUsd(line: number, worth: number): number {
  return line - bandUsd(line, worth)
}

/** It has the line’s sign. */
function bandUsd(line: number, worth: number): number {
  return Math.sign(line) * Math.max(CLEAR_BAND * Math.abs(line), LEAST_BAND * worth)
}

function tell(asked: Params, { from, to, value }: Transition, subject: PositionSubject): Item {
  const { position, market, price, label, now, marketAt, positionAt, awaySince } = subject
  const line = (tier: number) => {
    const known = asked.lines[tier - 1]
    return known ? ofText(asked.of, lineText(known)) : words('kind.pnl.set')
  }
  const unit = unitUsd(position, asked.of)
  const share = asked.of === undefined || unit === null ? '' : text` (${signedPercent(value / unit)})`
  const name = words('shown.position', { symbol: market.symbol, side: side(position) })
  const isLoss = (asked.lines[0]?.value ?? 0) < 0
  const usdAt = (asked.lines[to - 1]?.value ?? 0) * (unit ?? 1)
  const isPast = Math.abs(value) >= Math.abs(usdAt)
  const clears = signedUsd(clearUsd(usdAt, notional(position, position.entryPrice ?? 0n)))
  const near = words('kind.pnl.near', { line: line(to), share, clears })
  const passed = isPast ? words('kind.pnl.past', { line: line(to), share }) : near
  const rest = isPast ? words('kind.pnl.still-past', { line: line(to), share }) : near
  const stands =
    to > from
      ? passed
      : to > 0
        ? words('kind.pnl.cleared', { line: line(from), rest })
        : words('kind.pnl.back', { line: line(Math.max(from, 1)), share })
  const old = oldText(now - Math.min(marketAt, positionAt))
  const lines: Text[] = [
    text`${sizeText(position, market.symbol, market.price)} · ${label}`,
    stands,
    ...(old === null ? [] : [old]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
  const details: Text[] = [
    words('kind.pnl.basis', {
      kind: market.priceName,
      price: priceFigure(price),
      entry: entryText(position),
    }),
    liquidationText(position),
    words('kind.pnl.without'),
    words('danger.ages', { price: liveText(now - marketAt), position: liveText(now - positionAt) }),
  ]
  if (to > from) {
    const moved = { position: name, way: value < 0 ? 'down' : 'up', money: usd(Math.abs(value)) } as const
    return { ...item(isLoss ? 'warning' : 'info', words('kind.pnl.title', moved), lines), details }
  }
  const said = { position: name, money: signedUsd(value) }
  if (to > 0) return { ...item('info', words('kind.pnl.better.title', said), lines), details }
  // A smaller amount may also come from realised PnL, so do not claim that the price brought it back.
  return { ...item(isLoss ? 'good' : 'info', words('kind.pnl.back.title', said), lines), details }
}
