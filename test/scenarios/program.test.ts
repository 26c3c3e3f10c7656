import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'
import { csvFile, FALL, minuteBars, startSim, SUGGESTED } from '../support/sim.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-program-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A wallet, and a rule that tells of it without waiting for long. */
const WATCHES = [`/watch ${SUGGESTED} demo`, '/alert liq BTC 10% for 1s']

let databases = 0
const freshDatabase = () => join(folder, `${++databases}.sqlite`)

/** Where the log says that it is to be asked. */
const HTTP = /"what":"http","url":"([^"]+)"/

const QUICK = { MARKET_POLL_MS: '100', OWNER_POLL_MIN_MS: '100', OWNER_POLL_MAX_MS: '200' }

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
    /1\.5 BTC, \$[\d.]+k · PnL [-+]\$[\d.,]+k? · demo\n {2}index price \$[\d,]+, liquidation at \$[\d,]+ \(\$[\d,]+ away\)\n {2}inside/,
  )
  expect(output).toMatch(/price [\d.]+ s old, position [\d.]+ s old/)
  expect(output).toMatch(/(?:lost|made) about \$[\d.,]+k?: an estimate/)
  expect(output).toMatch(/the price went to \$[\d,]+ since/)
}

// Most of the time each of them waits: for its program, its clock or its venue. None knows of another.
describe.concurrent('the program', () => {
  test('tells a replayed fall from the first line to the liquidation', async () => {
    // The next bar comes when the program has read the one before, with its positions.
    await using sim = await startSim({ SIM_REPLAY: FALL, SIM_SPEED: '60', SIM_CONTROL: '1' })
    await using program = runProgram('src/main.ts', {
      ...QUICK,
      DATABASE_URL: freshDatabase(),
      VENUE_URL: sim.url,
    })
    for (const line of WATCHES) program.type(line)
    await program.prints('inside your 10 % line')
    const over = () =>
      /BTC long (was probably liquidated|is gone)/.test(program.output()) || program.process.exitCode !== null
    await sim.clock.advance(999)
    while (!over()) {
      // A position that is gone is seen when the price that took it has been.
      await sim.send('POST', '/_sim/fault', { path: '/positions', kind: 'delay', delayMs: 1 })
      await sim.clock.advance(1)
      const [markets, positions] = [sim.asked('/markets') + 2, sim.asked('/positions') + 1]
      await eventually(
        () => over() || (sim.asked('/markets') >= markets && sim.asked('/positions') >= positions),
      )
      await sim.clock.advance(999)
      const again = sim.asked('/positions') + 1
      await eventually(() => over() || sim.asked('/positions') >= again)
    }
    expectTheWholeStory(program.output())
  })

  test('ends with its replay, and has told by then what happened, however quick it was', async () => {
    const DATABASE_URL = freshDatabase()
    {
      await using file = await csvFile(minuteBars(100_000, 100_000))
      await using before = runProgram('src/main.ts', { ...QUICK, DATABASE_URL, SIM_REPLAY: file.path })
      for (const line of WATCHES) before.type(line)
      await before.prints('inside your 10 % line')
      before.type('/quit')
      expect((await before.ends()).code, before.log()).toBe(0)
    }
    // Over before the first reading.
    const replay = { SIM_REPLAY: FALL, SIM_SPEED: '100000', SIM_ONCE: '1' }
    await using program = runProgram('src/main.ts', { ...QUICK, ...replay, DATABASE_URL })
    expect((await program.ends()).code, program.log()).toBe(0)
    expect(program.output(), program.log()).toMatch(
      /BTC long (was probably liquidated|is gone, cause unknown)/,
    )
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

  test('writes times in the zone that was chosen, also when that is UTC and the machine is elsewhere', async () => {
    await using program = runProgram('src/main.ts', { DATABASE_URL: freshDatabase(), TZ: 'Asia/Kolkata' })
    for (const line of ['/settings', '/settings zone UTC', '/settings', '/quit']) program.type(line)
    expect((await program.ends()).code).toBe(0)
    expect(program.output()).toMatch(
      /times in Asia\/(Kolkata|Calcutta) \(the zone of this machine\), now [\d:]+:/,
    )
    expect(program.output()).toMatch(/times in UTC \(chosen; this machine is in Asia\/\w+\), now [\d:]+ UTC:/)
  })

  test('answers nonsense with sentences that help', async () => {
    await using sim = await startSim()
    await using program = runProgram('src/main.ts', {
      ...{ ...QUICK, DATABASE_URL: freshDatabase(), VENUE_URL: sim.url },
    })
    // Which markets there are, it knows when it polls again; one of three requests may be for its first words.
    await eventually(() => sim.asked('/markets') >= 3)
    for (const line of ['/watch 0x123 bad', '/alert liq BTC banana', '/nonsense', '/quit']) program.type(line)
    expect((await program.ends()).code).toBe(0)
    expect(program.output()).toMatch(
      /A wallet address has 40 digits after the 0x; this one has 3\.\s+For example: \/watch 0x[\da-fA-F]{40} main/,
    )
    expect(program.output()).toContain(
      '“banana” is not one or more percentages. For example: /alert liq ETH 10% 5%',
    )
    expect(program.output()).toContain('I do not know /nonsense. Say /help')
  })

  test('keeps running at the end of its input, without buttons that nobody could reach, and ends cleanly on SIGTERM', async () => {
    await using program = runProgram('src/main.ts', { DATABASE_URL: freshDatabase() })
    program.process.stdin?.end()
    await program.prints('Live:')
    const [, url = ''] = HTTP.exec(program.log()) ?? []
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/b/x`)).status).toBe(404)
    program.process.kill('SIGTERM')
    expect(await program.ends()).toEqual({ code: 0, signal: null })
  })

  test('has buttons where the world can reach it, on the very port that leads there', async () => {
    {
      await using open = runProgram('src/main.ts', {
        ...{ DATABASE_URL: freshDatabase(), PUBLIC_URL: 'http://perch.lan/bot/' },
      })
      await open.prints('Live:')
      const [, url = ''] = HTTP.exec(open.log()) ?? []
      expect((await fetch(`${url}/b/x`)).status).toBe(200)
      expect(open.log()).toContain('PUBLIC_URL is not encrypted')
    }
    // Another suite on this machine may have the port for a moment, and may let go of it while the program starts.
    for (let taken = false; !taken;) {
      const other = createServer()
      await new Promise<void>((resolve) => {
        other.once('error', () => resolve()).listen(8_080, '127.0.0.1', resolve)
      })
      await using program = runProgram('src/main.ts', {
        ...{ DATABASE_URL: freshDatabase(), HTTP_PORT: '', PUBLIC_URL: 'https://perch.example.com' },
      })
      const ended = program.ends().then(({ code }) => code)
      const code = await Promise.race([
        ended,
        program.prints('Live:').then(
          () => 'started',
          () => ended,
        ),
      ])
      other.close()
      if (code === 'started') continue
      expect(code).toBe(1)
      expect(program.log()).toContain('HTTP_PORT 8080 is taken by another program')
      taken = true
    }
  })

  test('leaves what it has compiled to the next start, and starts as well where nothing can be left', async () => {
    const here = await mkdtemp(join(folder, 'elsewhere-'))
    for (const part of ['src', 'adapters', 'package.json'])
      await cp(join(ROOT, part), join(here, part), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(here, 'node_modules'))
    const startsAndEnds = async () => {
      await using program = runProgram(join(here, 'src/main.ts'), {
        ...{ DATABASE_URL: freshDatabase(), NODE_COMPILE_CACHE: '' },
      })
      await program.prints('Live:')
      program.type('/quit')
      expect((await program.ends()).code, program.log()).toBe(0)
    }
    await startsAndEnds()
    expect(await readdir(join(here, 'data/compiled'))).not.toEqual([])
    await rm(join(here, 'data'), { recursive: true })
    await writeFile(join(here, 'data'), 'not a folder')
    await startsAndEnds()
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

describe.concurrent('a start that cannot be', () => {
  test('for a misspelt variable names the one that was meant, and plays nothing', async () => {
    await using program = runProgram('src/main.ts', {
      DATABASE_URL: freshDatabase(),
      VENUE_ULR: 'https://venue.example',
    })
    expect((await program.ends()).code).toBe(2)
    expect(program.log()).toBe('Perch cannot start:\n- I do not know VENUE_ULR. Did you mean VENUE_URL?\n')
    expect(program.output()).toBe('')
  })

  test('is one sentence without a stack, also when it shows late', async () => {
    await using file = await csvFile(['a,b', '1,2'])
    await using program = runProgram('src/main.ts', {
      DATABASE_URL: freshDatabase(),
      SIM_REPLAY: file.path,
    })
    expect((await program.ends()).code).toBe(1)
    expect(program.log()).toMatch(/^Perch cannot start: .*time column/m)
    expect(program.log()).not.toMatch(/\bat .*\.ts:|stack/)
  })
})
