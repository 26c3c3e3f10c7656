import { MARKETS, PRICE } from './support/crowd.ts'
import { at, costOf, goal, residentMb, say } from './support/figures.ts'
import { start } from './support/running.ts'

// Everybody is warned at once: one fall of all prices takes each person's position past a line, one in ten past a
// critical one. How soon the critical leave, and how long the loop is held. `node bench/burst.ts [alerts]`

const FALL = 0.2
const GOALS = { firstMs: 200, heldMs: 50, totalMs: 10_000, rows: 3 }

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
say(
  `${alerts.toLocaleString('en')} alerts at once, ${messages} messages, ${criticalMs.length} of them critical`,
)
say(
  `all: wall ${(wallMs / 1_000).toFixed(1)} s (CPU ${(cpuMs / 1_000).toFixed(1)} s), all decided and kept after ${(decidedMs / 1_000).toFixed(1)} s; ${goal(wallMs, GOALS.totalMs, 'ms')}`,
)
say(
  `first critical: ${firstMs.toFixed(0)} ms; ${goal(firstMs, GOALS.firstMs, 'ms')}. All critical: ${criticalMs.reduce((most, ms) => Math.max(most, ms), 0).toFixed(0)} ms`,
)
say(
  `loop held: at most ${mostHeldMs.toFixed(0)} ms, p99 ${at(heldMs, 0.99).toFixed(0)} ms; ${goal(mostHeldMs, GOALS.heldMs, 'ms')}`,
)
say(
  `rows written for each alert: ${decided.toFixed(2)} deciding, ${sending.toFixed(2)} sending; ${goal(decided, GOALS.rows, 'rows')}. Resident ${resident.toFixed(0)} MB`,
)
