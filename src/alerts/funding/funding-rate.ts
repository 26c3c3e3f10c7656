import { z } from 'zod'

import { levelKind } from '../../alert/define-kind.ts'
import type { MarketSubject } from '../../alert/subject.ts'
import { argument, ratePer } from '../../chat/argument.ts'
import { percent, threshold, usd } from '../../message/figure.ts'
import { item, type Text, words } from '../../message/message.ts'
import { fundingPerDay } from '../../venue/position.ts'
import { marketLines } from '../shared/lines.ts'
import { clearAt, isBeyond, judgeLine, WAYS } from '../shared/tiers.ts'

const DAYS_A_YEAR = 365
/**
 * A line at 50% a year clears at 45%. One near zero, where the rate changes all the time, clears after 1.8
 * % a year.
 */
const CLEAR_SHARE = 0.1
const LEAST_CLEAR_PER_DAY = 0.00005

/** Alerts when a market's funding rate is beyond a line. Longs pay above zero, shorts below. */
export default levelKind({
  name: 'funding-rate',
  aliases: ['funding', 'rate'],
  summary: words('kind.rate.summary'),
  example: 'funding-rate BTC above 50%/y',
  on: 'market',
  params: z.object({
    way: argument.choice(WAYS, words('arg.way')),
    /** Fraction per year. Longs pay while it is positive. */
    line: argument
      .percent('year', words('arg.rate.line'))
      .refine((line) => Math.abs(line) <= 100, 'check.rate'),
  }),
  identity: 'each',
  when: ({ way, line }, symbol) =>
    symbol === null
      ? words('kind.rate.when-any', { way, line: threshold(line) })
      : words('kind.rate.when', { market: symbol, way, line: threshold(line) }),
  describe: ({ way, line }) => words('kind.rate.line', { way, line: threshold(line) }),
  typed: ({ way, line }) => `${way} ${ratePer('year', line)}`,
  severity: 'warning',
  figure: (perYear) => words('kind.rate.figure', { rate: percent(perYear) }),
  judge({ way, line }, { fundingRate }) {
    const perDay = line / DAYS_A_YEAR
    const verdict = judgeLine(way, perDay, bandOf(perDay), fundingRate, 'fundingRate')
    return { ...verdict, value: fundingRate * DAYS_A_YEAR }
  },
  tell({ way, line }, { value, to }, subject) {
    const said = { market: subject.market.symbol, rate: percent(value), line: threshold(line) }
    const lines = [...payers(subject), ...marketLines(subject, 'rate')]
    const back = way === 'above' ? 'below' : 'above'
    if (to === 0) return item('good', words('kind.rate.back', { ...said, way: back }), lines)
    if (isBeyond(way, value, line)) return item('warning', words('kind.rate.passed', { ...said, way }), lines)
    const clear = clearAt(way, line, bandOf(line / DAYS_A_YEAR) * DAYS_A_YEAR)
    return item('warning', words('kind.rate.near', { ...said, way: back }), [
      words('kind.clears-at', { figure: words('kind.rate.figure', { rate: percent(clear) }) }),
      ...lines,
    ])
  },
})

/** Per day. */
function bandOf(line: number): number {
  return Math.max(Math.abs(line) * CLEAR_SHARE, LEAST_CLEAR_PER_DAY)
}

/** Which side pays, and the sum for the positions there. */
function payers({ fundingRate, market, positions }: MarketSubject): Text[] {
  const said = { payer: fundingRate < 0 ? 'shorts' : 'longs', rate: percent(Math.abs(fundingRate)) } as const
  const net = positions.reduce((sum, { position }) => sum + fundingPerDay(position, market), 0)
  if (positions.length === 0) return [words('kind.rate.pays', said)]
  const [verb, money] = [net < 0 ? 'pay' : 'receive', usd(Math.abs(net))] as const
  return [words('kind.rate.pays-you', { ...said, verb, money })]
}
