import { describe, expect, test } from 'vitest'

import { type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const olga = { platform: 'red', user: 'olga' }
const MINUTE = 60_000

async function pinned(): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red'], settings: UNHURRIED })
  await watched(bot, 130, { by: olga })
  const asked = bot.says('/status pin', olga)
  await bot.pass(1_000)
  await asked
  return bot
}

function posts(bot: BotUnderTest, chat = 'olga') {
  return bot.platforms.get('red')?.sees('olga', chat) ?? []
}

/** The cards in a chat, as they stand there now. */
function cards(bot: BotUnderTest, chat = 'olga'): string[] {
  return posts(bot, chat).flatMap(({ text }) => (text.includes('last look') ? [text] : []))
}

describe('/status pin', () => {
  test('is one silent, pinned card: each position in two lines, the sum, and the last look', async () => {
    await using bot = await pinned()
    expect(cards(bot)).toEqual([
      [
        'BTC long: 30.8% to liquidation',
        '  PnL +$15.00 · pays $0.02 a day',
        '1 position · PnL +$15.00',
        '  last look just now',
        'Older than 10 min? Then I’m not running.',
      ].join('\n'),
    ])
    const card = posts(bot).find(({ text }) => text.includes('last look'))
    expect(card).toMatchObject({ silent: true, pinned: true })
  })

  test('follows the price within seconds, and marks what is on', async () => {
    await using bot = await pinned()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(20_000)
    expect(cards(bot)).toEqual([expect.stringMatching(/^\[CRITICAL\] BTC long: 4\.3% to liquidation\n/)])
    expect(await bot.says('/status pin', olga)).toMatch(/There is a live card in that chat already/)
  })

  test('says that Perch does not see, and how long ago it did', async () => {
    await using bot = await pinned()
    bot.stage.fails('/markets', 503)
    await bot.pass(10 * MINUTE)
    expect(cards(bot)).toEqual([
      expect.stringMatching(
        /^\[BLIND\] I can’t see everything now\n {2}prices since [^]*last look (5|6) min ago/,
      ),
    ])
  })

  test('is the same message after a restart, and at once up to date', async () => {
    await using bot = await pinned()
    await bot.restart(60 * MINUTE)
    await bot.pass(20_000)
    expect(cards(bot)).toEqual([expect.stringMatching(/last look (just now|[0-9.]+ s ago)/)])
    expect(posts(bot).filter(({ pinned: is }) => is)).toHaveLength(1)
  })

  test('ends with /status unpin, is unpinned, and says so where it stood', async () => {
    await using bot = await pinned()
    expect(await bot.says('/status unpin', olga)).toBe('The live card is off')
    await bot.pass(1_000)
    expect(cards(bot)).toEqual([])
    const old = posts(bot).find(({ text }) => text === 'This card is no longer live.')
    expect(old).toMatchObject({ pinned: false })
    expect(await bot.says('/status unpin', olga)).toMatch(/No live card is in that chat/)
  })

  test('ends when it is deleted, and is not sent again', async () => {
    await using bot = await pinned()
    const red = bot.platforms.get('red')
    // The answer stands below the card.
    red?.removes('olga')
    red?.removes('olga')
    bot.stage.market('BTC', { price: 120 })
    await bot.pass(6 * MINUTE)
    expect(cards(bot)).toEqual([])
    expect(await bot.says('/status unpin', olga)).toMatch(/No live card is in that chat/)
  })

  test('shows in a bound chat only the wallets that an alert was set for there', async () => {
    await using bot = await pinned()
    const red = bot.platforms.get('red')
    red?.groups.set('traders', { title: 'Traders', mayPost: true, mayPin: false, configurers: ['olga'] })
    const place = { chat: 'traders', mayConfigure: true }
    await bot.says('/channel bind', { ...olga, place })
    const asked = bot.says('/status pin Traders', olga)
    await bot.pass(1_000)
    expect(await asked).toMatch(
      /^✓ Live card in Traders\n[^]*I can’t pin it \(I lack the right to pin messages\): pin it yourself/,
    )
    await bot.says('/settings language de', olga)
    await bot.says('/status unpin Traders', olga)
    const german = bot.says('/status pin Traders', olga)
    await bot.pass(1_000)
    expect(await german).toContain('(mir fehlt das Recht, Nachrichten anzuheften)')
    await bot.says('/settings language en', olga)
    await bot.pass(MINUTE)
    expect(cards(bot, 'traders')).toEqual([expect.stringMatching(/^No wallet is shown here\n {2}last look/)])
    await bot.says('/alert liq main 20%', { ...olga, place })
    await bot.pass(MINUTE)
    expect(cards(bot, 'traders')).toEqual([expect.stringMatching(/^BTC long: 30\.8% to liquidation\n/)])
    expect(await bot.says('/status pin Others', olga)).toMatch(/You have bound no chat Others/)
  })

  test('is nothing for a terminal', async () => {
    await using terminal = await startBot()
    expect(await terminal.says('/status pin')).toBe('A terminal can’t keep a live message. Use /status.')
  })
})
