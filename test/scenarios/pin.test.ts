import { describe, expect, test } from 'vitest'

import { type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const olga = { platform: 'red', user: 'olga' }
const MINUTE = 60_000

async function pinned(): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red'], settings: UNHURRIED })
  await watched(bot, 130, { by: olga })
  await bot.says('/status pin', olga)
  await bot.pass(1_000)
  return bot
}

/** The messages in a chat that are kept up to date, as they stand there now. */
function pins(bot: BotUnderTest, chat = 'olga'): string[] {
  const posts = bot.platforms.get('red')?.sees('olga', chat) ?? []
  return posts.flatMap(({ text }) => (text.includes('last check') ? [text] : []))
}

describe('/status pin', () => {
  test('is one silent message that says when Perch looked last, and is written anew every five minutes', async () => {
    await using bot = await pinned()
    expect(pins(bot)).toEqual([
      expect.stringMatching(
        /^I am watching\n {2}last check .*\n {2}1 wallet, 0 alerts firing\n {2}If the last check/,
      ),
    ])
    const posts = bot.platforms.get('red')?.sees('olga', 'olga') ?? []
    expect(posts.find(({ text }) => text.includes('last check'))).toMatchObject({ silent: true })

    bot.stage.market('BTC', { price: 94 })
    await bot.pass(5 * MINUTE)
    expect(pins(bot)).toEqual([expect.stringContaining('1 wallet, 1 alert firing')])
    expect(await bot.says('/status pin', olga)).toMatch(/There is one in that chat already/)
  })

  test('says that Perch does not see, and how long ago it did', async () => {
    await using bot = await pinned()
    bot.stage.fails('/markets', 503)
    await bot.pass(10 * MINUTE)
    expect(pins(bot)).toEqual([
      expect.stringMatching(/^\[BLIND\] I do not see everything\n {2}last check (9|10) min ago/),
    ])
  })

  test('is the same message after a restart, and at once up to date', async () => {
    await using bot = await pinned()
    await bot.restart(60 * MINUTE)
    await bot.pass(6_000)
    await bot.pass(5 * MINUTE)
    expect(pins(bot)).toEqual([expect.stringMatching(/last check (just now|[0-9.]+ s ago)/)])
  })

  test('ends with /status unpin, and says so where it stood', async () => {
    await using bot = await pinned()
    expect(await bot.says('/status unpin', olga)).toBe(
      'The message in our private chat is not kept up to date any more',
    )
    await bot.pass(1_000)
    expect(pins(bot)).toEqual([])
    const posts = bot.platforms.get('red')?.sees('olga', 'olga') ?? []
    expect(posts.map(({ text }) => text)).toContain('This is not kept up to date any more')
    expect(await bot.says('/status unpin', olga)).toMatch(/No such message is in that chat/)
  })

  test('ends when it is deleted', async () => {
    await using bot = await pinned()
    bot.platforms.get('red')?.removes('olga')
    await bot.pass(6 * MINUTE)
    expect(pins(bot)).toEqual([])
    expect(await bot.says('/status unpin', olga)).toMatch(/No such message is in that chat/)
  })

  test('is for bound chats as well, where it counts nobody’s wallets, and for no terminal', async () => {
    await using bot = await pinned()
    const red = bot.platforms.get('red')
    red?.groups.set('traders', { title: 'Traders', mayPost: true, configurers: ['olga'] })
    await bot.says('/channel bind', { ...olga, place: { chat: 'traders', mayConfigure: true } })
    expect(await bot.says('/status pin Traders', olga)).toMatch(
      /^A message in Traders shows when I looked last/,
    )
    await bot.pass(1_000)
    expect(pins(bot, 'traders')).toEqual([expect.stringMatching(/last check .*\n {2}0 alerts firing here\n/)])
    expect(await bot.says('/status pin Others', olga)).toMatch(/You have bound no chat Others/)

    await using terminal = await startBot()
    expect(await terminal.says('/status pin')).toMatch(/What is printed here stays as it is/)
  })
})
