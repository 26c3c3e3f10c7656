import type { Backtest, Present } from '../../alert/backtest.ts'
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

interface Shown {
  /** The text before these lines names the market, so that they need not. */
  named: boolean
  /** The rule is set, in a chat that is not quiet. */
  rings?: boolean
}

/** The present state of the rule, and the alerts that it would have raised in the recorded time. */
export function backtestLines(would: Backtest, now: number, told: Shown): Text[] {
  return [presentLine(would, told), ...pastLines(would, now)]
}

/** The backtest in a line or two, for the answer that sets the rule. */
export function shortBacktestLines(would: Backtest, now: number, told: Shown): Text[] {
  const { kind, since } = would
  const isRecorded = kind.reads !== 'orders' && since !== null && now - since >= LEAST_MS
  return [presentLine(would, told), ...(isRecorded ? [timesLine(would, now, now - since)] : [])]
}

/** `now: BTC short 9.6% (already past it: you’ll be alerted in 15 s)`. */
function presentLine({ kind, now: all, unseen }: Backtest, { named: isNamed, rings = false }: Shown): Text {
  if (all.length + unseen === 0) return 'now: nothing to watch for it yet'
  if (all.length === 0)
    return kind.reads === 'orders' ? 'now: unknown, I read orders once it is set' : 'now: I can’t see it'
  const [first] = all
  if (isNamed && first && kind.on === 'market')
    return text`now ${presentText({ ...first, about: '' }, rings)}`
  const named = all.slice(0, MAX_LISTED_CASES).map((one) => presentText(one, rings))
  const more = all.length > MAX_LISTED_CASES ? ` and ${all.length - MAX_LISTED_CASES} more` : ''
  const hidden = unseen > 0 ? `; ${unseen} more I can’t see` : ''
  return text`now: ${joined(named, ', ')}${more}${hidden}`
}

function presentText({ about, figure, apart, tier, dueInMs }: Present, rings: boolean): Text {
  const notes: Text[] = [
    ...(apart === null ? [] : [apart]),
    ...(tier === 0 ? [] : ['already past it' as const]),
  ]
  const due = !rings || dueInMs === null ? '' : dueText(dueInMs)
  return text`${about}${about === '' ? '' : ' '}${figure}${notes.length === 0 ? '' : text` (${joined(notes, ', ')}${due})`}`
}

function dueText(ms: number): Text {
  return ms === 0 ? ': you’ll be alerted at once' : text`: you’ll be alerted in ${age(ms)}`
}

function pastLines(would: Backtest, now: number): Text[] {
  const { kind, since, byMinute, cut } = would
  if (kind.reads === 'orders') return ['No record of orders: I can’t say how often it would have fired.']
  if (since === null) return ['No record yet: I can’t say how often it would have fired.']
  const recordedMs = now - since
  if (recordedMs < LEAST_MS) return ['No price history yet; ask again in an hour.']
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
    ...(unseenMs > NEARLY_MS ? [text`I couldn’t see ${age(unseenMs)} of that time`] : []),
    ...(byMinute ? ['Part of it is recorded by the minute: shorter moves may be missing.'] : []),
    ...(cut ? ['That is only a part: name a market or a wallet for all of it.'] : []),
  ]
}

/** Alerts that would have been merged into one message count as one. */
function besideLines({ beside }: Backtest): Text[] {
  if (beside.length === 0) return []
  const named = beside.slice(0, MAX_LISTED_CASES).map((id) => `R${id}`)
  const more = beside.length > MAX_LISTED_CASES ? ` and ${beside.length - MAX_LISTED_CASES} more` : ''
  return [`counted together with ${named.join(', ')}${more}, as it would ring`]
}

/** A wallet that was added later has been quiet for no longer than that. */
function laterLines({ later }: Backtest, now: number): Text[] {
  const lines = later
    .slice(0, MAX_LISTED_CASES)
    .map(({ wallet, since }) =>
      since === null ? text`${wallet}: no record` : text`${wallet}: only ${age(now - since)} recorded`,
    )
  return later.length > MAX_LISTED_CASES
    ? [...lines, `and ${later.length - MAX_LISTED_CASES} more wallets, not all of it`]
    : lines
}

function timesLine({ fired }: Backtest, now: number, recordedMs: number): Text {
  const within = (ms: number) => fired.filter(({ at }) => at >= now - ms).length
  const all = (ms: number) => recordedMs > ms - NEARLY_MS
  const day = all(DAY_MS) ? ([within(DAY_MS), 'in 24 h'] as const) : null
  const rest: readonly [number, Text] = all(WEEK_MS)
    ? [within(WEEK_MS), 'in 7 days']
    : [within(WEEK_MS), text`in the ${age(recordedMs)} on record`]
  if (rest[0] === 0) return text`wouldn’t have fired ${rest[1]}`
  const whole = day && day[0] === 0 ? [rest, day] : [...(day ? [day] : []), rest]
  const parts = whole.map(([times, where]) => text`${count(times)} ${where}`)
  return text`would have fired ${joined(parts, ', ')}`
}

function count(times: number): string {
  if (times === 0) return 'not once'
  return times === 1 ? 'once' : `${times} times`
}
