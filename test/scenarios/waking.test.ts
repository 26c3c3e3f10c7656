import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot } from '../support/bot.ts'
import type { CloseRecord } from '../support/recorder.ts'
import { blue, onTwoPlatforms, red } from '../support/two-platforms.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** What is said again is due by the clock: a night of it need not be tens of thousands of readings. */
const SLOW = { settings: { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 3_600_000 } }

/** A BTC long that is liquidated at 90, watched and far from it. */
async function sleeping(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot(options)
  bot.stage.market('BTC', { price: 130, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(60_000)
  bot.hears()
  return bot
}
/** The price is this from now on: what is said by the time it has been read. */
async function falls(bot: BotUnderTest, price: number, symbol = 'BTC'): Promise<string[]> {
  bot.stage.market(symbol, { price, funding: 0.0001 })
  const read = () => bot.stage.asked.filter((path) => path === '/markets').length
  for (const before = read(); read() === before;) await bot.pass(1_000)
  return firsts(bot)
}
/** The first line of each message since the last look. */
const firsts = (bot: BotUnderTest) => bot.hears().map((text) => text.split('\n')[0] ?? '')
/** After how many minutes something was said, and what. */
async function minutes(bot: BotUnderTest, many: number): Promise<[number, string][]> {
  const all: [number, string][] = []
  for (let minute = 1; minute <= many; minute++) {
    await bot.pass(MINUTE_MS)
    for (const text of bot.hears()) all.push([minute, text])
  }
  return all
}

describe('a tier that is not critical', () => {
  test('waits for 15 s, and is told once then', async () => {
    await using bot = await sleeping()
    expect(await falls(bot, 112)).toEqual([])
    await bot.pass(12_000)
    expect(firsts(bot)).toEqual([])
    await bot.pass(3_000)
    expect(firsts(bot)).toEqual([expect.stringContaining('[INFO] BTC long: 19.6% to liquidation')])
  })

  test('does not wait where its line is passed by far, in one fall: that is no trembling', async () => {
    await using bot = await sleeping()
    expect(await falls(bot, 99)).toEqual([expect.stringContaining('[WARNING] BTC long: 9.1% to liquidation')])
    await bot.pass(MINUTE_MS)
    expect(firsts(bot)).toEqual([])
  })

  test('waits where the price trembles around its line, and not once it has fallen far below', async () => {
    await using bot = await sleeping()
    for (const price of [112, 113, 112, 113]) expect(await falls(bot, price)).toEqual([])
    expect(await falls(bot, 108)).toEqual([expect.stringContaining('[INFO] BTC long: 16.7% to liquidation')])
  })

  test('that is over before is not told at all', async () => {
    await using bot = await sleeping()
    await falls(bot, 112)
    await bot.pass(10_000)
    await falls(bot, 130)
    await bot.pass(2 * MINUTE_MS)
    expect(firsts(bot)).toEqual([])
  })

  test('waits for as long as its rule says', async () => {
    await using bot = await sleeping()
    expect(await bot.says('/alert liq main 15% for 5m')).toContain('at 15%, for 5m')
    await falls(bot, 104)
    await bot.pass(4 * MINUTE_MS)
    expect(firsts(bot)).toEqual([])
    await bot.pass(MINUTE_MS + 5_000)
    expect(firsts(bot)).toHaveLength(1)
  })

  test('does not count the time in which nothing is seen, and does not begin anew after it', async () => {
    await using bot = await sleeping()
    await falls(bot, 112)
    await bot.pass(6_000)
    bot.stage.fails('/markets', 503)
    await bot.pass(MINUTE_MS)
    bot.stage.fails('/markets', null)
    await bot.pass(4_000)
    expect(firsts(bot).filter((line) => line.includes('to liquidation'))).toEqual([])
    await bot.pass(14_000)
    expect(firsts(bot)).toContainEqual(expect.stringContaining('to liquidation'))
  })

  test('waits no longer because the bot was restarted meanwhile, and no shorter', async () => {
    await using bot = await sleeping()
    await falls(bot, 112)
    await bot.pass(6_000)
    await bot.restart(MINUTE_MS)
    await bot.pass(4_000)
    expect(firsts(bot)).toEqual([])
    await bot.pass(6_000)
    expect(firsts(bot)).toEqual([expect.stringContaining('19.6% to liquidation')])
  })
})

describe('what is critical', () => {
  test('never waits', async () => {
    await using bot = await sleeping()
    expect(await falls(bot, 94)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 4.3%')])
  })

  test('rings again 1, 3, 7, 15 and 31 minutes after the first alert, then every 30 minutes', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    const said = await minutes(bot, 91)
    expect(said.map(([minute]) => minute)).toEqual([1, 3, 7, 15, 31, 61, 91])
    expect(said[0]?.[1]).toContain('Reminder 1')
  })

  test('is said again for twelve hours, and then that it is not any more', async () => {
    await using bot = await sleeping(SLOW)
    const held = { size: 1.5, entry: 120, liquidation: 90 }
    bot.stage.market('ETH', { price: 130 })
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', ...held },
      { symbol: 'ETH', ...held },
    ])
    await bot.pass(HOUR_MS)
    bot.hears()
    bot.stage.market('ETH', { price: 94 })
    await falls(bot, 94)
    const said = await minutes(bot, 13 * 60)
    expect(said).toHaveLength(28)
    for (const [, text] of said.slice(0, -1)) expect(text).toContain('Tap Ack to stop these')
    expect(said.at(-1)?.[0]).toBe(12 * 60 + 1)
    expect(said.at(-1)?.[1]).toContain('Last reminder')

    // What gets worse or clears is told after the last reminder.
    const cleared = await falls(bot, 130, 'ETH')
    for (const [, text] of await minutes(bot, 30)) cleared.push(text)
    expect(cleared).toContainEqual(expect.stringContaining('[RESOLVED] ETH long is safe again'))
    expect(await falls(bot, 91.5)).toEqual([
      expect.stringContaining('[CRITICAL] BTC long: 1.6% to liquidation'),
    ])
  })

  test('is said again after thirteen hours in which the bot did not run: it could not be said then', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    await bot.restart(13 * HOUR_MS)
    // What was due meanwhile is said first, two seconds after it was seen: with whatever else rings.
    const said = await minutes(bot, 2 * 60)
    expect(said.map(([minute]) => minute)).toEqual([1, 3, 7, 15, 31, 61, 91])
    expect(said.map(([, text]) => text).join('\n')).not.toContain('Last reminder')
  })

  test('is said again after thirteen hours in which its platform took nothing, and nothing else could', async () => {
    await using bot = await sleeping(SLOW)
    const down = {
      is: 'delayed',
      retryAfterMs: 300_000,
      scope: 'platform',
      maybeSent: false,
      why: 'down',
    } as const
    bot.delivers(...Array.from({ length: 155 }, () => () => down))
    await falls(bot, 94)
    await bot.pass(13 * HOUR_MS)
    const said = await minutes(bot, 2 * 60)
    expect(said.length).toBeGreaterThan(2)
    expect(said[0]?.[1]).toContain('BTC long: 4.3% to liquidation')
    expect(said.map(([, text]) => text).join('\n')).not.toContain('Last reminder')
  })

  test('is said again after thirteen hours in which neither of two platforms took anything', async () => {
    await using bot = await onTwoPlatforms(SLOW.settings)
    const hears = () => [red, blue].flatMap(({ platform, user }) => bot.hears(user, platform))
    let isUp = false
    for (const { platform, user } of [red, blue]) {
      const place = bot.platforms.get(platform)
      const down: CloseRecord = () => {
        if (!isUp) place?.delivers(user, down)
        return { is: 'delayed', retryAfterMs: 300_000, scope: 'platform', maybeSent: false, why: 'down' }
      }
      place?.delivers(user, down)
    }
    bot.stage.market('BTC', { price: 94, funding: 0.0001 })
    await bot.pass(13 * HOUR_MS)
    isUp = true
    await bot.pass(HOUR_MS)
    expect(hears().join()).toContain('BTC long: 4.3% to liquidation')
    await bot.pass(HOUR_MS)
    expect(hears().join()).toContain('Tap Ack to stop these')
  })

  test('is said again with what it is now and what it was', async () => {
    await using bot = await sleeping()
    await falls(bot, 94)
    await falls(bot, 93)
    const [again] = await minutes(bot, 1)
    expect(again?.[1]).toContain('BTC long: 3.2% to liquidation')
    expect(again?.[1]).toContain('was 4.3%')
  })

  test('of two positions is said again in one message', async () => {
    await using bot = await sleeping()
    bot.stage.market('ETH', { price: 130 })
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
      { symbol: 'ETH', size: 2, entry: 120, liquidation: 90 },
    ])
    await bot.pass(2 * MINUTE_MS)
    bot.hears()
    await falls(bot, 94)
    await bot.pass(30_000)
    await falls(bot, 94, 'ETH')
    const said = await minutes(bot, 3)
    expect(said.map(([minute]) => minute)).toEqual([1, 3])
    for (const [, text] of said) expect(text.split('to liquidation')).toHaveLength(3)
  })

  test('is said again after a restart, when its time has come', async () => {
    await using bot = await sleeping()
    await falls(bot, 94)
    await bot.pass(30_000)
    await bot.restart(10_000)
    expect(firsts(bot)).toEqual([])
    await bot.pass(30_000)
    expect(firsts(bot)).toEqual([expect.stringContaining('4.3% to liquidation')])
  })

  test('is said again while the venue cannot be seen, by what was last known', async () => {
    await using bot = await sleeping()
    await falls(bot, 94)
    bot.stage.fails('/', 503)
    bot.stage.fails('/markets', 503)
    bot.stage.fails('/positions', 503)
    const said = await minutes(bot, 3)
    expect(said.map(([, text]) => text.split('\n')[0])).toContainEqual(
      expect.stringContaining('BTC long · main: 4.3% when I last told you (A1)'),
    )
  })
})

describe('somebody who acknowledges', () => {
  test('is named, and hears of it again only when it is worse or over', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    const answer = await bot.says('/ack A1')
    expect(answer).toContain('✓ BTC long · main: quiet until it gets worse or clears')
    expect(answer).toContain('✓ BTC long · main: quiet until')
    expect(answer).not.toContain('/ack A1')
    expect(await minutes(bot, 20)).toEqual([])
    expect(await falls(bot, 92)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 2.2%')])
    expect(await minutes(bot, 1)).toHaveLength(1)
    await bot.says('/ack')
    expect(await falls(bot, 130)).toEqual([expect.stringContaining('[RESOLVED]')])
  })

  test('is reminded after a night', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    await bot.says('/ack')
    await bot.restart(11 * HOUR_MS)
    expect(await minutes(bot, 59)).toEqual([])
    const [[, text] = []] = await minutes(bot, 2)
    expect(text).toContain('Snooze over, still on')
  })

  test('keeps it over a restart', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    await bot.says('/ack')
    await bot.restart(MINUTE_MS)
    expect(await minutes(bot, 20)).toEqual([])
  })
})

describe('a snooze', () => {
  test('ends, and says so if it still fires', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    expect(await bot.says('/snooze A1 30m')).toMatch(/💤 BTC long · main: snoozed until \d\d:\d\d UTC/)
    const said = await minutes(bot, 31)
    expect(said.map(([minute]) => minute)).toEqual([30, 31])
    expect(said[0]?.[1]).toContain('Snooze over')
  })

  test('hides neither what is worse nor the end', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    await bot.says('/snooze A1 worse')
    expect(await falls(bot, 92)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 2.2%')])
    await bot.says('/snooze 2h')
    expect(await falls(bot, 130)).toEqual([expect.stringContaining('[RESOLVED]')])
  })

  test('follows the wall clock, what is repeated does not', async () => {
    await using bot = await sleeping(SLOW)
    await falls(bot, 94)
    bot.clock.jump(HOUR_MS)
    expect((await minutes(bot, 3)).map(([minute]) => minute)).toEqual([1, 3])
    await bot.says('/snooze 2h')
    bot.clock.jump(HOUR_MS)
    expect((await minutes(bot, 60)).map(([minute]) => minute)).toEqual([60])
  })
})
