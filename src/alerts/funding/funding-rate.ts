import { z } from 'zod'

import type { Bounds, Verdict } from '../../alert/alert.ts'
import { levelKind } from '../../alert/define-kind.ts'
import type { MarketSubject } from '../../alert/subject.ts'
import { argument, ratePer } from '../../chat/argument.ts'
import { percent, threshold, usd } from '../../message/figure.ts'
import { item, type Text, text } from '../../message/message.ts'
import { fundingPerDay } from '../../venue/position.ts'
import { marketLines } from '../shared/lines.ts'

const DAYS_A_YEAR = 365
/**
 * A line at 50 % a year clears at 45 %. One near zero, where the rate changes all the time, clears after 1.8
 * % a year.
 */
const CLEAR_SHARE = 0.1
const LEAST_CLEAR_PER_DAY = 0.00005

const WAYS = ['above', 'below'] as const
type Way = (typeof WAYS)[number]

/** Alerts when a market's funding rate is beyond a line. Longs pay above zero, shorts below. */
export default levelKind({
  name: 'funding-rate',
  aliases: ['funding', 'rate'],
  summary: 'the funding rate of a market goes above or below your line',
  example: 'funding-rate BTC above 50%/y',
  on: 'market',
  params: z.object({
    way: argument.choice(WAYS, 'above or below'),
    /** Fraction per year. Longs pay while it is positive. */
    line: argument
      .percent('year')
      .refine(
        (line) => Math.abs(line) <= 100,
        'The line is a yearly rate between -10000% and 10000%, such as 50%/y. Below zero shorts pay longs.',
      ),
  }),
  identity: 'each',
  when: ({ way, line }) => text`funding is ${way} ${threshold(line)} a year`,
  describe: ({ way, line }) => text`${way} ${threshold(line)} a year`,
  typed: ({ way, line }) => `${way} ${ratePer('year', line)}`,
  severity: 'warning',
  figure: (perYear) => text`${percent(perYear)} a year`,
  judge: ({ way, line }, { fundingRate }) => judge(way, line / DAYS_A_YEAR, fundingRate),
  tell({ way, line }, { value, to }, subject) {
    const { symbol } = subject.market
    const rate = text`${symbol} funding is ${percent(value)} a year`
    const lines = [...payers(subject), ...marketLines(subject, 'rate')]
    const back = way === 'above' ? 'below' : 'above'
    if (to > 0 && isBeyond(way, value, line))
      return item('warning', text`${rate}, ${way} your ${threshold(line)}`, lines)
    if (to > 0) {
      const over = text`over at ${percent(clearRate(way, line / DAYS_A_YEAR) * DAYS_A_YEAR)} a year`
      return item('warning', text`${rate}, just ${back} your ${threshold(line)}`, [over, ...lines])
    }
    return item('good', text`${rate}, back ${back} ${threshold(line)}`, lines)
  },
})

function isBeyond(way: Way, rate: number, bound: number): boolean {
  return way === 'above' ? rate >= bound : rate <= bound
}

/** Per day. */
function clearRate(way: Way, line: number): number {
  const band = Math.max(Math.abs(line) * CLEAR_SHARE, LEAST_CLEAR_PER_DAY)
  return way === 'above' ? line - band : line + band
}

/** Rates per day. */
function judge(way: Way, enterAt: number, rate: number): Verdict {
  const clearAt = clearRate(way, enterAt)
  const passed = (bound: number) => isBeyond(way, rate, bound)
  const [entered, stays] = [passed(enterAt), passed(clearAt)]
  const nearest = entered ? enterAt : clearAt
  const ahead = way === 'above' ? entered : !entered
  const [low, high] = [Math.min(enterAt, clearAt), Math.max(enterAt, clearAt)]
  const stableWithin: Bounds =
    stays && !entered
      ? { of: 'fundingRate', below: low, above: high }
      : { of: 'fundingRate', ...(ahead ? { below: nearest } : { above: nearest }) }
  return {
    enter: entered ? 1 : 0,
    stay: stays ? 1 : 0,
    value: rate * DAYS_A_YEAR,
    stableWithin,
  }
}

/** Which side pays, and the sum for the positions there. */
function payers({ fundingRate, market, positions }: MarketSubject): Text[] {
  const perDay = percent(Math.abs(fundingRate))
  const who = fundingRate < 0 ? 'shorts pay longs' : 'longs pay shorts'
  const net = positions.reduce(
    (sum, { position }) => sum + fundingPerDay(position, market.price, market.fundingRatePerDay),
    0,
  )
  if (positions.length === 0) return [text`${who} ${perDay} a day`]
  return [text`${who} ${perDay} a day: you ${net < 0 ? 'pay' : 'receive'} ${usd(Math.abs(net))} a day`]
}
