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
/** By then V8 has compiled what a tick runs, as in a program that has been up for some minutes. */
const LATER = 500
/** A tick moves every price by up to 10 basis points. */
const STEP = 0.001
const PER_WALLET = 10
const GOAL = { quietMs: 1, crossingMs: 2 }

interface Ticks {
  quiet: Cost[]
  crossing: Cost[]
  /** From the prices until everything is sent, and its outcome is kept. */
  sent: Cost[]
  judged: number
  transitions: number
}

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
await running.tick(prices)
await running.readWallets()
await running.sent()
await ticks(20)
const early = await ticks(TICKS)
// By little, so that much is left to cross, and then by more, so that as much is crossed as at first.
await ticks(LATER, STEP / 10)
const later = await ticks(TICKS, 1.6 * STEP)
await running.stop()

const many = `${rules.toLocaleString('en')} rules`
row(`${many}: quiet tick, CPU`, p50(early.quiet), 'ms', { atMost: GOAL.quietMs }, words(early.quiet))
said(`${many}:`, early)
said(`${many}, ${LATER} ticks later:`, later)

function said(when: string, { crossing, sent, judged: many, transitions: stepped }: Ticks): void {
  const tick = `${when} tick with ${(many / TICKS).toFixed(0)} judged and ${(stepped / TICKS).toFixed(0)} transitions`
  row(`${tick}, CPU`, p50(crossing), 'ms', { atMost: GOAL.crossingMs }, words(crossing))
  row(`${tick}, until all is sent and noted, CPU`, p50(sent), 'ms', { atMost: GOAL.crossingMs }, words(sent))
}

/** Moves all prices so many times, each by up to `step`. The same prices once more make a quiet tick. */
async function ticks(count: number, step = STEP): Promise<Ticks> {
  const found: Ticks = { quiet: [], crossing: [], sent: [], judged: 0, transitions: 0 }
  const before = { judged, transitions }
  for (let tick = 0; tick < count; tick++) {
    for (const [market, price] of prices.entries()) prices[market] = price * (1 + (next() - 0.5) * 2 * step)
    // The venue makes the body.
    const body = marketsBody(prices)
    const moved = await costOf(() => running.read(body))
    const rest = await costOf(() => running.sent())
    found.crossing.push(moved)
    found.sent.push({ cpuMs: moved.cpuMs + rest.cpuMs, wallMs: moved.wallMs + rest.wallMs })
    found.quiet.push(await costOf(() => running.read(body)))
  }
  return { ...found, judged: judged - before.judged, transitions: transitions - before.transitions }
}

function words(costs: readonly Cost[]): string {
  const [cpu, wall] = [costs.map(({ cpuMs }) => cpuMs), costs.map(({ wallMs }) => wallMs)]
  return `p99 ${at(cpu, 0.99).toFixed(1)} ms; wall ${at(wall, 0.5).toFixed(2)} ms (p99 ${at(wall, 0.99).toFixed(1)})`
}

function p50(costs: readonly Cost[]): number {
  return at(
    costs.map(({ cpuMs }) => cpuMs),
    0.5,
  )
}
