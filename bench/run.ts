import { fileURLToPath } from 'node:url'

import { compareWith } from './compare.ts'
import { ALL, runBenchmark } from './support/benchmarks.ts'
import { say } from './support/figures.ts'
import { tableOf } from './support/table.ts'

// One benchmark by its name, some of them, or all: `npm run bench -- burst`, `npm run bench -- crossings and burst 30000`,
// `npm run bench -- all`. What follows a name goes to the benchmark. At the end stands one table of what was found.
// `npm run bench -- compare <commit> [names …]` runs them in turns with those of another commit.

const [, , ...words] = process.argv
if (words[0] === 'compare') process.exitCode = compareWith(words.slice(1))
else run(words[0] === 'all' ? Object.keys(ALL).map((name) => [name]) : namedIn(words))

/** Each name with its arguments. */
function namedIn(given: readonly string[]): string[][] {
  const named: string[][] = [[]]
  for (const word of given)
    if (word === 'and') named.push([])
    else named.at(-1)?.push(word)
  return named
}

function run(chosen: readonly string[][]): void {
  if (!chosen.every(([name = '']) => name in ALL)) {
    const names = Object.keys(ALL).join(', ')
    process.stderr.write(
      `Name a benchmark, or several with "and" between them: ${names}. Or say all, or compare <commit>.\n`,
    )
    process.exitCode = 2
    return
  }
  const runs = chosen.flatMap(([name = '', ...rest]) => {
    const ways = ALL[name] ?? []
    return (rest.length > 0 ? ways.slice(0, 1) : ways).map(([file = '', ...given]) => {
      const args = rest.length > 0 ? rest : given
      const command = [name, ...args].join(' ')
      say(`\n## ${command}`)
      return runBenchmark(command, fileURLToPath(new URL(file, import.meta.url)), args)
    })
  })
  if (runs.some(({ failed }) => failed !== null)) process.exitCode = 1
  if (runs.some(({ rows, failed }) => rows.length > 0 || failed !== null)) say(`\n${tableOf(runs)}`)
}
