import { z } from 'zod'

import { eventKind } from '../alert.ts'
import type { Happening, MarketSubject } from '../alert.ts'
import { argument } from '../argument.ts'
import { awayText } from '../gone.ts'
import { percent, percentTyped, threshold, usd } from '../lib/format.ts'
import { age, item } from '../message.ts'
import type { Item, Text } from '../message.ts'
import { fundingPerDay, side, sizeText } from '../position.ts'

/** A fraction per day: half of what 1.8 % a year pays. Around zero the sign changes all the time and means nothing. */
const DEAD_BAND_PER_DAY = 0.00005

/** Positions named in one item; more would not fit it. */
const NAMED = 2

interface Params {
  /** Fraction per day that the rate must pass on the other side. */
  band: number
}

/** Who pays: the memo is the side that paid when it was last beyond the dead band. */
type Memo = 'longs pay' | 'shorts pay'

/** Tells when the funding rate of a market changes its sign, from the side of whoever holds a position there. */
export default eventKind<Params, Memo>({
  name: 'funding-flip',
  aliases: ['flip', 'funding'],
  summary: 'funding changes its direction',
  example: 'funding-flip BTC',
  on: 'market',
  params: z.object({
    band: argument
      .percent()
      .refine(
        (band) => band >= 0 && band <= 0.1,
        'The dead band is a daily rate between 0% and 10%, such as 0.005%.',
      )
      .default(DEAD_BAND_PER_DAY),
  }),
  armedByWatch: { band: DEAD_BAND_PER_DAY },
  describe: ({ band }) => `beyond ${threshold(band)} a day on the other side`,
  typed: ({ band }) => percentTyped(band),
  severity: (_params, { what }) => (what === 'you pay' ? 'warning' : 'info'),
  fold({ band }, memo, subject) {
    if (subject.is !== 'market') throw new Error('funding-flip judges markets')
    const rate = subject.fundingRate
    // A new baseline takes the sign as it is; a flip must pass the band, so that zero flips nothing.
    const before: Memo = memo ?? (rate >= 0 ? 'longs pay' : 'shorts pay')
    const flipped = before === 'longs pay' ? rate < 0 && rate <= -band : rate > 0 && rate >= band
    const now: Memo = flipped ? (before === 'longs pay' ? 'shorts pay' : 'longs pay') : before
    return {
      memo: now,
      happened: flipped ? [happening(subject)] : [],
      until: now === 'longs pay' ? { of: 'fundingRate', below: -band } : { of: 'fundingRate', above: band },
    }
  },
  tell: (_params, { what }, subject) => tell(what, subject as MarketSubject),
})

function happening(subject: MarketSubject): Happening {
  const income = netIncome(subject)
  const what = income === null ? 'nobody' : income < 0 ? 'you pay' : 'you receive'
  return { what, value: subject.fundingRate, position: null, detail: null }
}

/** USD per day over all positions held there; null when none is. */
function netIncome({ positions, market }: MarketSubject): number | null {
  if (positions.length === 0) return null
  return positions.reduce(
    (sum, { position }) => sum + fundingPerDay(position, market.price, market.fundingRatePerDay),
    0,
  )
}

function tell(what: string, subject: MarketSubject): Item {
  const { market, positions, fundingRate, now, marketAt, awaySince } = subject
  const income = netIncome(subject)
  const payer = fundingRate > 0 ? 'longs now pay shorts' : 'shorts now pay longs'
  const mine =
    income === null
      ? payer
      : `${positions.length === 1 && positions[0] ? `your ${side(positions[0].position)}` : 'you'} now ${income < 0 ? 'pays' : 'receives'} ${usd(Math.abs(income))} a day`
  const lines: Text[] = [
    `${payer}: ${percent(Math.abs(fundingRate) / 24)} an hour, ${percent(Math.abs(fundingRate) * 365)} a year`,
    ...positions.slice(0, NAMED).map(({ position, wallet }) => {
      const perDay = fundingPerDay(position, market.price, market.fundingRatePerDay)
      return `${side(position)} ${sizeText(position, market.symbol, market.price)} ${perDay < 0 ? 'pays' : 'receives'} ${usd(Math.abs(perDay))} a day · ${wallet}`
    }),
    ...(positions.length > NAMED ? [`and ${positions.length - NAMED} more`] : []),
    `rate ${age(now - marketAt)} old`,
  ]
  if (awaySince !== null) lines.push(awayText(awaySince, now))
  const grammar =
    positions.length > 1
      ? mine.replace('you now pays', 'you now pay').replace('you now receives', 'you now receive')
      : mine
  return item(what === 'you pay' ? 'warning' : 'info', `${market.symbol} funding flipped: ${grammar}`, lines)
}
