import { setTimeout as wait } from 'node:timers/promises'

import { plainText } from '../src/message/message.ts'
import { say } from './support/figures.ts'
import { startOutageApp } from './support/outage-app.ts'
import type { Failing } from './support/crowd-venue.ts'
import { row } from './support/rows.ts'

// The venue is out while very many are watched: how long the loop of the whole program is held while everybody is told,
// while nothing changes, and when the venue is back. `node bench/outage.ts [people] [all|wallets|wallets-hang]`

const HELD_MS = 50
const STAYING_S = 60
/** All wallets are read once in some seconds, as a venue with a large allowance has it. */
const PER_SECOND = 500

const people = Number(process.argv[2] ?? 10_000)
const failing = (process.argv[3] ?? 'all') as Failing
/** A wallet may fail for minutes before anybody is told: then the clock of the program is a faster one. */
const speed = failing === 'all' ? 1 : 10

let read = 0
const told = { outage: 0, recovered: 0 }
const times = { outage: { first: Infinity, last: 0 }, recovered: { first: Infinity, last: 0 } }
const app = await startOutageApp(
  {
    ...{ people, positions: 3, rules: 'one', sides: 'both' },
    away: [{ share: 1, from: 0.3, to: 0.8 }],
  },
  {
    requestsPerSecond: PER_SECOND / speed,
    speed,
    heard(event) {
      if (event.is === 'wallet-read') read++
    },
    took({ message }) {
      const title = plainText(message.items[0]?.title ?? '', { now: 0, zone: 'UTC' })
      const is = title.startsWith('I can’t see')
        ? 'outage'
        : title.startsWith('I can see')
          ? 'recovered'
          : null
      if (is === null) return
      told[is]++
      times[is].first = Math.min(times[is].first, performance.now())
      times[is].last = performance.now()
    },
  },
)

/** How long the loop was held at most between two of its beats, and CPU, while this went on. */
async function during(name: string, goes: () => Promise<void>): Promise<void> {
  const held: { ms: number; cpuMs: number }[] = []
  let beatAt = performance.now()
  let used = process.threadCpuUsage()
  const beat = setInterval(() => {
    const { user, system } = process.threadCpuUsage(used)
    held.push({ ms: performance.now() - beatAt, cpuMs: (user + system) / 1_000 })
    beatAt = performance.now()
    used = process.threadCpuUsage()
  }, 1)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await goes()
  clearInterval(beat)
  const { user, system } = process.cpuUsage(cpu)
  const wallMs = performance.now() - began
  const most = (times: number[]) => times.toSorted((a, b) => b - a).slice(0, 5)
  const [wall, worst] = [most(held.map(({ ms }) => ms)), most(held.map(({ cpuMs }) => cpuMs))]
  const shown = wall.map((ms) => ms.toFixed(0)).join(', ')
  row(`${name}: loop held at most, CPU`, worst[0] ?? NaN, 'ms', { atMost: HELD_MS }, `wall ${shown} ms`)
  say(
    `  next longest, CPU, ${worst
      .slice(1)
      .map((ms) => ms.toFixed(0))
      .join(
        ', ',
      )} ms; wall ${(wallMs / 1_000).toFixed(1)} s, CPU ${((user + system) / 1_000).toFixed(0)} ms; ${told.outage} told of blindness, ${told.recovered} of its end`,
  )
}

/** Until so many have heard it, or nobody has for a while. */
async function hears(is: keyof typeof told): Promise<void> {
  for (const began = performance.now(); told[is] < people; await wait(100)) {
    const since = Math.max(began + (is === 'outage' ? 60_000 : 20_000), times[is].last + 15_000)
    if (performance.now() > since) return
  }
}

// Where others work on the machine, the venue may have been out of sight before it is out.
for (let calm = 0; calm < 30; calm++) {
  if (read < people || told.recovered < told.outage) calm = 0
  await wait(100)
}
Object.assign(told, { outage: 0, recovered: 0 })
for (const is of ['outage', 'recovered'] as const) times[is] = { first: Infinity, last: 0 }
say(`${people.toLocaleString('en')} people, ${failing} fails, a clock ${speed} times as fast`)
await during('in peace, 5 s', () => wait(5_000))
const failedAt = performance.now()
app.fails(failing)
await during('going blind', () => hears('outage'))
say(
  `  the first heard after ${at(times.outage.first - failedAt)}, the last after ${at(times.outage.last - failedAt)}`,
)
await during(`staying blind, ${STAYING_S / speed} s`, () => wait((STAYING_S * 1_000) / speed))
const backAt = performance.now()
app.fails('nothing')
await during('returning', () => hears('recovered'))
say(
  `  the first heard after ${at(times.recovered.first - backAt)}, the last after ${at(times.recovered.last - backAt)}`,
)
await app.stop()

function at(ms: number): string {
  return `${((ms * speed) / 1_000).toFixed(1)} s`
}
