import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { startBotApi } from './bot-api.ts'
import type { Crowd } from './crowd.ts'
import { ended, freePort, until, withUs } from './process.ts'
import { startWords } from './program.ts'
import type { Word } from './venue.ts'

/** What `npm start` starts, in a process of its own, between a venue for this crowd and a Bot API that takes everything. */
export interface Real {
  pid: number
  venue: CrowdVenue
  /** Of its HTTP server. */
  port: number
  /** From the start of the process until it is ready: the first prices are judged. */
  readyMs: number
  stop(): Promise<void>
}

export interface CrowdVenue {
  url: string
  /** Resolves with how many wallets were asked for since its start. */
  says(word: Word): Promise<number>
  stop(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const START_LIMIT_MS = 120_000
/** Where nobody is the operator yet, that is no trouble. */
const CLAIM = /^To become the operator, .*\n/m

export async function startVenue(crowd: Crowd): Promise<CrowdVenue> {
  const child = withUs(fork(here('venue.ts'), [JSON.stringify(crowd)], { execArgv: [] }))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    async says(word) {
      child.send(word)
      const [{ reads }] = (await once(child, 'message')) as [{ reads: number }]
      return reads
    },
    stop: () => ended(child, 'SIGKILL'),
  }
}

export async function startReal(
  given: Crowd,
  env: Record<string, string> = {},
  took: (text: string) => void = () => {},
  tookPicture: () => void = () => {},
): Promise<Real> {
  const crowd: Crowd = { ...given, platform: 'telegram' }
  const folder = mkdtempSync(join(tmpdir(), 'perch-bench-'))
  const file = join(folder, 'perch.sqlite')
  const [venue, telegram, port] = await Promise.all([
    startVenue(crowd),
    startBotApi(took, tookPicture),
    freePort(),
  ])
  // Others that run at the same time are served by this process meanwhile.
  await promisify(execFile)(process.execPath, [
    here('settle.ts'),
    file,
    JSON.stringify(crowd),
    `perps-data ${venue.url} chain 8008`,
  ])
  const began = performance.now()
  const { settings, main } = startWords(ROOT)
  const child = spawn(process.execPath, [...settings, main], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...{ PATH: process.env['PATH'], TZ: 'UTC', LOG_LEVEL: 'warn' },
      ...{ VENUE_URL: venue.url, DATABASE_URL: file, HTTP_PORT: String(port) },
      ...telegram.env,
      ...env,
    },
  })
  withUs(child)
  let log = ''
  child.stderr.on('data', (part: Buffer) => (log += part.toString()))
  const ready = async () => {
    if (child.exitCode !== null) throw new Error(`the program has ended: ${log}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    return answer?.ok === true
  }
  await until(ready, { everyMs: 5, limitMs: START_LIMIT_MS, what: 'the program is ready' })
  return {
    ...{ pid: child.pid ?? 0, venue, port, readyMs: performance.now() - began },
    async stop() {
      await ended(child, 'SIGTERM')
      process.stderr.write(log.replace(CLAIM, ''))
      await Promise.all([venue.stop(), telegram.stop()])
      rmSync(folder, { recursive: true })
    },
  }
}

function here(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
