import { fdatasyncSync, openSync } from 'node:fs'

import { openDatabase } from '../src/stores/sqlite/file/database.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import { createDice } from '../test/support/seed.ts'
import { type Crowd, MARKETS, PRICE } from './support/crowd.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'
import { type Running, start } from './support/running.ts'
import { openThreaded } from './support/threaded-store.ts'

// What holds the loop, and what it costs: the database and the disk on the loop, the disk beside it, and all of the database
// in a thread of its own. In one process, in turns, so that what else the machine does falls on each.
// `node bench/database-thread.ts [rules] [alerts of each burst]`

const TICKS = 100
const WARM_UP = 10
/** A tick moves every price by up to 10 basis points. */
const STEP = 0.001
/** Each takes everybody past one more line. */
const FALLS = [0.84, 0.768, 0.733, 0.714]

const rules = Number(process.argv[2] ?? 20_000)
const alerts = Number(process.argv[3] ?? 2_000)
const OPENS = {
  'all on the loop': (file: string) =>
    openSqlite(file, 'bench', (name) => {
      const opened = openDatabase(name)
      const log = openSync(`${name}-wal`, 'r+')
      return { ...opened, log: { ...opened.log, onDisk: async () => fdatasyncSync(log) } }
    }),
  'the disk beside the loop': (file: string) => openSqlite(file, 'bench'),
  'the database in a thread': (file: string) => openThreaded(file, 'bench'),
}

interface Side {
  name: string
  running: Running
  wallMs: number[]
  cpuMs: number[]
  loopMs: number[]
  /** Between two beats of the loop. */
  heldMs: number[]
}

async function sides(crowd: Crowd): Promise<Side[]> {
  const all: Side[] = []
  for (const [name, open] of Object.entries(OPENS)) {
    const running = await start(crowd, undefined, undefined, open)
    await running.tick(everywhere(PRICE))
    await running.readWallets()
    await running.sent()
    all.push({ name, running, wallMs: [], cpuMs: [], loopMs: [], heldMs: [] })
  }
  return all
}

/** Until all that follows from these prices is sent. */
async function tick(
  { running, wallMs, cpuMs, loopMs, heldMs }: Side,
  prices: readonly number[],
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2))
  const [began, cpu, loop] = [performance.now(), process.cpuUsage(), process.threadCpuUsage()]
  let beatAt = began
  const look = () => {
    heldMs.push(performance.now() - beatAt)
    beatAt = performance.now()
  }
  const beat = setInterval(look, 1)
  await running.tick(prices)
  await running.sent()
  look()
  clearInterval(beat)
  wallMs.push(performance.now() - began)
  cpuMs.push(ms(process.cpuUsage(cpu)))
  loopMs.push(ms(process.threadCpuUsage(loop)))
}

function say(what: string, all: readonly Side[]): void {
  const two = (values: readonly number[]) =>
    `${at(values, 0.5).toFixed(1)} ms (p99 ${at(values, 0.99).toFixed(0)})`
  for (const { name, wallMs, cpuMs, loopMs, heldMs } of all)
    row(
      `${what}, ${name}: loop held, p99`,
      at(heldMs, 0.99),
      'ms',
      null,
      `CPU ${two(cpuMs)}, of the loop ${two(loopMs)}; wall ${two(wallMs)}`,
    )
}

const away = (from: number, to: number) => [{ share: 1, from, to }]
const calm = await sides({
  people: rules / 10,
  positions: 10,
  rules: 'each',
  sides: 'both',
  away: away(0.201, 0.801),
})
const prices = everywhere(PRICE)
const { next } = createDice(1)
for (let mono = -WARM_UP; mono < TICKS; mono++) {
  for (const [market, price] of prices.entries()) prices[market] = price * (1 + (next() - 0.5) * 2 * STEP)
  for (const side of inTurn(calm, mono + WARM_UP)) await tick(side, prices)
  if (mono === -1)
    for (const one of calm) Object.assign(one, { wallMs: [], cpuMs: [], loopMs: [], heldMs: [] })
}
say(`a tick over ${rules.toLocaleString('en')} rules`, calm)
for (const { running } of calm) await running.stop()

const fallen = await sides({
  people: alerts,
  positions: 1,
  rules: 'one',
  sides: 'long',
  away: away(0.29, 0.3),
})
for (const [index, level] of FALLS.entries())
  for (const side of inTurn(fallen, index)) await tick(side, everywhere(PRICE * level))
say(`${alerts.toLocaleString('en')} alerts at once`, fallen)
process.exit(0)

function everywhere(price: number): number[] {
  return Array.from({ length: MARKETS }, () => price)
}

/** Another one begins each time. */
function inTurn<T>(all: readonly T[], turn: number): T[] {
  return all.map((_, index) => all[(index + turn) % all.length] as T)
}

function ms({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}
