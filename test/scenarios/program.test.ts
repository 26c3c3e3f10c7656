import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { runProgram } from '../support/program.ts'
import { SUGGESTED, csvFile, minuteBars } from '../support/sim.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-program-'))
})
afterAll(() => rm(folder, { recursive: true }))

let databases = 0
const freshDatabase = () => join(folder, `${++databases}.sqlite`)

const RECORDING = '../shared/reference/recordings/btcusd_1m_2025-02-03_crash.csv'

/** A fall of seven percent in seventy minutes, with a bounce that stays inside every clear band. */
const FALL = Array.from({ length: 71 }, (_, minute) => 100_000 - minute * 100 + (minute % 7 === 3 ? 120 : 0))

async function replay(file: string, speed: string) {
  const program = runProgram('src/main.ts', {
    DATABASE_URL: freshDatabase(),
    SIM_REPLAY: file,
    SIM_SPEED: speed,
    MARKET_POLL_MS: '100',
    OWNER_POLL_MIN_MS: '100',
    SIM_ONCE: '1',
  })
  program.type(`/watch ${SUGGESTED} demo`)
  program.process.stdin?.end()
  const { code } = await program.ends(60_000)
  return { output: program.output(), log: program.log(), code }
}

function expectTheWholeStory(output: string): void {
  const alerts = output.split('\n').filter((line) => /\[(INFO|WARNING|CRITICAL)\] BTC long/.test(line))
  expect(alerts.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    expect.stringMatching(/^\[WARNING\] BTC long is 5\.\d % from liquidation \(A1\)$/),
    expect.stringMatching(/^\[CRITICAL\] BTC long is (4\.\d|5\.0) % from liquidation \(A1\)$/),
    expect.stringMatching(/^\[CRITICAL\] BTC long is (2\.[0-5]|1\.\d) % from liquidation \(A1\)$/),
    expect.stringMatching(/^\[CRITICAL\] BTC long was probably liquidated \(A2\)$/),
  ])
  for (const line of ['10 %', '5 %', '2.5 %']) {
    expect(output.split(`inside your ${line} line`)).toHaveLength(2)
  }
  expect(output).toMatch(
    /price \$[\d,]+, liquidation at \$[\d,]+ \(\$[\d,]+ away\)\n {2}1\.5 BTC, \$[\d.]+k · inside/,
  )
  expect(output).toMatch(/price \d\.\d s old, position \d\.\d s old/)
  expect(output).toMatch(/missing in two reads; price went to \$[\d,]+, liquidation was at \$[\d,]+/)
}

describe('the program', { timeout: 90_000 }, () => {
  test('tells a replayed fall from the first line to the liquidation, and ends with it', async () => {
    await using file = await csvFile(minuteBars(...FALL))
    const { output, code, log } = await replay(file.path, '600')
    expectTheWholeStory(output)
    expect(code, log).toBe(0)
  })

  test.skipIf(!existsSync(RECORDING))('tells the crash of 3 February 2025 from real prices', async () => {
    const { output, code, log } = await replay(RECORDING, '600')
    expectTheWholeStory(output)
    expect(code, log).toBe(0)
  })

  test('with nothing configured says what is going on, warns at once after /watch, and quits', async () => {
    await using program = runProgram('src/main.ts', { DATABASE_URL: freshDatabase() })
    await program.prints('This is the simulated venue')
    await program.prints(/Live: \w+ \$[\d,.]+/)
    program.type(`/watch ${SUGGESTED} demo`)
    await program.prints(/\[(WARNING|CRITICAL)\] \w+ (long|short) is [\d.]+ % from liquidation/)
    program.type('/quit')
    expect(await program.ends()).toEqual({ code: 0, signal: null })
    expect(program.output()).toContain('Bye.')
  })

  test('answers nonsense with sentences that help', async () => {
    await using program = runProgram('src/main.ts', { DATABASE_URL: freshDatabase() })
    for (const line of ['/watch 0x123 bad', '/alert liq BTC banana', '/nonsense', '/quit']) program.type(line)
    expect((await program.ends()).code).toBe(0)
    expect(program.output()).toContain(
      'A wallet address has 40 digits after the 0x; this one has 3. For example: /watch 0x',
    )
    expect(program.output()).toContain(
      '“banana” is not one or more percentages. For example: /alert liq ETH 10% 5%',
    )
    expect(program.output()).toContain('I do not know /nonsense. Say /help')
  })

  test('keeps running at the end of its input, and ends cleanly on SIGTERM', async () => {
    await using program = runProgram('src/main.ts', { DATABASE_URL: freshDatabase() })
    program.process.stdin?.end()
    await program.prints('Live:')
    const url = /"url":"([^"]+)"/.exec(
      program
        .log()
        .split('\n')
        .find((line) => line.includes('"health"')) ?? '',
    )?.[1]
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    program.process.kill('SIGTERM')
    expect(await program.ends(10_000)).toEqual({ code: 0, signal: null })
  })

  test('tells every mistake of its configuration at once, and starts nothing', async () => {
    await using program = runProgram('src/main.ts', {
      DATABASE_URL: 'postgres://x',
      MARKET_POLL_MS: 'soon',
      VENUE: '../../etc',
      SIM_ONCE: '1',
    })
    expect((await program.ends()).code).toBe(2)
    expect(program.log()).toMatch(/DATABASE_URL is the path of a file/)
    expect(program.log()).toMatch(/MARKET_POLL_MS is a whole number/)
    expect(program.log()).toMatch(/VENUE names “..\/..\/etc”, which I do not have/)
    expect(program.output()).toBe('')
  })

  test('refuses a database on which another one works', async () => {
    const DATABASE_URL = freshDatabase()
    await using first = runProgram('src/main.ts', { DATABASE_URL })
    await first.prints('Live:')
    await using second = runProgram('src/main.ts', { DATABASE_URL })
    expect((await second.ends()).code).toBe(1)
    expect(second.log()).toContain('Another Perch works on this database')
  })
})
