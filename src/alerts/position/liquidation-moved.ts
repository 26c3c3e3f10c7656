import { z } from 'zod'

import { eventKind } from '../../alert/define-kind.ts'
import { subjectOf } from '../../alert/subject-id.ts'
import type { WalletSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { percentTyped } from '../../lib/text/quantity.ts'
import { price as priceFigure, threshold, usd } from '../../message/figure.ts'
import { type Item, item, type Text, text, words } from '../../message/message.ts'
import { magnitude, toNumber } from '../../venue/amount.ts'
import { awayText } from '../../venue/closed-position.ts'
import {
  awayFromIt,
  distance,
  fromLiquidation,
  type Position,
  positionKey,
  side,
} from '../../venue/position.ts'
import { oldText } from '../../venue/reading.ts'
import { type Cause, causesBetween, costOf, type Snapshot, snapshotOf } from './snapshots.ts'

const USUAL_SHARE = 0.1
/**
 * A fraction of the price. Near liquidation, a tenth of the distance is next to nothing, and
 * liquidation-distance alerts there.
 */
const MIN_MOVE = 0.005
/** A fraction of the price: a move beyond this distance matters to nobody yet. */
const FARTHEST_DISTANCE = 0.5
const WARNING_WITHIN = 0.2
/** A fraction of `by`: the liquidation price must move away this far before later moves count from there. */
const REBASE_SHARE = 0.2
/**
 * Fractions of the missing margin: a cause below the first is not named, and an unexplained part below the
 * second is not mentioned.
 */
const [WORTH_NAMING, UNEXPLAINED] = [0.1, 0.3]
const MAX_NAMED_CAUSES = 3

interface State {
  /** By position: its liquidation price (null for none), its size, and the snapshot of that time. */
  lines: Record<string, { at: number | null; size: string; seen: number }>
  snapshots: Record<number, Snapshot>
}

interface Moved {
  position: Position
  /** Null if it had no liquidation price. */
  was: number | null
  since: number
  away: number
  causes: Cause[]
}

/** Alerts when the liquidation price comes nearer at the same size, with the causes. */
export default eventKind({
  name: 'liquidation-moved',
  aliases: ['moved', 'line'],
  summary: words('kind.moved.summary'),
  example: 'liquidation-moved 20%',
  on: 'wallet',
  params: z.object({
    /** A fraction of the distance with the old liquidation price. */
    by: argument
      .percent(undefined, words('arg.moved.by'))
      .refine((by) => by >= 0.01 && by <= 1, 'check.moved')
      .default(USUAL_SHARE),
  }),
  describe: ({ by }) => words('kind.moved.line', { share: threshold(by) }),
  typed: ({ by }) => percentTyped(by),
  figure: fromLiquidation,
  merge: (all) => ({ by: Math.min(...all.map(({ by }) => by)) }),
  detect({ by }, state: State | undefined, subject) {
    const now = snapshotOf(subject)
    const lines: State['lines'] = {}
    const moved: Moved[] = []
    for (const position of subject.positions) {
      const key = positionKey(position)
      const known = state?.lines[key]
      const before = known && state?.snapshots[known.seen]
      const size = String(position.size)
      const fresh = { at: lineOf(position), size, seen: now.at }
      lines[key] = fresh
      if (!known || !before || known.size !== size) continue
      const went = movedFrom(known.at, position, subject)
      if (went === null || (went.nearer <= by && went.nearer >= -by * REBASE_SHARE)) lines[key] = known
      else if (went.nearer > by && went.ofPrice >= MIN_MOVE && went.away <= FARTHEST_DISTANCE)
        moved.push({
          ...{ position, was: known.at, away: went.away, since: before.at },
          causes: causesBetween(key, before, now),
        })
      else if (went.nearer > by) lines[key] = known
    }
    const used = new Set(Object.values(lines).map(({ seen }) => seen))
    const all = { ...state?.snapshots, ...(state?.snapshots[now.at] ? {} : { [now.at]: now }) }
    const snapshots = Object.fromEntries(Object.entries(all).filter(([at]) => used.has(Number(at))))
    return {
      state: { lines, snapshots },
      occurrences: moved.map((detail) => ({
        what: 'nearer',
        value: detail.away,
        position: positionKey(detail.position),
        detail,
      })),
    }
  },
  severity: (_params, { detail: { away } }) => (away <= WARNING_WITHIN ? 'warning' : 'info'),
  tell: (_params, { detail }, subject) => tell(detail, subject),
})

function lineOf({ liquidationPrice }: Position): number | null {
  return liquidationPrice === null ? null : toNumber(liquidationPrice)
}

/**
 * How much nearer the liquidation price came: as a fraction of the old distance, and of the price. Null if it
 * cannot be known.
 */
function movedFrom(from: number | null, position: Position, { market: marketOf }: WalletSubject) {
  const market = marketOf(position.marketId)
  const to = lineOf(position)
  if (!market || market.delisted || (from === null && to === null)) return null
  const price = toNumber(market.price)
  // No liquidation price counts as the farthest one: zero for a long, and twice the price for a short.
  const none = side(position) === 'long' ? 0 : 2 * price
  const [was, is] = [from ?? none, to ?? none]
  const before = distance(side(position), price, was)
  if (before <= 0) return null
  const away = distance(side(position), price, is)
  return { away, ofPrice: before - away, nearer: (before - away) / before }
}

function tell({ position, was, since, away, causes }: Moved, subject: WalletSubject): Item {
  const { symbol, label, now, positionAt, awaySince } = subject
  const is = toNumber(position.liquidationPrice ?? 0n)
  // In first order only: the maintenance margin moves with the price as well.
  const missing = was === null ? 0 : Math.abs(is - was) * toNumber(magnitude(position.size))
  const named = causes.filter((cause) => cause.is === 'changed' || costOf(cause) >= WORTH_NAMING * missing)
  const explained = named.reduce((sum, cause) => sum + costOf(cause), 0)
  const isClear = named.some(needsMore) || (named.length > 0 && explained >= (1 - UNEXPLAINED) * missing)
  const from = was === null ? words('kind.moved.none') : priceFigure(was)
  const old = oldText(now - positionAt)
  const name = words('shown.position', { symbol: symbol(position.marketId), side: side(position) })
  const title = words('kind.moved.title', { position: name, away: awayFromIt(away) })
  const lines: Text[] = [
    text`${from} → ${priceFigure(is)} · ${label}`,
    ...named.slice(0, MAX_NAMED_CAUSES).map((cause) => causeText(cause, symbol)),
    ...(isClear ? [] : [words(named.length > 0 ? 'kind.moved.rest' : 'kind.moved.no-cause')]),
    ...(old === null ? [] : [text`${words('kind.what.position')} ${old}`]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
  const details = [
    words('kind.moved.since', { at: { time: since, as: 'clock' } }),
    ...(was === null ? [] : [words('kind.moved.missing', { money: usd(missing) })]),
  ]
  return { ...item(away <= WARNING_WITHIN ? 'warning' : 'info', title, lines), details }
}

function needsMore(cause: Cause): boolean {
  return cause.is === 'changed' && (cause.to === 'opened' || cause.to === 'grew')
}

function causeText(cause: Cause, symbol: WalletSubject['symbol']): Text {
  if (cause.is === 'funding') return words('kind.moved.funding', { money: usd(cause.usd) })
  if (cause.is === 'withdrawn') return words('kind.moved.withdrawn', { money: usd(cause.usd) })
  const other = subjectOf(cause.position)
  const position =
    other.is === 'position'
      ? words('shown.position', { symbol: symbol(other.marketId), side: other.side })
      : words('kind.moved.other')
  if (cause.is === 'lost') return words('kind.moved.lost', { position, money: usd(cause.usd) })
  return words('kind.moved.became', { position, to: cause.to })
}
