import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { likeProgram } from './program.ts'
import { type Row, ROWS_FILE } from './rows.ts'
import { loadNow, type Run } from './table.ts'

/** Each with the ways in which it is run, in the order of the table. */
export const ALL: Record<string, readonly (readonly string[])[]> = {
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
  prompt: [['prompt.ts']],
  idle: [['idle.ts']],
  unseen: [['unseen.ts']],
  'first-look': [['first-look.ts']],
  due: [['due.ts']],
  growth: [['growth.ts']],
  prometheus: [['prometheus.ts']],
  tick: [['tick.ts']],
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
  'owner-read': [['owner-read.ts']],
  metrics: [['metrics.ts']],
  pictures: [['pictures.ts']],
  'picture-words': [['picture-words.ts']],
}
/** One that hangs must not keep the others from their table. */
const LIMIT_MS = 10 * 60_000

/** Runs a file of `bench` with its arguments. With `quietly` only its errors are shown. */
export function runBenchmark(
  command: string,
  script: string,
  args: readonly string[],
  quietly: 'quietly' | null = null,
): Run {
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-of-'))
  const found = join(folder, 'rows.jsonl')
  writeFileSync(found, '')
  const [began, load] = [performance.now(), loadNow()]
  // Its memory is set like that of the program: V8 collects less often by itself.
  const { cwd, settings } = likeProgram(script)
  const words = [...settings, '--expose-gc', script, ...args]
  const { status, signal, error } = spawnSync(process.execPath, words, {
    cwd,
    stdio: quietly === null ? 'inherit' : ['ignore', 'ignore', 'inherit'],
    // What a benchmark leaves behind goes with the folder, also when it was ended.
    env: { ...process.env, TMPDIR: folder, [ROWS_FILE]: found },
    timeout: LIMIT_MS,
  })
  const rows = readFileSync(found, 'utf8').split('\n').filter(Boolean)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  const why = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`)
  return {
    ...{ command, load, seconds: (performance.now() - began) / 1_000 },
    rows: rows.map((line) => JSON.parse(line) as Row),
    failed: status === 0 ? null : `${command} did not come to its end: ${why}`,
  }
}
