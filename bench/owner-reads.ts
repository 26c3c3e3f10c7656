import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { readPositions } from '../src/venues/perps-data/wire/positions.ts'
import { at, say } from './support/figures.ts'
import { OWNER, positionsBody } from './support/owner-body.ts'
import { row } from './support/rows.ts'

/** Owner reads per second of our client beside a bare undici + JSON.parse loop, in one run on one server. */
const GOAL = 0.8
const ROUNDS = 3
const BARE = 'bare dispatch + JSON.parse'
const OURS = 'our client'
const WAYS = [
  BARE,
  OURS,
  'our requests, text unread',
  'our requests + JSON.parse',
  'bare request + body.json()',
]

interface Figures {
  perSecond: number
  cpu: number
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The server on one processor and the client on another, where that can be had: wake-ups across them are noise. */
const pinned = spawnSync('taskset', ['-c', '1', 'true']).status === 0
const command = (processor: number, file: string, ...rest: string[]): [string, string[]] =>
  pinned
    ? ['taskset', ['-c', String(processor), process.execPath, here(file), ...rest]]
    : [process.execPath, [here(file), ...rest]]

const server = spawn(...command(0, './support/owner-server.ts'), { stdio: ['ignore', 'pipe', 'inherit'] })
const [port] = await once(server.stdout, 'data')
const origin = `http://127.0.0.1:${String(port).trim()}`
const figures = new Map<string, Figures[]>(WAYS.map((way) => [way, []]))

for (let round = 0; round < ROUNDS; round++) {
  for (const way of WAYS) figures.get(way)?.push(await measure(way))
}
server.kill()
print()

async function measure(way: string): Promise<Figures> {
  const run = promisify(execFile)
  const { stdout } = await run(...command(1, './support/owner-loop.ts', way, origin))
  const [perSecond = Number.NaN, cpu = Number.NaN] = stdout.trim().split(' ').map(Number)
  return { perSecond, cpu }
}

function median(values: readonly number[]): number {
  return at(values, 0.5)
}

function of(way: string, name: keyof Figures): number[] {
  return (figures.get(way) ?? []).map((each) => each[name])
}

/** Microseconds of one call, alone on the processor. */
function alone(work: () => unknown): number {
  const rounds = Array.from({ length: 9 }, () => {
    const from = performance.now()
    for (let i = 0; i < 20_000; i++) work()
    return (performance.now() - from) / 20
  })
  return median(rounds)
}

function print(): void {
  const text = positionsBody(OWNER)
  const body: unknown = JSON.parse(text)
  say(
    `owner reads: 32 at a time, 3 positions in ${text.length} bytes, medians of ${ROUNDS} interleaved rounds`,
  )
  for (const way of WAYS) {
    const rates = of(way, 'perSecond').map(Math.round)
    const cpu = median(of(way, 'cpu')).toFixed(1).padStart(5)
    const range = `${Math.min(...rates)}-${Math.max(...rates)}`
    say(`${way.padEnd(28)} ${median(rates).toString().padStart(6)}/s (${range})  ${cpu} µs CPU each`)
  }
  say(`JSON.parse alone             ${alone(() => JSON.parse(text) as unknown).toFixed(1)} µs`)
  say(`validation and units alone   ${alone(() => readPositions(body, 8008, OWNER)).toFixed(1)} µs`)
  // Pairs of the same round, so that a slow moment of the machine hits both.
  const bare = of(BARE, 'perSecond')
  const ratio = median(of(OURS, 'perSecond').map((value, round) => value / (bare[round] ?? Number.NaN)))
  const byCpu = median(of(BARE, 'cpu')) / median(of(OURS, 'cpu'))
  row(
    `owner reads a second: ${OURS} / ${BARE}`,
    ratio,
    '×',
    { atLeast: GOAL },
    `by CPU ${byCpu.toFixed(2)} ×`,
  )
}
