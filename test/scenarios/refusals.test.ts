import { expect, test } from 'vitest'

import { startBot } from '../support/bot.ts'
import { budget } from '../support/seed.ts'

// Within four minutes the pace has fallen as far as it falls. Longer runs of it are in test/polling/budget/budget.test.ts.
const MINUTES = budget(30, 12)
const LAST_MS = 300_000
const POLL_MS = 4_000

test('a venue that refuses one request every five seconds, however few are made, is still read when its pace has fallen', async () => {
  const wallets = Array.from({ length: 14 }, (_, at) => `0x${String(at + 1).padStart(40, '0')}`)
  await using bot = await startBot({
    settings: { requestsPerSecond: 20, walletPollMinMs: POLL_MS },
    crowded: true,
  })
  const { stage, clock } = bot
  stage.market('BTC', { price: 97 })
  for (const [at, wallet] of wallets.entries()) {
    stage.positions(wallet, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
    await bot.says(`/watch ${wallet} w${at}`)
    await bot.pass(1_000)
  }
  let refusedAt = clock.monotonic()
  let refused = 0
  stage.refuses(() => {
    if (clock.monotonic() - refusedAt < 5_000) return false
    refusedAt = clock.monotonic()
    refused++
    return true
  })
  await bot.pass(MINUTES * 60_000 - LAST_MS)
  expect(bot.hears().filter((text) => /I can’t see/.test(text))).toEqual([])

  const before = stage.asked.length
  await bot.pass(LAST_MS)
  const reads = stage.asked.slice(before).filter((path) => path.startsWith('/positions'))
  const demand = (wallets.length * LAST_MS) / POLL_MS
  expect(reads.length).toBeGreaterThan(demand / 2)
  expect(new Set(reads).size).toBe(wallets.length)
  expect(refused).toBeGreaterThan(MINUTES * 12 - 10)

  bot.hears()
  stage.market('BTC', { price: 94 })
  await bot.pass(10_000)
  const told = bot.hears().join('\n')
  expect(told.match(/BTC long: 4\.3% to liquidation/g)).toHaveLength(wallets.length)
})
