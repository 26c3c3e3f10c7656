import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { VenueEvent } from '../src/venues/sim/exchange/venue-events.ts'
import { planFor } from '../src/venues/sim/play/plan.ts'
import { traderWallet } from '../src/venues/sim/play/traders.ts'
import { createWorld } from '../src/venues/sim/play/world.ts'
import { findScenario } from '../src/venues/sim/scenarios/index.ts'
import { askAll } from './support/asking.ts'
import { at, costOf } from './support/figures.ts'
import { cpuMsOf, ended, freePort, residentMbOf, wait, withUs } from './support/process.ts'
import { row } from './support/rows.ts'

// The simulated venue with very many owners, as `npm run venue` starts it, in a process of its own: how soon it answers, what it
// holds, how many positions it serves over HTTP, and what it costs while prices move. `npm run bench -- venue-service 100000`.

const [, , given = '100000'] = process.argv
const OWNERS = Number(given)
const CONNECTIONS = 8
const WARM = 3_000
const ASKED = 20_000
const LISTED = 5_000
/** As often as a bot polls the markets. */
const POLL_MS = 2_000
const POLLS = 15
/** Market seconds in a second, as the venue has it when nothing is said. */
const SPEED = 600
const MOVED_HOURS = 13
const VENUE = fileURLToPath(new URL('../src/venues/sim/alone.ts', import.meta.url))
const many = OWNERS.toLocaleString('en')

await standing()
await living()
for (const name of [undefined, 'crash']) await moving(name)

async function open(settings: Record<string, string>) {
  const port = await freePort()
  const began = performance.now()
  const env = { ...process.env, SIM_OWNERS: given, SIM_PORT: String(port), ...settings }
  const child = withUs(spawn(process.execPath, [VENUE], { env, stdio: ['ignore', 'pipe', 'inherit'] }))
  await once(child.stdout, 'data')
  const startMs = performance.now() - began
  const { pid = 0 } = child
  return { port, pid, startMs, close: () => ended(child, 'SIGTERM') }
}

async function standing(): Promise<void> {
  const venue = await open({ SIM_SPEED: '0' })
  const cpu = `${(cpuMsOf(venue.pid) / 1_000).toFixed(1)} s CPU`
  row(`${many} owners: from the command to listening`, venue.startMs / 1_000, 's', null, cpu)
  row(`${many} owners: resident`, residentMbOf(venue.pid), 'MB')
  const wallets = Array.from({ length: WARM + ASKED }, (_, number) => (number * 7_919) % OWNERS)
  const paths = wallets.map((index) => `/positions/v2?owner=${traderWallet(index)}&ownershipType=SuperOwner`)
  await serve(venue, 'wallets', paths, (body) => Number(/"totalCount":(\d+)\}$/.exec(body)?.[1]))
  const lists = Array.from({ length: WARM + LISTED }, () => '/markets')
  await serve(venue, 'lists of the markets', lists, null)
  row(`${many} owners: resident after it`, residentMbOf(venue.pid), 'MB')
  await venue.close()
}

async function serve(
  { port, pid }: { port: number; pid: number },
  what: string,
  paths: readonly string[],
  positionsIn: ((body: string) => number) | null,
): Promise<void> {
  await askAll(port, CONNECTIONS, paths.slice(0, WARM), () => {})
  const [times, held]: [number[], number[]] = [[], []]
  const [began, cpu] = [performance.now(), cpuMsOf(pid)]
  await askAll(port, CONNECTIONS, paths.slice(WARM), ({ ms, body }) => {
    times.push(ms)
    if (positionsIn) held.push(positionsIn(body))
  })
  const [seconds, cpuMs] = [(performance.now() - began) / 1_000, cpuMsOf(pid) - cpu]
  const each = `${((1_000 * cpuMs) / times.length).toFixed(0)} µs CPU each; p50 ${at(times, 0.5).toFixed(2)}, p99 ${at(times, 0.99).toFixed(1)} ms`
  row(`${what} over ${CONNECTIONS} connections`, times.length / seconds, 'a second', null, each, 'more')
  if (!positionsIn) return
  const positions = held.reduce((sum, one) => sum + one, 0)
  const spread = `the median wallet has ${at(held, 0.5)}, one in a hundred ${at(held, 0.99)}`
  row('positions with them', positions / seconds, 'a second', null, spread, 'more')
  row('positions for each second of processor time', (positions * 1_000) / cpuMs, '', null, '', 'more')
}

/** A bot that looks as often as bots do. */
async function living(): Promise<void> {
  const venue = await open({})
  const times: number[] = []
  const [began, cpu] = [performance.now(), cpuMsOf(venue.pid)]
  for (let poll = 0; poll < POLLS; poll++) {
    await wait(POLL_MS)
    await askAll(venue.port, 1, ['/markets'], ({ ms }) => times.push(ms))
  }
  const share = (100 * (cpuMsOf(venue.pid) - cpu)) / (performance.now() - began)
  const waited = `/markets every ${POLL_MS / 1_000} s answered after p50 ${at(times, 0.5).toFixed(0)} ms, at most ${at(times, 1).toFixed(0)} ms`
  row(`${many} owners while prices move, ${SPEED} times as fast: CPU`, share, '%', null, waited)
  row(`${many} owners while prices move: resident`, residentMbOf(venue.pid), 'MB')
  await venue.close()
}

/** For how long its loop does nothing else, by processor time: it moves on ten times a second. */
async function moving(scenario: string | undefined): Promise<void> {
  const plan = planFor({ walletCount: OWNERS, scenario: findScenario(scenario) })
  const world = createWorld(plan, { seed: 1, stepSeconds: SPEED / 30, startSeconds: 1_750_000_000 })
  const [costs, told]: [number[], VenueEvent[]] = [[], []]
  for (let seconds = 0; seconds < MOVED_HOURS * 3_600;) {
    seconds += SPEED / 10
    const move = () => {
      while (world.moveTo(seconds, told) === 'liquidated');
    }
    costs.push((await costOf(move)).cpuMs)
  }
  const gone = told.filter(({ is }) => is === 'flagged').length
  const all = `p99 ${at(costs, 0.99).toFixed(0)} ms, at most ${at(costs, 1).toFixed(0)} ms; ${gone.toLocaleString('en')} accounts liquidated in ${MOVED_HOURS} h of market time`
  const what = scenario === undefined ? 'prices move' : `the scenario ${scenario}`
  row(`${many} owners, ${what}: the loop is held ten times a second for p50`, at(costs, 0.5), 'ms', null, all)
}
