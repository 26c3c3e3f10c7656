import { writeFileSync } from 'node:fs'

import { failOver } from './failover.ts'
import { type Fault, planOf } from './plan.ts'
import { reportOf } from './report.ts'
import { crowdOf } from './crowd.ts'
import { upgrade } from './upgrade/upgrade.ts'

const TEN_MINUTES_MS = 600_000

/**
 * `npm run failover -- faults=500 people=5000 seed=1 lease=3`: exits with 1 when a promise was broken. Ctrl-C: it is enough.
 * `away` adds PostgreSQL away for ten minutes, `keep` leaves the files and logs, `report=file.json` writes all figures.
 * `npm run failover -- upgrade`: a rolling upgrade over a migration, with and without a newer form of the journal.
 */
async function main(): Promise<void> {
  const words = new Map(
    process.argv.slice(2).map((word) => word.split('=', 2) as [name: string, value: string | undefined]),
  )
  if (words.has('upgrade')) return printUpgrades()
  const number = (name: string, usual: number) => Number(words.get(name) ?? usual)
  const seed = number('seed', Math.floor(Math.random() * 1_000_000))
  const people = number('people', 200)
  const count = number('faults', 20)
  const long: Fault[] = words.has('away')
    ? [{ is: 'PostgreSQL restarts', signal: 'SIGINT', awayMs: TEN_MINUTES_MS }]
    : []
  let interrupted = false
  process.once('SIGINT', () => (interrupted = true))
  const plan = planOf(seed, count, crowdOf(people).groups.length, long)
  const outcome = await failOver(plan, {
    ...{ people, leaseS: number('lease', 3), keeps: words.has('keep'), enough: () => interrupted },
    progress: (line) => void process.stderr.write(`${line}\n`),
  })
  const { text, kept } = reportOf(seed, outcome)
  process.stdout.write(`\n${text}\n`)
  const file = words.get('report')
  if (file !== undefined) writeFileSync(file, JSON.stringify(outcome, null, 1))
  if (outcome.folder !== null) process.stdout.write(`files and logs: ${outcome.folder}\n`)
  process.exitCode = kept ? 0 : 1
}

async function printUpgrades(): Promise<void> {
  const column = 'a column of another name'
  for (const news of [[column], [column, 'a newer form of entries']] as const) {
    const { silentMs, said, unanswered, ...rest } = await upgrade(news)
    process.stdout.write(`${news.join(', ')}: nobody was answered for at most ${Math.round(silentMs)} ms\n`)
    process.stdout.write(`${said} commands, ${unanswered} without an answer; ${JSON.stringify(rest)}\n`)
  }
}

await main()
