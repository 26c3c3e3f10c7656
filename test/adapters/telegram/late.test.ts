import { expect, test } from 'vitest'

import { startTelegramBot } from '../../support/telegram/bot.ts'
import { annWatches } from '../../support/telegram/watched.ts'

const HOUR_MS = 3_600_000

test('what was written while the bot was away goes for what rang until then', async () => {
  await using bot = await startTelegramBot()
  const ann = await annWatches(bot)
  bot.stage.market('BTC', { price: 94 })
  await bot.restart(async () => {
    ann.says('/ack')
    ann.says('/mute 8h')
    await bot.clock.advance(5 * HOUR_MS)
  })
  await bot.pass(30_000)
  const texts = [...bot.telegram.ledger.texts(ann)]
  expect(texts.join('\n')).toMatch(/until 20:00/)
  expect(texts.some((text) => text.includes('acknowledged by Ann'))).toBe(false)
  expect(await bot.says(ann, '/ack')).toContainEqual(
    expect.stringContaining('✓ BTC long · main: quiet until'),
  )
})

test('the button of an older message leaves an alert alone that has got worse since', async () => {
  await using bot = await startTelegramBot()
  const ann = await annWatches(bot)
  bot.stage.market('BTC', { price: 98 })
  await bot.pass(30_000)
  const older = bot.telegram.ledger.last(ann)
  expect(older.text).toContain('BTC long: ')
  bot.stage.market('BTC', { price: 91.5 })
  await bot.pass(30_000)
  ann.taps('Ack', { message: older.id })
  await bot.pass(10_000)
  expect(older.text).toMatch(/A1: rang at .* after this message/)
  ann.taps('Ack A1', { message: older.id })
  await bot.pass(10_000)
  expect(older.text).toContain('✓ Ann, ')
})
