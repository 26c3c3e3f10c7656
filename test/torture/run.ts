import { parseArgs } from 'node:util'

import { booksPlanOf, tortureBooks } from './books.ts'
import { mayTrace } from './life.ts'
import { planOf } from './plan.ts'
import { reportOf } from './report.ts'
import { torture } from './torture.ts'
import { LISTENERS } from './world.ts'

const PATIENCE_MS = 120_000
const KILLS_A_STEP = 10

/**
 * `npm run torture -- --kills 500 --seed 1`: exits with 1 when a promise was broken. Ctrl-C: it is enough. Steps on the
 * stand-in of Hyperliquid follow: one for ten kills, or as many as `--books` says.
 */
async function main(): Promise<void> {
  const numbers = { kills: { type: 'string' }, seed: { type: 'string' }, books: { type: 'string' } } as const
  const options = { ...numbers, calm: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  const kills = Number(values.kills ?? 500)
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
  const progress = (line: string) => void process.stderr.write(`${line}\n`)
  const traces = mayTrace()
  if (!traces)
    process.stdout.write('strace is not here, or may not trace: kills at system calls are left out\n')
  const plan = planOf(seed, kills, { traces, faults: values.calm !== true, darkness: values.calm !== true })
  let interrupted = false
  process.once('SIGINT', () => (interrupted = true))
  const how = { listeners: LISTENERS, patienceMs: PATIENCE_MS, progress, enough: () => interrupted }
  const outcome = await torture(seed, plan, how)
  const { text, kept } = reportOf(seed, outcome)
  process.stdout.write(`\n${text}\n`)
  const steps = Number(values.books ?? Math.ceil(kills / KILLS_A_STEP))
  const books = await tortureBooks(booksPlanOf(seed, steps), progress)
  process.stdout.write(`on the stand-in of Hyperliquid, ${steps} steps: ${JSON.stringify(books, null, 1)}\n`)
  process.exitCode = kept && books.lost.length + books.false.length === 0 ? 0 : 1
}

await main()
