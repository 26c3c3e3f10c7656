import { monitorEventLoopDelay } from 'node:perf_hooks'

import { costOf, heapMb, say } from './support/figures.ts'
import { startPeopleApp } from './support/people-app.ts'
import { row } from './support/rows.ts'

// A thousand people with an open page each: how much longer others wait for the event loop, what it costs, and the memory of
// each. Prices come every two seconds, so that everybody is told as often.
// `node bench/followers.ts [people] [positions]`

const SPAN_MS = 20_000
const ROUNDS = 3
const GOALS = { extraMs: 2, kb: 30 }

const [, , many = '1000', each = '5'] = process.argv
const [people, positions] = [Number(many), Number(each)]
const read = new Set<string>()
const app = await startPeopleApp(
  { people, positions, rules: 'one', sides: 'both', away: [{ share: 1, from: 0.3, to: 0.6 }] },
  {
    ...{ requestsPerSecond: 100_000, walletPollMaxMs: 3_600_000, venueMs: 0 },
    heard: (event) => void (event.is === 'wallet-read' && read.add(event.wallet)),
  },
)
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
while (read.size < people) await wait(100)
await wait(2_000)
const bot = app.bot()
let told = 0

function followAll(): () => void {
  const stops = Array.from({ length: people }, (_, index) =>
    bot.follow(app.identityOf(index + 1), () => void told++),
  )
  return () => stops.forEach((stop) => stop())
}

/** The wait for the event loop, and the processor time of a second. */
async function span(): Promise<{ p99: number; cpuMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { cpuMs, wallMs } = await costOf(() => wait(SPAN_MS))
  delay.disable()
  return { p99: delay.percentile(99) / 1e6, cpuMs: (cpuMs / wallMs) * 1_000 }
}

// One after the other, so that a busy machine is busy for both.
const [without, beside]: { p99: number; cpuMs: number }[][] = [[], []]
for (let round = 0; round < ROUNDS; round++) {
  without?.push(await span())
  const stop = followAll()
  beside?.push(await span())
  stop()
}
const least = (all: readonly { p99: number; cpuMs: number }[] = [], of: 'p99' | 'cpuMs') =>
  Math.min(...all.map((one) => one[of]))
const [before, after] = [least(without, 'p99'), least(beside, 'p99')]
say(`event loop, p99: ${before.toFixed(2)} ms without them, ${after.toFixed(2)} ms with them`)
row(`${people} followers: event loop, p99 beyond that without them`, after - before, 'ms', {
  atMost: GOALS.extraMs,
})
const spent = least(beside, 'cpuMs') - least(without, 'cpuMs')
row('the same: processor time', spent / 10, '% of one')
row('the same: told', told / people / ((ROUNDS * SPAN_MS) / 1_000), 'times a second each')
const empty = heapMb()
const stop = followAll()
await wait(3_000)
row('the same: memory of each', ((heapMb() - empty) * 1_000) / people, 'kB', { atMost: GOALS.kb })
stop()
await app.stop()
