import { describe, expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'

/** Each part of a wallet that may be left out, and the words that name it. */
const PARTS = [
  ['the main book', { dex: '' }, 'wallet main in main', /main: account main: .*as I saw them last/],
  ['a builder’s book', { dex: 'xyz' }, 'wallet main in xyz', /main: account xyz: .*as I saw them last/],
  ['the whole wallet', { user: WALLET }, 'wallet main', /main: 5 min old: /],
] as const

describe('not looked at is not empty', () => {
  test.each(PARTS)(
    '%s is named in an alert, by /positions, by /wallets and in the digest',
    async (_part, fault, name, line) => {
      await using bot = await startHyperliquidBot({ pushes: false })
      const account = bot.standIn.account(WALLET, { usd: 4_000 })
      account.trades('BTC', 0.05, { leverage: 20 })
      account.deposits(5_000, 'xyz')
      account.trades('xyz:NVDA', 10, { leverage: 5, margin: 'isolated' })
      await bot.says(`/watch ${WALLET} main`)
      await bot.says('/digest 12:07')
      await bot.pass(60)
      expect(await bot.says('/wallets')).not.toContain('could not be read')
      bot.hears()
      bot.standIn.fault({ kind: 'error', type: 'clearinghouseState', times: Infinity, ...fault })
      await bot.pass(300)
      expect(bot.hears().join('\n')).toContain(`[BLIND] I can’t see ${name}\n`)
      const shown = await bot.says('/positions')
      expect(shown).toMatch(line)
      for (const held of ['BTC long', 'xyz:NVDA long']) expect(shown).toContain(held)
      expect(await bot.says('/wallets')).toMatch(/Part of it could not be read|5 min old/)
      await bot.pass(120)
      const digest = bot.hears().find((text) => text.startsWith('Daily digest'))
      expect(digest).toContain('2 open positions')
      expect(digest).toMatch(new RegExp(`What I couldn’t see\n.*${name}: .*still so`))
    },
    60_000,
  )
})
