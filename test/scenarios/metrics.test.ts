import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'
import { SUGGESTED } from '../support/sim.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, DOCS), 'utf8')
const PROMTOOL = spawnSync('promtool', ['--version']).status === 0
const promtool = (args: string[], input = '') => {
  const folder = fileURLToPath(new URL('grafana/', DOCS))
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, input, encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

/** Only where the system tells. */
const ON_LINUX = new Set(['process_open_fds', 'process_max_fds'])

/** Only where processes share a store: test/scenarios/standby.test.ts looks at them. */
const IN_A_CELL = new Set([
  ...['perch_leader', 'perch_epoch', 'perch_standbys', 'perch_journal_behind_seconds'],
])

/** All that a text speaks of; of a histogram the name that it has as a whole. */
function metricsIn(text: string): Set<string> {
  const names = text.match(/\b(?:perch|process|nodejs)_[a-z_]+\b/g) ?? []
  return new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
}

const alertsIn = (text: string) => [...new Set(text.match(/\bPerch[A-Z]\w+/g) ?? [])].toSorted()

/** Presses of a button whose bodies never come. */
async function slowRequests(port: number, many: number): Promise<Socket[]> {
  const slow = Array.from({ length: many }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await Promise.all(slow.map((socket) => once(socket, 'connect')))
  for (const socket of slow) socket.write('POST /b/x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n')
  return slow
}

describe('what the running program shows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perch-metrics-'))
  let text = ''
  let ready = 0
  /** How `/healthz`, `/readyz` and `/metrics` answer while hundreds of others are slow to send their requests. */
  const crowded: number[] = []
  let shown: ReadonlySet<string> = new Set()
  const isShown = (name: string) => shown.has(name) || ON_LINUX.has(name) || IN_A_CELL.has(name)

  beforeAll(async () => {
    await using program = runProgram('src/main.ts', {
      ...{ DATABASE_URL: join(folder, 'perch.sqlite'), LOG_LEVEL: 'info', SIM_SPEED: '0' },
      // Where people are only told: nothing is sent there.
      ...{ ADAPTERS: 'terminal,ntfy', NTFY_URL: 'http://127.0.0.1:9', VENUE: 'sim' },
    })
    program.type(`/watch ${SUGGESTED} demo`)
    await program.prints('4 positions')
    await eventually(() => program.log().includes('"event":"started"'))
    const [, url = ''] = /"what":"http","url":"([^"]+)"/.exec(program.log()) ?? []
    await eventually(async () => (ready = (await fetch(`${url}/readyz`)).status) === 200)
    text = await (await fetch(`${url}/metrics`)).text()
    const slow = await slowRequests(Number(new URL(url).port), 600)
    for (const path of ['/healthz', '/readyz', '/metrics'])
      crowded.push((await fetch(`${url}${path}`)).status)
    for (const socket of slow) socket.destroy()
    shown = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  test('is shown although hundreds of others are slow to send their requests', () => {
    expect(crowded).toEqual([200, 200, 200])
  })

  test('comes from a bot that is ready, also where on one of its platforms nobody can speak', () => {
    expect(ready).toBe(200)
    expect(text).toContain('\nperch_platform_up{platform="ntfy"} 1\n')
  })

  test('has all that the dashboard and the rules ask for', () => {
    const asked = [...metricsIn(read('grafana/dashboard.json')), ...metricsIn(read('grafana/rules.yml'))]
    expect(asked.length).toBeGreaterThan(40)
    expect(asked.filter((name) => !isShown(name))).toEqual([])
  })

  test('is explained to whoever runs it, and nothing is explained that is not there', () => {
    const explained = metricsIn(read('operations.md'))
    expect([...shown].filter((name) => !explained.has(name))).toEqual([])
    expect([...explained].filter((name) => !isShown(name))).toEqual([])
  })

  test('does not hold the wallet that is watched', () => {
    expect(text).toContain('\nperch_wallets 1\n')
    expect(text.toLowerCase()).not.toContain(SUGGESTED.slice(2, 12).toLowerCase())
    expect(text).not.toMatch(/demo|ETH|BTC/)
  })

  test.skipIf(!PROMTOOL)(
    'is what Prometheus reads, named as it is usual there (promtool, where it is installed)',
    () => {
      expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' })
    },
  )
})

describe('the rules', () => {
  test('each has its advice for whoever is woken by it, and an example in which it fires', () => {
    const rules = [...read('grafana/rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
    expect(alertsIn(read('operations.md'))).toEqual(rules.toSorted())
    expect(alertsIn(read('grafana/rules.test.yml'))).toEqual(rules.toSorted())
  })

  test.skipIf(!PROMTOOL)(
    'fire when they should, and none in a calm hour (promtool, where it is installed)',
    () => {
      expect(promtool(['test', 'rules', 'rules.test.yml'])).toMatchObject({ status: 0 })
    },
  )
})
