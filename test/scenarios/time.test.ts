import Database from 'better-sqlite3'
import { expect, test } from 'vitest'

import { ALICE, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock, NOON } from '../support/clock.ts'
import { anAccount } from '../support/fixtures.ts'
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
    expect(heard[0]).toMatch(/^\[CRITICAL\].*\n {2}\$92\.00 → \$90\.00 · main\n/)
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

test.each([0.013, 0.37, 1.7])(
  'everything can be kept by a clock whose reads take %f ms, whatever stops, sleeps, is set or fails',
  async (readMs) => {
    const accounts = new Map([[ALICE, [anAccount({ marginRatio: 0.75 })]]])
    await using bot = await startBot({ clock: handClock(NOON, readMs), settings: UNHURRIED, accounts })
    await watched(bot, 130)
    for (const rule of ['liq main 15% for 5m', 'price-move BTC 3% 1h', 'no-stop main', 'margin main'])
      await bot.says(`/alert ${rule}`)
    for (const line of ['/digest 13:00', '/quiet 13:30-14:00', '/drill']) await bot.says(line)
    const sometimes: ((step: number) => unknown)[] = [
      () => {
        bot.stage.fails('/', 503)
        bot.clock.stop(20_000.3)
      },
      () => bot.says('/ack'),
      () => bot.clock.sleep(7 * 60_000),
      () => bot.stage.fails('/', null),
      (step) => bot.restart((step % 3) * 40_000 + 0.3),
      () => bot.clock.stop(5 * 60_000 + 0.7),
      () => bot.stage.positions(ALICE, []),
      () => bot.says('/snooze 1h'),
      (step) => bot.clock.jump(step % 2 === 0 ? 15 * 60_000 : -20 * 60_000),
      (step) => bot.stage.positions(ALICE, [{ symbol: 'BTC', size: step, entry: 120, liquidation: 90 }]),
    ]
    for (let step = 1; step <= 120; step++) {
      bot.stage.market('BTC', { price: [112, 99, 94, 92, 130, 104][step % 6] ?? 0, funding: 0.001 })
      await sometimes[(step * 7) % sometimes.length]?.(step)
      await bot.pass(15_000.21)
    }
    expect(bot.events.filter(({ is }) => is === 'turn-failed' || is === 'store')).toEqual([])
    expect(bot.hears().length).toBeGreaterThan(20)
  },
)

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
