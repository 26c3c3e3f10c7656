import { expect, test } from 'vitest'

import { CLAIM, startTelegramBot } from '../../support/telegram/bot.ts'

const MINUTE = 60_000

test('a live card is pinned without a sound, counts the time on the reader’s phone, and ends when it is deleted', async () => {
  await using bot = await startTelegramBot({ periods: { marketPollMs: 5_000 } })
  const { stage, telegram } = bot
  stage.market('BTC', { price: 130 })
  await bot.pass(6_000)
  const ann = telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  await bot.says(ann, '/status pin')
  await bot.pass(3_000)
  const pin =
    telegram.ledger.messages(ann.id).find(({ text }) => text.includes('last look')) ??
    telegram.ledger.last(ann.id)
  const dates = () => pin.entities.flatMap((entity) => (entity.type === 'date_time' ? [entity] : []))
  expect(pin).toMatchObject({
    silent: true,
    text: expect.stringContaining('last look ') as string,
    pinned: true,
  })
  expect(dates()).toMatchObject([{ date_time_format: 'r' }])
  const first = dates()[0]?.unix_time ?? 0
  await bot.pass(5 * MINUTE)
  expect(dates()[0]?.unix_time).toBeGreaterThan(first + 4 * 60)

  pin.deleted = true
  await bot.pass(6 * MINUTE)
  expect(await bot.says(ann, '/status unpin')).toEqual([
    expect.stringMatching(/No live card is in that chat/),
  ])
  expect(bot.trouble()).toEqual([])
})

test('in a group where Perch may not pin, the answer says so once, and the card lives', async () => {
  await using bot = await startTelegramBot({ periods: { marketPollMs: 5_000 } })
  const { stage, telegram } = bot
  stage.market('BTC', { price: 130 })
  await bot.pass(6_000)
  const ann = telegram.user('Ann')
  await bot.says(ann, `/start ${CLAIM}`)
  const desk = telegram.group('Desk', { owner: ann, supergroup: true })
  await bot.says(ann, `/channel bind ${desk.id}`)
  await bot.pass(3_000)
  const answered = async (line: string) => {
    await bot.says(ann, line)
    await bot.pass(31_000)
    return telegram.ledger.last(ann.id).text
  }
  const refused = 'I can’t pin it (I lack the right to pin messages): pin it yourself.'
  expect(await answered('/status pin Desk')).toContain(refused)
  const card = () => telegram.ledger.messages(desk.id).find(({ text }) => text.includes('last look'))
  expect(card()).toMatchObject({ silent: true })
  expect(card()?.pinned).toBeUndefined()
  await answered('/status unpin Desk')
  desk.promote()
  expect(await answered('/status pin Desk')).not.toContain(refused)
  expect(card()?.pinned).toBe(true)
})
