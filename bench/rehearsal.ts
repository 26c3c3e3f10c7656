import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runProgram } from '../test/support/program.ts'
import { SUGGESTED } from '../test/support/sim.ts'
import { say } from './support/figures.ts'
import { until, wait } from './support/process.ts'
import { hasPrometheus, type Prometheus, startPrometheus } from './support/prometheus.ts'

// What is watched over, rehearsed: Prometheus reads the running program as operators are told to let it; each query of the
// dashboard has to return something; then comes calm, in which no rule may fire; then the venue answers nothing, comes back,
// and at last the process is gone. `npm run rehearse [minutes of calm]`, where Prometheus is installed.

const CALM_MINUTES = Number(process.argv[2] ?? 3)
const MINUTE_MS = 60_000
/** As Grafana has it for a scrape every 15 s. */
const RATE_INTERVAL = '1m'
const ACTIVE_MS = 75_000
const LIMIT_MS = 5 * MINUTE_MS

interface Panel {
  title: string
  targets?: { expr: string; legendFormat: string }[]
}

if (hasPrometheus()) await rehearse()
else say('Prometheus is not installed here, so nothing is rehearsed. On Debian: apt-get install prometheus')

async function rehearse(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-rehearsal-'))
  const program = runProgram('src/main.ts', {
    ...{ DATABASE_URL: join(folder, 'perch.sqlite'), LOG_LEVEL: 'info', SIM_CONTROL: '1', SIM_SPEED: '1' },
  })
  try {
    program.type(`/watch ${SUGGESTED} demo`)
    await program.prints('ETH long')
    const url = (what: string) =>
      new RegExp(`"what":"${what}","url":"([^"]+)"`).exec(program.log())?.[1] ?? ''
    const venue = async (method: string, path: string, body?: object) => {
      await fetch(`${url('simulated venue')}/_sim/${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      })
    }
    const prometheus = await startPrometheus(new URL(url('http')).host)
    const asked = await queried(prometheus, async () => {
      program.type('/status')
      for (const shockPercent of [-3, 3]) {
        await venue('POST', 'price', { symbol: 'ETH', shockPercent })
        await wait(5_000)
      }
    })
    await venue('POST', 'price', { symbol: 'ETH', shockPercent: 10 })
    // Somebody has seen what that has led to.
    await wait(5_000)
    program.type('/ack')
    const isAnswered = async () => (await prometheus.query('perch_unacknowledged_criticals == 0')).length > 0
    await until(isAnswered, { everyMs: 1_000, limitMs: LIMIT_MS, what: 'all alerts are answered' })
    const calm = await quiet(prometheus, CALM_MINUTES * MINUTE_MS)
    await venue('POST', 'fault', { path: '*', kind: 'status', times: 1_000_000 })
    await fires(prometheus, 'PerchBlind', 'the venue answers nothing')
    await venue('DELETE', 'fault')
    await falls(prometheus, 'PerchBlind', 'it answers again')
    await program.kill('SIGKILL')
    await fires(prometheus, 'PerchDown', 'the process is gone')
    await prometheus.stop()
    if (asked + calm > 0) process.exitCode = 1
  } finally {
    await program[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
}

/** How many of the dashboard's queries return nothing. */
async function queried({ query }: Prometheus, live: () => Promise<void>): Promise<number> {
  const end = performance.now() + ACTIVE_MS
  while (performance.now() < end) await live()
  const file = new URL('../docs/grafana/dashboard.json', import.meta.url)
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] }
  let [asked, silent] = [0, 0]
  for (const { title, targets = [] } of panels) {
    for (const { expr, legendFormat } of targets) {
      const found = await query(expr.replaceAll('$__rate_interval', RATE_INTERVAL))
      // A quantile of nothing is no figure.
      const figures = found.filter(({ value }) => !Number.isNaN(value))
      const shown = figures.map(({ metric, value }) => {
        const name = legendFormat.replaceAll(/\{\{(\w+)\}\}/g, (_all, label: string) => metric[label] ?? '')
        return `${name} ${Number(value.toPrecision(3))}`
      })
      say(`${title} | ${shown.join(', ') || `NOTHING: ${expr}`}`)
      asked++
      if (figures.length === 0) silent++
    }
  }
  say(`${asked - silent} of the dashboard's ${asked} queries return figures.`)
  return silent
}

/** How many alerts fired in this time. */
async function quiet({ firing }: Prometheus, ms: number): Promise<number> {
  const fired = new Set<string>()
  const end = performance.now() + ms
  while (performance.now() < end) {
    for (const name of await firing()) fired.add(name)
    await wait(5_000)
  }
  const minutes = Math.round(ms / MINUTE_MS)
  say(`${minutes} min of calm: ${fired.size === 0 ? 'no alert' : [...fired].join(', ')}`)
  return fired.size
}

async function fires({ firing }: Prometheus, name: string, what: string): Promise<void> {
  const began = performance.now()
  await until(async () => (await firing()).includes(name), {
    ...{ everyMs: 1_000, limitMs: LIMIT_MS, what: `${name} fires` },
  })
  say(`${what}: ${name} fires after ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}

async function falls({ firing }: Prometheus, name: string, what: string): Promise<void> {
  const began = performance.now()
  await until(async () => !(await firing()).includes(name), {
    ...{ everyMs: 1_000, limitMs: LIMIT_MS, what: `${name} ends` },
  })
  say(`${what}: ${name} ends after ${((performance.now() - began) / 1_000).toFixed(0)} s`)
}
