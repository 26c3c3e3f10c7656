import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { ALICE, type BotUnderTest } from '../support/bot.ts'
import { agrees, anna, annaAndBob, bob, falls, joins, silence } from '../support/people.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** What is told by the clock: a night of it need not be tens of thousands of readings. */
const SLOW = { settings: { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 3_600_000 } }
const CRITICAL = 'for anna: BTC long: 4.3% to liquidation (A1)'
/** Nothing reaches them until the test says so. */
function isDown(bot: BotUnderTest, chat: string): () => void {
  let ends = false
  const ending = (): Delivery => {
    if (!ends) bot.platforms.get('red')?.delivers(chat, ending)
    const why = 'connection refused'
    return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why }
  }
  bot.platforms.get('red')?.delivers(chat, ending)
  return () => void (ends = true)
}
const firsts = (texts: string[]) => texts.map((text) => text.split('\n')[0] ?? '')

describe('a handover', () => {
  test('says what its person did about an alert as theirs, also where that cannot be put into the message', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/handover @bob 8h', anna)
    await falls(bot, 94)
    silence(bot)
    bot.platforms.get('red')?.removes('bob')
    await bot.says('/ack A1', anna)
    await bot.pass(1_000)
    expect(firsts(bot.hears('bob', 'red'))).toEqual(['for anna: BTC long · main: acknowledged by anna (A1)'])
  })

  test('that is given another end makes no sound: whoever hands over cannot ring somebody by it', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    for (const hours of [8, 9, 10]) await bot.says(`/handover @bob ${hours}h`, anna)
    await bot.pass(1_000)
    const told = bot.platforms
      .get('red')
      ?.sees('bob', 'bob')
      .filter(({ text }) => text.includes('hands critical alerts'))
    expect(told?.map(({ silent }) => silent)).toEqual([false, true, true])
  })

  test('is told to both, and sends what is critical at once and each time it is said again', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    // It is noon.
    expect(await bot.says('/handover @bob until 13:00', anna)).toMatch(
      /bob gets your critical alerts until 13:00/,
    )
    expect(await bot.says('/escalate', anna)).toContain('@bob: at once until 13:00 UTC (handover)')
    await bot.pass(1_000)
    expect(bot.hears('bob', 'red')).toEqual([
      expect.stringContaining('anna hands critical alerts to you until 13:00'),
    ])
    await falls(bot, 98)
    await bot.pass(20_000)
    expect(bot.hears('bob', 'red')).toEqual([])
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([`[CRITICAL] ${CRITICAL}`])
    await bot.pass(MINUTE_MS)
    expect(bot.hears('bob', 'red')).toEqual([expect.stringContaining('Reminder 1')])
    // Getting worse is told at once as well.
    await falls(bot, 92)
    expect(bot.hears('bob', 'red')).toEqual([expect.stringContaining('for anna: BTC long: 2.2%')])
  })

  test('ends by the clock, quietly for both; the end of what was told is told all the same', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/handover @bob 10m', anna)
    await falls(bot, 94)
    silence(bot)
    await bot.pass(10 * MINUTE_MS)
    const seen = (user: string) => bot.platforms.get('red')?.sees(user, user).at(-1)
    expect(firsts(bot.hears('bob', 'red'))).toContain('[INFO] You no longer get anna’s critical alerts')
    expect(firsts(bot.hears('anna', 'red'))).toContain('[INFO] The handover to bob is over')
    expect([seen('bob')?.silent, seen('anna')?.silent]).toEqual([true, true])
    await bot.pass(10 * MINUTE_MS)
    expect(bot.hears('bob', 'red')).toEqual([])
    await falls(bot, 130)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([
      expect.stringContaining('[RESOLVED] for anna: BTC long'),
    ])
  })

  test('names what fires and waits for an answer to whoever takes over, who can answer at once', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await falls(bot, 94)
    await bot.says('/handover @bob 8h', anna)
    await bot.pass(1_000)
    const [told = ''] = bot.hears('bob', 'red')
    expect(told).toContain(CRITICAL)
    expect(await bot.says('/ack A1', bob)).toContain('✓ for anna: BTC long · main: quiet until')
    expect(await bot.says('/alerts', anna)).toContain('acknowledged by bob')
  })

  test('and a list that names the same person are one message', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/escalate @bob now', anna)
    await bot.says('/handover @bob 8h', anna)
    silence(bot)
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([`[CRITICAL] ${CRITICAL}`])
  })

  test('rings in quiet hours, also those of whoever takes over', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/quiet 00:00-23:59', bob)
    await bot.says('/handover @bob 8h', anna)
    silence(bot)
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toEqual([`[CRITICAL] ${CRITICAL}`])
    expect(bot.platforms.get('red')?.sees('bob', 'bob').at(-1)?.silent).toBe(false)
  })

  test('stays over a restart, and ends in one: also while nothing ran', async () => {
    await using bot = await annaAndBob(SLOW)
    await agrees(bot, bob)
    await bot.says('/handover @bob until 14:00', anna)
    await bot.restart(HOUR_MS)
    silence(bot)
    expect(await bot.says('/handover', bob)).toContain('You get their critical alerts')
    await falls(bot, 94)
    await bot.pass(10 * MINUTE_MS)
    expect(firsts(bot.hears('bob', 'red'))).toContain(`[CRITICAL] ${CRITICAL}`)
    await bot.restart(2 * HOUR_MS)
    await bot.pass(11 * MINUTE_MS)
    expect(firsts(bot.hears('bob', 'red'))).toContain('[INFO] You no longer get anna’s critical alerts')
    expect(await bot.says('/handover', anna)).toContain('Nothing is handed over')
  })

  test('follows the wall clock, also when that jumps over its end', async () => {
    // It has ended when prices are next read, and not a while later.
    await using bot = await annaAndBob({ settings: {} })
    await agrees(bot, bob)
    await bot.says('/handover @bob until 20:00', anna)
    silence(bot)
    bot.clock.jump(9 * HOUR_MS)
    await falls(bot, 94)
    expect(firsts(bot.hears('bob', 'red'))).toEqual(['[INFO] You no longer get anna’s critical alerts'])
  })

  test('is until that time by the clock of whoever hands over, also on the day that summer time ends', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/settings zone Europe/Berlin', anna)
    // 24 October 2026, 20:00 in Berlin; at 3:00 the clocks go back to 2:00.
    const evening = Date.UTC(2026, 9, 24, 18)
    bot.clock.jump(evening - bot.clock.now())
    await bot.pass(5_000)
    await bot.says('/handover @bob until 08:00', anna)
    expect(await bot.says('/handover', bob)).toContain('25 Oct 07:00 UTC')
  })

  test.each([
    ['/agree end @bob', anna],
    ['/agree end @anna', bob],
  ])('that ends with %s takes along what waits: nothing of theirs arrives later', async (line, who) => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/handover @bob 8h', anna)
    silence(bot)
    const up = isDown(bot, 'bob')
    await falls(bot, 94)
    await bot.pass(3 * MINUTE_MS)
    await bot.says(line, who)
    up()
    await bot.pass(10 * MINUTE_MS)
    expect(bot.hears('bob', 'red').filter((text) => text.includes('BTC'))).toEqual([])
  })

  test('that is over shows nothing of theirs as one’s own, in one message with what is', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says(`/watch ${ALICE} mine`, bob)
    await bot.says('/handover @bob 8h', anna)
    await bot.pass(20_000)
    silence(bot)
    const up = isDown(bot, 'bob')
    await falls(bot, 94)
    await bot.pass(10 * MINUTE_MS)
    const theirs = /\(A\d+\)/.exec(bot.hears('anna', 'red')[0] ?? '')?.[0] ?? ''
    await bot.says('/agree end @bob', anna)
    up()
    await bot.pass(10 * MINUTE_MS)
    const titles = bot.hears('bob', 'red').flatMap((text) => text.split('\n'))
    expect(titles.filter((title) => title.startsWith('[CRITICAL]') && title.includes(theirs))).toEqual([])
    expect(titles.filter((title) => title.startsWith('[CRITICAL]')).length).toBeGreaterThan(0)
  })

  test('is taken back whenever its person says so', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    await bot.says('/handover @bob 8h', anna)
    silence(bot)
    expect(await bot.says('/handover end', anna)).toContain('Handover ended: bob')
    await falls(bot, 94)
    const [told = ''] = bot.hears('bob', 'red')
    expect(told).toContain('anna takes critical alerts again')
    expect(told).toContain('I’ll tell you when the alerts that you got have ended')
    expect(await bot.says('/handover end', anna)).toBe('Nothing is handed over.')
  })

  test.each([
    ['/handover @bob 8d', 'lasts 7 days at most'],
    ['/handover @bob until noonish', 'I need a time, such as 08:00 or 8h'],
    ['/handover @bob', 'How long should bob get'],
    ['/handover @eve 8h', 'No backup of yours is called “@eve”'],
    ['/handover', 'Nothing is handed over'],
  ])('%s is answered with what to say', async (line, answer) => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    expect(await bot.says(line, anna)).toContain(answer)
  })

  test('gives nothing of what a group is told of', async () => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    bot.platforms.get('red')?.groups.set('desk', { title: 'Desk', mayPost: true, configurers: ['anna'] })
    const place = { chat: 'desk', mayConfigure: true, whisper: true }
    await bot.says('/remove R1', anna)
    await bot.says('/channel bind', { ...anna, place })
    await bot.says('/alert liq main 5%', { ...anna, place })
    await bot.says('/handover @bob 8h', anna)
    bot.hears('desk', 'red')
    silence(bot)
    await falls(bot, 94)
    expect(firsts(bot.hears('desk', 'red'))).toEqual([expect.stringContaining('BTC long: 4.3%')])
    expect(bot.hears('bob', 'red')).toEqual([])
  })

  test('shows whoever takes over that alert and why, and nothing else', async () => {
    await using bot = await annaAndBob()
    await joins(bot, { platform: 'red', user: 'eve' })
    await agrees(bot, bob)
    await bot.says('/handover @bob 8h', anna)
    await falls(bot, 94)
    const why = await bot.says('/why A1', bob)
    expect(why).toContain('BTC long: 4.3% to liquidation (A1) · main')
    expect(why).not.toContain('0x')
    expect(await bot.says('/why A1', { ...anna, user: 'eve' })).toContain('You have no alert A1')
    expect(await bot.says('/ack A1', { ...anna, user: 'eve' })).toContain('A1 isn’t active here')
    for (const line of ['/alerts', '/status'])
      expect(await bot.says(line, bob)).toContain('for anna: BTC long · main')
    for (const line of ['/positions', '/wallets', '/history'])
      expect(await bot.says(line, bob)).not.toMatch(/main|0x5290/i)
    expect(await bot.says('/remove R1', bob)).toContain('There’s no R1 here')
  })
})
