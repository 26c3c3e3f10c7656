import { join } from 'node:path'

import { expect, test } from 'vitest'

import { KINDS } from '../../src/venues/sim/doors/fault.ts'
import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'
import { type Json, SUGGESTED } from '../support/sim.ts'
import { temporaryFolder } from '../support/store.ts'

// The real program, with the venue in it, meets each kind of fault on every path until it says so; then it is taken back.
// It takes minutes of real time, in which the program waits before it calls anything blind: `npm run faults` alone asks for it.

const TEN_MINUTES = 600_000
/** More requests than there will be. */
const TIMES = 1_000_000

test.runIf(process.env['FAULTS'])(
  'the program tells of every fault of the venue, and sees again when it is over',
  { timeout: TEN_MINUTES },
  async () => {
    await using program = runProgram('src/main.ts', {
      DATABASE_URL: join(temporaryFolder(), 'faults.sqlite'),
      ...{ SIM_CONTROL: '1', SIM_SCENARIO: 'calm', SIM_SPEED: '0', LOG_LEVEL: 'info' },
      ...{ MARKET_POLL_MS: '500', OWNER_POLL_MIN_MS: '500', OWNER_POLL_MAX_MS: '1000' },
    })
    await program.prints('Live:')
    program.type(`/watch ${SUGGESTED} demo`)
    await program.prints('ETH long')
    const [, url = ''] = /"what":"simulated venue","url":"([^"]+)"/.exec(program.log()) ?? []
    const fault = (method: string, body?: object) =>
      fetch(`${url}/_sim/fault`, { method, ...(body && { body: JSON.stringify(body) }) })

    const waiting = async (): Promise<Json> => {
      const state: Json = await (await fetch(`${url}/_sim/state`)).json()
      return state.faults[0]
    }

    const rows: string[] = []
    for (const kind of KINDS) {
      const [printed, logged] = [program.output().length, program.log().length]
      const says = (what: RegExp) => what.exec(program.output().slice(printed))?.[0]
      const lives = () => expect(program.process.exitCode, program.log()).toBeNull()
      await fault('POST', { path: '*', kind, times: TIMES, delayMs: 30_000 })
      // What is stale looks like what is true: that it is met is all that there is to wait for.
      await eventually(async () => (lives(), (await waiting())?.times < TIMES - 3))
      if (kind !== 'stale') await eventually(() => (lives(), says(/\[BLIND\] I can’t see.*\n.*/)))
      program.type('/are-you-there')
      await eventually(() => (lives(), says(/I didn’t understand “\/are-you-there”/)))
      const since = performance.now()
      expect((await fault('DELETE')).status).toBe(200)
      if (kind !== 'stale') await eventually(() => (lives(), says(/\[RESOLVED\] I see.*/)))
      const seconds = ((performance.now() - since) / 1_000).toFixed(1)
      const warned = /"event":"(?:markets-failed|owner-failed|venue-unusable)".*?"why":"([^"]*)"/.exec(
        program.log().slice(logged),
      )?.[1]
      const told = says(/\[BLIND\] I can’t see.*\n.*/)?.replace(/\n\s*/, ': ')
      const well = says(/\[RESOLVED\] I see.*/) ?? 'it answers as before'
      rows.push(`| ${[kind, told ?? 'nothing', warned ?? '–', well, `${seconds} s`].join(' | ')} |`)
    }
    program.type('/quit')
    expect((await program.ends()).code, program.log()).toBe(0)
    const head =
      '| fault on every path | the person reads | the log says | when it is over | after |\n|---|---|---|---|---|'
    process.stdout.write(`\n${[head, ...rows].join('\n')}\n`)
  },
)
