import { MARKETS, PRICE } from './support/crowd.ts'
import { at, costOf, residentMb } from './support/figures.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// Everybody is warned at once: one fall of all prices takes each person's position past a line, one in ten past a
// critical one. How soon the critical leave, and how long the loop is held. `node bench/burst.ts [alerts]`

const FALL = 0.2
const GOALS = { firstMs: 200, heldMs: 50, totalS: 10, rows: 3 }

/** A tenth comes within 5 %, three tenths within 10 %, the others within 20 %. */
const AWAY = [
  { share: 0.1, from: 0.21, to: 0.235 },
  { share: 0.3, from: 0.245, to: 0.275 },
  { share: 0.6, from: 0.285, to: 0.355 },
]

const alerts = Number(process.argv[2] ?? 100_000)
let beganAt = Infinity
let messages = 0
const criticalMs: number[] = []
const running = await start(
  { people: alerts, positions: 1, rules: 'one', sides: 'long', away: AWAY },
  () => {},
  ({ message }) => {
    messages++
    if (message.items[0]?.tone === 'critical') criticalMs.push(performance.now() - beganAt)
  },
)
await running.tick(Array.from({ length: MARKETS }, () => PRICE))
await running.readOwners()
await running.sent()
messages = 0
const { written } = running
const before = { ...written }
/** How long the loop was held between two of its beats. */
const heldMs: number[] = []
let beatAt = performance.now()
const beat = setInterval(() => {
  heldMs.push(performance.now() - beatAt)
  beatAt = performance.now()
}, 1)
await new Promise((resolve) => setTimeout(resolve, 20))
beganAt = performance.now()
let decidedMs = 0
const { cpuMs, wallMs } = await costOf(async () => {
  await running.tick(Array.from({ length: MARKETS }, () => PRICE * (1 - FALL)))
  decidedMs = performance.now() - beganAt
  await running.sent()
})
clearInterval(beat)
const resident = residentMb()
await running.stop()

const firstMs = Math.min(...criticalMs)
const mostHeldMs = heldMs.reduce((most, ms) => Math.max(most, ms), 0)
const decided = (written.decided - before.decided) / alerts
const sending = (written.sending - before.sending) / alerts
const many = `${alerts.toLocaleString('en')} alerts at once`
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
row(
  `${many}: all sent`,
  wallMs / 1_000,
  's',
  { atMost: GOALS.totalS },
  `CPU ${seconds(cpuMs)}, all decided and kept after ${seconds(decidedMs)}; ${messages} messages, ${criticalMs.length} critical`,
)
row(
  `${many}: first critical`,
  firstMs,
  'ms',
  { atMost: GOALS.firstMs },
  `all critical after ${seconds(criticalMs.reduce((most, ms) => Math.max(most, ms), 0))}`,
)
row(
  `${many}: loop held at most`,
  mostHeldMs,
  'ms',
  { atMost: GOALS.heldMs },
  `p99 ${at(heldMs, 0.99).toFixed(0)} ms`,
)
row(
  `${many}: rows written for each`,
  decided,
  'rows',
  { atMost: GOALS.rows },
  `and ${sending.toFixed(2)} by its sending`,
)
row(`${many}: resident`, resident, 'MB')
