import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { startBot, UNHURRIED } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

test.each([HOUR_MS, -HOUR_MS])(
  'a wall clock that jumps by %d ms changes no interval, and is noted',
  async (jump) => {
    await using bot = await startBot()
    await watched(bot, 95)
    bot.clock.jump(jump)
    await bot.pass(30_000)
    expect(bot.hears()).toEqual([])
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(2_000)
    const heard = bot.hears()
    expect(heard).toHaveLength(1)
    expect(heard[0]).toContain('price 0.0 s old, position')
    expect(bot.events).toContainEqual({
      is: 'remark',
      where: 'clock',
      text: `the wall clock jumped by ${jump} ms; no interval changes`,
    })
  },
)

test('an alert that rang before the wall clock was set back can be acknowledged, snoozed and drilled at once', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  await watched(bot, 92)
  await bot.says('/drill')
  bot.clock.jump(-HOUR_MS)
  await bot.pass(10_000)
  expect(await bot.says('/drill ack')).toContain('Drill acknowledged by')
  expect(await bot.says('/ack A1')).not.toContain('after what you wrote')
  expect(await bot.says('/snooze A1 2h')).toContain('13:00 UTC')
  bot.hears()
  await bot.pass(30 * 60_000)
  expect(bot.hears()).toEqual([])
})

test('what is long over is forgotten, what goes on is not', async () => {
  await using bot = await startBot({
    settings: { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 3_600_000 },
  })
  await watched(bot, 95)
  bot.stage.market('BTC', { price: 200 })
  await bot.pass(2 * 600_000)
  bot.stage.market('BTC', { price: 95 })
  await bot.pass(2 * 600_000)
  expect(await bot.says('/history')).toContain('(A2)')
  bot.clock.jump(91 * DAY_MS)
  await bot.pass(2 * HOUR_MS)
  const history = await bot.says('/history')
  expect(history).not.toContain('(A1)')
  expect(history).toContain('(A2)')
  const sqlite = new Database(bot.database, { readonly: true })
  expect(sqlite.prepare('SELECT count(*) FROM inputs').pluck().get()).toBe(0)
  expect(sqlite.prepare("SELECT count(*) FROM outbox WHERE state = 'sent'").pluck().get()).toBe(0)
  sqlite.close()
})
