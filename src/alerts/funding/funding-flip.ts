import { z } from 'zod'

import type { Occurrence, Severity } from '../../alert/alert.ts'
import { eventKind } from '../../alert/define-kind.ts'
import type { MarketSubject } from '../../alert/subject.ts'
import { argument, ratePer, typedSum } from '../../chat/argument.ts'
import { percent, threshold, usd } from '../../message/figure.ts'
import { type Item, item, type Text, text, words } from '../../message/message.ts'
import { awayText } from '../../venue/closed-position.ts'
import { fundingPerDay, side, sizeText } from '../../venue/position.ts'
import { oldText } from '../../venue/reading.ts'

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
  summary: words('kind.flip.summary'),
  example: 'funding-flip BTC',
  on: 'market',
  params: z.object({
    /** Fraction per day that the rate must pass on the other side. */
    band: argument
      .percent('day', words('arg.flip.band'))
      .refine((band) => band >= 0 && band <= 0.1, 'check.flip')
      .default(DEAD_BAND_PER_DAY),
    /** The cost in USD a day that makes it a warning. */
    warnFrom: argument
      .usd(words('arg.flip.usd'))
      .refine((usd) => usd >= 0, 'check.flip.usd')
      .default(WARNING_USD_PER_DAY),
  }),
  armedByWatch: { band: DEAD_BAND_PER_DAY, warnFrom: WARNING_USD_PER_DAY },
  presets: {
    // 11% a year, where carry begins to matter.
    calm: { band: 0.0003, warnFrom: 10 },
    scalper: { band: DEAD_BAND_PER_DAY, warnFrom: 0.25 },
  },
  when: ({ band }, symbol) =>
    symbol === null
      ? words('kind.flip.when-any', { band: threshold(band) })
      : words('kind.flip.when', { market: symbol, band: threshold(band) }),
  describe: ({ band, warnFrom }) =>
    isUsual(warnFrom)
      ? words('kind.flip.line', { band: threshold(band) })
      : words('kind.flip.line-warning', { band: threshold(band), money: usd(warnFrom) }),
  typed: ({ band, warnFrom }) =>
    [ratePer('day', band), ...(isUsual(warnFrom) ? [] : [typedSum({ unit: 'usd', value: warnFrom })])].join(
      ' ',
    ),
  figure: (rate) => words('kind.flip.figure', { rate: percent(rate) }),
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
  const payer = fundingRate > 0 ? 'longs' : 'shorts'
  const rate = percent(Math.abs(fundingRate))
  const old = oldText(now - marketAt)
  const more = positions.length - MAX_NAMED_POSITIONS
  const lines: Text[] = [
    income === null ? words('kind.flip.rate', { rate }) : words('kind.flip.payer', { payer, rate }),
    ...positions.slice(0, MAX_NAMED_POSITIONS).map(({ position, label }) => {
      const perDay = fundingPerDay(position, market)
      return words('kind.flip.position', {
        ...{ side: side(position), size: sizeText(position, market.symbol, market.price) },
        ...{ verb: verb(perDay), money: usd(Math.abs(perDay)), wallet: label },
      })
    }),
    ...(more > 0 ? [words('kind.more', { more })] : []),
    ...(old === null ? [] : [text`${words('kind.what.rate')} ${old}`]),
    ...(awaySince === null ? [] : [awayText(awaySince, now)]),
  ]
  return item(severityOf(income, warnFrom), title(subject, payer, income), lines)
}

function title({ market, positions }: MarketSubject, payer: 'longs' | 'shorts', income: number | null): Text {
  if (income === null) return words('kind.flip.pays', { market: market.symbol, payer })
  const said = { market: market.symbol, verb: verb(income), money: usd(Math.abs(income)) }
  const [only, ...others] = positions
  return only && others.length === 0
    ? words('kind.flip.yours', { ...said, side: side(only.position) })
    : words('kind.flip.you', said)
}

function verb(income: number): 'pay' | 'receive' {
  return income < 0 ? 'pay' : 'receive'
}
