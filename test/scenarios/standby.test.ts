import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Report } from '../../src/ops/liveness/progress.ts'
import { eventually } from '../support/patience.ts'
import { openPostgres } from '../support/postgres/server.ts'
import { cellUrl, newCell } from '../support/postgres/shared.ts'
import { type Program, runProgram } from '../support/program.ts'
import { type SimUnderTest, startSim, SUGGESTED } from '../support/sim.ts'

let folder = ''
let sim: SimUnderTest
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-standby-'))
  sim = await startSim({ SIM_SPEED: '0' })
})
afterAll(async () => {
  await sim[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const QUICK = { MARKET_POLL_MS: '100', OWNER_POLL_MIN_MS: '100', OWNER_POLL_MAX_MS: '200' }

/** One of two Perches of a cell, each with a file of its own. */
function perch(url: string, file: string): Program {
  const own = url.replace(/file=[^&]*/, `file=${encodeURIComponent(join(folder, file))}`)
  const env = { ...QUICK, VENUE_URL: sim.url, WEB: 'off', LOG_LEVEL: 'debug', DATABASE_URL: own }
  return runProgram('src/main.ts', env)
}
const logs = (program: Program, what: string | RegExp) =>
  eventually(() => {
    if (program.process.exitCode !== null) throw new Error(`it has ended:\n${program.log()}`)
    return typeof what === 'string' ? program.log().includes(what) : what.test(program.log())
  })
async function report(program: Program, path = '/healthz') {
  const [, at = ''] = /"what":"http","url":"([^"]+)"/.exec(program.log()) ?? []
  const answer = await fetch(`${at}${path}`)
  return { status: answer.status, ...(JSON.parse(await answer.text()) as Report) }
}
async function metrics(program: Program): Promise<string> {
  const [, at = ''] = /"what":"http","url":"([^"]+)"/.exec(program.log()) ?? []
  return (await fetch(`${at}/metrics`)).text()
}
const STARTED = '"event":"started"'
const STANDS_BY = '"role":"standby"'

// Each waits for leases most of the time.
describe.concurrent('two Perches of one cell', () => {
  test('a standby asks and opens nothing, and goes on where a leader was that is killed', async () => {
    const url = await newCell(folder, '&lease=3')
    await using one = perch(url, 'killed-1.sqlite')
    await logs(one, STARTED)
    one.type(`/watch ${SUGGESTED} demo`)
    await one.prints('4 positions')
    await using other = perch(url, 'killed-2.sqlite')
    await logs(other, STANDS_BY)
    other.type('/wallets')
    await eventually(async () => (await metrics(one)).includes('\nperch_standbys 1\n'))
    expect(await metrics(one)).toMatch(/\nperch_leader 1\n[^]*\nperch_epoch 1\n/)
    expect(await metrics(other)).toMatch(
      /\nperch_leader 0\n[^]*\nperch_journal_behind_seconds\{of="itself"\} /,
    )
    for (const path of ['/healthz', '/readyz'])
      expect(await report(other, path)).toMatchObject({ status: 200, role: 'standby', epoch: 1, says: [] })
    expect(other.log()).not.toContain('"event":"venue-request"')
    expect(other.output()).toBe('')
    await one.kill('SIGKILL')
    await logs(other, STARTED)
    // It was typed while the other one led.
    await other.prints(/demo/)
    await eventually(async () => (await report(other, '/readyz')).status === 200)
    expect(await report(other)).toMatchObject({ role: 'leader', epoch: 2 })
  })

  test('a leader that ends lets the standby lead at once, and a standby that ends leaves nothing behind', async () => {
    // So long that only letting go can end it.
    const url = await newCell(folder, '&lease=300')
    await using one = perch(url, 'ends-1.sqlite')
    await logs(one, STARTED)
    await using other = perch(url, 'ends-2.sqlite')
    await logs(other, STANDS_BY)
    one.process.kill('SIGTERM')
    expect(await one.ends()).toEqual({ code: 0, signal: null })
    await logs(other, STARTED)
    await using third = perch(url, 'ends-1.sqlite')
    await logs(third, STANDS_BY)
    third.process.kill('SIGINT')
    expect(await third.ends()).toEqual({ code: 0, signal: null })
    expect(third.log()).toContain('"event":"stopped"')
    expect(third.output()).toBe('')
  })

  test('a standby with other venues says so and ends at once, and not when it should lead', async () => {
    const url = await newCell(folder)
    await using one = perch(url, 'venue-1.sqlite')
    await logs(one, STARTED)
    const own = url.replace(/file=[^&]*/, `file=${encodeURIComponent(join(folder, 'venue-2.sqlite'))}`)
    // As on a machine whose variables were forgotten.
    await using other = runProgram('src/main.ts', { VENUE: 'sim', WEB: 'off', DATABASE_URL: own })
    expect(await other.ends()).toEqual({ code: 1, signal: null })
    expect(other.log()).toContain('This cell has records of perps-data, and this Perch opens sim.')
    expect(one.log()).not.toContain('trouble')
    expect((await report(one)).epoch).toBe(1)
  })

  test('a leader that was stopped for longer than its lease ends with code 3 and says nothing more', async () => {
    const url = await newCell(folder, '&lease=3')
    await using one = perch(url, 'stopped-1.sqlite')
    await logs(one, STARTED)
    await using other = perch(url, 'stopped-2.sqlite')
    await logs(other, STANDS_BY)
    one.process.kill('SIGSTOP')
    await logs(other, STARTED)
    const before = one.output()
    // A person types at the one that does not know yet.
    one.type('/help')
    one.process.kill('SIGCONT')
    expect(await one.ends()).toEqual({ code: 3, signal: null })
    expect(one.output()).toBe(before)
    expect(one.log()).toContain('this process ends: another Perch leads this cell now')
  })

  test('while PostgreSQL is away a leader says so and sends nothing else, goes on afterwards, and ends in good order', async () => {
    const opened = await openPostgres()
    if ('lacks' in opened) throw new Error(opened.lacks)
    await using server = opened.server
    const url = cellUrl(server.url, 'away', join(folder, 'away.sqlite'), '&lease=3')
    await using one = perch(url, 'away.sqlite')
    await logs(one, STARTED)
    one.type(`/watch ${SUGGESTED} demo`)
    await one.prints('4 positions')
    await server.signal('SIGQUIT')
    await logs(one, '"role":"suspended"')
    for (const path of ['/healthz', '/readyz'])
      expect(await report(one, path)).toMatchObject({ status: 503, role: 'suspended' })
    await one.prints('I can’t save anything now')
    one.type('/wallets')
    await server.start()
    await logs(one, /"role":"suspended"[^]*"role":"leader"/)
    // What was typed meanwhile is answered now.
    await one.prints(/I can’t save anything now[^]*demo/)
    await server.signal('SIGQUIT')
    await logs(one, /"role":"suspended"[^]*"role":"leader"[^]*"role":"suspended"/)
    one.process.kill('SIGTERM')
    expect(await one.ends()).toEqual({ code: 0, signal: null })
    expect(one.log()).toContain('"event":"stopped"')
  })

  test('a leader that was stopped while PostgreSQL was away says nothing more once another one leads', async () => {
    const opened = await openPostgres()
    if ('lacks' in opened) throw new Error(opened.lacks)
    await using server = opened.server
    const url = cellUrl(server.url, 'asleep', join(folder, 'asleep-1.sqlite'), '&lease=3')
    await using one = perch(url, 'asleep-1.sqlite')
    await logs(one, STARTED)
    one.type(`/watch ${SUGGESTED} demo`)
    await one.prints('4 positions')
    await server.signal('SIGQUIT')
    // Its alarm for everybody else would come a minute after this one.
    await one.prints('I can’t save anything now')
    one.process.kill('SIGSTOP')
    await server.start()
    await using other = perch(url, 'asleep-2.sqlite')
    await logs(other, STARTED)
    const before = one.output()
    one.type('/help')
    one.process.kill('SIGCONT')
    expect(await one.ends()).toEqual({ code: 3, signal: null })
    expect(one.output()).toBe(before)
  })

  test('while a server cannot be reached, the password is nowhere in the log, and a wrong address is a sentence', async () => {
    const url = 'journal:postgres://perch:hunter22@127.0.0.1:1/perch'
    await using one = runProgram('src/main.ts', { DATABASE_URL: url, LOG_LEVEL: 'trace', WEB: 'off' })
    await logs(one, '"role":"waiting"')
    expect(await report(one)).toMatchObject({ status: 503, role: 'waiting', stuck: false })
    one.process.kill('SIGTERM')
    expect(await one.ends()).toEqual({ code: 0, signal: null })
    await using wrong = runProgram('src/main.ts', { DATABASE_URL: `${url}?lease=0`, WEB: 'off' })
    expect(await wrong.ends()).toEqual({ code: 2, signal: null })
    expect(wrong.log()).toContain('The lease in DATABASE_URL is a number of seconds')
    expect(one.log() + wrong.log()).not.toContain('hunter22')
  })
})
