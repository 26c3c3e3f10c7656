import { z } from 'zod'

import type { Bounds } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { MarketSubject } from '../../alert/subject.ts'
import { argument } from '../../chat/argument.ts'
import { durationText } from '../../lib/text/duration.ts'
import { age, percent } from '../../message/figure.ts'
import { item, text } from '../../message/message.ts'
import { hoursToFlip } from '../../venue/market.ts'
import { marketLines } from '../shared/lines.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const USUAL_MS = 3 * HOUR_MS
/** A fraction per day: from less than that a flip means nothing. */
const LEAST_PER_DAY = 0.00005
/** What was seen of the rate says something of its slope from so long and so many on. */
const LOOKED_BACK_MS = HOUR_MS
const LEAST_SEEN_MS = 20 * MINUTE_MS
const LEAST_SEEN = 10
/** The two ways to reckon may differ so much, and what was seen lately from what was seen before. */
const APART = 1.5
/** Who was told that it flips is told again when the rate has grown to so much of what it was. */
const GROWN = 2

/** Near enough, and not known well enough: looked at again when the rate has changed by so much of it. */
const NEARER = 0.02

/** The rate at which it was told; null before that. */
type State = { toldAt: number | null }

/** Tells that funding is about to change its direction: where the venue and what was seen of the rate agree. */
export default eventKind({
  name: 'funding-forecast',
  aliases: ['forecast'],
  summary: 'funding is about to change its direction',
  example: 'funding-forecast BTC 3h',
  on: 'market',
  params: z.object({
    ahead: argument
      .duration()
      .refine(
        (ms) => ms >= 10 * MINUTE_MS && ms <= 24 * HOUR_MS,
        'I can say so between 10m and 24h ahead, such as 3h.',
      )
      .default(USUAL_MS),
  }),
  describe: ({ ahead }) => `up to ${durationText(ahead)} ahead`,
  typed: ({ ahead }) => durationText(ahead),
  merge: (all) => ({ ahead: Math.max(...all.map(({ ahead }) => ahead)) }),
  severity: 'info',
  figure: (hours) => text`in about ${about(hours)}`,
  detect({ ahead }, state: State | undefined, subject) {
    const rate = subject.fundingRate
    const before = state?.toldAt ?? null
    const isOver = before !== null && (rate * before <= 0 || Math.abs(rate) >= Math.abs(before) * GROWN)
    if (before !== null && !isOver) {
      const [zero, grown] = [0, before * GROWN]
      return { state: { toldAt: before }, occurrences: [], stableWithin: between(zero, grown) }
    }
    const hours = hoursToFlip(subject.market)
    const isNear = hours !== null && hours * HOUR_MS <= ahead && Math.abs(rate) >= LEAST_PER_DAY
    const own = isNear ? ownHours(subject) : null
    const agrees = hours !== null && own !== null && own <= hours * APART && hours <= own * APART
    const occurrences = agrees
      ? [{ what: 'about to flip', value: Math.min(hours, own), position: null, detail: { hours, own } }]
      : []
    const stableWithin = isNear
      ? between(rate * (1 - NEARER), rate * (1 + NEARER))
      : boundsOf(rate, hours, ahead)
    return { state: { toldAt: agrees ? rate : null }, occurrences, stableWithin }
  },
  tell(_params, { detail: { hours, own } }, subject) {
    const { symbol } = subject.market
    const rate = percent(Math.abs(subject.fundingRate))
    const [now, then] =
      subject.fundingRate > 0
        ? ['longs pay shorts', 'shorts pay longs']
        : ['shorts pay longs', 'longs pay shorts']
    return item('info', text`${symbol} funding flips in about ${about(Math.min(hours, own))}`, [
      text`${now} ${rate} a day now, ${then} then, if it goes on so`,
      text`the venue’s figures say ${about(hours)}, what I have seen of the rate ${about(own)}`,
      ...marketLines(subject, 'rate'),
    ])
  },
})

/** When it would reach zero as it has gone on of late; null where that is not known, or not steady. */
function ownHours({ samples, fundingRate: rate, marketAt }: MarketSubject): number | null {
  const seen = samples.rates(LOOKED_BACK_MS)
  const [first, middle] = [seen[0], seen[seen.length >> 1]]
  if (!first || !middle || seen.length < LEAST_SEEN || marketAt - first.at < LEAST_SEEN_MS) return null
  const hours = (then: { rate: number; at: number }, now: { rate: number; at: number }) =>
    (-rate / (now.rate - then.rate)) * ((now.at - then.at) / HOUR_MS)
  const now = { rate, at: marketAt }
  const [before, dailySummary] = [hours(first, middle), hours(middle, now)]
  const isSteady =
    before > 0 && dailySummary > 0 && dailySummary <= before * APART && before <= dailySummary * APART
  return isSteady && Number.isFinite(dailySummary) ? hours(first, now) : null
}

/** Where it would be near enough at this velocity; and halfway there, or twice as far, for that may change. */
function boundsOf(rate: number, hours: number | null, ahead: number): Bounds {
  if (rate === 0) return between(-LEAST_PER_DAY, LEAST_PER_DAY)
  const near = hours === null ? 0 : (rate / hours) * (ahead / HOUR_MS)
  const half = Math.abs(near) < Math.abs(rate / 2) ? rate / 2 : near
  // From what means nothing it has to come back before it may mean something.
  const isLittle = Math.abs(rate) < LEAST_PER_DAY
  return isLittle ? between(-LEAST_PER_DAY, LEAST_PER_DAY) : between(half, rate * GROWN)
}

function between(a: number, b: number): Bounds {
  return { of: 'fundingRate', below: Math.min(a, b), above: Math.max(a, b) }
}

/** To ten minutes. */
function about(hours: number): ReturnType<typeof age> {
  return age(Math.max(Math.round((hours * HOUR_MS) / (10 * MINUTE_MS)), 1) * 10 * MINUTE_MS)
}
