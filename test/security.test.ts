import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { readSources } from './support/sources.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

/** The rows of the tables, each with the tests that hold it. */
const ROWS = read('SECURITY.md')
  .split('\n')
  .filter((line) => /^\| (?!who|---)/.test(line))
  .map((line) => ({
    who: line.split('|')[1]?.trim() ?? '',
    holds: [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', path = '']) => ({
      title,
      path,
    })),
  }))

/** The file that recognises what people type, such as that they ask for a key or paste one. */
const WORDS_ASKED = 'src/dialog/parse/small-talk.ts'

describe('SECURITY.md', () => {
  test('has rows', () => {
    expect(ROWS.length).toBeGreaterThan(15)
  })

  test.each(ROWS)('what it says of $who is held by tests', ({ holds }) => {
    expect(holds).not.toEqual([])
    for (const { title, path } of holds) {
      const text = existsSync(new URL(`../${path}`, import.meta.url)) ? read(path) : ''
      expect(text.includes(title), `${path}: ${title}`).toBe(true)
    }
  })
})

test('nothing in Perch can sign a transaction', () => {
  const { packages: installed } = JSON.parse(read('package-lock.json')) as { packages: object }
  const signers =
    /(?:^|\/)(?:@noble\/curves|secp256k1|ethers|viem|ox|web3|[a-z-]*eth-signer|[a-z-]*elliptic[a-z-]*)$/
  expect(Object.keys(installed).filter((name) => signers.test(name))).toEqual([])
  // What people ask for in words, such as a trade, is recognised: these words are no name of the code.
  const asked = 'private key|seed phrase|seed|mnemonic|api key|password'
  const holders = [...readSources()].flatMap(([path, text]) =>
    /private_?key|mnemonic/i.test(path === WORDS_ASKED ? text.replace(asked, '') : text) ? [path] : [],
  )
  expect(read(WORDS_ASKED).split(asked)).toHaveLength(2)
  // It shows push services who sends, on a curve that no chain takes.
  expect(holders).toEqual(['adapters/push/vapid.ts'])
  expect(read('adapters/push/vapid.ts')).toContain("createECDH('prime256v1')")
})

test('no package runs anything when it is installed, but for the run-time itself', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<
      string,
      { hasInstallScript?: boolean; optional?: boolean; dev?: boolean; integrity?: string }
    >
  }
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> }
  const running = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const allowed = running.filter(([path]) => allowScripts[path.replace(/^.*node_modules\//, '')] !== false)
  expect(allowed.map(([path, { dev }]) => [path, dev])).toEqual([['node_modules/node', true]])
  const unsure = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && integrity === undefined,
  )
  expect(unsure).toEqual([])
  expect(read('Dockerfile')).toContain('npm ci --omit=dev --ignore-scripts')
})

test('npm run sbom lists all that runs in it, by name, version and hash, and nothing of the workshop', () => {
  const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    'scripts' | 'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const cwd = new URL('..', import.meta.url)
  const { stdout, stderr } = spawnSync(scripts['sbom'] ?? '', { cwd, shell: true, encoding: 'utf8' })
  expect(stdout, stderr).toMatch(/^{/)
  const bom = JSON.parse(stdout) as {
    bomFormat: string
    components: { name: string; version: string; hashes: { content: string }[] }[]
  }
  expect(bom.bomFormat).toBe('CycloneDX')
  const listed = new Map(bom.components.map(({ name, version }) => [name, version]))
  expect(Object.fromEntries(listed)).toMatchObject(dependencies)
  // discord.js brings these as well.
  const shared = ['@types/node', '@types/ws', 'ws']
  expect(Object.keys(devDependencies).filter((name) => listed.has(name))).toEqual(shared)
  expect(bom.components.filter(({ hashes }) => hashes.length === 0)).toEqual([])
})

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' })

test('the service may do little more than read and talk', (context) => {
  const unit = read('deploy/perch.service')
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
    expect(unit).toContain(`\n${line}\n`)
  if (!/\boffline\b/.test(analyze('--help').stdout ?? ''))
    context.skip('systemd-analyze 250 or newer is not there')
  const { stdout, stderr } = analyze('security', '--offline=true', '--no-pager', 'deploy/perch.service')
  const exposure = /Overall exposure level for perch\.service: ([\d.]+)/.exec(stdout)?.[1]
  expect(Number(exposure), stdout + stderr).toBeLessThan(2)
})

test('a container runs it without rights, and cannot write to itself', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m)
  const compose = read('compose.yaml')
  const perch = compose.slice(compose.indexOf('  perch:'), compose.indexOf('  prometheus:'))
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'init: true', "'127.0.0.1:8080:8080'"])
    expect(perch).toContain(line)
})
