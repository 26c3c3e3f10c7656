import { z } from 'zod'

import { toNumber } from '../amount.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import type { View } from '../command.ts'
import { percent, usd } from '../lib/format.ts'
import type { Market } from '../market.ts'
import { hoursToFlip } from '../market.ts'
import { age, item, message } from '../message.ts'
import type { Item } from '../message.ts'
import { fundingPerDay, side } from '../position.ts'
import type { Position } from '../position.ts'
import { shortPercent, yearlyRate } from './words/markets.ts'
import { freshness } from './words/positions.ts'

const EXTREMES = 5
/** A forecast beyond a day means nothing: every trade changes the velocity. */
const FORECAST_HOURS = 24
const HOUR_MS = 3_600_000

/** Shows who pays whom: my positions first, then the extremes, then what is about to flip. */
export default command({
  name: 'funding',
  summary: 'shows who pays funding to whom, yours first',
  examples: ['/funding', '/funding BTC'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ market: argument.market().optional() }),
  async run({ read, view, person, reader, from }, { market: only }) {
    const found = await read.markets()
    if (found.is === 'unseen') return message([item('plain', freshness(found, reader.now))])
    const all = [...found.reading.value.values()].filter(({ id }) => only === undefined || id === only)
    // In front of others, what somebody holds is nobody's business.
    const items = from.private ? mine(view, person.id, all) : []
    if (only !== undefined) items.push(...all.map(marketItem))
    const flips = only === undefined ? all.filter((market) => nextFlip(market) !== null) : []
    const soonest = flips.toSorted((a, b) => (nextFlip(a) ?? 0) - (nextFlip(b) ?? 0)).slice(0, EXTREMES)
    if (soonest.length > 0) {
      items.push(
        item(
          'plain',
          'About to flip, at today’s skew',
          soonest.map((market) => `${market.symbol} ${flipText(market)}`),
        ),
      )
    }
    const extremes = all
      .toSorted((a, b) => Math.abs(yearlyRate(b)) - Math.abs(yearlyRate(a)))
      .slice(0, EXTREMES)
    return message(items.length > 0 ? items : [item('plain', 'Funding, the extremes')], {
      table:
        only === undefined
          ? {
              columns: [
                { title: 'market', align: 'left' },
                { title: '%/year', align: 'right' },
                { title: 'pays', align: 'left' },
              ],
              rows: extremes.map((market) => [
                market.symbol,
                shortPercent(Math.abs(yearlyRate(market))).replace('+', ''),
                yearlyRate(market) > 0 ? 'longs' : 'shorts',
              ]),
            }
          : null,
      footnote: freshness(found, reader.now),
    })
  },
})

function mine(view: View, personId: number, markets: Market[]): Item[] {
  const held = view
    .watches(personId)
    .flatMap(({ owner, label }) =>
      (view.positions(owner)?.value ?? []).map((position) => ({ position, label })),
    )
  const lines = markets.flatMap((market) =>
    held
      .filter(({ position }) => position.marketId === market.id)
      .map(({ position, label }) => positionLine(market, position, label)),
  )
  return lines.length === 0 ? [] : [item('plain', 'Your positions', lines.slice(0, EXTREMES + 3))]
}

function positionLine(market: Market, position: Position, label: string): string {
  const perDay = fundingPerDay(position, market.price, market.fundingRatePerDay)
  const flip = nextFlip(market) === null ? '' : `, ${flipText(market)}`
  return `${market.symbol} ${side(position)} ${perDay < 0 ? 'pays' : 'receives'} ${usd(Math.abs(perDay))} a day · ${label}${flip}`
}

function marketItem(market: Market): Item {
  const rate = toNumber(market.fundingRatePerDay)
  const payer = rate === 0 ? 'nobody pays' : rate > 0 ? 'longs pay shorts' : 'shorts pay longs'
  const size = Math.abs(rate)
  return item('plain', `${market.symbol}: ${payer}`, [
    `${percent(size / 24)} an hour, ${percent(size / 3)} in 8 hours, ${percent(size * 365)} a year`,
    nextFlip(market) === null ? 'not on its way to a flip within a day' : flipText(market),
  ])
}

/** Hours; null when it is not within a day. */
function nextFlip(market: Market): number | null {
  const hours = hoursToFlip(market)
  return hours !== null && hours <= FORECAST_HOURS ? hours : null
}

function flipText(market: Market): string {
  return `flips in about ${age((nextFlip(market) ?? 0) * HOUR_MS)}`
}
