import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { ALICE } from '../support/bot.ts'
import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'
import { openStage } from '../support/stage.ts'

/** Linux has a device that takes nothing, as a file on a full disk does. */
const FULL = '/dev/full'

/** The log, which usually says on which port the program listens, cannot be read here. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test.skipIf(!existsSync(FULL))(
  'with its log on a full disk the program warns, answers, says that it lives, and ends',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perch-full-log-'))
    const log = openSync(FULL, 'w')
    const port = await freePort()
    const asks = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    await using stage = await openStage()
    stage.market('BTC', { price: 130 })
    stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await using program = runProgram(
      'src/main.ts',
      {
        ...{ VENUE_URL: stage.url, DATABASE_URL: join(folder, 'perch.sqlite'), HTTP_PORT: String(port) },
        ...{ MARKET_POLL_MS: '100', OWNER_POLL_MIN_MS: '100', OWNER_POLL_MAX_MS: '1000', LOG_LEVEL: 'trace' },
      },
      [],
      log,
    )
    program.type(`/watch ${ALICE} demo`)
    await program.prints('BTC long')
    await eventually(async () => (await asks('/readyz')) === 200)
    for (let times = 0; times < 60; times++) program.type('/wallets')
    stage.market('BTC', { price: 94 })
    await program.prints(/\[CRITICAL\] /)
    expect(await asks('/healthz')).toBe(200)
    program.process.kill('SIGTERM')
    expect(await program.ends()).toEqual({ code: 0, signal: null })
    closeSync(log)
    rmSync(folder, { recursive: true })
  },
)
