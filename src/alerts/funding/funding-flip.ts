import { z } from 'zod'

import type { Occurrence, Severity } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { MarketSubject } from '../../alert/subject.ts'
import { argument, ratePer, typedSum } from '../../chat/argument.ts'
import { age, percent, threshold, usd } from '../../message/figure.ts'
import { type Item, item, type Text, text } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import { fundingPerDay, side, sizeText } from '../../venue/position.ts'

/** A fraction per day: 1.8% a year. Around zero the sign changes all the time and means nothing. */
const DEAD_BAND_PER_DAY = 0.00005

/** USD a day: a smaller cost is no warning. */
const WARNING_USD_PER_DAY = 1

/** The most positions of one item: more lines would not fit. */
const MAX_NAMED_POSITIONS = 2

/** The side that paid when the rate was last beyond the dead band. */
type State = 'longs pay' | 'shorts pay'

/** Alerts when a market's funding rate changes its sign, with the effect on the positions there. */
export default eventKind({
  name: 'funding-flip',
  aliases: ['flip'],
  summary: 'funding changes its direction',
  example: 'funding-flip BTC',
  on: 'market',
  params: z.object({
    /** Fraction per day that the rate must pass on the other side. */
    band: argument
      .percent('day')
      .refine(
        (band) => band >= 0 && band <= 0.1,
        'The dead band is a daily rate between 0% and 10%, such as 0.005%/d.',
      )
      .default(DEAD_BAND_PER_DAY),
    /** The cost in USD a day that makes it a warning. */
    warnFrom: argument
      .usd()
      .refine((usd) => usd >= 0, 'It is a warning from $0 or more a day on, such as $1.')
      .default(WARNING_USD_PER_DAY),
  }),
  armedByWatch: { band: DEAD_BAND_PER_DAY, warnFrom: WARNING_USD_PER_DAY },
  when: ({ band }, symbol) =>
    text`${symbol === null ? '' : `${symbol} `}funding changes direction by more than ${threshold(band)} a day`,
  describe: ({ band, warnFrom }) =>
    text`beyond ${threshold(band)} a day on the other side${isUsual(warnFrom) ? '' : text`, a warning from ${usd(warnFrom)} a day on`}`,
  typed: ({ band, warnFrom }) =>
    [ratePer('day', band), ...(isUsual(warnFrom) ? [] : [typedSum({ unit: 'usd', value: warnFrom })])].join(
      ' ',
    ),
  figure: (rate) => text`${percent(rate)} a day`,
  merge: (all) => ({
    band: Math.min(...all.map(({ band }) => band)),
    warnFrom: Math.min(...all.map(({ warnFrom }) => warnFrom)),
  }),
  detect({ band }, state: State | undefined, subject) {
    const rate = subject.fundingRate
    // The first reading sets the side. A flip must pass the band, so zero flips nothing.
    const before: State = state ?? (rate >= 0 ? 'longs pay' : 'shorts pay')
    const flipped = before === 'longs pay' ? rate < 0 && rate <= -band : rate > 0 && rate >= band
    const now: State = flipped ? (before === 'longs pay' ? 'shorts pay' : 'longs pay') : before
    return {
      state: now,
      occurrences: flipped ? [occurrence(subject)] : [],
      stableWithin:
        now === 'longs pay' ? { of: 'fundingRate', below: -band } : { of: 'fundingRate', above: band },
    }
  },
  severity: ({ warnFrom }, { detail: income }) => severityOf(income, warnFrom),
  tell: ({ warnFrom }, _happening, subject) => tell(subject, warnFrom),
})

function isUsual(warnFrom: number): boolean {
  return warnFrom === WARNING_USD_PER_DAY
}

function severityOf(income: number | null, warnFrom: number): Severity {
  return income !== null && income < 0 && income <= -warnFrom ? 'warning' : 'info'
}

function occurrence(subject: MarketSubject): Occurrence<number | null> {
  const income = netIncome(subject)
  const what = income === null ? 'nobody' : income < 0 ? 'you pay' : 'you receive'
  return { what, value: subject.fundingRate, position: null, detail: income }
}

/** USD per day over all positions there; null without any. */
function netIncome({ positions, market }: MarketSubject): number | null {
  if (positions.length === 0) return null
  return positions.reduce((sum, { position }) => sum + fundingPerDay(position, market), 0)
}

function tell(subject: MarketSubject, warnFrom: number): Item {
  const { market, positions, fundingRate, now, marketAt, awaySince } = subject
  const income = netIncome(subject)
  const payer = fundingRate > 0 ? 'longs now pay shorts' : 'shorts now pay longs'
  const who = positions.length === 1 && positions[0] ? `your ${side(positions[0].position)}` : 'you'
  const mine =
    income === null
      ? payer
      : text`${who} now ${verb(income, positions.length > 1)} ${usd(Math.abs(income))} a day`
  const lines: Text[] = [
    text`${income === null ? '' : `${payer}: `}${percent(Math.abs(fundingRate))} a day`,
    ...positions.slice(0, MAX_NAMED_POSITIONS).map(({ position, label }) => {
      const perDay = fundingPerDay(position, market)
      return text`${side(position)} ${sizeText(position, market.symbol, market.price)} ${verb(perDay)} ${usd(Math.abs(perDay))} a day · ${label}`
    }),
    ...(positions.length > MAX_NAMED_POSITIONS ? [`and ${positions.length - MAX_NAMED_POSITIONS} more`] : []),
    text`rate ${age(now - marketAt)} old`,
  ]
  if (awaySince !== null) lines.push(awayText(awaySince, now))
  return item(severityOf(income, warnFrom), text`${market.symbol} funding flipped: ${mine}`, lines)
}

function verb(income: number, you = false): string {
  return `${income < 0 ? 'pay' : 'receive'}${you ? '' : 's'}`
}
