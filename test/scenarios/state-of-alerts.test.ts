import { describe, expect, test } from 'vitest'

import { type BotUnderTest, startBot } from '../support/bot.ts'
import { watched } from '../support/watched.ts'

const HOUR_MS = 3_600_000
/** Half a day of it is not tens of thousands of readings. */
const SLOW = { settings: { marketPollMs: 600_000, walletPollMinMs: 600_000, walletPollMaxMs: 3_600_000 } }

/** Noon UTC: a BTC long that is liquidated at 90, watched, and far from it. */
async function watching(options: Parameters<typeof startBot>[0] = {}): Promise<BotUnderTest> {
  const bot = await startBot(options)
  await watched(bot)
  await bot.says('/settings zone UTC')
  return bot
}

async function at(bot: BotUnderTest, price: number, ms = 20_000): Promise<void> {
  bot.stage.market('BTC', { price, funding: 0.0001 })
  await bot.pass(ms)
}

/** The line of an answer in which these words are. */
async function line(bot: BotUnderTest, said: string, words: string): Promise<string> {
  const answer = await bot.says(said)
  return answer.split('\n').find((one) => one.includes(words)) ?? answer
}

describe('/alerts shows', () => {
  test('what has entered a tier and must hold a while longer', async () => {
    await using bot = await watching()
    await at(bot, 112, 4_000)
    const shown = await bot.says('/alerts')
    expect(shown).toContain('No active alerts')
    expect(shown).toMatch(/1 pending\n.*BTC long · main: past 20% line, alerts in 1\d s unless it recovers/)
    await bot.pass(20_000)
    expect(await bot.says('/alerts')).not.toContain('pending')
  })

  test('when what is critical is said again, until somebody acknowledges it, then who did and until when', async () => {
    await using bot = await watching()
    await at(bot, 94)
    expect(await line(bot, '/alerts', '(A1)')).toMatch(/next reminder 12:\d\d UTC/)
    await bot.says('/ack A1')
    expect(await line(bot, '/alerts', '(A1)')).toMatch(/acknowledged by me until 16 Jan 00:\d\d UTC/)
    await bot.says('/snooze A1 30m')
    expect(await line(bot, '/alerts', '(A1)')).toMatch(/snoozed by me until 12:\d\d UTC/)
    expect(await bot.says('/status')).toContain('snoozed by me until')
  })

  test('what nobody has ever acknowledged', async () => {
    await using bot = await watching(SLOW)
    await at(bot, 94, HOUR_MS / 3)
    await bot.pass(13 * HOUR_MS)
    expect(await line(bot, '/alerts', '(A1)')).toContain('no answer, no more reminders')
  })

  test('quiet hours, mutes, and what either of them holds back', async () => {
    await using bot = await watching()
    await bot.says('/quiet 11:00-14:00')
    await bot.says('/mute BTC 3h')
    await at(bot, 98)
    await at(bot, 130)
    const shown = await bot.says('/alerts')
    expect(shown).toContain('11:00-14:00 every day (UTC)')
    expect(shown).toMatch(/BTC alerts: muted until 15:\d\d UTC/)
    expect(shown).toMatch(/12:\d\d UTC BTC long: 8.2% to liquidation \(A1\), cleared since/)
  })
})

describe('/why shows', () => {
  test('who acknowledged and who snoozed it, when, and how it stands', async () => {
    await using bot = await watching()
    await at(bot, 94)
    await bot.pass(60_000)
    await bot.says('/ack A1')
    const acknowledged = await bot.says('/why A1')
    expect(acknowledged).toMatch(/still on\n\s*acknowledged by me until 16 Jan 00:\d\d UTC/)
    expect(acknowledged).toMatch(/12:\d\d UTC reminder: 5% line, said 2 times/)
    expect(acknowledged).toMatch(/12:\d\d UTC acknowledged by me$/m)
    expect(acknowledged).not.toContain('nothing was sent')
    await bot.says('/snooze A1 1h')
    const snoozed = await bot.says('/why A1')
    expect(snoozed).toMatch(/still on\n\s*snoozed by me until 13:\d\d UTC/)
    expect(snoozed).toMatch(/12:\d\d UTC snoozed by me$/m)
  })

  test('what was held back, since when, and that it was summed up', async () => {
    await using bot = await watching(SLOW)
    await bot.says('/quiet 11:00-13:00')
    await at(bot, 98, HOUR_MS / 3)
    const held = await bot.says('/why A1')
    expect(held).toMatch(/still on\n\s*waits since 12:\d\d UTC, comes in a summary/)
    expect(held).toContain('waits until the quiet is over')
    await bot.pass(HOUR_MS)
    expect(await bot.says('/why A1')).not.toContain('comes in a summary')
  })
})
