import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Hyperliquid, startHyperliquid } from '../support/hyperliquid/server.ts'
import { eventually } from '../support/patience.ts'
import { type Program, runProgram } from '../support/program.ts'

/** Four wallets, by the names that they are watched under. */
const WALLETS = {
  main: '0x52908400098527886E0F7030069857D2E4169EE7',
  built: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  cross: '0xde709f2102306220921060314715629080e2fb77',
  unified: '0x27b1fdb04752bbc536007a920d24acb045561c26',
}

// One program watches them all: each story moves the price of a market of its own.
let folder = ''
let venue: Hyperliquid
let program: Program
const start: Record<string, number> = {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-hyperliquid-'))
  venue = await startHyperliquid()
  const trades = (
    wallet: { trades: ReturnType<Hyperliquid['account']>['trades'] },
    coin: string,
    size: number,
    leverage: number,
  ) => {
    const { market } = wallet.trades(coin, size, { leverage })
    start[coin] = market.mark
  }
  trades(venue.account(WALLETS.main, { usd: 4_000 }), 'BTC', 0.5, 20)
  const built = venue.account(WALLETS.built, { usd: 100 })
  built.deposits(2_000, 'xyz')
  trades(built, 'SOL', 0.1, 2)
  trades(built, 'xyz:NVDA', 50, 10)
  const cross = venue.account(WALLETS.cross, { usd: 4_000 })
  trades(cross, 'ETH', 0.34, 20)
  trades(cross, 'DOGE', Math.round(20_000 / venue.market('DOGE').mark), 10)
  const unified = venue.account(WALLETS.unified, { usd: 4_000, mode: 'unifiedAccount' })
  trades(unified, 'SOL', 5, 20)
  trades(unified, 'xyz:GOLD', 15, 20)
  program = runProgram('src/main.ts', {
    ...{ VENUE: 'hyperliquid', VENUE_URL: venue.url, DATABASE_URL: join(folder, 'perch.sqlite') },
    OWNER_POLL_MAX_MS: '3000',
  })
  for (const [name, wallet] of Object.entries(WALLETS)) program.type(`/watch ${wallet} ${name}`)
  await program.prints('BTC long: 10.9% to liquidation')
  await program.prints(/xyz:NVDA long/)
  await program.prints(/Watching cross: .*\n.*when margin runs low \(at 30 \/ 50 \/ 70 \/ 85%\)/)
  await program.prints(/Watching unified: .*\n.*when margin runs low \(at 30 \/ 50 \/ 70 \/ 85%\)/)
})

afterAll(async () => {
  await program.kill('SIGTERM')
  await eventually(() => venue.push.connections() === 0)
  await venue.stop()
  await rm(folder, { recursive: true })
})

/** The price of this market is this share of its first one. */
function falls(coin: string, share: number): void {
  venue.moves({ [coin]: (start[coin] ?? 0) * share })
}

test('a wallet on Hyperliquid is shown, and what part of it would be closed is estimated', async () => {
  program.type('/positions')
  await program.prints(/\blive\n/)
  program.type('/preview main BTC -50%')
  await program.prints(/BTC: sell 0\.25 BTC .*\n +then: long 0\.25 BTC[^]*my estimate/)
  expect(venue.weight()).toBeLessThan(1_200)
  expect(program.log()).not.toContain('limited')
})

test('a cross account whose second position falls is warned of by its ratio', async () => {
  falls('DOGE', 0.86)
  await program.prints(/\[CRITICAL\] cross: margin ratio 7\d(\.\d)?%/)
  // In one message with the position, or after it, whichever of price and wallet was told first.
  expect(program.output()).toMatch(
    /DOGE long: 1\.9% to liq[^]*cross: margin ratio 7|cross: margin ratio 7[^]*DOGE long: 1\.9% to liq/,
  )
  program.type('/alerts')
  await program.prints(/cross: margin ratio 7\d(\.\d)?% \(A/)
})

test('a wallet whose long is in a builder’s book is warned of that one by its name', async () => {
  falls('xyz:NVDA', 0.96)
  await program.prints(/\[CRITICAL\] xyz:NVDA long: 1\.3% to liquidation/)
  // The market says which account it is, and a button has to say no more than can be read back.
  await program.prints(/\[Ways out: \/fix A\d+\]/)
  program.type('/preview 0x8617E340 nvda -50%')
  await program.prints('xyz:NVDA: sell 25 xyz:NVDA')
})

test('a unified wallet whose collateral lies in spot is warned of once, whatever book it trades in', async () => {
  falls('xyz:GOLD', 0.97)
  await program.prints(/\[CRITICAL\] unified: margin ratio [\d.]+%/)
  // What is urgent goes before an answer.
  program.type('/wallets')
  await program.prints('4 wallets')
  const told = program.output().matchAll(/unified: margin ratio .* \((A\d+)\)/g)
  expect(new Set([...told].map(([, alert]) => alert)).size).toBe(1)
  expect(program.output().match(/\[CRITICAL\] unified: margin ratio /g)).toHaveLength(1)
})

test('a mark that falls through a line is warned of by push alone, and by polling when push falls silent', async () => {
  await eventually(() => venue.push.users() === Object.keys(WALLETS).length)
  await eventually(() => program.log().includes('"event":"push","why":null'))
  venue.fault({ kind: 'error', type: 'metaAndAssetCtxs', times: Infinity })
  falls('BTC', 0.93)
  await program.prints(/\[CRITICAL\] BTC long: 4\.2% to liquidation/)
  venue.clearFaults()
  venue.push.silence()
  falls('BTC', 0.91)
  await program.prints(/\[CRITICAL\] BTC long: 2\.1% to liquidation/)
})
