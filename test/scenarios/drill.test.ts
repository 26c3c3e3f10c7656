import { expect, test } from 'vitest'

import type { Send } from '../../src/chat/notifier.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { ALICE, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'

const MINUTE_MS = 60_000
const blue = { platform: 'blue' }
const DRILL = '[CRITICAL] DRILL: would this wake you?'

/** I am told on red, with blue as the fallback. */
async function onTwoPlatforms(): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red', 'blue'], settings: UNHURRIED })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`)
  await bot.says(`/watch ${ALICE} main`)
  const code = /\/link (\S+)/.exec(await bot.says('/link'))?.[1] ?? ''
  await bot.says(`/link ${code} yes`, blue)
  await bot.says(`/link ${code} yes`)
  await bot.pass(20_000)
  hearsBoth(bot)
  return bot
}

function hearsBoth(bot: BotUnderTest): string[][] {
  return ['red', 'blue'].map((platform) => bot.hears('me', platform).filter((text) => text.includes('DRILL')))
}

/** What is said while only the clock can end the wait for a platform. */
async function saysAndWaits(bot: BotUnderTest, line: string): Promise<string> {
  const answer = bot.platforms.get('red')?.says('me', line) ?? Promise.resolve('')
  await bot.pass(6_000)
  return answer
}

/** Takes nothing from now on. */
function goesDown(bot: BotUnderTest, platform: string): void {
  const down = (_send: Send): Delivery => {
    bot.platforms.get(platform)?.delivers('me', down)
    return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'connection refused' }
  }
  bot.platforms.get(platform)?.delivers('me', down)
}

test('a drill rings in the preferred chat and in the fallback, marked as one, and says what was sent where', async () => {
  await using bot = await onTwoPlatforms()
  const answer = await bot.says('/drill')
  expect(answer).toContain('Drill: tap Acknowledge where it rings')
  expect(answer).toMatch(/red: sent (?:at once|after .*)\n\s*blue \(backup chat\): sent (?:at once|after)/)
  const [[first = ''] = [], [then = ''] = []] = hearsBoth(bot)
  expect(first.split('\n')[0]).toBe(DRILL)
  expect(first).toContain('[Acknowledge drill: /drill ack]')
  expect(then.split('\n')[0]).toBe(DRILL)
  expect(then).toContain('This rings when red fails, or nobody acknowledges there')
  expect(
    bot.platforms
      .get('red')
      ?.sees('me', 'me')
      .find(({ text }) => text.includes(DRILL))?.silent,
  ).toBe(false)
})

test('a drill rings in the fallback also where the wall clock was set back after the last one', async () => {
  await using bot = await onTwoPlatforms()
  await bot.says('/drill')
  bot.clock.jump(-60 * MINUTE_MS)
  hearsBoth(bot)
  expect(await bot.says('/drill')).not.toContain('rang just before')
  expect(hearsBoth(bot).map((heard) => heard.length)).toEqual([1, 1])
})

test('whoever acknowledges it reads how long that took, also after a restart and only once', async () => {
  await using bot = await onTwoPlatforms()
  await bot.says('/drill')
  await bot.pass(MINUTE_MS)
  await bot.restart()
  const answer = await bot.says('/drill ack', blue)
  expect(answer).toMatch(/Drill acknowledged by me after (?:60|1 )/)
  expect(answer).toMatch(/red: sent (?:at once|after .*)\n\s*blue \(backup chat\): sent (?:at once|after)/)
  await bot.pass(30 * MINUTE_MS)
  expect(await bot.says('/drill ack')).toBe(await bot.says('/drill report'))
  expect(await bot.says('/drill report')).toMatch(/acknowledged by me after (?:60|1 )/)
})

test('where it rang as well reads that somebody has acknowledged it, quietly and once', async () => {
  await using bot = await onTwoPlatforms()
  await bot.says('/drill')
  hearsBoth(bot)
  await bot.pass(12_000)
  await bot.says('/drill ack', blue)
  await bot.says('/drill ack')
  await bot.pass(1_000)
  expect([bot.hears('me', 'red'), bot.hears('me', 'blue')]).toEqual([
    ['Drill acknowledged by me after 12 s'],
    [],
  ])
  const seen = bot.platforms.get('red')?.sees('me', 'me') ?? []
  expect(seen.find(({ text }) => text.startsWith('Drill acknowledged by me after'))?.silent).toBe(true)
})

test('it is not repeated, leaves no alert behind, and changes nothing of those that fire', async () => {
  await using bot = await onTwoPlatforms()
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(20_000)
  const before = bot.transitions()
  await bot.says('/ack')
  await bot.says('/drill')
  hearsBoth(bot)
  await bot.pass(30 * MINUTE_MS)
  expect(hearsBoth(bot)).toEqual([[], []])
  expect(bot.transitions()).toEqual(before)
  expect(await bot.says('/history')).not.toContain('DRILL')
  expect(await bot.says('/alerts')).toContain('acknowledged by me')
})

test('what a chat does not take is said, and is not rung later', async () => {
  await using bot = await onTwoPlatforms()
  goesDown(bot, 'blue')
  const answer = await saysAndWaits(bot, '/drill')
  expect(answer).toMatch(/red: sent (?:at once|after)/)
  expect(answer).toContain('blue (backup chat): NOT SENT after ')
  expect(hearsBoth(bot)).toEqual([[expect.any(String)], []])
  await bot.pass(40 * MINUTE_MS)
  expect(hearsBoth(bot)).toEqual([[], []])
  expect(await bot.says('/drill report')).toContain('blue (backup chat): NOT SENT within 10 min, given up')
})

test('/test is the same, for whoever looks for that word', async () => {
  await using bot = await onTwoPlatforms()
  const answer = await saysAndWaits(bot, '/test')
  expect(answer).toMatch(/red: sent (?:at once|after)/)
  expect(hearsBoth(bot).map((heard) => heard.length)).toEqual([1, 1])
})

test('a chat that is gone is said with its reason, and once only', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.get('red')?.blocks('me')
  await bot.pass(1_000)
  await bot.says('/drill', blue)
  const report = await bot.says('/drill report', blue)
  expect(report).toMatch(/red: NOT SENT/)
  expect(report).toContain('I can’t write to you on red. blue gets your alerts instead.')
  expect(hearsBoth(bot)[1]).toHaveLength(1)
})

test('a chain that ends nowhere is said by the drill, by /status and in the digest', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  await bot.pass(0)
  const nowhere = 'No backup: if recorder is down, critical alerts can’t reach you. /link'
  expect(await bot.says('/drill')).toContain(nowhere)
  expect(await bot.says('/status')).toContain(nowhere)
})

test('one with a fallback that works is not', async () => {
  await using bot = await onTwoPlatforms()
  expect(await bot.says('/status')).not.toContain('stands in')
  await bot.says('/settings fallback none')
  expect(await bot.says('/status')).toContain('No backup: if red is down')
})

test('there is nothing to acknowledge or to report before a drill', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  for (const line of ['/drill ack', '/drill report'])
    expect(await bot.says(line)).toContain('No drill has rung here yet')
})

test('what went to another chat, because its own is gone, is not said to have been sent there', async () => {
  await using bot = await onTwoPlatforms()
  bot.platforms.get('blue')?.delivers('me', () => ({ is: 'gone', why: 'blocked' }))
  const answer = await saysAndWaits(bot, '/drill')
  await bot.pass(MINUTE_MS)
  expect(answer).toContain('blue (backup chat): NOT SENT')
  const report = await bot.says('/drill report')
  expect(report).toContain('blue (backup chat): NOT SENT there, sent to red instead')
})

test('it rings in quiet hours like a critical alert, although it goes behind everybody’s alerts', async () => {
  await using bot = await onTwoPlatforms()
  await bot.says('/quiet 00:00-23:59')
  await bot.says('/drill')
  const seen = bot.platforms.get('red')?.sees('me', 'me') ?? []
  expect(seen.findLast(({ text }) => text.includes('DRILL'))?.silent).toBe(false)
  const drills = bot.events.flatMap((event) => (event.is === 'delivery' && event.urgency > 1 ? [event] : []))
  expect(drills.length).toBeGreaterThan(0)
})

test('played again and again, it rings in the own fallback once a minute', async () => {
  await using bot = await onTwoPlatforms()
  for (let time = 0; time < 5; time++) await bot.says('/drill')
  expect(hearsBoth(bot).map((heard) => heard.length)).toEqual([5, 1])
  expect(await bot.says('/drill report')).toContain('blue (backup chat) (rang just before; again after 60 s)')
  await bot.pass(MINUTE_MS)
  await bot.says('/drill')
  expect(hearsBoth(bot).map((heard) => heard.length)).toEqual([1, 1])
})
