import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { ALICE } from '../support/bot.ts'
import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'
import { openStage } from '../support/stage.ts'

test('while another program holds the database, health, metrics and log say so, and that it is over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perch-locked-'))
  const database = join(folder, 'perch.sqlite')
  await using stage = await openStage()
  stage.market('BTC', { price: 130 })
  stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await using program = runProgram('src/main.ts', {
    ...{ VENUE_URL: stage.url, DATABASE_URL: database, MARKET_POLL_MS: '100', OWNER_POLL_MIN_MS: '100' },
  })
  program.type(`/watch ${ALICE} demo`)
  await program.prints('BTC long')
  const [, url = ''] = /"what":"http","url":"([^"]+)"/.exec(program.log()) ?? []
  const asks = async (path: string) => (await fetch(`${url}${path}`)).text()
  const status = async (path: string) => (await fetch(`${url}${path}`)).status
  await eventually(async () => (await status('/readyz')) === 200)

  const other = new Database(database)
  other.exec('BEGIN IMMEDIATE')
  stage.market('BTC', { price: 94 })
  await eventually(async () => (await status('/healthz')) === 503)
  // First a commit waits; later the engine gives it up.
  expect(await asks('/readyz')).toMatch(/another program (may hold it|keeps .* locked)/)
  await eventually(async () => (await asks('/metrics')).includes('\nperch_store_failing 1\n'))
  expect(program.log()).toContain('"event":"store-waits"')
  other.exec('ROLLBACK')
  other.close()
  await program.prints(/\[CRITICAL\] /)
  await eventually(async () => (await status('/readyz')) === 200)
  await eventually(async () => (await asks('/metrics')).includes('\nperch_store_failing 0\n'))
  expect(program.output()).not.toContain('can’t see')
  rmSync(folder, { recursive: true })
})
