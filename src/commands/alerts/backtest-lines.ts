import type { Backtest } from '../../alert/backtest.ts'
import { age, ago } from '../../message/figure.ts'
import { joined, type Text, text } from '../../message/message.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** Cases that are listed singly. */
const MAX_LISTED_CASES = 3
/** A shorter record proves nothing. */
const LEAST_MS = 60_000
/** A record with gaps of at most this counts as complete. */
const NEARLY_MS = 10 * 60_000

/** The present state of the rule, and the alerts that it would have raised in the recorded time. */
export function backtestLines(would: Backtest, now: number): Text[] {
  return [presentLine(would), ...pastLines(would, now)]
}

function presentLine({ kind, now: all, unseen }: Backtest): Text {
  if (all.length + unseen === 0) return 'at present: there is nothing that it speaks of'
  if (all.length === 0)
    return kind.reads === 'orders'
      ? 'at present: not known, orders are read once it is set'
      : 'at present: I cannot see it'
  const named = all
    .slice(0, MAX_LISTED_CASES)
    .map(({ about, figure, tier }) => text`${about} ${figure}${tier > 0 ? ' (inside)' : ''}`)
  const more = all.length > MAX_LISTED_CASES ? ` and ${all.length - MAX_LISTED_CASES} more` : ''
  const hidden = unseen > 0 ? `; ${unseen} more I cannot see now` : ''
  return text`at present: ${joined(named, ', ')}${more}${hidden}`
}

function pastLines(would: Backtest, now: number): Text[] {
  const { kind, since, byMinute, cut } = would
  if (kind.reads === 'orders')
    return ['I keep no record of orders: how often it would have fired I cannot say']
  if (since === null) return ['I have no record of that: how often it would have fired I cannot say']
  const recordedMs = now - since
  if (recordedMs < LEAST_MS)
    return ['my record of that begins now: how often it would have fired I cannot say yet']
  const last = would.fired.at(-1)
  const from = Math.max(since, now - WEEK_MS)
  const unseenMs = would.gaps.reduce(
    (sum, gap) => sum + Math.max(gap.until - Math.max(gap.since, from), 0),
    0,
  )
  return [
    timesLine(would, now, recordedMs),
    ...besideLines(would),
    ...(last && last.at >= from ? [text`last ${ago(now - last.at)}: ${last.about}`] : []),
    ...laterLines(would, now),
    ...(unseenMs > NEARLY_MS ? [text`of that time I have not seen ${age(unseenMs)}`] : []),
    ...(byMinute ? ['a part of it is recorded by the minute: what was over sooner may not be counted'] : []),
    ...(cut ? ['that is not all of it: name a market or a wallet'] : []),
  ]
}

/** Alerts that would have been merged into one message count as one. */
function besideLines({ beside }: Backtest): Text[] {
  if (beside.length === 0) return []
  const named = beside.slice(0, MAX_LISTED_CASES).map((id) => `R${id}`)
  const more = beside.length > MAX_LISTED_CASES ? ` and ${beside.length - MAX_LISTED_CASES} more` : ''
  return [`judged together with ${named.join(', ')}${more}, as it would be`]
}

/** A wallet that was added later has been quiet for no longer than that. */
function laterLines({ later }: Backtest, now: number): Text[] {
  const lines = later
    .slice(0, MAX_LISTED_CASES)
    .map(({ wallet, since }) =>
      since === null
        ? text`of ${wallet} I have no record`
        : text`of ${wallet} I have recorded ${age(now - since)} only`,
    )
  return later.length > MAX_LISTED_CASES
    ? [...lines, `and of ${later.length - MAX_LISTED_CASES} more wallets not all`]
    : lines
}

function timesLine({ fired }: Backtest, now: number, recordedMs: number): Text {
  const within = (ms: number) => fired.filter(({ at }) => at >= now - ms).length
  const all = (ms: number) => recordedMs > ms - NEARLY_MS
  const day = all(DAY_MS) ? ([within(DAY_MS), 'in 24 h'] as const) : null
  const rest: readonly [number, Text] = all(WEEK_MS)
    ? [within(WEEK_MS), 'in 7 days']
    : [within(WEEK_MS), text`in the ${age(recordedMs)} that I have recorded`]
  if (rest[0] === 0) return text`it would not have fired ${rest[1]}`
  const whole = day && day[0] === 0 ? [rest, day] : [...(day ? [day] : []), rest]
  const parts = whole.map(([times, where]) => text`${count(times)} ${where}`)
  return text`it would have fired ${joined(parts, ', ')}`
}

function count(times: number): string {
  if (times === 0) return 'not once'
  return times === 1 ? 'once' : `${times} times`
}
