import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

test.each([10_000, 3_000])(
  'an account of $%d that becomes unified is no danger, and is shown as it is',
  async (usd) => {
    await using bot = await onHyperliquid()
    const account = bot.venue.account(ALICE, { usd })
    account.trades('BTC', 0.4, { leverage: 40 })
    await bot.answers(`/watch ${ALICE} main`)
    await bot.pass(60_000)
    bot.hears()
    account.mode('unifiedAccount')
    await bot.pass(180_000)
    expect(bot.hears()).toEqual([])
    const shown = await bot.answers('/positions')
    expect(shown).toMatch(/unified/)
    expect(shown).toContain(`equity $${(usd - 15).toLocaleString('en')}`)
    // And back.
    account.mode('default')
    await bot.pass(180_000)
    expect(bot.hears()).toEqual([])
    bot.venue.liquidations(false)
    const { mark } = bot.venue.market('BTC')
    bot.venue.moves({ BTC: mark * (usd === 10_000 ? 0.64 : 0.92) })
    await bot.pass(70_000)
    expect(bot.hears().join('\n')).toMatch(/CRITICAL/)
  },
  60_000,
)

test.each([
  ['while the venue pushes', 20_000],
  ['by polling alone', 60_000],
])(
  'one that becomes unified and is as it was a moment later is no danger, %s',
  async (how, unifiedMs) => {
    await using bot = await onHyperliquid()
    const account = bot.venue.account(ALICE, { usd: 4_000 })
    account.trades('BTC', 0.5, { leverage: 20 })
    account.deposits(2_000, 'xyz')
    account.trades('xyz:NVDA', 1, { leverage: 2, margin: 'isolated' })
    await bot.answers(`/watch ${ALICE} main`)
    if (how === 'by polling alone') bot.venue.push.silence()
    await bot.pass(60_000)
    bot.hears()
    for (let round = 0; round < 3; round++) {
      account.mode('unifiedAccount')
      await bot.pass(unifiedMs)
      account.mode('default')
      await bot.pass(unifiedMs)
    }
    expect(bot.hears().join('\n')).not.toContain('[CRITICAL]')
  },
  60_000,
)

test('outcome shares among the balances of a unified account hide nothing of its margin', async () => {
  await using bot = await onHyperliquid()
  bot.venue.rewrites('spotClearinghouseState', (answer: { balances: object[] }) => {
    answer.balances.unshift({ coin: '+1234', total: '3.0', hold: '0.0', entryNtl: '1.0' })
  })
  const account = bot.venue.account(ALICE, { mode: 'unifiedAccount', usd: 3_000 })
  account.trades('BTC', 0.4, { leverage: 40 })
  expect(await bot.answers(`/watch ${ALICE} main`)).toContain('BTC long')
  await bot.pass(300_000)
  expect(bot.hears().join('\n')).not.toContain('BLIND')
  expect(await bot.answers('/positions')).toMatch(/main \(unified\): margin \d[\d.]*% · equity \$2,985/)
}, 60_000)
