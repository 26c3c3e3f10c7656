import { MARKETS, PRICE } from './support/crowd.ts'
import { at, costOf, residentMb, say } from './support/figures.ts'
import { row } from './support/rows.ts'
import { start } from './support/running.ts'

// Everybody is warned at once: one fall of all prices takes each person's position past a line, one in ten past a
// critical one. How soon the critical leave, and how long the loop is held. `node bench/burst.ts [alerts]`

const FALL = 0.2

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
let beganCpu = process.threadCpuUsage()
let firstCpuMs = 0
const running = await start(
  { people: alerts, positions: 1, rules: 'one', sides: 'long', away: AWAY },
  () => {},
  ({ message }) => {
    messages++
    if (message.items[0]?.tone !== 'critical') return
    if (criticalMs.length === 0) firstCpuMs = cpuSince(beganCpu)
    criticalMs.push(performance.now() - beganAt)
  },
)
await running.tick(Array.from({ length: MARKETS }, () => PRICE))
await running.readWallets()
await running.sent()
messages = 0
const { written } = running
const before = { ...written }
/** How long the loop was held between two of its beats. */
const heldMs: number[] = []
/**
 * What its thread worked in it: without the waits for a disk and for processors that others use as well, and without the
 * threads of V8 that look for what is to be cleared away beside it.
 */
const workedMs: number[] = []
let beatAt = performance.now()
let beatCpu = process.threadCpuUsage()
const beat = setInterval(() => {
  workedMs.push(cpuSince(beatCpu))
  heldMs.push(performance.now() - beatAt)
  beatAt = performance.now()
  beatCpu = process.threadCpuUsage()
}, 1)
await new Promise((resolve) => setTimeout(resolve, 20))
beganAt = performance.now()
beganCpu = process.threadCpuUsage()
const { cpuMs, wallMs } = await costOf(async () => {
  await running.tick(Array.from({ length: MARKETS }, () => PRICE * (1 - FALL)))
  await running.sent()
})
clearInterval(beat)
const resident = residentMb()
await running.stop()

const many = alerts.toLocaleString('en')
const share = (rows: number) => Math.round((rows / alerts) * 100) / 100
say(`${messages} messages, ${criticalMs.length} of them critical; resident ${resident.toFixed(0)} MB`)
row(
  `${many} alerts at once: all sent`,
  wallMs / 1_000,
  's',
  { atMost: 10 },
  `CPU ${(cpuMs / 1_000).toFixed(1)} s`,
)
row(`${many} alerts: CPU of each`, (1_000 * cpuMs) / alerts, 'µs')
row(
  `${many} alerts: first critical`,
  Math.min(...criticalMs),
  'ms',
  { atMost: 100 },
  `CPU of the loop ${firstCpuMs.toFixed(0)} ms`,
)
row(`${many} alerts: all critical`, at(criticalMs, 1), 'ms')
row(
  `${many} alerts: loop held at most`,
  at(heldMs, 1),
  'ms',
  { atMost: 50 },
  `p99 ${at(heldMs, 0.99).toFixed(0)} ms`,
)
row(
  `${many} alerts: CPU of the loop while it was held`,
  at(workedMs, 1),
  'ms',
  null,
  `p99 ${at(workedMs, 0.99).toFixed(0)} ms`,
)
row(`${many} alerts: rows written for each`, share(written.decided - before.decided), '', { atMost: 3 })
row(`${many} alerts: rows changed by sending each`, share(written.sending - before.sending), '')

/** Milliseconds of this thread. */
function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
