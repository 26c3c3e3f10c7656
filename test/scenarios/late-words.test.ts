import { expect, test } from 'vitest'

import { type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { agrees, anna, annaAndBob, bob } from '../support/people.ts'
import { titles, watched } from '../support/watched.ts'

// A word goes for the alerts that its speaker could have seen.

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const clockOf = (time: number) => new Date(time).toISOString().slice(11, 16)

async function ringing(price = 91.5): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED })
  await watched(bot)
  bot.stage.market('BTC', { price })
  await bot.pass(10_000)
  return bot
}

test('an acknowledgement that comes five hours late leaves an alert alone that rang since', async () => {
  await using bot = await ringing()
  expect(titles(bot.hears()).join()).toContain('CRITICAL')
  const writtenAt = bot.clock.now() - 5 * HOUR_MS
  const answer = await bot.says('/ack', { writtenAt })
  expect(answer).toMatch(/^A1: rang at 12:0\d UTC, after what you wrote/)
  expect(answer).toContain('/ack A1')
  await bot.pass(4 * MINUTE_MS)
  expect(bot.hears().join()).toContain('Reminder')
})

test('one that comes late goes for what rang before it was written', async () => {
  await using bot = await ringing()
  await bot.pass(30_000)
  const writtenAt = bot.clock.now()
  await bot.pass(10_000)
  bot.hears()
  expect(await bot.says('/ack', { writtenAt })).toContain('✓ BTC long · main: ')
  await bot.pass(10 * MINUTE_MS)
  expect(bot.hears().join()).not.toContain('Reminder')
})

test('a snooze counts from when it was written, and one that is over changes nothing', async () => {
  await using bot = await ringing()
  const written = bot.clock.now()
  await bot.pass(20_000)
  const late = { writtenAt: written + 1_000 }
  await bot.pass(20 * MINUTE_MS)
  expect(await bot.says('/snooze A1 2h', late)).toMatch(/until 14:00 UTC/)
  const answer = await bot.says('/snooze A1 15m', late)
  expect(answer).toContain('You wrote that at 12:00 UTC; I read it only now')
  expect(answer).toContain('It would have ended at 12:15 UTC, so I changed nothing.')
})

test('a mute counts from when it was written', async () => {
  await using bot = await ringing()
  const writtenAt = bot.clock.now() - 5 * HOUR_MS
  expect(await bot.says('/mute 8h', { writtenAt })).toContain(
    'Everything that isn’t critical waits until 15:00 UTC',
  )
  expect(await bot.says('/mute BTC 2h', { writtenAt })).toContain('so I changed nothing')
})

test('a drill that was asked for hours ago does not ring', async () => {
  await using bot = await ringing()
  bot.hears()
  const answer = await bot.says('/drill', { writtenAt: bot.clock.now() - 3 * HOUR_MS })
  expect(answer).toContain('I read it only now')
  expect(bot.hears().join()).not.toContain('DRILL')
})

test('the button of yesterday’s drill does not acknowledge today’s', async () => {
  await using bot = await ringing(130)
  await bot.says('/drill')
  await bot.pass(10_000)
  const seen = bot.clock.now()
  await bot.pass(2 * HOUR_MS)
  await bot.says('/drill')
  await bot.pass(10_000)
  expect(await bot.says('/drill ack', { writtenAt: seen })).toContain('That was an earlier drill')
  expect(await bot.says('/drill report')).toContain('not acknowledged yet')
  expect(await bot.says('/drill ack')).toContain('Drill acknowledged by me')
})

test('a handover counts from when it was written, and one that is over changes nothing', async () => {
  await using bot = await annaAndBob()
  await agrees(bot, bob)
  const writtenAt = bot.clock.now() - 2 * HOUR_MS
  const late = { ...anna, writtenAt }
  const answer = await bot.says('/handover @bob 1h', late)
  expect(answer).toContain('I read it only now')
  expect(await bot.says('/handover', anna)).toContain('Nothing is handed over')
  expect(await bot.says('/handover @bob 8h', late)).toContain(`until ${clockOf(writtenAt + 8 * HOUR_MS)}`)
})

test('the button of an older message leaves an alert alone that has got worse since, and a second tap works', async () => {
  await using bot = await ringing(98)
  await bot.pass(20_000)
  const sees = () => bot.platforms.get('recorder')?.sees('me', 'me') ?? []
  const older = sees().find(({ buttons }) => buttons.some(({ label }) => label === 'Ack'))
  expect(older?.text).toContain('WARNING')
  bot.stage.market('BTC', { price: 91.5 })
  await bot.pass(10_000)
  const posts = sees()
  // The newer message is out of sight: the finger is on the older one.
  for (const post of posts) if (post !== older) post.buttons = []
  const recorder = bot.platforms.get('recorder')
  const tapped = recorder?.taps('me', 'Ack')
  await bot.pass(0)
  await tapped
  expect(older?.text).toMatch(/^A1: rang at 12:0\d UTC, after this message/)
  const again = recorder?.taps('me', 'Ack A1')
  await bot.pass(0)
  await again
  expect(older?.text).toContain('✓ me, ')
})
