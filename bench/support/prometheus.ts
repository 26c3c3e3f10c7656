import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { ended, freePort, until, withUs } from './process.ts'

/** Prometheus with the configuration that operators are given, reading one program. */
export interface Prometheus {
  /** The series of an instant query, as they are now. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]>
  /** Names of the alerts that fire. */
  firing(): Promise<string[]>
  stop(): Promise<void>
}

const GRAFANA = fileURLToPath(new URL('../../docs/grafana/', import.meta.url))
const START_LIMIT_MS = 90_000

export function hasPrometheus(): boolean {
  return spawnSync('prometheus', ['--version']).status === 0
}

export async function startPrometheus(target: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'perch-prometheus-'))
  const port = await freePort()
  const file = join(folder, 'prometheus.yml')
  const given = readFileSync(join(GRAFANA, 'prometheus.yml'), 'utf8')
  const ours = given.replace('127.0.0.1:8080', target).replace('rules.yml]', `${GRAFANA}rules.yml]`)
  writeFileSync(file, ours)
  const child = withUs(
    spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    ),
  )
  async function ask<T>(path: string): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const body = (await answer.json()) as { status: string; error?: string; data: T }
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`)
    return body.data
  }
  const query: Prometheus['query'] = async (expression) => {
    const found = await ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      `query?query=${encodeURIComponent(expression)}`,
    )
    return found.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
  }
  await until(
    () =>
      query('up == 1').then(
        ({ length }) => length > 0,
        () => false,
      ),
    {
      ...{ everyMs: 500, limitMs: START_LIMIT_MS, what: 'Prometheus has read the program' },
    },
  )
  return {
    query,
    async firing() {
      const { alerts } = await ask<{ alerts: { state: string; labels: { alertname: string } }[] }>('alerts')
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    },
    async stop() {
      await ended(child, 'SIGKILL')
      rmSync(folder, { recursive: true })
    },
  }
}
