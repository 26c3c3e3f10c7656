import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

import { COMPILED } from './test/support/program.ts'

/** In memory where there is such a place: every commit of every test waits for the disk otherwise. */
const MEMORY = '/dev/shm'

/** Short files that run long, most of it waiting for programs: begun last, they would keep a whole run waiting. */
const LONG = [
  'torture/torture',
  'scenarios/program',
  'scenarios/survival',
  'scenarios/backup',
  'adapters/discord/story',
  'adapters/telegram/crash',
  'adapters/telegram/crowd',
  'alerts/docs',
].map((name) => `/test/${name}.test.ts`)

/** Vitest begins with what took longest the last time, or is the largest file where it knows of none. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name))
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))]
  }
}

/** Whoever asks for another order gets that. */
const asksForOrder = process.argv.some((word) => word.startsWith('--sequence.'))

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Texts name the zone of the machine: every machine tests the same.
    env: { TMPDIR: existsSync(MEMORY) ? MEMORY : tmpdir(), TZ: 'UTC', NODE_COMPILE_CACHE: COMPILED },
    // Node runs the sources as they are, as it does for people: nothing is rewritten, and no import is looked up in an object.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    ...(asksForOrder ? {} : { sequence: { sequencer: LongFirst } }),
    setupFiles: ['test/support/seed.ts'],
    // Many tests wait for processes and sockets: more workers than cores, or the suite takes twice as long.
    maxWorkers: 3,
    // Millions of short-lived objects, the answers of stand-ins above all: room for them costs less than tidying up.
    execArgv: ['--max-semi-space-size=64'],
    // Nothing of ours is remembered on import: one process reads discord.js and the rest once, for file after file.
    isolate: false,
    restoreMocks: true,
    // No machine is so slow: only what hangs is ended by these.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env['CI']
      ? ['default', ['json', { outputFile: 'node_modules/.results.json' }]]
      : ['default'],
  },
})
