import type { Drawers } from '../src/engine/memory/memory.ts'
import { createMonitorIndex } from '../src/engine/memory/monitor-index.ts'
import { createThresholdIndex } from '../src/engine/memory/monitors.ts'
import { createWalletViews } from '../src/engine/memory/wallets.ts'
import { createWords } from '../src/lib/data/words.ts'
import { MARKETS, PRICE } from './support/crowd.ts'
import { at, costOf, heapMb, residentMb, say } from './support/figures.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// What a start and the memory of many guards cost. Two sizes: people with ten rules for ten positions each, and people
// with one rule for ten positions. `node --expose-gc bench/load.ts [rules|subjects] [how many]`

const PER_WALLET = 10
const GOALS = {
  rules: { loadMs: 1_500, memoryMb: 220 },
  subjects: { loadMs: 4_000, memoryMb: 900 },
}
const GUARD_BYTES = 400

const what = process.argv[2] === 'subjects' ? 'subjects' : 'rules'
const many = Number(process.argv[3] ?? (what === 'rules' ? 100_000 : 1_000_000))
const people = many / PER_WALLET
const running = await start({
  people,
  positions: PER_WALLET,
  rules: what === 'rules' ? 'each' : 'one',
  sides: 'both',
  away: [{ share: 1, from: 0.201, to: 0.801 }],
})
// Nothing is cleared away here that the program would not clear away by itself.
const loadedMb = residentMb()
const prices = Array.from({ length: MARKETS }, () => PRICE)
await running.tick(prices)
const read = await costOf(() => running.readWallets())
const quiet: number[] = []
for (let tick = 0; tick < 30; tick++) quiet.push((await costOf(() => running.tick(prices))).cpuMs)
const resident = residentMb()
const readMb = heapMb()
const memory = running.engine.memory as Drawers

/** How much smaller memory is without it. */
function weight(drop: () => void): string {
  const before = heapMb()
  drop()
  return `${(((before - heapMb()) * 1e6) / many).toFixed(0)} B`
}
const views = weight(() => {
  const wallets = createWalletViews(createWords())
  Object.assign(memory.wallets, { views: wallets, walletsByMarket: wallets.holders })
})
const beforeMonitors = heapMb()
const bounds = weight(() => (memory.monitors.thresholdIndex = createThresholdIndex()))
const keys = weight(() => {
  const monitors = createMonitorIndex(createWords())
  Object.assign(memory.monitors, { index: monitors, monitorsIn: monitors.in, monitorsOf: monitors.of })
})
const monitorBytes = ((beforeMonitors - heapMb()) * 1e6) / many
const rules = weight(() => {
  memory.rules.all.clear()
  for (const shelf of [memory.rules.rulesOf, memory.rules.rulesIn] as const)
    for (const id of [...shelf.groups()]) shelf.dropGroup(id)
  for (const id of [...memory.rules.rulesOn.groups()]) memory.rules.rulesOn.dropGroup(id)
})
const goals = GOALS[what]

const size = `${many.toLocaleString('en')} ${what}`
say(
  `${size} of ${people.toLocaleString('en')} people; reading each wallet once: CPU ${((read.cpuMs * 1_000) / people).toFixed(0)} µs a wallet`,
)
say(
  `resident ${loadedMb.toFixed(0)} MB when loaded; used ${readMb.toFixed(0)} MB when all is read. ` +
    `For each: positions ${views}, bounds ${bounds}, guards' names ${keys}, rules ${rules}`,
)
row(`${size}: load`, running.loadedCpuMs, 'ms CPU', { atMost: goals.loadMs })
row(`${size}: resident when all is read`, resident, 'MB', { atMost: goals.memoryMb })
row(`${size}: quiet tick`, at(quiet, 0.5), 'ms CPU', { atMost: 1 })
row(`${size}: a guard, its name and its bounds`, monitorBytes, 'B', { atMost: GUARD_BYTES })
process.exit(0)
