import { kinds } from '../src/alerts/index.ts'
import { startMetrics } from '../src/ops/metrics/metrics-server.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { createEvents, type Event } from '../src/runtime/event.ts'
import { createDice } from '../test/support/seed.ts'
import { INSTANT, MARKETS, PRICE } from './support/crowd.ts'
import { at, costOf } from './support/figures.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// What it costs to count: a market tick with its transitions and sends, with the metrics listening and without, by turns in
// one run; and what one look at /metrics holds up. `node bench/metrics.ts [rules]`

const TICKS = 400
/** A tick moves every price by up to 10 basis points. */
const STEP = 0.001
const PER_WALLET = 10
const REPLAYS = 100
const GOAL = { ratio: 1.1, eventUs: 5, scrapeMs: 10 }

const rules = Number(process.argv[2] ?? 100_000)
const clock = systemClock()
const events = createEvents()
const about = { version: '0', venue: 'bench', adapters: [INSTANT], kinds: kinds.map(({ name }) => name) }
const metrics = startMetrics({ events, clock, about })
let isCounting = false
const heard: Event[] = []
const running = await start(
  {
    ...{ people: rules / PER_WALLET, positions: PER_WALLET, rules: 'each', sides: 'both' },
    away: [{ share: 1, from: 0.201, to: 0.801 }],
  },
  (event) => {
    if (!isCounting) return
    heard.push(event)
    events.emit(event)
  },
)
const prices = Array.from({ length: MARKETS }, () => PRICE)
const { next } = createDice(1)
await running.tick(prices)
await running.readWallets()
await running.sent()

const cpuMs = { with: [] as number[], without: [] as number[] }
for (let mono = -20; mono < TICKS; mono++) {
  isCounting = mono % 2 === 0
  for (const [market, price] of prices.entries()) prices[market] = price * (1 + (next() - 0.5) * 2 * STEP)
  const cost = await costOf(async () => {
    await running.tick(prices)
    await running.sent()
  })
  if (mono >= 0) cpuMs[isCounting ? 'with' : 'without'].push(cost.cpuMs)
}
isCounting = false
metrics.begin({
  stats: () => ({
    ...{
      people: 1,
      chats: 1,
      wallets: 1,
      rules,
      unacknowledged: 0,
      oldestWallets: [],
      brokenChats: new Map(),
    },
    blind: { markets: 0, market: 0, wallet: 0, account: 0, margin: 0, orders: 0 },
    venueLoads: [
      {
        ...{ venue: null, push: null, weighed: false, turns: { everyMs: null, wishedMs: 60_000 } },
        spent: { markets: 0, wallets: 0, asked: 0, atMost: 0, coversMs: 0 },
      },
    ],
  }),
  kept: () => running.store.admin.size([INSTANT]),
})
const scrapes: number[] = []
for (let scrape = 0; scrape < 5; scrape++) {
  const { cpuMs: spent } = await costOf(() => metrics.route({ method: 'GET', path: '/metrics' }))
  scrapes.push(spent)
  await new Promise((resolve) => setTimeout(resolve, 1_050))
}
const replayed = await costOf(() => {
  for (let round = 0; round < REPLAYS; round++) for (const event of heard) events.emit(event)
})
await running.stop()
metrics.stop()

const [counted, alone] = [at(cpuMs.with, 0.5), at(cpuMs.without, 0.5)]
row(
  `${rules.toLocaleString('en')} rules: a tick with the metrics listening / without, CPU`,
  counted / alone,
  '×',
  { atMost: GOAL.ratio },
  `${counted.toFixed(2)} ms and ${alone.toFixed(2)} ms, ${((2 * heard.length) / (TICKS + 20)).toFixed(0)} events a tick`,
)
row(
  'one event counted, CPU',
  (replayed.cpuMs * 1_000) / (REPLAYS * heard.length),
  'µs',
  { atMost: GOAL.eventUs },
  `of ${heard.length} that ticks had`,
)
row('one look at /metrics, CPU', at(scrapes, 0.5), 'ms', { atMost: GOAL.scrapeMs })
