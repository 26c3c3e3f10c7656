import { describe, expect, test } from 'vitest'

import type { Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { ALICE, BOB, type BotUnderTest, CLAIM_CODE, startBot } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'
import { watched } from '../support/watched.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const HOUR_MS = 2 * HALF_HOUR_MS
/** A day of it is not tens of thousands of readings. */
const SLOW = { settings: { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 1_200_000 } }
const BTC = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }

/** Noon UTC on 15 January: a BTC long that is liquidated at 90, watched, and far from it. */
async function living(options: Parameters<typeof startBot>[0] = SLOW): Promise<BotUnderTest> {
  // A jump to the very time at which something is due.
  const bot = await startBot({ clock: handClock(), ...options })
  await watched(bot, 130, { by: options.platforms ? {} : null })
  await bot.says('/settings zone UTC')
  await bot.pass(21 * MINUTE_MS)
  bot.hears()
  return bot
}
/** A while later: most of it is a jump of the wall clock, for the bot writes down every ten seconds that it lives. */
async function later(bot: BotUnderTest, ms: number): Promise<void> {
  bot.clock.jump(ms - HALF_HOUR_MS)
  await bot.pass(HALF_HOUR_MS)
}
/** The digests among what was said since the last look. */
const digests = (bot: BotUnderTest, chat?: string) =>
  bot.hears(chat).filter((text) => text.startsWith('Daily digest'))

describe('a digest', () => {
  test('comes to nobody who has not asked for one', async () => {
    await using bot = await living()
    expect(await bot.says('/digest')).toContain('No daily digest.')
    await later(bot, 25 * HOUR_MS)
    expect(digests(bot)).toEqual([])
  })

  test('comes once a day, silently, with the positions, their PnL and what funding costs a day', async () => {
    await using bot = await living()
    const answer = await bot.says('/digest 18:00')
    expect(answer).toContain('Daily digest at 18:00 (UTC)')
    expect(answer).toContain('next 18:00 UTC on recorder')
    await later(bot, 6 * HOUR_MS)
    const [first = '', ...more] = digests(bot)
    expect(more).toEqual([])
    expect(first).toContain('Daily digest: BTC long · main: 30.8% from liquidation')
    expect(first).toContain('1 open position, PnL +$15.00\n')
    expect(first).toContain('funding paid: about $0.02 a day at present rates')
    expect(first).toContain('Since 14 Jan 18:00 UTC: no alert')
    expect(bot.platforms.get('recorder')?.sees('me', 'me').at(-1)?.silent).toBe(true)
    await later(bot, 23 * HOUR_MS)
    expect(digests(bot)).toEqual([])
    await later(bot, HOUR_MS)
    expect(digests(bot)).toHaveLength(1)
  })

  test('names the worst position first, and how the PnL of what is unchanged has moved since the last one', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    await later(bot, 6 * HOUR_MS)
    bot.hears()
    bot.stage.market('BTC', { price: 110, funding: 0.0001 })
    bot.stage.market('ETH', { price: 100, funding: -0.001 })
    bot.stage.positions(ALICE, [BTC, { symbol: 'ETH', size: 3, entry: 100, liquidation: 95 }])
    await later(bot, 24 * HOUR_MS)
    const [second = ''] = digests(bot)
    expect(second).toContain('Daily digest: ETH long · main: 5.0% from liquidation')
    expect(second).toMatch(/Nearest to liquidation first\n.*ETH long.*5.0%.*\n.*BTC long.*18.2%/)
    expect(second).toContain('2 open positions, PnL -$15.00')
    expect(second).toContain('-$30.00 since 15 Jan 18:00 UTC (1 of 2; the others are new or were resized)')
    expect(second).toContain('funding received: about $0.28 a day')
  })

  test('counts what fired, names the worst, and says what was hidden and what is held back', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    bot.stage.market('BTC', { price: 98, funding: 0.0001 })
    await bot.pass(HOUR_MS)
    bot.stage.fails('/markets', 503)
    await bot.pass(HOUR_MS)
    bot.stage.fails('/markets', null)
    await bot.pass(HOUR_MS)
    await bot.says('/quiet 23-7')
    await bot.says('/mute BTC 8h')
    await later(bot, 3 * HOUR_MS)
    const [digest = ''] = digests(bot)
    expect(digest).toMatch(/: 1 warning\n.*BTC long: 8.2% to liquidation \(A1\), still on/)
    expect(digest).toMatch(/What I couldn’t see\n\s*the venue: 1 h/)
    expect(digest).toContain('23:00-07:00 every day (UTC)')
    expect(digest).toMatch(/BTC alerts: muted until 23:\d\d UTC/)
  })

  test('says what it does not know: prices that are not seen, a wallet that cannot be read', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    await later(bot, 5 * HOUR_MS)
    bot.stage.fails('/markets', 503)
    bot.stage.fails('/positions', 503)
    await bot.pass(HOUR_MS)
    const [digest = ''] = digests(bot)
    expect(digest).toContain('BTC long · main: distance unknown now')
    expect(digest).toContain('1 open position, PnL unknown now')
    expect(digest).toContain('I can’t see prices now')
    expect(digest).toMatch(/the venue: .*still so/)
  })

  test('is one line when there is nothing to tell', async () => {
    await using bot = await living({ ...SLOW, platforms: ['red', 'blue'] })
    await linked(bot)
    await bot.says('/digest 18:00')
    await bot.says('/unwatch main yes')
    await later(bot, 30 * HOUR_MS)
    bot.hears()
    await later(bot, 24 * HOUR_MS)
    expect(digests(bot)).toEqual(['Daily digest: no wallet watched, no alerts, no gaps'])
  })

  test('is over when somebody says so', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    expect(await bot.says('/digest off')).toContain('The daily digest is off.')
    await later(bot, 25 * HOUR_MS)
    expect(digests(bot)).toEqual([])
  })

  test('goes to the preferred chat alone, whichever it was asked for in', async () => {
    await using bot = await living({ ...SLOW, platforms: ['red', 'blue'] })
    await linked(bot)
    await bot.says('/digest 18:00', { platform: 'blue' })
    await later(bot, 6 * HOUR_MS)
    expect([digests(bot), bot.hears('me', 'blue')]).toEqual([[expect.any(String)], []])
    await bot.says('/settings chat blue')
    await later(bot, 24 * HOUR_MS)
    expect(digests(bot)).toEqual([])
    expect(bot.hears('me', 'blue')).toEqual([expect.stringContaining('Daily digest')])
  })

  test('of a bound chat shows the wallets that alerts were set for there, and no others', async () => {
    await using bot = await living({ ...SLOW, platforms: ['red'] })
    const place = { chat: '@traders', mayConfigure: true, whisper: true }
    bot.platforms.get('red')?.groups.set('@traders', { title: 'Traders', mayPost: true, configurers: ['me'] })
    bot.stage.market('ETH', { price: 100 })
    bot.stage.positions(BOB, [{ symbol: 'ETH', size: 1, entry: 90, liquidation: 50 }])
    await bot.says(`/watch ${BOB} club`)
    await bot.says('/channel bind', { place })
    await bot.says('/alert liq club 5%', { place })
    await bot.says('/digest 18:00', { place })
    await later(bot, 6 * HOUR_MS)
    const [digest = ''] = digests(bot, '@traders')
    expect(digest).toContain('Daily digest: ETH long')
    expect(digest).not.toContain('BTC')
    expect(digests(bot)).toEqual([])
  })
})

describe('the time of a digest', () => {
  test('in a bound chat is that of whoever bound it, and says so to everybody there', async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { access: 'open' } })
    const crew = { title: 'Crew', mayPost: true, configurers: ['olga', 'ann'] }
    bot.platforms.get('red')?.groups.set('crew', crew)
    const there = { place: { chat: 'crew', mayConfigure: true } }
    const [olga, ann] = [{ user: 'olga' }, { user: 'ann' }]
    await bot.says(`/start ${CLAIM_CODE}`, olga)
    await bot.says('/settings zone Europe/Berlin', olga)
    await bot.says('/start', ann)
    await bot.says('/settings zone America/New_York', ann)
    await bot.says('/channel bind', { ...olga, ...there })
    const answer = await bot.says('/digest 18:00', { ...ann, ...there })
    expect(answer).toContain('Daily digest at 18:00 (Europe/Berlin)')
    expect(answer).toContain('next 17:00 UTC')
  })

  test('is that of the person’s zone, also when that changes', async () => {
    await using bot = await living()
    await bot.says('/digest 22:00')
    await bot.says('/settings zone Asia/Tokyo')
    // 22:00 in Tokyo is 13:00 UTC.
    await bot.pass(HOUR_MS)
    expect(digests(bot)).toHaveLength(1)
  })

  test.each([
    ['08:00 the morning after summer time has begun', '2026-03-29T00:30:00Z', '08:00', 5.5],
    ['08:00 the morning after it has ended', '2026-10-25T00:30:00Z', '08:00', 6.5],
  ])('is %s', async (_what, begins, time, hours) => {
    await using bot = await inBerlin(begins, time)
    // The change itself is no jump: the clock walks through it.
    await bot.pass(HOUR_MS)
    await later(bot, (hours - 1) * HOUR_MS - MINUTE_MS)
    expect(digests(bot)).toEqual([])
    await bot.pass(2 * MINUTE_MS)
    expect(digests(bot)).toHaveLength(1)
    await later(bot, 24 * HOUR_MS - 2 * MINUTE_MS)
    expect(digests(bot)).toEqual([])
    await bot.pass(2 * MINUTE_MS)
    expect(digests(bot)).toHaveLength(1)
  })

  test('that comes twice in a night, or never, is told once', async () => {
    for (const begins of ['2026-10-25T00:00:00Z', '2026-03-29T00:00:00Z']) {
      await using bot = await inBerlin(begins, '02:30')
      await bot.pass(3 * HOUR_MS)
      expect(digests(bot)).toHaveLength(1)
      await later(bot, 24 * HOUR_MS)
      expect(digests(bot)).toHaveLength(1)
    }
  })

  test('follows a wall clock that jumps: past it, it is told late; back before it, it is not told again', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    bot.clock.jump(7 * HOUR_MS)
    await bot.pass(30 * MINUTE_MS)
    const [late = '', ...more] = digests(bot)
    expect(more).toEqual([])
    expect(late).toContain('Late: it was due at 18:00 UTC')
    bot.clock.jump(-7 * HOUR_MS)
    await later(bot, 8 * HOUR_MS)
    expect(digests(bot)).toEqual([])
    await later(bot, 24 * HOUR_MS)
    expect(digests(bot)).toHaveLength(1)
  })

  test('comes again the same day when the wall clock was days ahead', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    bot.clock.jump(5 * 24 * HOUR_MS)
    await bot.pass(30 * MINUTE_MS)
    bot.hears()
    bot.clock.jump(-5 * 24 * HOUR_MS)
    await bot.pass(MINUTE_MS)
    await later(bot, 6 * HOUR_MS)
    expect(digests(bot)).toHaveLength(1)
  })
})

describe('a digest that was due', () => {
  test('while the bot was down is told once, late, and says so and that the bot was down', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    await bot.restart(3 * 24 * HOUR_MS)
    await bot.pass(HOUR_MS)
    const [late = '', ...more] = digests(bot)
    expect(more).toEqual([])
    expect(late).toContain('Late: it was due at 15 Jan 18:00 UTC, and I couldn’t send it then.')
    expect(late).toMatch(/anything, because I wasn’t running: [23] d/)
    await bot.restart(MINUTE_MS)
    await bot.pass(HOUR_MS)
    expect(digests(bot)).toEqual([])
  })

  test('in a restart that was over before is not late', async () => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    await bot.restart(HOUR_MS)
    await later(bot, 5 * HOUR_MS)
    const [digest = ''] = digests(bot)
    expect(digest).not.toContain('late')
    expect(digest).toContain('anything, because I wasn’t running: 1 h')
  })

  test.each([0, 1])('when the process dies with %d commits of it on the disk is told once', async (kept) => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    bot.killed.beforeCommit(kept)
    await later(bot, 6 * HOUR_MS)
    expect(digests(bot)).toEqual([])
    await bot.killed.start(MINUTE_MS)
    await bot.pass(HOUR_MS)
    expect(digests(bot)).toHaveLength(1)
    await later(bot, 20 * HOUR_MS)
    expect(digests(bot)).toEqual([])
  })

  test.each([
    ['for 7 hours is dropped', 7, []],
    [
      'for 2 hours says that it is late',
      2,
      [expect.stringMatching(/seen at 18:00 UTC, sent \d+ (?:h|min).* late/)],
    ],
  ])('and is not taken %s', async (_what, hours, heard) => {
    await using bot = await living()
    await bot.says('/digest 18:00')
    let isDown = true
    const down = (_send: Send): Delivery => {
      if (isDown) bot.delivers(down)
      const delayed = {
        is: 'delayed',
        retryAfterMs: null,
        scope: 'chat',
        maybeSent: false,
        why: 'down',
      } as const
      return isDown ? delayed : (undefined as unknown as Delivery)
    }
    bot.delivers(down)
    await later(bot, 5 * HOUR_MS)
    await bot.pass(HOUR_MS)
    // Lateness is time that passes, and no clock that is set.
    await bot.pass((hours - 1) * HOUR_MS)
    isDown = false
    await bot.pass(HOUR_MS)
    expect(digests(bot)).toEqual(heard)
  })
})

test.each(['soon', '25:00', '8-9'])('/digest %s is asked for again', async (time) => {
  await using bot = await living()
  expect(await bot.says(`/digest ${time}`)).toContain('/digest 08:00')
  expect(await bot.says('/digest')).toContain('No daily digest.')
})

/** The same with a wallet watched in Berlin, from this moment on. */
async function inBerlin(begins: string, time: string): Promise<BotUnderTest> {
  const bot = await living()
  await bot.says('/settings zone Europe/Berlin')
  bot.clock.jump(Date.parse(begins) - bot.clock.now())
  await bot.pass(0)
  await bot.says(`/digest ${time}`)
  return bot
}

/** Me on red and on blue are one person. */
async function linked(bot: BotUnderTest): Promise<void> {
  const [red, blue] = [{ platform: 'red' }, { platform: 'blue' }]
  const code = /\/link (\S+)/.exec(await bot.says('/link', red))?.[1] ?? ''
  await bot.says(`/link ${code} yes`, blue)
  await bot.says(`/link ${code} yes`, red)
  bot.hears()
  bot.hears('me', 'blue')
}
