import { expect, test } from 'vitest'

import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

const MINUTE = 60_000

test('a message that is kept up to date counts the time on the reader’s phone, and ends when it is deleted', async () => {
  await using bot = await startTelegramBot({ periods: { marketPollMs: 5_000 } })
  const { stage, telegram } = bot
  stage.market('BTC', { price: 130 })
  await bot.pass(6_000)
  const ann = telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, '/status pin')
  await bot.pass(3_000)
  const pin = telegram.ledger.last(ann.id)
  const dates = () => pin.entities.flatMap((entity) => (entity.type === 'date_time' ? [entity] : []))
  expect(pin).toMatchObject({ silent: true, text: expect.stringContaining('last check ') as string })
  expect(dates()).toMatchObject([{ date_time_format: 'r' }])
  const first = dates()[0]?.unix_time ?? 0
  await bot.pass(5 * MINUTE)
  expect(dates()[0]?.unix_time).toBeGreaterThan(first + 4 * 60)

  pin.deleted = true
  await bot.pass(6 * MINUTE)
  expect(await bot.says(ann, '/status unpin')).toEqual([
    expect.stringMatching(/No such message is in that chat/),
  ])
  expect(bot.trouble()).toEqual([])
})
