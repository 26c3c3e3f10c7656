import { toNumber } from '../src/venue/amount.ts'
import { distance, side } from '../src/venue/position.ts'
import { readMarkets } from '../src/venues/perps-data/wire/markets.ts'
import { createDice } from '../test/support/seed.ts'
import { type Crowd, MARKETS, marketsBody, positionsOf, PRICE } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'
import { turned } from './support/turned.ts'

// Prices walk past people's lines, and the budget reads each wallet once in minutes: which crossings are told, how late, and
// which were none? Against every list of prices, looked through by itself. `node bench/price-crossings.ts [requests a second]`

const [, , perSecond = '20', wallets = '5000', minutes = '40'] = process.argv
/** Six per cent in a day. */
const STEP = 0.06 / Math.sqrt(43_200)
const TIERS = [0.2, 0.1, 0.05, 0.025]

const crowd: Crowd = {
  ...{ people: Number(wallets), positions: 1, rules: 'one', sides: 'both' },
  away: [
    { share: 0.03, from: 0.03, to: 0.06 },
    { share: 0.27, from: 0.06, to: 0.25 },
    { share: 0.7, from: 0.25, to: 0.8 },
  ],
}
const dice = createDice(1)
const prices = Array.from({ length: MARKETS }, () => PRICE)
const held = Array.from({ length: crowd.people }, (_, person) => positionsOf(person + 1, crowd)).flat()

/** When a wallet first was so near to its end, and when that was told: by wallet and tier. */
const passed = new Map<string, number>()
const told = new Map<string, number>()

function look(mono: number): void {
  for (const position of held) {
    const away = distance(
      side(position),
      prices[Number(position.marketId)] ?? PRICE,
      toNumber(position.liquidationPrice ?? 0n),
    )
    const tier = TIERS.filter((line) => away <= line).length
    for (let one = 1; one <= tier; one++) first(passed, `${position.wallet} ${one}`, mono)
  }
}

function first(map: Map<string, number>, key: string, mono: number): void {
  if (!map.has(key)) map.set(key, mono)
}

const { clock, calls, start, end } = await turned({
  crowd,
  perSecond: Number(perSecond),
  markets() {
    for (const [id, price] of prices.entries())
      prices[id] = price * (1 + STEP * (dice.next() + dice.next() + dice.next() - 1.5) * 2)
    look(clock.monotonic())
    return readMarkets(JSON.parse(marketsBody(prices)), 8008)
  },
  heard(event) {
    if (event.is !== 'transition' || (event.reason !== 'fired' && event.reason !== 'worse')) return
    const wallet = /0x[0-9a-f]{40}/.exec(event.subject)?.[0] ?? ''
    const tier = Number(event.to.replace('tier ', ''))
    for (let one = 1; one <= tier; one++) first(told, `${wallet} ${one}`, clock.monotonic())
  },
})
const began = clock.monotonic()
look(began)
start()
await clock.advance(Number(minutes) * 60_000)
const endedMono = clock.monotonic()
// What was so before the first list is no crossing; the last ones have yet to be confirmed.
const crossings = [...passed].filter(([, mono]) => mono > began && mono < endedMono - 5_000)
const missed = crossings.filter(([key]) => !told.has(key)).length
const lateS = crossings.flatMap(([key, mono]) => (told.has(key) ? ((told.get(key) ?? 0) - mono) / 1_000 : []))
const untrue = [...told].filter(([key, mono]) => (passed.get(key) ?? Infinity) > mono).length
const name = `${Number(wallets).toLocaleString('en')} wallets, ${minutes} min, ${perSecond} requests a second`
row(
  `${name}: crossings missed`,
  missed,
  '',
  { atMost: 0 },
  `of ${crossings.length}; ${calls.length} requests`,
)
row(`${name}: told though it was not so`, untrue, '', { atMost: 0 })
row(
  `${name}: told after, median`,
  at(lateS, 0.5),
  's',
  { atMost: 1 },
  `p95 ${at(lateS, 0.95).toFixed(1)} s, at most ${at(lateS, 1).toFixed(1)} s`,
)
await end()
