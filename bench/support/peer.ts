import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { LINE } from './growing.ts'
import { ended, freePort, residentMbOf, until, withUs } from './process.ts'

/** Prometheus and Alertmanager, told to do what Perch does for a crowd: warn of each position that comes too near. */
export interface Peer {
  /** How long the last evaluation of the rule took, and when it began. */
  evaluation(): Promise<{ ms: number; at: number }>
  /** Both processes together. */
  residentMb(): number
  /** Alerts that were delivered as firing since its start. */
  delivered(): number
  /** When the first one was since the last `forget`. */
  firstMono(): number | null
  forget(): void
  stop(): Promise<void>
}

const PROMETHEUS = 'prometheus'
/** As Debian calls it. */
const ALERTMANAGER = 'prometheus-alertmanager'
/** Ends one that hangs. A crowded machine needs minutes to read 100,000 positions. */
const START_LIMIT_MS = 240_000

export function isInstalled(): boolean {
  return [PROMETHEUS, ALERTMANAGER].every((name) => spawnSync(name, ['--version']).status === 0)
}

export async function startPeer(venue: string, everyS: number, positions: number): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-peer-'))
  const [receiver, prometheusPort, alertmanagerPort] = await Promise.all([
    startReceiver(),
    freePort(),
    freePort(),
  ])
  const write = (name: string, lines: string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  const target = (port: string | number) => `static_configs: [{ targets: ['127.0.0.1:${port}'] }]`
  const venuePort = new URL(venue).port
  write('prometheus.yml', [
    `global: { scrape_interval: ${everyS}s, evaluation_interval: ${everyS}s, scrape_timeout: ${everyS}s }`,
    `rule_files: ['${join(folder, 'rules.yml')}']`,
    `alerting: { alertmanagers: [{ ${target(alertmanagerPort)} }] }`,
    'scrape_configs:',
    `- { job_name: prices, metrics_path: /prometheus/prices, scrape_interval: 1s, scrape_timeout: 1s, ${target(venuePort)} }`,
    // Perch does not read each position every second either.
    `- { job_name: positions, metrics_path: /prometheus/positions, scrape_interval: 15s, scrape_timeout: 14s, ${target(venuePort)} }`,
  ])
  write('rules.yml', [
    'groups:',
    '- name: near',
    '  rules:',
    '  - alert: NearLiquidation',
    `    expr: 1 - pos_liq / on(market) group_left market_price <= on(position, market) pos_near`,
    `    annotations: { summary: '{{ $labels.position }} is {{ $value }} from liquidation, line ${LINE}' }`,
  ])
  write('alertmanager.yml', [
    // One notification for each position, at once.
    `route: { receiver: hook, group_by: ['...'], group_wait: 0s, group_interval: 1s, repeat_interval: 4h }`,
    `receivers: [{ name: hook, webhook_configs: [{ url: '${receiver.url}' }] }]`,
  ])
  const children = [
    spawn(
      ALERTMANAGER,
      [
        `--config.file=${join(folder, 'alertmanager.yml')}`,
        `--storage.path=${join(folder, 'alertmanager')}`,
        `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    ),
    spawn(
      PROMETHEUS,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'prometheus')}`,
        `--web.listen-address=127.0.0.1:${prometheusPort}`,
      ],
      { stdio: 'ignore' },
    ),
  ].map(withUs)
  const api = `http://127.0.0.1:${prometheusPort}/api/v1`
  const sees = async () => {
    const answer = await fetch(`${api}/query?query=count(pos_liq)`).catch(() => null)
    const text = await answer?.text()
    return text?.includes(`"${positions}"`) ?? false
  }
  await until(sees, { everyMs: 500, limitMs: START_LIMIT_MS, what: 'Prometheus has read all positions' })
  return {
    async evaluation() {
      const answer = await fetch(`${api}/rules`)
      const { data } = (await answer.json()) as { data: { groups: Group[] } }
      const [group] = data.groups
      return {
        ms: (group?.evaluationTime ?? Number.NaN) * 1_000,
        at: Date.parse(group?.lastEvaluation ?? ''),
      }
    },
    residentMb: () => children.reduce((sum, { pid }) => sum + residentMbOf(pid ?? 0), 0),
    delivered: receiver.delivered,
    firstMono: receiver.firstMono,
    forget: receiver.forget,
    async stop() {
      await Promise.all(children.map((child) => ended(child, 'SIGKILL')))
      await receiver.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

interface Group {
  evaluationTime: number
  lastEvaluation: string
}

/** What Alertmanager posts to. */
async function startReceiver() {
  let firing = 0
  let first: number | null = null
  const server = createServer((request, response) => {
    const mono = performance.now()
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      response.end()
      const { alerts } = JSON.parse(body) as { alerts: { status: string }[] }
      const more = alerts.filter(({ status }) => status === 'firing').length
      if (more > 0) first ??= mono
      firing += more
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    delivered: () => firing,
    firstMono: () => first,
    forget: () => void (first = null),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
