import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'
import { temporaryFolder } from '../support/store.ts'

/** What Node loads until the person at the terminal is greeted: everything beyond this makes each start slower. */
const PACKAGES = [
  ...['@noble/hashes', 'better-sqlite3', 'node-cron', 'pino', 'prom-client', 'undici', 'zod'],
  // What these need in turn.
  ...['@pinojs/redact', 'atomic-sleep'],
  ...['on-exit-leak-free', 'pino-std-serializers', 'quick-format-unescaped', 'safe-stable-stringify'],
  ...['sonic-boom', 'thread-stream'],
]
/** Rooms that nobody has chosen. Of these only the settings are read. */
const UNCHOSEN =
  /\/(?:adapters\/(?:discord|ntfy|pushover|telegram|webhook)|src\/(?:venues\/(?:hyperliquid|lighter|several)|stores\/journal))\/(?!(?:config|place)\.ts$)/

test('a start with a terminal and the simulated venue loads what these two need, and even if it is killed the next one compiles nothing', async () => {
  const folder = temporaryFolder()
  const [loaded, compiled] = [join(folder, 'loaded'), join(folder, 'compiled')]
  await using program = runProgram('src/main.ts', {
    DATABASE_URL: join(folder, 'perch.sqlite'),
    NODE_COMPILE_CACHE: compiled,
    NODE_OPTIONS: '--import ./test/support/list-imports.ts',
    LOADED: loaded,
  })
  await program.prints('Live:')
  const urls = [...new Set(readFileSync(loaded, 'utf8').trim().split('\n'))]
  await eventually(() => filesIn(compiled) > urls.filter((url) => url.endsWith('.ts')).length)
  await program.kill('SIGKILL')

  expect([...new Set(urls.flatMap((url) => packageOf(url) ?? []))].toSorted()).toEqual(PACKAGES.toSorted())
  expect(urls.filter((url) => url.includes('/undici/lib/web/'))).toEqual([])
  expect(urls.filter((url) => /\/zod\/v4\/locales\/(?!en\.js)/.test(url))).toEqual([])
  expect(urls.filter((url) => UNCHOSEN.test(url))).toEqual([])
})

/** The package that this file belongs to; null for our own and for Node's. */
function packageOf(url: string): string | null {
  return /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? null
}

function filesIn(folder: string): number {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0
}
