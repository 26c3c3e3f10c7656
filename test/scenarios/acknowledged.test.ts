import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'
import { blue, onTwoPlatforms, red } from '../support/two-platforms.ts'

const MINUTE_MS = 60_000

/** The alerts that somebody sees, as they stand now: their text and what can be tapped. */
function alerts(bot: BotUnderTest, { platform, user }: typeof red, chat = user) {
  const all = bot.platforms.get(platform)?.sees(user, chat) ?? []
  return all.filter(({ text }) => /(?:to|from) liquidation \(A/.test(text))
}
const labels = (bot: BotUnderTest, who: typeof red, chat?: string) =>
  alerts(bot, who, chat).map(({ buttons }) => buttons.map(({ label }) => label)[0])

describe('an alert that somebody acknowledges', () => {
  test('on another platform says so where it was told, in place of its buttons', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(labels(bot, red)).toEqual(['Ack'])
    bot.hears('olga', 'red')
    await bot.says('/ack A1', blue)
    await bot.pass(4_000)
    expect(alerts(bot, red)[0]?.text).toMatch(/✓ olga-blue, \d\d:\d\d UTC/)
    expect(labels(bot, red)).toEqual(['Snooze ▸'])
    expect(bot.hears('olga', 'red')).toEqual([])
  })

  test('says so in every chat that was rung for it', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    // From the third time on it goes to the other platform as well.
    await bot.pass(16 * MINUTE_MS)
    expect(labels(bot, blue).at(-1)).toBe('Ack')
    await bot.platforms.get('red')?.taps('olga', 'Ack')
    await bot.pass(4_000)
    expect(alerts(bot, red).at(-1)?.text).toContain('✓ olga,')
    expect(alerts(bot, blue).at(-1)?.text).toContain('✓ olga,')
    expect(labels(bot, blue).at(-1)).toBe('Snooze ▸')
  })

  test('and snoozes then shows what was done last', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    await bot.says('/ack A1', blue)
    await bot.pass(4_000)
    await bot.says('/snooze A1 2h', blue)
    await bot.pass(4_000)
    expect(alerts(bot, red)[0]?.text).toContain('💤 olga-blue, ')
    expect(alerts(bot, red)[0]?.text).not.toContain('✓')
    expect(labels(bot, red)).toEqual(['Ack'])
  })

  test('is edited after the message itself, when both had to wait, also over a restart', async () => {
    await using bot = await onTwoPlatforms()
    const late = {
      is: 'delayed',
      retryAfterMs: 30_000,
      scope: 'chat',
      maybeSent: false,
      why: 'down',
    } as const
    bot.platforms.get('red')?.delivers('olga', () => late)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(alerts(bot, red)).toEqual([])
    await bot.says('/ack A1', blue)
    await bot.restart()
    await bot.pass(MINUTE_MS)
    expect(alerts(bot, red)).toHaveLength(1)
    expect(alerts(bot, red)[0]?.text).toContain('✓ olga-blue,')
    expect(labels(bot, red)).toEqual(['Snooze ▸'])
  })

  test('is said anew, quietly and once, where its message is there no more', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    bot.platforms.get('red')?.removes('olga')
    bot.hears('olga', 'red')
    await bot.says('/ack A1', blue)
    await bot.pass(4_000)
    const [told = '', ...more] = bot.hears('olga', 'red')
    expect(told).toContain('BTC long · main: acknowledged by olga-blue (A1)')
    expect(more).toEqual([])
    expect(bot.platforms.get('red')?.sees('olga', 'olga').at(-1)?.silent).toBe(true)
  })

  test('that two acknowledge at once names the first, and answers both', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(16 * MINUTE_MS)
    const first = bot.platforms.get('red')?.taps('olga', 'Ack')
    const second = bot.platforms.get('blue')?.taps('olga-blue', 'Ack')
    await bot.pass(4_000)
    for (const answer of [await first, await second])
      expect(answer?.items[0]?.note).toContainEqual(expect.stringContaining('✓ olga, '))
    expect(await bot.says('/why A1', blue)).not.toContain('by olga-blue')
  })
})

describe('what waits when somebody acknowledges it', () => {
  const down = (chats: [string, string][], bot: BotUnderTest) => {
    let isDown = true
    for (const [platform, chat] of chats) {
      const ending = (): Delivery => {
        if (!isDown) return undefined as unknown as Delivery
        bot.platforms.get(platform)?.delivers(chat, ending)
        return { is: 'delayed', retryAfterMs: 20_000, scope: 'chat', maybeSent: false, why: 'down' }
      }
      bot.platforms.get(platform)?.delivers(chat, ending)
    }
    return () => void (isDown = false)
  }
  const everywhere: [string, string][] = [
    ['red', 'olga'],
    ['blue', 'olga-blue'],
  ]
  const said = (bot: BotUnderTest) =>
    [...bot.hears('olga', 'red'), ...bot.hears('olga-blue', 'blue')].join('\n')

  test.each([
    ['alone', 70_000],
    ['several times, so that it would be one message', 4 * MINUTE_MS],
    ['and was said in the other chat as well', 16 * MINUTE_MS],
  ])('to be said again %s is not said any more, wherever it waits', async (_how, ms) => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(said(bot)).toContain('(A1)')
    const up = down(everywhere, bot)
    await bot.pass(ms)
    await bot.says('/ack A1', blue)
    up()
    await bot.pass(10 * MINUTE_MS)
    expect(said(bot)).not.toMatch(/Reminder|I couldn’t send/)
    expect(alerts(bot, red)[0]?.text).toContain('✓ olga-blue,')
    expect(await bot.says('/status', red)).not.toMatch(/waiting to be sent|given up|can’t write/)
  })

  test('to be said as worse, and that it is over, is said all the same', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    said(bot)
    const up = down([['red', 'olga']], bot)
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(20_000)
    await bot.says('/ack A1', blue)
    up()
    await bot.pass(MINUTE_MS)
    expect(said(bot)).toContain('BTC long: 2.2% to liquidation (A1)')
    const upAgain = down([['red', 'olga']], bot)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(20_000)
    upAgain()
    await bot.pass(MINUTE_MS)
    expect(said(bot)).toContain('BTC long is safe again')
  })
})

describe('an alert that is over', () => {
  const last = (bot: BotUnderTest, who = red) =>
    bot.platforms.get(who.platform)?.sees(who.user, who.user) ?? []

  test('leaves no button on the message that asked for something, and rings nobody for that', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    bot.hears('olga', 'red')
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(4_000)
    expect(alerts(bot, red)[0]?.text).toMatch(/✓ Over since \d\d:\d\d UTC/)
    expect(alerts(bot, red)[0]?.buttons.map(({ label }) => label)).toEqual(['Why'])
    expect(bot.hears('olga', 'red')).toEqual([expect.stringContaining('BTC long is safe again')])
  })

  test('leaves none in the chats that were rung for it either', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(16 * MINUTE_MS)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(4_000)
    for (const who of [red, blue])
      expect(alerts(bot, who).findLast(({ text }) => text.includes('4.3%'))?.buttons).toHaveLength(1)
  })

  test('says so to whoever presses what is left of it, and names what fires again', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(2 * MINUTE_MS)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(4_000)
    // It was said twice, and the older message keeps what it had.
    await bot.platforms.get('red')?.taps('olga', 'Ack')
    await bot.pass(0)
    expect(last(bot).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^A1 ended at \d\d:\d\d UTC\n {2}Nothing to do\.$/),
    )
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(await bot.says('/snooze A1 2h', blue)).toMatch(/A1 ended at [^]*active again, as A2\.[^]*Ack A2/)
    expect(await bot.says('/alerts', red)).not.toContain('acknowledged by')
  })
})

test('the buttons of all messages go when the alerts of all of them end together', async () => {
  await using bot = await startBot({ platforms: ['red'], settings: UNHURRIED })
  bot.stage.market('BTC', { price: 140 })
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, red)
  for (let level = 101; level <= 125; level++) await bot.says(`/alert price BTC below ${level}`, red)
  await bot.pass(5_000)
  bot.stage.market('BTC', { price: 100 })
  await bot.pass(30_000)
  const withButtons = () =>
    bot.platforms
      .get('red')
      ?.sees('olga', 'olga')
      .filter(({ buttons }) => buttons.some(({ line }) => /^\/(?:ack|snooze) /.test(line)))
  expect(withButtons()).toHaveLength(3)
  bot.stage.market('BTC', { price: 200 })
  await bot.pass(60_000)
  expect(withButtons()).toEqual([])
})
