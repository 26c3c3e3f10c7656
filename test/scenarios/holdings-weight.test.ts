import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

test('ten wallets that somebody looks at all the time: no minute takes more than 60% of what the venue allows', async () => {
  await using bot = await startHyperliquidBot()
  const wallets = Array.from({ length: 10 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`)
  for (const wallet of wallets) {
    const account = bot.standIn.account(wallet, { usd: 5_000 })
    account.trades('BTC', 0.01, { leverage: 5 })
    account.owns('HYPE', 150, 10)
  }
  for (const [n, wallet] of wallets.entries()) {
    await bot.says(`/watch ${wallet} w${n}`)
    await bot.pass(20)
  }
  await bot.pass(120)
  let most = 0
  let answer = ''
  for (let turn = 0; turn < 36; turn++) {
    answer = await bot.says('/positions')
    await bot.pass(10, () => {
      most = Math.max(most, bot.standIn.weight())
    })
  }
  expect(answer).toMatch(/Total \$5\d\.?\d*k: perps \$\d+\.?\d*k, spot \$4,000/)
  expect(most).toBeLessThanOrEqual(0.6 * 1_200)
  expect(bot.standIn.asked.filter(({ status }) => status === 429)).toEqual([])
}, 110_000)
