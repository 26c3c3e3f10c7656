import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startHyperliquid } from '../support/hyperliquid/server.ts'
import { runProgram } from '../support/program.ts'
import { startSim, SUGGESTED } from '../support/sim.ts'

test('the program watches two venues, misses one that VENUE leaves out, and takes its records away when it is asked to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'perch-several-'))
  await using sim = await startSim({ SIM_SPEED: '0' })
  await using standIn = await startHyperliquid()
  standIn.account(SUGGESTED, { usd: 10_000 }).trades('ETH', 1, { leverage: 2 })
  const env = {
    ...{ DATABASE_URL: join(folder, 'perch.sqlite'), WEB: 'off', MARKET_POLL_MS: '100' },
    ...{ VENUE_URL: sim.url, HYPERLIQUID_URL: standIn.url },
  }
  const both = { ...env, VENUE: 'perps-data,hyperliquid' }
  const alone = { ...env, VENUE: 'perps-data' }
  try {
    {
      await using program = runProgram('src/main.ts', both)
      program.type(`/watch ${SUGGESTED} demo`)
      await program.prints('Known on perps-data')
      program.type('/alert price hyperliquid:ETH above 5000 yes')
      await program.prints(/I’ll alert you when hyperliquid:ETH/)
      await program.kill('SIGTERM')
    }
    {
      await using program = runProgram('src/main.ts', alone)
      expect(await program.ends()).toMatchObject({ code: 1 })
      expect(program.log()).toMatch(
        // A store that processes share says it before one of them stands by.
        /has records of (?:hyperliquid http:\S+ too, and VENUE does not name it|perps-data,hyperliquid)/,
      )
    }
    {
      await using program = runProgram('src/main.ts', both, ['--forget', 'hyperliquid'])
      expect(await program.ends()).toMatchObject({ code: 1 })
      expect(program.log()).toContain('VENUE names hyperliquid: leave it out there')
    }
    {
      await using program = runProgram('src/main.ts', alone, ['--forgot', 'hyperliquid'])
      expect(await program.ends()).toMatchObject({ code: 1 })
      expect(program.log()).toContain('npm start -- --forget <venue>')
    }
    {
      await using program = runProgram('src/main.ts', alone, ['--forget', 'hyperliquid'])
      program.type('/alerts')
      await program.prints(/alerts/i)
      program.type('/positions')
      await program.prints(/BTC short/)
      expect(program.log()).toMatch(
        /Removed the records of hyperliquid http:\S+\. Rules: 1, alerts: \d+, positions: \d+\./,
      )
      expect(program.output()).not.toContain('hyperliquid:')
      await program.kill('SIGTERM')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
