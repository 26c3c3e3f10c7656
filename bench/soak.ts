import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Event } from '../src/runtime/event.ts'
import { say } from './support/figures.ts'
import { row } from './support/rows.ts'
import { startSoak } from './support/soak-app.ts'
import { LEAST_WEEKS, mean, verdictsOf, yearBytes } from './support/soak-flat.ts'
import { createSoakPeople } from './support/soak-people.ts'
import { pictureOf } from './support/soak-picture.ts'
import { createSampler, type Sample, type Tables } from './support/soak-samples.ts'

// Whether anything grows: the whole program on a fast clock for weeks, with everything around it failing now and again. It ends
// with 1 when something is not flat. `npm run soak [-- days wallets seed]`; `SOAK_PICTURE=file` says where the picture goes.
// Ctrl-C ends it early, with what it has found.

const [days = 28, wallets = 500, seed = 1] = process.argv.slice(2).map(Number)
const PICTURE =
  process.env['SOAK_PICTURE'] ?? fileURLToPath(new URL('../docs/reliability-soak.svg', import.meta.url))
const HOUR_MS = 3_600_000
const WALLETS_EACH = 5
/** After this everything that is over is too old. */
const LATER_MS = 91 * 24 * HOUR_MS
/** In which it is thrown away, two thousand rows of a series every ten minutes. */
const LATER_HOURS = 36

if (!globalThis.gc) throw new Error('Start it as `npm run soak`, or with node --expose-gc.')
const failures: string[] = []
const soak = await startSoak(wallets, seed, hear)
const people = createSoakPeople(
  soak.platform,
  { people: Math.ceil(wallets / WALLETS_EACH), walletsEach: WALLETS_EACH },
  seed + 7,
)
const samples: Sample[] = []
const tables: Tables[] = []
await meanwhile(people.come())
let isEnough = false
process.once('SIGINT', () => (isEnough = true))
const sampler = createSampler(soak)
for (let hour = 1; hour <= days * 24 && !isEnough; hour++) {
  const speaking = people.speak()
  await soak.clock.advance(HOUR_MS)
  await meanwhile(speaking)
  soak.unheld(() => {
    samples.push(sampler.take(hour))
    if (hour % 24 === 0) sayDay()
  })
}
const backlog = sampler.outbox()
const ended = soak.clock.now()
const before = sampler.over(ended)
await soak.restart(LATER_MS)
await soak.clock.advance(LATER_HOURS * HOUR_MS)
const left = sampler.over(ended)
sayEnd()
await soak.stop()

/** What people say may have to wait for the clock. */
async function meanwhile(work: Promise<void>): Promise<void> {
  let isOver = false
  const working = work.finally(() => (isOver = true))
  while (!isOver) await soak.clock.advance(1_000)
  await working
}

function hear(event: Event): void {
  if (event.is === 'turn-failed') failures.push(event.why)
  // What a platform refuses is told as trouble there.
  if (event.is === 'trouble' && !event.where.startsWith('soak')) failures.push(`${event.where}: ${event.why}`)
}

function sayDay(): void {
  tables.push(sampler.tables())
  const day = samples.slice(-24)
  const of = (name: Exclude<keyof Sample, 'hour'>) => day.map((sample) => sample[name])
  const last = day.at(-1)
  const rows = Object.values(tables.at(-1) ?? {}).reduce((sum, table) => sum + table.rows, 0)
  say(
    [
      `day ${samples.length / 24}: heap ${mean(of('heapMb')).toFixed(1)} MB`,
      `resident ${mean(of('residentMb')).toFixed(0)} MB`,
      `external ${mean(of('externalMb')).toFixed(1)} MB`,
      `descriptors ${Math.max(...of('descriptors'))}`,
      `database ${last?.databaseMb.toFixed(1)} MB`,
      `log ${Math.max(...of('walMb')).toFixed(1)} MB`,
      `rows ${rows}`,
      `an hour ${mean(of('cpuMs')).toFixed(0)} ms`,
      `longest turn ${Math.max(...of('heldMs')).toFixed(0)} ms`,
      `sent ${of('sent').reduce((sum, sent) => sum + sent, 0)}`,
    ].join(' · '),
  )
  writeFileSync(PICTURE, pictureOf(samples))
  if (process.env['SOAK_SAMPLES'])
    writeFileSync(process.env['SOAK_SAMPLES'], JSON.stringify({ samples, tables }))
}

function sayEnd(): void {
  const { sent, delayed, refused, answers } = soak.platform.counts
  const { opened, closed, liquidated } = soak.world.counts
  const faults = [...soak.venue.faults].map(([kind, count]) => `${count} ${kind}`).join(', ')
  say(`the venue's requests that went wrong: ${faults}`)
  say(`positions: ${opened} opened, ${closed} closed, ${liquidated} liquidated`)
  say(`lines that people said: ${answers}; messages: ${sent} taken, ${delayed} put off, ${refused} refused`)
  say(`rows of the outbox by how they ended: ${JSON.stringify(backlog)}`)
  for (const [table, { rows, bytes }] of Object.entries(tables.at(-1) ?? {}))
    if (rows > 0) say(`  ${table}: ${rows} rows, ${(bytes / 1e6).toFixed(2)} MB`)
  for (const [what, times] of people.refused) say(`  not understood ${times} times: ${what}`)
  row('turns that failed, and other troubles', failures.length, '', { atMost: 0 }, failures[0] ?? '')
  row(`the database of so many people in a year`, yearBytes(tables) / 1e6, 'MB')
  row(
    'rows that were over, three months later',
    left,
    '',
    { atMost: 0 },
    `${before.toLocaleString('en')} before`,
  )
  const verdicts = samples.length >= LEAST_WEEKS * 168 ? verdictsOf(samples, tables) : []
  for (const { what, words, flat } of verdicts) say(`${flat ? 'flat' : 'NOT FLAT'}: ${what}: ${words}`)
  if (verdicts.length === 0) say(`Nothing is said of what is flat: that needs ${LEAST_WEEKS} weeks.`)
  if (failures.length + left > 0 || verdicts.some(({ flat }) => !flat)) process.exitCode = 1
}
