import type { Backtest, Present } from '../../alert/backtest.ts'
import { age, ago } from '../../message/figure.ts'
import { joined, type Text, text, words } from '../../message/message.ts'

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
  if (all.length + unseen === 0) return words('test.nothing')
  if (all.length === 0) return words(kind.reads === 'orders' ? 'test.orders-later' : 'test.unseen')
  const [first] = all
  if (isNamed && first && kind.on === 'market')
    return words('test.now', { what: presentText({ ...first, about: '' }, rings) })
  const named = joined(
    all.slice(0, MAX_LISTED_CASES).map((one) => presentText(one, rings)),
    ', ',
  )
  const more = all.length - MAX_LISTED_CASES
  const shown = more > 0 ? words('test.more', { what: named, more }) : named
  const what = unseen > 0 ? words('test.hidden', { what: shown, unseen }) : shown
  return words('test.now-named', { what })
}

function presentText({ about, figure, apart, tier, dueInMs }: Present, rings: boolean): Text {
  const past = tier === 0 ? [] : [rings && dueInMs !== null ? dueText(dueInMs) : words('test.past-it')]
  const notes = [...(apart === null ? [] : [apart]), ...past]
  return text`${about}${about === '' ? '' : ' '}${figure}${notes.length === 0 ? '' : text` (${joined(notes, ', ')})`}`
}

function dueText(ms: number): Text {
  const past = words('test.past-it')
  return ms === 0 ? words('test.due-now', { past }) : words('test.due', { past, span: age(ms) })
}

function pastLines(would: Backtest, now: number): Text[] {
  const { kind, since, byMinute, cut } = would
  if (kind.reads === 'orders') return [words('test.no-orders')]
  if (since === null) return [words('test.no-record')]
  const recordedMs = now - since
  if (recordedMs < LEAST_MS) return [words('test.begun')]
  const last = would.fired.at(-1)
  const from = Math.max(since, now - WEEK_MS)
  const unseenMs = would.gaps.reduce(
    (sum, gap) => sum + Math.max(gap.until - Math.max(gap.since, from), 0),
    0,
  )
  return [
    timesLine(would, now, recordedMs),
    ...besideLines(would),
    ...(last && last.at >= from ? [words('test.last', { ago: ago(now - last.at), what: last.about })] : []),
    ...laterLines(would, now),
    ...(unseenMs > NEARLY_MS ? [words('test.gaps', { span: age(unseenMs) })] : []),
    ...(byMinute ? [words('test.by-minute')] : []),
    ...(cut ? [words('test.cut')] : []),
  ]
}

/** Alerts that would have been merged into one message count as one. */
function besideLines({ beside }: Backtest): Text[] {
  if (beside.length === 0) return []
  const named = beside
    .slice(0, MAX_LISTED_CASES)
    .map((id) => `R${id}`)
    .join(', ')
  const more = beside.length - MAX_LISTED_CASES
  const rules = more > 0 ? words('test.more', { what: named, more }) : named
  return [words('test.beside', { rules })]
}

/** A wallet that was added later has been quiet for no longer than that. */
function laterLines({ later }: Backtest, now: number): Text[] {
  const lines = later
    .slice(0, MAX_LISTED_CASES)
    .map(({ wallet, since }) =>
      since === null
        ? words('test.unknown-wallet', { wallet })
        : words('test.later-wallet', { wallet, span: age(now - since) }),
    )
  const more = later.length - MAX_LISTED_CASES
  return more > 0 ? [...lines, words('test.later-more', { more })] : lines
}

function timesLine({ fired }: Backtest, now: number, recordedMs: number): Text {
  const within = (ms: number) => fired.filter(({ at }) => at >= now - ms).length
  const all = (ms: number) => recordedMs > ms - NEARLY_MS
  const day = all(DAY_MS) ? ([within(DAY_MS), words('test.day')] as const) : null
  const rest: readonly [number, Text] = all(WEEK_MS)
    ? [within(WEEK_MS), words('test.week')]
    : [within(WEEK_MS), words('test.on-record', { span: age(recordedMs) })]
  if (rest[0] === 0) return words('test.never', { when: rest[1] })
  const whole = day && day[0] === 0 ? [rest, day] : [...(day ? [day] : []), rest]
  const times = joined(
    whole.map(([many, when]) => timesText(many, when)),
    ', ',
  )
  return words('test.fired', { times })
}

function timesText(times: number, when: Text): Text {
  if (times === 0) return words('test.not-once', { when })
  return times === 1 ? words('test.once', { when }) : words('test.times', { times, when })
}
