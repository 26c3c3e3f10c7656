import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { runProgram } from '../support/program.ts'
import type { Program } from '../support/program.ts'
import { SUGGESTED, csvFile, minuteBars } from '../support/sim.ts'

const KILLS = 5
/** Market seconds per real second: a bar of the fall every half second. */
const SPEED = 120

/** Steps that leave each tier for a while: 5.8 %, then inside 5 %, 2.5 %, and through the liquidation price. */
const STEPS = [100_000, 98_500, 96_000, 95_000].flatMap((price) =>
  Array.from({ length: 6 }, (_, bar) => price - bar * 10),
)
const FALL = [...STEPS, ...Array.from({ length: 16 }, (_, bar) => 93_500 - bar)]

/** The same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

// A real process is killed at real moments: here the wall clock is the point.
test(
  'killed at five random moments of a fall, it tells every line, and none twice unless it says so',
  { timeout: 90_000 },
  async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))
    console.log(`SEED=${seed}`)
    const random = seeded(seed)
    const folder = await mkdtemp(join(tmpdir(), 'perch-survival-'))
    await using file = await csvFile(minuteBars(...FALL))
    await using venue = runProgram('src/venues/sim/alone.ts', {
      SIM_REPLAY: file.path,
      SIM_SPEED: String(SPEED),
      SIM_PORT: '0',
    })
    await venue.prints(/http:\/\/127\.0\.0\.1:\d+/)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(venue.output())?.[0] ?? ''
    const started = performance.now()
    const env = {
      VENUE_URL: url,
      DATABASE_URL: join(folder, 'perch.sqlite'),
      MARKET_POLL_MS: '100',
      OWNER_POLL_MIN_MS: '100',
      OWNER_POLL_MAX_MS: '1000',
    }
    const outputs: string[] = []
    const lastMs = (FALL.length - 10) * (60_000 / SPEED)
    const moments = Array.from({ length: KILLS }, () => 1_000 + random() * (lastMs - 1_000)).sort(
      (a, b) => a - b,
    )
    let program: Program = runProgram('src/main.ts', env)
    program.type(`/watch ${SUGGESTED} demo`)
    await program.prints('I watch demo now')
    for (const moment of moments) {
      await sleep(Math.max(started + moment - performance.now(), 0))
      await program.kill('SIGKILL')
      outputs.push(program.output())
      program = runProgram('src/main.ts', env)
    }
    const over = outputs.some((output) => output.includes('probably liquidated'))
    if (!over) await program.prints('probably liquidated', 30_000).catch(() => {})
    await sleep(500)
    await program.kill('SIGTERM')
    outputs.push(program.output())

    const told = outputs.join('\n')
    const count = (pattern: RegExp) => told.match(pattern)?.length ?? 0
    const repeats = count(/\(possible repeat\)/g)
    const lines = [
      /inside your 10 % line/g,
      /inside your 5 % line/g,
      /inside your 2\.5 % line/g,
      /was probably liquidated/g,
    ]
    const counts = lines.map(count)
    expect(
      counts.every((times) => times >= 1),
      `${counts.join()} with SEED=${seed}\n${told}`,
    ).toBe(true)
    expect(counts.reduce((sum, times) => sum + times, 0) - lines.length, told).toBeLessThanOrEqual(repeats)
    expect(repeats, told).toBeLessThanOrEqual(1)
    await rm(folder, { recursive: true })
  },
)
