import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const MASTER = '0x52908400098527886E0F7030069857D2E4169EE7'
const SUB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

test.each([0, 1_000])(
  'a master with $%d and no position: its sub-accounts are named, and lead on',
  async (usd) => {
    await using bot = await onHyperliquid()
    bot.venue.account(MASTER, usd === 0 ? {} : { usd })
    const sub = bot.venue.account(SUB, {
      ...{ usd: 5_000, role: { role: 'subAccount', data: { master: MASTER.toLowerCase() } } },
    })
    sub.trades('BTC', 0.1, { leverage: 10 })
    const answer = await bot.answers(`/watch ${MASTER} main`)
    expect(answer).toContain('It has 1 sub-account, 1 with open positions.')
    expect(answer).toContain('I watch a sub-account by its own address only.')
    expect(answer).toContain('[Watch sub-accounts: /subs 0x52908400]')
    expect(await bot.answers(`/watch ${SUB} sub`)).toContain('BTC long')
  },
  60_000,
)
