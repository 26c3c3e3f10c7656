import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { isOnJournal } from '../support/database-url.ts'
import { eventually } from '../support/patience.ts'
import { type Program, runProgram } from '../support/program.ts'
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
const urlOf = (program: Program) => /"what":"http","url":"([^"]+)"/.exec(program.log())?.[1] ?? ''

/** The adapters that the log names, by their names. */
function opened(program: Program): string[] {
  const [, names = ''] = /"event":"started".*"adapters":\[([^\]]*)\]/.exec(program.log()) ?? []
  return [...names.matchAll(/"([^"]+)"/g)].flatMap(([, name]) => name ?? [])
}

/** The adapters that are opened beside the chats, and where they answer. */
const BESIDES = ['assistant', 'push', 'web']
const PAGES = ['/page', '/push/key', '/mcp']

const QUICK = { MARKET_POLL_MS: '100', OWNER_POLL_MIN_MS: '100', OWNER_POLL_MAX_MS: '200' }

function expectTheWholeStory(output: string): void {
  const alerts = output.split('\n').filter((line) => /\[(INFO|WARNING|CRITICAL)\] BTC long/.test(line))
  expect(alerts.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    expect.stringMatching(/^\[WARNING\] BTC long: 5\.\d% to liquidation \(A1\)$/),
    expect.stringMatching(/^\[CRITICAL\] BTC long: (4\.\d|5\.0)% to liquidation \(A1\)$/),
    expect.stringMatching(/^\[CRITICAL\] BTC long: (2\.[0-5]|1\.\d)% to liquidation \(A1\)$/),
    expect.stringMatching(/^\[CRITICAL\] BTC long was probably liquidated \(A2\)$/),
  ])
  expect(output).toMatch(
    /\n {2}\$[\d,]+ → \$[\d,]+ · demo\n {2}1\.5 BTC \(\$[\d.]+k\) · PnL [-+]\$[\d.,]+k?\n {2}Add \$/,
  )
  expect(output).toMatch(/(?:lost|made) about \$[\d.,]+k?(?: or more)?, estimated /)
  expect(output).toMatch(/the price went to \$[\d,]+ since/)
}

/** Starts the program in a copy of the sources, whose folder `data` is its own. */
async function elsewhere(): Promise<{ main: string; data: string }> {
  const here = await mkdtemp(join(folder, 'elsewhere-'))
  for (const part of ['src', 'adapters', 'package.json'])
    await cp(join(ROOT, part), join(here, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(here, 'node_modules'))
  return { main: join(here, 'src/main.ts'), data: join(here, 'data') }
}

// A start costs more than a second of the processor, so each program here is asked everything that one can be asked. Most
// of the time they wait: for their clock or their venue. None knows of another.
describe.concurrent('the program', () => {
  test('tells a replayed fall to the liquidation, also after the end of its input, and ends cleanly on SIGTERM', async () => {
    // The next bar comes when the program has read the one before, with its positions.
    await using sim = await startSim({ SIM_REPLAY: FALL, SIM_SPEED: '60', SIM_CONTROL: '1' })
    await using program = runProgram('src/main.ts', {
      ...QUICK,
      DATABASE_URL: freshDatabase(),
      VENUE_URL: sim.url,
      WEB: 'off',
    })
    for (const line of WATCHES) program.type(line)
    program.process.stdin?.end()
    await program.prints(/\[WARNING\] BTC long: /)
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

    const url = urlOf(program)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(opened(program)).toEqual(['terminal'])
    for (const path of PAGES) expect((await fetch(`${url}${path}`)).status).toBe(404)
    program.process.kill('SIGTERM')
    expect(await program.ends()).toEqual({ code: 0, signal: null })
  })

  test('says with nothing configured what is going on, helps whoever sits there, and quits', async () => {
    await using program = runProgram('src/main.ts', { DATABASE_URL: freshDatabase(), TZ: '"Asia/Kolkata" ' })
    await program.prints('This is the simulated venue')
    await program.prints(/Live: \w+ \$[\d,.]+/)
    // It warns at once.
    for (const line of WATCHES) program.type(line)
    await program.prints(/\[(WARNING|CRITICAL)\] \w+ (long|short): [\d.]+% to liquidation/)

    for (const line of ['/watch 0x123 bad', '/alert liq BTC banana', '/nonsense']) program.type(line)
    // The page and what belongs to it are open to this machine.
    expect(opened(program)).toEqual(['terminal', ...BESIDES])
    for (const path of PAGES) expect((await fetch(`${urlOf(program)}${path}`)).status, path).not.toBe(404)
    // The zone that was chosen, also when that is UTC and the machine is elsewhere.
    for (const line of ['/settings', '/settings zone UTC', '/settings', '/quit']) program.type(line)
    expect(await program.ends()).toEqual({ code: 0, signal: null })
    const output = program.output()
    expect(output).toMatch(
      /A wallet address has 40 digits after the 0x; this one has 3\.\s+For example: \/watch 0x[\da-fA-F]{40} main/,
    )
    expect(output).toContain('I don’t understand “banana” here.')
    expect(output).toContain('I didn’t understand “/nonsense”')
    expect(output).toMatch(/Time zone: Asia\/(Kolkata|Calcutta) \(this machine’s\), now [\d:]+/)
    expect(output).toMatch(/Time zone: UTC \(chosen\), now [\d:]+ UTC/)
    expect(output).toContain('Bye.')
  })

  test('insists on the very port to which the world is led, and leaves what it has compiled to the next start', async () => {
    const { main, data } = await elsewhere()
    // Another suite on this machine may have the port for a moment, and may let go of it while the program starts.
    for (let taken = false; !taken;) {
      const other = createServer()
      await new Promise<void>((resolve) => {
        other.once('error', () => resolve()).listen(8_080, '127.0.0.1', resolve)
      })
      await using program = runProgram(main, {
        ...{ DATABASE_URL: freshDatabase(), NODE_COMPILE_CACHE: '' },
        ...{ HTTP_PORT: '', PUBLIC_URL: 'https://perch.example.com' },
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
    expect(await readdir(join(data, 'compiled'))).not.toEqual([])
  })

  test.skipIf(isOnJournal)(
    'shares its database with nobody, has buttons where the world can reach it, and ends with its replay when that is told',
    async () => {
      const { main, data } = await elsewhere()
      // Nothing that is compiled can be left there.
      await writeFile(data, 'not a folder')
      await using file = await csvFile(minuteBars(100_000, 100_000))
      const DATABASE_URL = freshDatabase()
      await using first = runProgram(main, {
        ...{ ...QUICK, DATABASE_URL, SIM_REPLAY: file.path },
        ...{ NODE_COMPILE_CACHE: '', PUBLIC_URL: 'http://perch.lan/bot/' },
      })
      for (const line of WATCHES) first.type(line)
      await first.prints(/\[WARNING\] BTC long: /)
      for (const path of ['/b/x', '/page', '/bot/page'])
        expect((await fetch(`${urlOf(first)}${path}`)).status, path).toBe(200)
      expect(first.log()).toContain('PUBLIC_URL is not encrypted')

      await using second = runProgram('src/main.ts', { DATABASE_URL })
      expect((await second.ends()).code).toBe(1)
      // One sentence without a stack, although it shows late.
      expect(second.log()).toMatch(/^Perch cannot start: Another Perch works on this database/m)
      expect(second.log()).not.toMatch(/\bat .*\.ts:|stack/)

      first.type('/quit')
      expect((await first.ends()).code, first.log()).toBe(0)

      // Over before the first reading: it has told by its end what happened, however quick that was.
      const replay = { SIM_REPLAY: FALL, SIM_SPEED: '100000', SIM_ONCE: '1' }
      await using last = runProgram('src/main.ts', { ...QUICK, ...replay, DATABASE_URL })
      expect((await last.ends()).code, last.log()).toBe(0)
      expect(last.output(), last.log()).toMatch(/BTC long (was probably liquidated|is gone, cause unknown)/)
    },
  )

  test('tells every mistake of its configuration at once, names the variable that was meant, and starts nothing', async () => {
    await using program = runProgram('src/main.ts', {
      DATABASE_URL: 'postgres://x',
      MARKET_POLL_MS: 'soon',
      VENUE: '../../etc',
      VENUE_ULR: 'https://venue.example',
      SIM_ONCE: '1',
    })
    expect((await program.ends()).code).toBe(2)
    expect(program.log()).toMatch(/^Perch cannot start:\n- /)
    expect(program.log()).toMatch(/DATABASE_URL is the path of a file/)
    expect(program.log()).toMatch(/MARKET_POLL_MS is a whole number/)
    expect(program.log()).toMatch(/VENUE names “..\/..\/etc”, which I do not have/)
    expect(program.log()).toContain('- I do not know VENUE_ULR. Did you mean VENUE_URL?\n')
    expect(program.output()).toBe('')
  })
})
