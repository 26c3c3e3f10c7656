import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, View } from '../../command/context.ts'
import { ago, shortPercent, usd } from '../../message/figure.ts'
import { type Item, item, message, type Table, type Text, text } from '../../message/message.ts'
import { type Market, nextFunding } from '../../venue/market.ts'
import { fundingPerDay, side } from '../../venue/position.ts'
import { blindItems, freshness, readText, troubles } from '../shared/readings.ts'
import { flipText, nextFlip, payerText, paymentText, rateText, yearlyRate } from './market-lines.ts'
import { fundingText, yourFunding } from './position-lines.ts'

const DAY_MS = 86_400_000
const EXTREMES = 5
const MINE = 6
/** What is left of a table's width beside the figures. */
const SYMBOL = 13

/** Shows who pays whom: my positions first, then what is about to flip, then the extremes. */
export default command({
  name: 'funding',
  summary: 'shows who pays funding to whom, yours first',
  examples: ['/funding', '/funding BTC'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ market: argument.market().optional() }),
  async run(context, { market: only }) {
    const found = await context.read.markets()
    const { now } = context.reader
    if (found.is === 'unseen') return message([item('blind', freshness(found, now))])
    const all = [...found.reading.value.values()].filter(({ delisted }) => !delisted)
    const chosen = only === undefined ? [] : await chosenMarket(context, found.reading.value, only)
    const items = [
      ...blindItems(troubles('funding rates', found, now)),
      // In front of others, what somebody holds is nobody's business.
      ...(context.from.private ? mine(context, only === undefined ? all : chosen) : []),
      ...chosen.map((market) => marketItem(market, now)),
      ...(only === undefined ? flips(all) : []),
    ]
    // Where nobody holds anything, nobody pays: such a rate is frozen, however extreme.
    const alive = all.filter(({ openInterest }) => openInterest !== 0n)
    const extremes = alive
      .toSorted((a, b) => Math.abs(yearlyRate(b)) - Math.abs(yearlyRate(a)))
      .slice(0, EXTREMES)
    if (only !== undefined) {
      const gone =
        chosen.length === 0
          ? [item('blind', `I cannot see ${context.view.symbol(only)} now. Try again shortly.`)]
          : []
      return message([...items, ...gone], { footnote: readText(found, now) })
    }
    return message(
      [...items, item('plain', extremes.length > 0 ? 'The extremes' : 'No market has open interest')],
      {
        table: extremes.length > 0 ? tableOf(extremes) : null,
        buttons: [
          { label: 'Refresh', line: '/funding', replace: true },
          { label: 'All markets', line: '/markets funding', replace: false },
        ],
        footnote: readText(found, now),
      },
    )
  },
})

/** Of a book that is not in view now, it is asked for. */
async function chosenMarket(
  { read }: Context,
  inView: ReadonlyMap<string, Market>,
  id: string,
): Promise<Market[]> {
  const seen = inView.get(id)
  if (seen) return [seen]
  const found = await read.market(id)
  return found.is === 'read' ? [found.reading.value] : []
}

function tableOf(markets: readonly Market[]): Table {
  return {
    columns: [
      { title: 'market', align: 'left' },
      { title: '%/year', align: 'right' },
      { title: 'pays', align: 'left' },
    ],
    rows: markets.map((market) => [
      [...market.symbol].slice(0, SYMBOL).join(''),
      shortPercent(Math.abs(yearlyRate(market))),
      yearlyRate(market) === 0 ? 'nobody' : yearlyRate(market) > 0 ? 'longs' : 'shorts',
    ]),
  }
}

/** What my positions pay or receive, the dearest first, as of their last readings. */
function mine({ view, person, reader }: Context, markets: readonly Market[]): Item[] {
  const held = heldOf(view, person.id).flatMap(({ position, label }) => {
    const market = markets.find(({ id }) => id === position.marketId)
    return market
      ? [{ market, position, label, perDay: fundingPerDay(position, market.price, market.fundingRatePerDay) }]
      : []
  })
  const unseen = view.watches(person.id).filter(({ wallet }) => view.positions(wallet) === null)
  const notSeen =
    unseen.length === 0
      ? []
      : [
          `not seen yet: ${unseen
            .slice(0, MINE)
            .map(({ label }) => label)
            .join(', ')}`,
        ]
  if (held.length === 0) return notSeen.length === 0 ? [] : [item('blind', 'Your positions', notSeen)]
  const dearest = held.toSorted((a, b) => a.perDay - b.perDay)
  const lines = dearest.slice(0, MINE).map(({ market, position, label, perDay }) => {
    const flip = flipText(market)
    return text`${market.symbol} ${side(position)} ${fundingText(perDay)} · ${label}${flip === null ? '' : text`, ${flip}`}`
  })
  const more = held.length > MINE ? [`and ${held.length - MINE} more: /positions`] : []
  const sum = held.reduce((total, { perDay }) => total + perDay, 0)
  const total = held.length > 1 ? text`: ${yourFunding(sum)}` : ''
  const payment = nextPayment(held, reader.now)
  const oldest = Math.min(
    ...view.watches(person.id).flatMap(({ wallet }) => view.positions(wallet)?.at ?? []),
  )
  const read = text`positions read ${ago(reader.now - oldest)}`
  return [item('plain', text`Your positions${total}`, [...lines, ...more, ...payment, ...notSeen, read])]
}

/** `next payment at 15:00: you pay $0.16`; nothing where funding accrues all the time. */
function nextPayment(held: readonly { market: Market; perDay: number }[], now: number): Text[] {
  const paid = held.flatMap(({ market, perDay }) => {
    const [at, everyMs] = [nextFunding(market, now), market.fundingEveryMs]
    return at === null || everyMs === null || perDay === 0 ? [] : [{ at, usd: (perDay * everyMs) / DAY_MS }]
  })
  if (paid.length === 0) return []
  const first = Math.min(...paid.map(({ at }) => at))
  const sum = paid.reduce((total, one) => total + (one.at === first ? one.usd : 0), 0)
  const amount = text`you ${sum < 0 ? 'pay' : 'receive'} ${usd(Math.abs(sum))}`
  return [text`next payment at ${{ time: first, as: 'clock' }}: ${amount}`]
}

function heldOf(view: View, personId: number) {
  return view
    .watches(personId)
    .flatMap(({ wallet, label }) =>
      (view.positions(wallet)?.value ?? []).map((position) => ({ position, label })),
    )
}

function flips(all: readonly Market[]): Item[] {
  const soonest = all
    .flatMap((market) => {
      const [hours, flip] = [nextFlip(market), flipText(market)]
      return hours === null || flip === null
        ? []
        : [{ hours, line: text`${market.symbol} ${flip}; now ${payerText(market)}` }]
    })
    .toSorted((a, b) => a.hours - b.hours)
    .slice(0, EXTREMES)
  return soonest.length === 0
    ? []
    : [
        item(
          'plain',
          'About to flip, if the skew stays',
          soonest.map(({ line }) => line),
        ),
      ]
}

function marketItem(market: Market, now: number): Item {
  const payment = paymentText(market, now)
  const flip =
    market.fundingVelocityPerDay === null ? [] : [flipText(market) ?? 'no flip in sight within a day']
  return item('plain', `${market.symbol}: ${payerText(market)}`, [
    rateText(market),
    ...(payment === null ? [] : [payment]),
    ...flip,
  ])
}
