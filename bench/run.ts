import { fileURLToPath } from 'node:url'

import { compareWith } from './compare.ts'
import { ALL, runBenchmark } from './support/benchmarks.ts'
import { say } from './support/figures.ts'
import { tableOf } from './support/table.ts'

// One benchmark by its name, or all of them one after the other: `npm run bench -- burst`, `npm run bench -- all`. What
// follows the name goes to the benchmark: `npm run bench -- burst 30000`. At the end stands a table of what was found.
// `npm run bench -- compare <commit> [names …]` runs them in turns with those of another commit.

const [, , name = '', ...rest] = process.argv
if (name === 'compare') process.exitCode = compareWith(rest)
else runAll()

function runAll(): void {
  const chosen = name === 'all' ? Object.keys(ALL) : name in ALL ? [name] : []
  if (chosen.length === 0) {
    const names = Object.keys(ALL).join(', ')
    process.stderr.write(`Name a benchmark: ${names}, or all. Or say compare <commit>.\n`)
    process.exitCode = 2
    return
  }
  const runs = chosen.flatMap((one) => {
    const ways = ALL[one] ?? []
    return (rest.length > 0 ? ways.slice(0, 1) : ways).map(([file = '', ...given]) => {
      const args = rest.length > 0 ? rest : given
      const command = [one, ...args].join(' ')
      say(`\n## ${command}`)
      return runBenchmark(command, fileURLToPath(new URL(file, import.meta.url)), args)
    })
  })
  if (runs.some(({ failed }) => failed !== null)) process.exitCode = 1
  if (runs.some(({ rows, failed }) => rows.length > 0 || failed !== null)) say(`\n${tableOf(runs)}`)
}
