import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { ALL, runBenchmark } from './support/benchmarks.ts'
import { compared, lineOf } from './support/comparison.ts'
import { say } from './support/figures.ts'
import type { Row } from './support/rows.ts'

// `npm run bench -- compare <commit> [names …] [rounds=3]`: each benchmark of that commit and of these sources in turns, so that
// other load on the machine hits both alike. Each commit runs its own file of `bench`: a benchmark knows the names of its
// sources, and seldom fits those of another commit.

/** The rows by which a change of the cost of an alert is judged, in some minutes. */
const USUAL: Ways = [
  ['crossings', 'crossings.ts'],
  ['burst', 'burst.ts', '30000'],
  ['load', 'load.ts', 'rules'],
  ['start', 'start.ts', '100000'],
  ['owner-answer', 'owner-answer.ts', '10000'],
  ['outage', 'outage.ts', '10000'],
]
const ROUNDS = 3

/** The name of a benchmark, its file, and its arguments. */
type Ways = readonly (readonly [name: string, file: string, ...args: string[]])[]

/** Returns the exit code: 1 if something is worse. */
export function compareWith(words: readonly string[]): number {
  const [commit, ...names] = words.filter((word) => !word.startsWith('rounds='))
  const rounds = Number(words.find((word) => word.startsWith('rounds='))?.slice('rounds='.length) ?? ROUNDS)
  const unknown = names.filter((name) => !(name in ALL))
  if (commit === undefined || unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
    const why = unknown.length > 0 ? `There is no benchmark ${unknown.join(', ')}. ` : ''
    say(`${why}Say npm run bench -- compare <commit> [names …] [rounds=3].`)
    return 2
  }
  const ways =
    names.length === 0
      ? USUAL
      : names.flatMap((name) =>
          (ALL[name] ?? []).map(([file = '', ...args]) => [name, file, ...args] as const),
        )
  return compare({
    ...{ root: fileURLToPath(new URL('..', import.meta.url)), commit, ways, rounds, say },
    showsColour: process.stdout.isTTY || (process.env['FORCE_COLOR'] ?? '0') !== '0',
  })
}

export function compare(world: {
  /** The repository. */
  root: string
  commit: string
  ways: Ways
  rounds: number
  showsColour: boolean
  say(line: string): void
}): number {
  const { root, commit, ways, rounds, showsColour, say: tell } = world
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-before-'))
  try {
    const mistake = checkOut(root, commit, folder)
    if (mistake !== null) {
      tell(mistake)
      return 2
    }
    const lines: string[] = []
    let isWorse = false
    for (const [name, file, ...args] of ways) {
      const command = [name, ...args].join(' ')
      const [there, here] = [join(folder, 'bench', file), join(root, 'bench', file)]
      if (!existsSync(there)) {
        lines.push(`| ${command}: ${commit} has no bench/${file} | – | – | – | new | \`${command}\` |`)
        continue
      }
      const found = { before: [] as Row[][], now: [] as Row[][] }
      const failed = new Set<string>()
      for (let round = 1; round <= rounds; round++)
        for (const [when, script] of [['before', there] as const, ['now', here] as const]) {
          const run = runBenchmark(command, script, args, 'quietly')
          found[when].push(run.rows)
          if (run.failed !== null) failed.add(`${when}: ${run.failed}`)
          tell(`${command}, round ${round} of ${rounds}, ${when}: ${run.seconds.toFixed(1)} s`)
        }
      for (const why of failed) lines.push(`| **${why}** | – | – | – | – | \`${command}\` |`)
      if ([...failed].some((why) => why.startsWith('now'))) isWorse = true
      const rows = compared(found.before, found.now)
      isWorse ||= rows.some(({ verdict }) => verdict === 'worse')
      const shown = rows.map((row) => lineOf(row, command, showsColour))
      // Whoever ends a long comparison has the benchmarks that were done.
      for (const line of shown) tell(line)
      lines.push(...shown)
      if (readFileSync(there, 'utf8') !== readFileSync(here, 'utf8'))
        tell(`bench/${file} is another one there: judge its rows with care.`)
    }
    tell(`\n| what | ${commit} | now | now / before | | \`npm run bench -- …\` |\n|---|---|---|---|---|---|`)
    for (const line of lines) tell(line)
    tell(`\nMedians of ${rounds} rounds, in brackets the least and the most of them.`)
    return isWorse ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Puts the files of a commit into a folder, with its packages. Returns a sentence where that cannot be done. */
function checkOut(root: string, commit: string, folder: string): string | null {
  const archive = join(folder, '.archive.tar')
  const git = spawnSync('git', ['-C', root, 'archive', '--output', archive, commit], { encoding: 'utf8' })
  if (git.status !== 0) return `There is no commit ${commit} here: ${git.stderr.trim()}`
  const tar = spawnSync('tar', ['-xf', archive, '-C', folder], { encoding: 'utf8' })
  rmSync(archive)
  if (tar.status !== 0) return `The files of ${commit} cannot be unpacked: ${tar.stderr.trim()}`
  const lock = (place: string) => {
    const file = join(place, 'package-lock.json')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const ours = join(root, 'node_modules')
  if (lock(root) === lock(folder)) {
    if (existsSync(ours)) symlinkSync(ours, join(folder, 'node_modules'))
    return null
  }
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' })
  return npm.status === 0 ? null : `The packages of ${commit} cannot be installed: ${npm.stderr.trim()}`
}
