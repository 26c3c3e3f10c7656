import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { say } from './support/figures.ts'
import { type Row, ROWS_FILE } from './support/rows.ts'
import { loadNow, type Run, tableOf } from './support/table.ts'

// One benchmark by its name, or all of them one after the other: `npm run bench -- burst`, `npm run bench -- all`. What
// follows the name goes to the benchmark: `npm run bench -- burst 30000`. At the end stands a table of what was found.

/** In the order of the table. */
const ALL: Record<string, readonly (readonly string[])[]> = {
  crossings: [['crossings.ts']],
  load: [
    ['load.ts', 'rules'],
    ['load.ts', 'subjects'],
  ],
  'owner-answer': [
    ['owner-answer.ts', '10000'],
    ['owner-answer.ts', '1000000'],
  ],
  past: [['past.ts']],
  burst: [
    ['burst.ts', '30000'],
    ['burst.ts', '100000'],
  ],
  outage: [
    ['outage.ts', '10000'],
    ['outage.ts', '3000', 'wallets-hang'],
  ],
  start: [['start.ts']],
  idle: [['idle.ts']],
  unseen: [['unseen.ts']],
  'first-look': [['first-look.ts']],
  due: [['due.ts']],
  growth: [['growth.ts']],
  prometheus: [['prometheus.ts']],
  mono: [['tick.ts']],
  'owner-reads': [['owner-reads.ts']],
  'discord-ack': [['discord-ack.ts']],
  'discord-recovery': [['discord-recovery.ts']],
  'sim-day': [['sim-day.ts']],
  'quiet-day': [['quiet-day.ts']],
  walk: [['walk.ts']],
  kept: [['kept.ts']],
  journal: [['journal.ts']],
  'database-thread': [['database-thread.ts']],
  push: [['push.ts']],
  lighter: [['lighter.ts']],
  several: [['several.ts']],
  trades: [
    ['trades.ts', 'heard'],
    ['trades.ts', 'unheard'],
  ],
  pages: [['pages.ts']],
  'page-latency': [['page-latency.ts']],
  exchange: [['exchange.ts', '100000']],
  'venue-service': [['venue-service.ts', '100000']],
  positions: [
    ['positions.ts', 'ample'],
    ['positions.ts', 'scarce'],
    ['positions.ts', 'status'],
  ],
  glance: [['glance.ts']],
  followers: [['followers.ts']],
  'price-crossings': [
    ['price-crossings.ts', '10'],
    ['price-crossings.ts', '20'],
  ],
  'own-changes': [['own-changes.ts']],
  'wallet-read': [['owner-read.ts']],
  metrics: [['metrics.ts']],
  pictures: [['pictures.ts']],
  'picture-words': [['picture-words.ts']],
}
/** One that hangs must not keep the others from their table. */
const LIMIT_MS = 10 * 60_000

const [, , name = '', ...rest] = process.argv
const chosen = name === 'all' ? Object.keys(ALL) : name in ALL ? [name] : []
if (chosen.length === 0) {
  process.stderr.write(`Name a benchmark: ${Object.keys(ALL).join(', ')}, or all.\n`)
  process.exitCode = 2
}
const runs = chosen.flatMap((one) => {
  const ways = ALL[one] ?? []
  return (rest.length > 0 ? ways.slice(0, 1) : ways).map(([file = '', ...given]) =>
    run(one, file, rest.length > 0 ? rest : given),
  )
})
if (runs.some(({ failed }) => failed !== null)) process.exitCode = 1
if (runs.some(({ rows, failed }) => rows.length > 0 || failed !== null)) say(`\n${tableOf(runs)}`)

function run(one: string, file: string, args: readonly string[]): Run {
  const command = [one, ...args].join(' ')
  say(`\n## ${command}`)
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-rows-'))
  const found = join(folder, 'rows.jsonl')
  writeFileSync(found, '')
  const [began, load] = [performance.now(), loadNow()]
  const script = fileURLToPath(new URL(file, import.meta.url))
  const { status, signal, error } = spawnSync(process.execPath, ['--expose-gc', script, ...args], {
    stdio: 'inherit',
    env: { ...process.env, [ROWS_FILE]: found },
    timeout: LIMIT_MS,
  })
  const rows = readFileSync(found, 'utf8').split('\n').filter(Boolean)
  rmSync(folder, { recursive: true })
  const why = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`)
  return {
    ...{ command, load, seconds: (performance.now() - began) / 1_000 },
    rows: rows.map((line) => JSON.parse(line) as Row),
    failed: status === 0 ? null : `${command} did not come to its end: ${why}`,
  }
}
