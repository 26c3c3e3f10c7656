import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// One benchmark by its name, or all of them one after the other: `npm run bench -- burst`, `npm run bench -- all`. What
// follows the name goes to the benchmark: `npm run bench -- burst 30000`.

const ALL: Record<string, readonly (readonly string[])[]> = {
  crossings: [['crossings.ts']],
  load: [
    ['load.ts', 'rules'],
    ['load.ts', 'subjects'],
  ],
  burst: [
    ['burst.ts', '30000'],
    ['burst.ts', '100000'],
  ],
  tick: [['tick.ts']],
  'owner-reads': [['owner-reads.ts']],
  'discord-ack': [['discord-ack.ts']],
  'discord-recovery': [['discord-recovery.ts']],
  'sim-day': [['sim-day.ts']],
  walk: [['walk.ts']],
  push: [['push.ts']],
  exchange: [['exchange.ts', '100000']],
}

const [, , name = '', ...rest] = process.argv
const chosen = name === 'all' ? Object.keys(ALL) : name in ALL ? [name] : []
if (chosen.length === 0) {
  process.stderr.write(`Name a benchmark: ${Object.keys(ALL).join(', ')}, or all.\n`)
  process.exitCode = 2
}
for (const one of chosen) {
  for (const [file = '', ...given] of ALL[one] ?? []) {
    const args = rest.length > 0 ? rest : given
    process.stdout.write(`\n${['##', one, ...args].join(' ')}\n`)
    const script = fileURLToPath(new URL(file, import.meta.url))
    const { status } = spawnSync(process.execPath, ['--expose-gc', script, ...args], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
    if (rest.length > 0) break
  }
}
