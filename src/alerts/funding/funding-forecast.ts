import { z } from 'zod'

import type { Bounds } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { MarketSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { durationText } from '../../lib/text/duration.ts'
import { age, percent } from '../../message/figure.ts'
import { item, words } from '../../message/message.ts'
import { hoursToFlip } from '../../venue/market.ts'
import { marketLines } from '../shared/lines.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const USUAL_MS = 3 * HOUR_MS
/** A fraction per day: a flip from a smaller rate means nothing. */
const MIN_RATE_PER_DAY = 0.00005
/** The slope needs at least this many readings over this time. */
const LOOKBACK_MS = HOUR_MS
const MIN_READ_MS = 20 * MINUTE_MS
const MIN_READINGS = 10
/** The largest factor between the two forecasts, and between the slopes of the older and the newer half. */
const MAX_FORECAST_RATIO = 1.5
/** After a forecast, alert again once the rate has grown by this factor. */
const GROWTH_FACTOR = 2

/** If the forecasts disagree, judge again after the rate has changed by this share. */
const REJUDGE_SHARE = 0.02

/** The rate at the last alert; null before that. */
type State = { toldAt: number | null }

/** Alerts when funding is about to change its direction, if the venue's velocity and our readings agree. */
export default eventKind({
  name: 'funding-forecast',
  aliases: ['forecast'],
  summary: words('kind.forecast.summary'),
  example: 'funding-forecast BTC 3h',
  on: 'market',
  params: z.object({
    ahead: argument
      .duration(words('arg.forecast.ahead'))
      .refine((ms) => ms >= 10 * MINUTE_MS && ms <= 24 * HOUR_MS, 'check.ahead')
      .default(USUAL_MS),
  }),
  when: ({ ahead }, symbol) =>
    symbol === null
      ? words('kind.forecast.when-any', { span: durationText(ahead) })
      : words('kind.forecast.when', { market: symbol, span: durationText(ahead) }),
  describe: ({ ahead }) => words('kind.forecast.line', { span: durationText(ahead) }),
  typed: ({ ahead }) => durationText(ahead),
  merge: (all) => ({ ahead: Math.max(...all.map(({ ahead }) => ahead)) }),
  severity: 'info',
  lookBackMs: () => LOOKBACK_MS,
  figure: (hours) => words('kind.forecast.figure', { span: about(hours) }),
  detect({ ahead }, state: State | undefined, subject) {
    const rate = subject.fundingRate
    const before = state?.toldAt ?? null
    const isOver =
      before !== null && (rate * before <= 0 || Math.abs(rate) >= Math.abs(before) * GROWTH_FACTOR)
    if (before !== null && !isOver) {
      const [zero, grown] = [0, before * GROWTH_FACTOR]
      return { state: { toldAt: before }, occurrences: [], stableWithin: between(zero, grown) }
    }
    const hours = hoursToFlip(subject.market)
    const isNear = hours !== null && hours * HOUR_MS <= ahead && Math.abs(rate) >= MIN_RATE_PER_DAY
    const own = isNear ? ownHours(subject) : null
    const agrees =
      hours !== null && own !== null && own <= hours * MAX_FORECAST_RATIO && hours <= own * MAX_FORECAST_RATIO
    const occurrences = agrees
      ? [{ what: 'about to flip', value: Math.min(hours, own), position: null, detail: { hours, own } }]
      : []
    const stableWithin = isNear
      ? between(rate * (1 - REJUDGE_SHARE), rate * (1 + REJUDGE_SHARE))
      : boundsOf(rate, hours, ahead)
    return { state: { toldAt: agrees ? rate : null }, occurrences, stableWithin }
  },
  tell(_params, { detail: { hours, own } }, subject) {
    const span = about(Math.min(hours, own))
    const title = words('kind.forecast.title', { market: subject.market.symbol, span })
    return item('info', title, [
      words('kind.forecast.payer', {
        payer: subject.fundingRate > 0 ? 'longs' : 'shorts',
        rate: percent(Math.abs(subject.fundingRate)),
      }),
      words('kind.forecast.basis', { theirs: about(hours), own: about(own) }),
      ...marketLines(subject, 'rate'),
    ])
  },
})

/** Hours until zero by the slope of our readings; null if it is unknown or unsteady. */
function ownHours({ samples, fundingRate: rate, marketAt }: MarketSubject): number | null {
  const seen = samples.rates(LOOKBACK_MS)
  const [first, middle] = [seen[0], seen[seen.length >> 1]]
  if (!first || !middle || seen.length < MIN_READINGS || marketAt - first.at < MIN_READ_MS) return null
  const hours = (then: { rate: number; at: number }, now: { rate: number; at: number }) =>
    (-rate / (now.rate - then.rate)) * ((now.at - then.at) / HOUR_MS)
  const now = { rate, at: marketAt }
  const [before, since] = [hours(first, middle), hours(middle, now)]
  const isSteady =
    before > 0 && since > 0 && since <= before * MAX_FORECAST_RATIO && before <= since * MAX_FORECAST_RATIO
  return isSteady && Number.isFinite(since) ? hours(first, now) : null
}

/**
 * Judge again at the rate that would be near enough at the venue's velocity. The velocity may change, so also
 * at half the rate, and at twice the rate.
 */
function boundsOf(rate: number, hours: number | null, ahead: number): Bounds {
  if (rate === 0) return between(-MIN_RATE_PER_DAY, MIN_RATE_PER_DAY)
  const near = hours === null ? 0 : (rate / hours) * (ahead / HOUR_MS)
  const half = Math.abs(near) < Math.abs(rate / 2) ? rate / 2 : near
  // A negligible rate must first grow before a flip may mean something.
  const isLittle = Math.abs(rate) < MIN_RATE_PER_DAY
  return isLittle ? between(-MIN_RATE_PER_DAY, MIN_RATE_PER_DAY) : between(half, rate * GROWTH_FACTOR)
}

function between(a: number, b: number): Bounds {
  return { of: 'fundingRate', below: Math.min(a, b), above: Math.max(a, b) }
}

/** Rounded to ten minutes. */
function about(hours: number): ReturnType<typeof age> {
  return age(Math.max(Math.round((hours * HOUR_MS) / (10 * MINUTE_MS)), 1) * 10 * MINUTE_MS)
}
