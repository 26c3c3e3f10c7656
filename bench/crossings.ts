import type { Drawers } from '../src/engine/memory/memory.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import { createDice } from '../test/support/seed.ts'
import { MARKETS, marketsBody, PRICE } from './support/crowd.ts'
import { at, type Cost, costOf } from './support/figures.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// A market tick over many rules, the whole way: its body is parsed, what it crosses is judged, stepped and committed, and
// what is said goes to a platform that takes it at once. `node bench/crossings.ts [rules]`

const TICKS = 100
/** A tick moves every price by up to 10 basis points. */
const STEP = 0.001
const PER_WALLET = 10
const GOAL = { quietMs: 1, crossingMs: 2 }

const rules = Number(process.argv[2] ?? 100_000)
let transitions = 0
const running = await start(
  {
    people: rules / PER_WALLET,
    positions: PER_WALLET,
    rules: 'each',
    sides: 'both',
    away: [{ share: 1, from: 0.201, to: 0.801 }],
  },
  (event) => {
    if (event.is === 'transition') transitions++
  },
  undefined,
  // Without the count of rows, which asks the file at each commit.
  (file) => openSqlite(file, 'bench'),
)
const {
  monitors: { thresholdIndex },
} = running.engine.memory as Drawers
let judged = 0
const { crossed } = thresholdIndex
thresholdIndex.crossed = (marketId, figures) => {
  const keys = crossed(marketId, figures)
  judged += keys.length
  return keys
}

const prices = Array.from({ length: MARKETS }, () => PRICE)
const { next } = createDice(1)
await running.mono(prices)
await running.readWallets()
await running.sent()
const quiet: Cost[] = []
const crossing: Cost[] = []
for (let mono = -20; mono < TICKS; mono++) {
  if (mono === 0) [judged, transitions] = [0, 0]
  for (const [market, price] of prices.entries()) prices[market] = price * (1 + (next() - 0.5) * 2 * STEP)
  // The venue makes the body.
  const body = marketsBody(prices)
  const moved = await costOf(() => running.read(body))
  await running.sent()
  const still = await costOf(() => running.read(body))
  if (mono < 0) continue
  crossing.push(moved)
  quiet.push(still)
}
await running.stop()

const words = (costs: Cost[]) => {
  const [cpu, wall] = [costs.map(({ cpuMs }) => cpuMs), costs.map(({ wallMs }) => wallMs)]
  return `p99 ${at(cpu, 0.99).toFixed(1)} ms; wall ${at(wall, 0.5).toFixed(2)} ms (p99 ${at(wall, 0.99).toFixed(1)})`
}
const p50 = (costs: Cost[]) =>
  at(
    costs.map(({ cpuMs }) => cpuMs),
    0.5,
  )
const many = `${rules.toLocaleString('en')} rules`
const each = (count: number) => (count / TICKS).toFixed(0)
row(`${many}: quiet tick, CPU`, p50(quiet), 'ms', { atMost: GOAL.quietMs }, words(quiet))
row(
  `${many}: tick with ${each(judged)} judged and ${each(transitions)} transitions, CPU`,
  p50(crossing),
  'ms',
  { atMost: GOAL.crossingMs },
  words(crossing),
)
