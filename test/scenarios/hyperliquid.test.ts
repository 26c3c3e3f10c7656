import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Hyperliquid, startHyperliquid } from '../support/hyperliquid/server.ts'
import { eventually } from '../support/patience.ts'
import { runProgram } from '../support/program.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-hyperliquid-'))
})
afterAll(() => rm(folder, { recursive: true }))

let databases = 0

/** The real program on that venue, with a database of its own, told to watch the wallet. */
function watching({ url }: Hyperliquid, env: Record<string, string> = {}) {
  const database = join(folder, `${++databases}.sqlite`)
  const program = runProgram('src/main.ts', {
    ...{ VENUE: 'hyperliquid', VENUE_URL: url, DATABASE_URL: database },
    ...env,
  })
  program.type(`/watch ${WALLET} main`)
  return program
}

test.concurrent('a wallet on Hyperliquid is watched, shown, and warned of when the mark price falls through a line', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 4_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  const start = market.mark
  await using program = watching(venue)
  await program.prints('BTC long: 10.9 % from liquidation')
  program.type('/positions')
  await program.prints(/positions read (just now|\d\.\d s ago)/)
  venue.moves({ BTC: start * 0.93 })
  await program.prints(/\[CRITICAL\] BTC long is 4\.2 % from liquidation/)
  program.type('/preview main BTC -50%')
  await program.prints(/BTC: sell 0\.25 BTC .*\n.*our estimate.*\n.*afterwards: long 0\.25 BTC/)
  expect(venue.weight()).toBeLessThan(1_200)
  expect(program.log()).not.toContain('limited')
})

test.concurrent('a wallet whose long is in a builder’s book is warned of that one by its name', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 100 })
  wallet.deposits(2_000, 'xyz')
  wallet.trades('BTC', 0.001, { leverage: 2 })
  const { market } = wallet.trades('xyz:NVDA', 50, { leverage: 10 })
  const start = market.mark
  await using program = watching(venue)
  await program.prints(/xyz:NVDA long/)
  venue.moves({ 'xyz:NVDA': start * 0.96 })
  await program.prints(/\[CRITICAL\] xyz:NVDA long is 1\.3 % from liquidation/)
  // The market says which account it is, and a button has to say no more than can be read back.
  await program.prints(/\[Costs to fix xyz:NVDA: \/fix A\d+\]/)
  program.type('/preview 0x52908400 nvda -50%')
  await program.prints('xyz:NVDA: sell 25 xyz:NVDA')
})

test.concurrent('a cross account whose second position falls is warned of by its ratio', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 4_000 })
  wallet.trades('BTC', 0.01, { leverage: 20 })
  const worth = venue.market('DOGE').mark
  const { market } = wallet.trades('DOGE', Math.round(20_000 / worth), { leverage: 10 })
  const start = market.mark
  await using program = watching(venue)
  await program.prints('margin of main: at 30 / 50 / 70 / 85 %')
  venue.moves({ DOGE: start * 0.86 })
  await program.prints(/\[CRITICAL\] main is at a margin ratio of 7\d(\.\d)? %/)
  // In one message with the position, or after it, whichever of price and wallet was told first.
  expect(program.output()).toMatch(
    /covers DOGE long \$[\d.]+k, BTC long \$66\d|DOGE long is 2[^]*main is at a margin ratio/,
  )
  program.type('/alerts')
  await program.prints(/main: margin ratio 7\d(\.\d)? %, 70 % margin line/)
})

test.concurrent('a unified wallet whose collateral lies in spot is warned of once, whatever book it trades in', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 4_000, mode: 'unifiedAccount' })
  wallet.trades('BTC', 0.01, { leverage: 20 })
  const { market } = wallet.trades('xyz:GOLD', 15, { leverage: 20 })
  const start = market.mark
  await using program = watching(venue, { OWNER_POLL_MAX_MS: '3000' })
  await program.prints('margin of main: at 30 / 50 / 70 / 85 %')
  venue.moves({ 'xyz:GOLD': start * 0.97 })
  await program.prints(/\[CRITICAL\] main is at a margin ratio of [\d.]+ %/)
  program.type('/alerts')
  await program.prints(/alerts? fires? now/)
  expect(program.output().match(/is at a margin ratio of/g)).toHaveLength(1)
})

test.concurrent('a mark that falls through a line is warned of by push alone, and by polling when push falls silent', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(WALLET, { usd: 4_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  const start = market.mark
  await using program = watching(venue)
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
