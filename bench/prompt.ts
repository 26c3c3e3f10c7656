import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { at } from './support/figures.ts'
import { withUs } from './support/process.ts'
import { startWords } from './support/program.ts'
import { row } from './support/rows.ts'

// How long a person waits for the prompt, with a terminal and the simulated venue. *Warm* is a start after another one, as
// nearly all are. *Cold* is the very first one: nothing is compiled, and there is no database. In each round an empty
// program of Node's starts as well: what no start can be faster than. `node bench/prompt.ts [rounds]`

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const GREETING = 'This is the simulated venue'
const WARM_GOAL_S = 0.4
const COLD_GOAL_S = 2

const rounds = Number(process.argv[2] ?? 5)
const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
const { settings, main } = startWords(ROOT)
const words = [...settings, main]
const bare: number[] = []
const warm: number[] = []
const cold: number[] = []
await promptAfterS(process.execPath, words, 'warm')
for (let round = 0; round < rounds; round++) {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'close')
  bare.push((performance.now() - began) / 1_000)
  warm.push(await promptAfterS(process.execPath, words, 'warm'))
  cold.push(await promptAfterS('npm', ['start'], `cold-${round}`))
}
rmSync(folder, { recursive: true })

const [bareS, warmS, coldS] = [at(bare, 0.5), at(warm, 0.5), at(cold, 0.5)]
const beside = (foundS: number) => `${(foundS / bareS).toFixed(1)} × an empty program (${bareS.toFixed(2)} s)`
row('start to the prompt, warm', warmS, 's', { atMost: WARM_GOAL_S }, beside(warmS))
row('start to the prompt by npm, cold', coldS, 's', { atMost: COLD_GOAL_S }, beside(coldS))

/** Seconds from the command to the greeting. What is compiled and stored lies below this name. */
async function promptAfterS(command: string, args: readonly string[], name: string): Promise<number> {
  const began = performance.now()
  const child = withUs(
    spawn(command, args, {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn', HTTP_PORT: '0' },
        NODE_COMPILE_CACHE: join(folder, name),
        DATABASE_URL: join(folder, `${name}.sqlite`),
      },
    }),
  )
  const closed = once(child, 'close')
  let printed = ''
  const greeted = new Promise<void>((resolve) => {
    child.stdout.on('data', (part: Buffer) => {
      printed += part.toString()
      if (printed.includes(GREETING)) resolve()
    })
  })
  await Promise.race([greeted, closed])
  if (!printed.includes(GREETING)) throw new Error(`the program has ended: ${printed}`)
  const tookS = (performance.now() - began) / 1_000
  child.stdin.end('/quit\n')
  await closed
  return tookS
}
