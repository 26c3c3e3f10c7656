import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { startHyperliquid } from '../../support/hyperliquid/server.ts'
import { COMPILED } from '../../support/program.ts'
import { OWNER, STRANGER } from './records.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

async function probe(address: string, url: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['src/venues/hyperliquid/probe.ts', address], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: COMPILED, VENUE_URL: url },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

test('the probe shows what came beside what we make of it, and where both disagree', async () => {
  await using venue = await startHyperliquid()
  const wallet = venue.account(OWNER, { usd: 4_000, mode: 'default' })
  wallet.trades('BTC', 0.5, { leverage: 20 })
  const { code, said } = await probe(OWNER, venue.url)
  expect(code).toBe(0)
  expect(said).toContain('{"type":"clearinghouseState","user":"0x5290')
  expect(said).toMatch(/main BTC: liquidation sent [\d.]+, ours [\d.]+\n {2}they agree/)
  expect(said).toContain('it is {"is":"holder"}; its collateral: single')
  expect(said).toMatch(/1 fills, realised 0, fees [\d.]+, funding 0, profit -[\d.]+\n {2}in 4000, out 0/)
  expect(said).toContain('BTC: its last fill leaves 0.5, it holds 0.5\n  they agree')
  expect(said).not.toContain('CANNOT BE USED')

  // Collateral in spot is counted by the venue, and not by the formula that the probe compares with.
  const unified = venue.account(STRANGER, { usd: 4_000, mode: 'unifiedAccount' })
  unified.trades('BTC', 0.5, { leverage: 20 })
  expect((await probe(STRANGER, venue.url)).said).toContain('THEY DISAGREE')
})

test('the probe of no address says what to type', async () => {
  const { code, said } = await probe('0x12', 'http://127.0.0.1:1')
  expect(code).toBe(1)
  expect(said).toContain('npm run probe:hyperliquid -- 0x')
})
