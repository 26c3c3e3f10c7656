import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { say } from './support/figures.ts'
import { recordedHour, type Recording, SCRAPED_EVERY_MS } from './support/recorded-hour.ts'

// Three hours of the whole bot on a fast clock, read every 15 s as Prometheus would, and given to promtool with the rules that
// operators are given: a calm one, in which none may fire, and two in which the venue answers nothing, or a platform takes
// nothing, for twenty minutes.
// `node bench/calm-hour.ts`, where promtool is installed.

const RULES = fileURLToPath(new URL('../docs/grafana/rules.yml', import.meta.url))
const FIRING = 'count by (alertname) (ALERTS{alertstate="firing"})'
/** Sixteen minutes on end, at four readings each. */
const WAITED =
  'count by (alertname) (count_over_time(ALERTS{alertname="PerchCriticalWaits",alertstate="firing"}[16m]) >= 64)'
const OUTAGE = { from: 10, until: 30 }

interface Expected {
  /** PromQL, and the alerts that it names. */
  expression: string
  minute: number
  alerts: readonly string[]
}

if (spawnSync('promtool', ['--version']).status === 0) {
  // What the wallet is warned of at its first look is over before the hour begins.
  const calm = await recordedHour(async (minute, sim) => {
    if (minute === 0) await sim.send('POST', '/_sim/price', { symbol: 'ETH', shockPercent: 10 })
  })
  const ever = 'count by (alertname) (max_over_time(ALERTS{alertstate="firing"}[1h]))'
  judge('a calm hour', calm, [{ expression: ever, minute: 60, alerts: [] }])
  const dark = await recordedHour(async (minute, sim) => {
    if (minute === 0) await sim.send('POST', '/_sim/price', { symbol: 'ETH', shockPercent: 10 })
    const times = 1_000_000
    if (minute === OUTAGE.from) await sim.send('POST', '/_sim/fault', { path: '*', kind: 'status', times })
    if (minute === OUTAGE.until) await sim.send('DELETE', '/_sim/fault')
  })
  judge('an hour with an outage of the venue from 10 to 30', dark, [
    { expression: FIRING, minute: OUTAGE.from, alerts: [] },
    { expression: FIRING, minute: OUTAGE.from + 2, alerts: ['PerchBlind'] },
    { expression: FIRING, minute: OUTAGE.until - 1, alerts: ['PerchBlind', 'PerchVenueFails'] },
    { expression: FIRING, minute: OUTAGE.until + 10, alerts: [] },
  ])
  const stuck = await recordedHour(async (minute, sim, takes) => {
    if (minute === 0) await sim.send('POST', '/_sim/price', { symbol: 'ETH', shockPercent: 10 })
    if (minute === OUTAGE.from) takes('nothing')
    if (minute === OUTAGE.from) await sim.send('POST', '/_sim/price', { symbol: 'ETH', shockPercent: -18.5 })
    if (minute === OUTAGE.until) takes('all')
  })
  judge('an hour in which the platform takes nothing from 10 to 30', stuck, [
    { expression: FIRING, minute: OUTAGE.from, alerts: [] },
    { expression: FIRING, minute: OUTAGE.from + 2, alerts: ['PerchCriticalWaits'] },
    // What is written anew while it waits has not begun to wait then.
    { expression: WAITED, minute: OUTAGE.until - 1, alerts: ['PerchCriticalWaits'] },
    { expression: FIRING, minute: OUTAGE.until - 1, alerts: ['PerchCriticalWaits', 'PerchSendsFail'] },
    { expression: FIRING, minute: OUTAGE.until + 20, alerts: ['PerchUnanswered'] },
  ])
} else say('promtool is not installed here, so nothing is judged. On Debian: apt-get install prometheus')

function judge(what: string, recording: Recording, expected: readonly Expected[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'perch-rules-'))
  const file = join(folder, 'rules.test.yml')
  const series = [...recording].map(([name, values]) => ({
    series: name,
    values: values.map((value) => value ?? '_').join(' '),
  }))
  const scrapes = Math.max(...[...recording.values()].map(({ length }) => length))
  const up = { series: 'up{job="perch"}', values: `1x${scrapes - 1}` }
  const interval = `${SCRAPED_EVERY_MS / 1_000}s`
  // YAML takes JSON.
  const tests = JSON.stringify({
    rule_files: [RULES],
    evaluation_interval: interval,
    tests: [
      {
        interval,
        input_series: [up, ...series],
        promql_expr_test: expected.map(({ expression, minute, alerts }) => ({
          ...{ expr: expression, eval_time: `${minute}m` },
          exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
        })),
      },
    ],
  })
  writeFileSync(file, tests)
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const fine = `${what}, ${recording.size} series: ${expected.map(({ minute, alerts }) => `minute ${minute}: ${alerts.join(', ') || 'none'}`).join('; ')}`
  say(status === 0 ? fine : `${what}: not as expected\n${stdout}${stderr}`)
  if (status !== 0) process.exitCode = 1
}
