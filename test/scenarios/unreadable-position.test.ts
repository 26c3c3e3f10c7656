import { expect, test } from 'vitest'

import { onHyperliquid } from '../support/on-hyperliquid.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

interface Answer {
  assetPositions: { position: Record<string, unknown> }[]
}

test.each([1, 2])(
  '/positions shows %d unreadable positions as last seen, with their age',
  async (many) => {
    await using bot = await onHyperliquid()
    const account = bot.venue.account(ALICE, { usd: 5_000 })
    account.trades('BTC', 0.1, { leverage: 20 })
    account.trades('ETH', 1, { leverage: 20 })
    await bot.answers(`/watch ${ALICE} main`)
    await bot.pass(10_000)
    bot.venue.rewrites('clearinghouseState', (answer: Answer) => {
      for (const { position } of answer.assetPositions.slice(0, many)) position['liquidationPx'] = 'n/a'
    })
    await bot.pass(240_000)
    expect(bot.hears().join('\n')).toContain('BLIND')
    const answer = await bot.answers('/positions')
    expect(answer).toMatch(/\d could not be read: position 1 of 2/)
    expect(answer).toMatch(/BTC long: .*\n +not shown by the venue now: as I saw it \d+ (s|min) ago/)
    expect(answer).toContain('ETH long: ')
    expect(answer.match(/as I saw it/g)).toHaveLength(many)
  },
  60_000,
)
