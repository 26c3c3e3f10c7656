import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { ALICE, type BotUnderTest, CLAIM_CODE, startBot, UNHURRIED } from '../support/bot.ts'

const MINUTE_MS = 60_000
const olga = { platform: 'red', user: 'olga' }
const refuses = (): Delivery => ({ is: 'rejected', why: 'the webhook answered 400' })

/** Olga is told on red, and may name places on phone. Her BTC long is liquidated at 90. */
async function withPhone(): Promise<BotUnderTest> {
  const bot = await startBot({ platforms: ['red'], places: ['phone'], settings: UNHURRIED })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/start ${CLAIM_CODE}`, olga)
  await bot.says(`/watch ${ALICE} main`, olga)
  await bot.pass(20_000)
  return bot
}

describe('a place that has never taken a message', () => {
  test('is not relied upon, and whoever named it reads that wherever it stands', async () => {
    await using bot = await withPhone()
    bot.platforms.get('phone')?.delivers('desk', ...Array.from({ length: 9 }, () => refuses))
    const named = await bot.says('/settings phone desk', olga)
    expect(named).toContain('…sk is noted')
    expect(named).toContain('I can’t write there: the webhook answered 400.')
    expect(named).toContain('Then name it again, and I try again')
    expect(named).toContain('I won’t rely on it until a message has arrived there.')
    expect(named).toContain('From then on it’s your backup chat.')
    const troubles = await Promise.all(
      ['/escalate', '/settings chat', '/status'].map((line) => bot.says(line, olga)),
    )
    for (const answer of troubles) expect(answer).toContain('the webhook answered 400')
    expect(troubles[0]).toContain('REACHES NOBODY')
    expect(troubles[2]).toContain('No backup: if red is down')
    expect(await bot.says('/settings fallback phone', olga)).toContain('I can’t write there now')
    // Its alert waits for the chat that has taken something.
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(10 * MINUTE_MS)
    expect(bot.hears('desk', 'phone')).toEqual([])
  })

  test('is relied upon from its first message on, also when that comes late', async () => {
    await using bot = await withPhone()
    const later = (): Delivery => ({
      ...({ is: 'delayed', retryAfterMs: 30_000, scope: 'chat', maybeSent: false } as const),
      why: 'the webhook answered 503',
    })
    bot.platforms.get('phone')?.delivers('desk', later)
    const named = bot.says('/settings phone desk', olga)
    await bot.pass(6_000)
    expect(await named).toContain('not through yet: the webhook answered 503.')
    expect(await bot.says('/escalate', olga)).toContain('it has taken nothing yet')
    await bot.pass(MINUTE_MS)
    expect(bot.hears('desk', 'phone')).toEqual([expect.stringContaining('Test: alerts reach')])
    expect(await bot.says('/escalate', olga)).toContain('phone (backup chat): after 7 min')
    expect(await bot.says('/escalate', olga)).not.toContain('it has taken nothing yet')
  })

  test('is tried at once when another one is named instead', async () => {
    await using bot = await withPhone()
    bot.platforms.get('phone')?.delivers('desk', refuses, refuses)
    await bot.says('/settings phone desk', olga)
    expect(await bot.says('/settings phone hall', olga)).toContain('Test sent to …ll')
    expect(await bot.says('/escalate', olga)).toContain('phone (backup chat): after 7 min')
    // What works goes on to be relied upon when it is named again.
    bot.platforms.get('phone')?.delivers('hall', ...Array.from({ length: 9 }, () => refuses))
    await bot.says('/settings phone hall', olga)
    expect(await bot.says('/escalate', olga)).not.toContain('REACHES NOBODY')
  })
})
