import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const read = (path: string) => readFileSync(at(path), 'utf8')
const compose = read('compose.yaml')

/** Whichever is installed; the older one is a program of its own. */
const [program = '', ...words] =
  [['docker', 'compose'], ['docker-compose']].find(
    ([name = '', ...more]) => spawnSync(name, [...more, 'version']).status === 0,
  ) ?? []

test('compose.yaml is understood by Docker Compose, where it is installed', (context) => {
  if (program === '') context.skip('Docker Compose is not there')
  const folder = mkdtempSync(join(tmpdir(), 'perch-compose-'))
  copyFileSync(at('compose.yaml'), join(folder, 'compose.yaml'))
  writeFileSync(join(folder, '.env'), 'VENUE=sim\n')
  const asked = [...words, '--profile', 'metrics', '--profile', 'standby', 'config', '--quiet']
  const { status, stderr } = spawnSync(program, asked, { cwd: folder, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(status, stderr).toBe(0)
})

test('what compose.yaml shows to a container is there', () => {
  const files = [...compose.matchAll(/- \.\/([^:]+):/g)].map(([, path = '']) => path)
  expect(files).toHaveLength(5)
  expect(files.filter((path) => !existsSync(at(path)))).toEqual([])
})

test('nothing has to be copied into a container that cannot be written to', () => {
  // Docker refuses to: https://github.com/docker/compose/issues/12031
  expect(compose).toContain('read_only: true')
  expect(compose).not.toMatch(/^\s*(?:configs|secrets):/m)
})

test('Prometheus reads the same in a container as elsewhere, but for where Perch is', () => {
  const settings = (path: string) => read(path).replaceAll(/^#.*\n/gm, '')
  const elsewhere = settings('docs/grafana/prometheus.yml').replace('127.0.0.1:8080', 'perch:8080')
  expect(settings('deploy/metrics/prometheus.yml')).toBe(elsewhere)
})

test('what is kept lies in the same volume, whoever starts the container', () => {
  expect(compose).toMatch(/\n {2}perch-data:\n {4}name: perch-data\n/)
  for (const page of ['README.md', 'docs/operations.md'])
    expect(read(page)).toContain('-v perch-data:/app/data')
})

test('SQLite has room for what it sorts where nothing else can be written', () => {
  const started = /docker run -d [^`]*?--read-only[^`]*?perch +#/.exec(read('README.md'))?.[0]
  expect(started).toContain('--tmpfs /tmp')
  expect(compose).toContain('tmpfs: [/tmp]')
})

test('a container and systemd start Perch as npm does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } }
  const inContainer = JSON.parse(/^CMD (.+)$/m.exec(read('Dockerfile'))?.[1] ?? '[]') as string[]
  expect(inContainer.join(' ')).toBe(scripts.start)
  expect(read('deploy/perch.service')).toContain(`\nExecStart=/usr/bin/${scripts.start}\n`)
})
