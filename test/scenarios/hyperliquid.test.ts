import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startHyperliquid } from '../support/hyperliquid/server.ts'
import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-hyperliquid-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('a wallet on Hyperliquid is watched, shown, and warned of when the mark price falls through a line', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 4_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  const start = market.mark
  await using program = runProgram('src/main.ts', {
    VENUE: 'hyperliquid',
    VENUE_URL: venue.url,
    DATABASE_URL: join(folder, 'one.sqlite'),
  })
  program.type(`/watch ${WALLET} main`)
  await program.prints('BTC long: 10.9 % from liquidation')
  program.type('/positions')
  await program.prints(/positions read just now/)
  venue.moves({ BTC: start * 0.93 })
  await program.prints(/\[CRITICAL\] BTC long is 4\.2 % from liquidation/)
  program.type('/preview main BTC -50%')
  await program.prints(/BTC: sell 0\.25 BTC .*\n.*our estimate.*\n.*afterwards: long 0\.25 BTC/)
  expect(venue.weight()).toBeLessThan(1_200)
  expect(program.log()).not.toContain('limited')
})

test('a wallet whose long is in a builder’s book is warned of that one by its name', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 100 })
  wallet.deposits(2_000, 'xyz')
  const { market } = wallet.trades('xyz:NVDA', 50, { leverage: 10 })
  const start = market.mark
  await using program = runProgram('src/main.ts', {
    VENUE: 'hyperliquid',
    VENUE_URL: venue.url,
    DATABASE_URL: join(folder, 'two.sqlite'),
  })
  program.type(`/watch ${WALLET} main`)
  await program.prints(/xyz:NVDA long/)
  venue.moves({ 'xyz:NVDA': start * 0.96 })
  await program.prints(/\[CRITICAL\] xyz:NVDA long is 1\.3 % from liquidation/)
})

test('a mark that falls through a line is warned of by push alone, and by polling when push falls silent', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 4_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  const start = market.mark
  await using program = runProgram('src/main.ts', {
    VENUE: 'hyperliquid',
    VENUE_URL: venue.url,
    DATABASE_URL: join(folder, 'three.sqlite'),
  })
  program.type(`/watch ${WALLET} main`)
  await program.prints('BTC long: 10.9 % from liquidation')
  await eventually(() => venue.push.users() === 1)
  await eventually(() => program.log().includes('"event":"push","why":null'))
  venue.fault({ kind: 'error', type: 'metaAndAssetCtxs', times: Infinity })
  venue.moves({ BTC: start * 0.93 })
  await program.prints(/\[CRITICAL\] BTC long is 4\.2 % from liquidation/)
  venue.clearFaults()
  venue.push.silence()
  venue.moves({ BTC: start * 0.91 })
  await program.prints(/\[CRITICAL\] BTC long is 2\.1 % from liquidation/)
  await program.kill('SIGTERM')
  await eventually(() => venue.push.connections() === 0)
})
