import { expect, test } from 'vitest'

import { ALICE } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'

const MINUTE_MS = 60_000

test('what was closed in part, as told, is not in the end that follows at once, nor twice in the sum', async () => {
  await using bot = await onHyperliquid()
  const wallet = bot.venue.account(ALICE, { usd: 20_000 })
  bot.venue.moves({ BTC: 60_000 })
  wallet.trades('BTC', 1, { at: 60_000, leverage: 10 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.pass(15 * MINUTE_MS)
  bot.venue.moves({ BTC: 61_000 })
  wallet.closes('BTC', 0.6)
  while (!bot.hears().join('\n').includes('BTC long shrank by 60%')) await bot.pass(5_000)
  wallet.closes('BTC')
  await bot.pass(MINUTE_MS)
  expect(bot.hears().join('\n')).toMatch(
    /BTC long was closed \(A2\)\n {2}made \$387 at \$60,9\d\d on average/,
  )
  expect(await bot.answers('/history closed')).toContain('2 closes: +$987 in all (1 estimated)')
  expect(await bot.answers('/export history')).toContain(',0.4,60000,')
})
