import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { systemClock } from '../src/runtime/clock.ts'
import type { Store, Write } from '../src/store/store.ts'
import openJournal from '../src/stores/journal/index.ts'
import { openSqlite } from '../src/stores/sqlite/index.ts'
import { openPostgres } from '../test/support/postgres/server.ts'
import { cellUrl } from '../test/support/postgres/shared.ts'
import { aRow, chatsOfAlice } from '../test/support/store.ts'
import { at } from './support/figures.ts'
import { row } from './support/rows.ts'

// What the journal costs: a commit of 3 kB to a file alone and to a file behind a journal, in turns, on the same disk with fsync;
// and whether a standby keeps up with two thousand commits a second. `npm run bench -- journal 500`.

const PAIRS = Number(process.argv[2] ?? 500)
const WARM = 100
const RATE = 2_000
const SECONDS = 10
const TEXT = 'x'.repeat(2_700)

// Not in memory: each commit waits for this disk, and so does PostgreSQL.
process.env['TMPDIR'] = process.env['BENCH_DISK'] ?? '/var/tmp'
const folder = mkdtempSync(join(process.env['TMPDIR'], 'perch-bench-journal-'))
const opened = await openPostgres({ fsync: 'on', max_wal_size: '4GB' })
if ('lacks' in opened) throw new Error(opened.lacks)
const { server } = opened

const alone = openSqlite(join(folder, 'alone.sqlite'), 'sim')
const url = (name: string) => cellUrl(server.url, 'main', join(folder, `${name}.sqlite`))
const behind = await openJournal({ url: url('leader'), venues: ['sim'], clock: systemClock() })
for (const store of [alone, behind]) await store.memory.commit(chatsOfAlice(1))

let id = 0
function commitOf3Kb(): Write[] {
  const about = aRow({ id: ++id })
  return [{ is: 'send', row: { ...about, message: { ...about.message, footnote: TEXT } } }]
}
async function taken(store: Store, writes: Write[]): Promise<number> {
  const began = performance.now()
  await store.memory.commit(writes)
  return performance.now() - began
}

const times = { alone: [] as number[], behind: [] as number[] }
for (let pair = -WARM; pair < PAIRS; pair++) {
  const writes = commitOf3Kb()
  // Each goes first every other time.
  for (const which of pair % 2 === 0 ? (['alone', 'behind'] as const) : (['behind', 'alone'] as const)) {
    const ms = await taken(which === 'alone' ? alone : behind, writes)
    if (pair >= 0) times[which].push(ms)
  }
}
for (const [name, share] of [
  ['p50', 0.5],
  ['p99', 0.99],
] as const) {
  const [a, b] = [at(times.alone, share), at(times.behind, share)]
  const beside = `${b.toFixed(2)} against ${a.toFixed(2)} ms, ${PAIRS} pairs`
  row(
    `a commit of 3 kB behind a journal, of one alone, ${name}`,
    b / a,
    '×',
    share === 0.5 ? { atMost: 3 } : null,
    beside,
  )
}

const script = fileURLToPath(new URL('support/journal-standby.ts', import.meta.url))
const standby = spawn(process.execPath, [script, url('standby')], { stdio: ['pipe', 'pipe', 'inherit'] })
let behindSeconds = Infinity
let worst = 0
createInterface(standby.stdout).on('line', (line) => {
  behindSeconds = Number(line)
  worst = Math.max(worst, behindSeconds)
})
const level = async () => {
  while (behindSeconds > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}
await level()
worst = 0
const began = performance.now()
let done = 0
const waiting = new Set<Promise<void>>()
const input = (): Write => ({ is: 'input', input: { platform: 'telegram', id: String(++id) }, at: id })
while (performance.now() - began < SECONDS * 1_000) {
  const due = Math.floor(((performance.now() - began) / 1_000) * RATE)
  for (let count = done + waiting.size; count < due; count++) {
    const work = behind.memory.commit([input()]).then(() => void done++)
    waiting.add(work)
    void work.finally(() => waiting.delete(work))
  }
  await new Promise((resolve) => setTimeout(resolve, 2))
}
const perSecond = done / ((performance.now() - began) / 1_000)
await Promise.all(waiting)
const ended = performance.now()
await level()
row('commits a second, one each, of many callers', perSecond, '', { atLeast: RATE * 0.95 })
row('a standby beside it is behind, at most', worst, 's', { atMost: 1 })
row('the same, after the last commit', performance.now() - ended, 'ms')

standby.stdin.end()
await once(standby, 'exit')
await behind.admin.close()
await alone.admin.close()
await server[Symbol.asyncDispose]()
rmSync(folder, { recursive: true })
