import { describe, expect, test } from 'vitest'

import { ALICE, BOB, CLAIM_CODE, startBot } from '../support/bot.ts'
import { at, resting } from '../support/resting.ts'

const MINUTE_MS = 60_000

describe('in quiet hours', () => {
  test('what is critical rings, and nothing else', async () => {
    await using bot = await resting()
    expect(await bot.says('/quiet 11:00-14:00')).toContain('Quiet 11:00-14:00 (UTC)')
    expect(await at(bot, 98)).toEqual([])
    expect(await at(bot, 94)).toEqual([expect.stringContaining('[CRITICAL] BTC long: 4.3%')])
  })

  test('what had to wait for the platform since before does not ring either, unless it is critical', async () => {
    await using bot = await resting()
    const late = {
      is: 'delayed',
      retryAfterMs: 60_000,
      scope: 'chat',
      maybeSent: false,
      why: 'down',
    } as const
    bot.delivers(() => late)
    await at(bot, 98)
    await bot.says('/quiet 11:00-14:00')
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringContaining('BTC long: 8.2%')])
    const last = () => bot.platforms.get('recorder')?.sees('me', 'me').at(-1)
    expect(last()?.silent).toBe(true)
    expect(await at(bot, 94)).toEqual([expect.stringContaining('[CRITICAL]')])
    expect(last()?.silent).toBe(false)
  })

  test('whoever was warned before hears that it is over', async () => {
    await using bot = await resting()
    await at(bot, 98)
    await bot.says('/quiet 11:00-14:00')
    expect(await at(bot, 130)).toEqual([expect.stringContaining('[RESOLVED]')])
  })

  test('are over at once when somebody says so', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    await at(bot, 98)
    await bot.says('/quiet off')
    await bot.pass(2_000)
    expect(bot.hears().join()).toContain('While quiet: 1 alert, 1 still on')
  })

  test('say what comes now that they are over, and what does not', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    expect(await bot.says('/quiet off')).not.toContain('Waiting')
    await bot.says('/quiet 11:00-14:00')
    await bot.says('/mute BTC 8h')
    await at(bot, 98)
    expect(await bot.says('/unmute')).toContain('come at 14:00 UTC, when quiet hours end')
    await bot.says('/mute BTC 8h')
    expect(await bot.says('/quiet off')).toContain('Muted alerts still wait. /unmute')
    await bot.pass(2_000)
    expect(bot.hears()).toEqual([])
    expect(await bot.says('/unmute')).toContain('Waiting messages come now')
    await bot.pass(2_000)
    expect(bot.hears().join()).toContain('While quiet: 1 alert, 1 still on')
  })

  test('can be ended where they are listed, and mutes too', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-14:00')
    expect(await bot.says('/quiet')).toMatch(/\[Turn off: \/quiet off\]$/)
    await bot.says('/mute BTC 8h')
    expect(await bot.says('/quiet')).toContain('[Turn off: /quiet off] [Unmute: /unmute]')
    await bot.says('/quiet off')
    expect(await bot.says('/quiet')).not.toContain('Turn off')
  })

  test('of a group are those of whoever bound it, and say so to everybody there', async () => {
    await using bot = await startBot({ platforms: ['red'], settings: { access: 'open' } })
    bot.platforms
      .get('red')
      ?.groups.set('crew', { title: 'Crew', mayPost: true, configurers: ['olga', 'ann'] })
    const there = { place: { chat: 'crew', mayConfigure: true } }
    const [olga, ann] = [{ user: 'olga' }, { user: 'ann' }]
    await bot.says(`/start ${CLAIM_CODE}`, olga)
    await bot.says('/settings zone Europe/Berlin', olga)
    await bot.says('/start', ann)
    await bot.says('/settings zone America/New_York', ann)
    await bot.says('/channel bind', { ...olga, ...there })
    expect(await bot.says('/quiet 23-7', { ...ann, ...there })).toContain('Quiet 23:00-07:00 (Europe/Berlin)')
    expect(await bot.says('/quiet', { ...ann, ...there })).toContain('23:00-07:00 every day (Europe/Berlin)')
  })

  test('outlive a restart, with what was held back', async () => {
    await using bot = await resting()
    await bot.says('/quiet 11:00-12:30')
    await at(bot, 98)
    await bot.restart(60 * MINUTE_MS)
    await bot.pass(20_000)
    expect(bot.hears().join()).toContain('While quiet: 1 alert, 1 still on')
  })
})

describe('a mute', () => {
  test.each([
    ['a market', '/mute BTC 2h', 'BTC alerts'],
    ['a wallet', '/mute main 2h', 'Alerts for main'],
    ['a kind', '/mute liq 2h', 'liquidation-distance alerts'],
  ])('of %s holds back that alone', async (_what, line, named) => {
    await using bot = await resting()
    bot.stage.market('SOL', { price: 130, funding: 0.0001 })
    bot.stage.positions(BOB, [{ symbol: 'SOL', size: 1, entry: 120, liquidation: 60 }])
    await bot.says(`/watch ${BOB} other`)
    await bot.says('/alert resized other')
    await bot.pass(20_000)
    bot.hears()
    expect(await bot.says(line)).toContain(`${named} that aren’t critical wait until `)
    expect(await at(bot, 98)).toEqual([])
    bot.stage.positions(BOB, [{ symbol: 'SOL', size: 2, entry: 120, liquidation: 60 }])
    await bot.pass(90_000)
    expect(bot.hears().join()).toContain('SOL long grew')
  })

  test('of a market does not hold back another one', async () => {
    await using bot = await resting()
    await bot.says('/mute BTC 2h')
    bot.stage.market('SOL', { price: 100, funding: 0.0001 })
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
      { symbol: 'SOL', size: 1, entry: 120, liquidation: 92 },
    ])
    await bot.pass(90_000)
    expect(bot.hears().join()).toContain('SOL long: 8.0% to liquidation')
  })

  test('stands beside others, and is one however often it is asked for', async () => {
    await using bot = await resting()
    bot.stage.market('SOL', { price: 130 })
    await bot.pass(2_000)
    await bot.says(`/watch ${BOB} other`)
    for (const line of ['/mute main 1h', '/mute other 2h', '/mute BTC 3h', '/mute SOL 4h', '/mute BTC 5h'])
      await bot.says(line)
    const listed = (await bot.says('/quiet')).split('\n').filter((line) => line.includes('muted'))
    expect(listed.map((line) => line.trim())).toEqual([
      'Alerts for main: muted until 13:00 UTC',
      'Alerts for other: muted until 14:00 UTC',
      'BTC alerts: muted until 17:00 UTC',
      'SOL alerts: muted until 16:00 UTC',
    ])
  })

  test('never hides what is critical', async () => {
    await using bot = await resting()
    await bot.says('/mute 8h')
    await at(bot, 98)
    expect(await at(bot, 94)).toEqual([expect.stringContaining('[CRITICAL]')])
    await bot.says('/unmute')
    await bot.pass(2_000)
    expect(bot.hears()).toEqual([])
  })

  test('says what goes through: what clears without a sound, and an outage with one', async () => {
    await using bot = await resting()
    await at(bot, 98)
    const answer = await bot.says('/mute 8h')
    expect(answer).toContain('Everything that isn’t critical waits until 20:0')
    expect(answer).toContain('Critical alerts and outages still ring. Alerts you had clear silently.')
    const last = () => bot.platforms.get('recorder')?.sees('me', 'me').at(-1)
    expect(await at(bot, 130)).toEqual([expect.stringContaining('[RESOLVED]')])
    expect(last()?.silent).toBe(true)
    bot.stage.fails('/markets', 503)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringContaining('[BLIND]')])
    expect(last()?.silent).toBe(false)
  })

  test('ends, and sums up what it held back', async () => {
    await using bot = await resting()
    await bot.says('/mute main 3m')
    await at(bot, 98)
    expect(bot.hears()).toEqual([])
    await bot.pass(3 * MINUTE_MS)
    expect(bot.hears().join()).toContain('While quiet: 1 alert, 1 still on')
  })

  test('is asked for its end', async () => {
    await using bot = await resting()
    expect(await bot.says('/mute BTC')).toContain('[8 h: /mute BTC 8h]')
    expect(await bot.says('/mute 30d')).toContain('7 days at most')
  })

  test('that ends early announces what it held back only when it held back something', async () => {
    await using bot = await resting()
    await bot.says('/mute 8h')
    expect(await bot.says('/unmute')).toBe('Nothing is muted now.')
    expect(await bot.says('/quiet off')).toBe('Quiet hours are off.')
    await bot.says('/mute 8h')
    await at(bot, 98)
    await bot.says('/quiet 11:00-14:00')
    expect(await bot.says('/quiet off')).toContain('Muted alerts still wait')
    await bot.says('/quiet 11:00-14:00')
    expect(await bot.says('/unmute')).toContain('Waiting messages come at 14:00 UTC, when quiet hours end')
    expect(bot.hears()).toEqual([])
    expect(await bot.says('/quiet off')).toContain('Waiting messages come now.')
    await bot.pass(2_000)
    expect(bot.hears()).toHaveLength(1)
  })
})
