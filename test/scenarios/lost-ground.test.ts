import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import type { BotUnderTest } from '../support/bot.ts'
import { agrees, anna, annaAndBob, bob, falls, silence } from '../support/people.ts'

const MINUTE_MS = 60_000

/** Nothing reaches the chat until the returned function is called. */
function isDown(bot: BotUnderTest, chat: string): () => void {
  let ends = false
  const ending = (): Delivery => {
    if (!ends) bot.platforms.get('red')?.delivers(chat, ending)
    return { is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why: 'connection refused' }
  }
  bot.platforms.get('red')?.delivers(chat, ending)
  return () => void (ends = true)
}

/** Anna's critical waits for Bob, to whom she has handed over and who cannot be reached. */
async function criticalWaitsForBob(): Promise<{ bot: BotUnderTest; isBack: () => void }> {
  const bot = await annaAndBob()
  await agrees(bot, bob)
  await bot.says('/handover @bob 8h', anna)
  await bot.pass(1_000)
  silence(bot)
  const isBack = isDown(bot, 'bob')
  await falls(bot, 94)
  return { bot, isBack }
}

describe('whoever could not be reached is not rung with another’s position', () => {
  test.each([
    ['when its wallet is watched no more', '/unwatch main', anna],
    ['when its person has left', '/forget yes', anna],
    ['when the agreement is over', '/agree end @bob', anna],
    ['when they have ended the agreement themselves', '/agree end @anna', bob],
  ])('%s', async (_what, line, who) => {
    const { bot, isBack } = await criticalWaitsForBob()
    await using _ended = bot
    await bot.says(line, who)
    isBack()
    silence(bot)
    await bot.pass(10 * MINUTE_MS)
    expect(bot.hears('bob', 'red').join('\n')).not.toContain('BTC')
  })

  test.each([
    ['was taken back', '/handover end @bob', 1],
    ['has ended', '/handover', 61],
  ])('nor told of a handover that %s', async (_what, line, minutes) => {
    await using bot = await annaAndBob()
    await agrees(bot, bob)
    const isBack = isDown(bot, 'bob')
    await bot.says('/handover @bob 1h', anna)
    await bot.pass(5_000)
    await bot.says(line, anna)
    await bot.pass(minutes * MINUTE_MS)
    isBack()
    await bot.pass(10 * MINUTE_MS)
    expect(bot.hears('bob', 'red').join('\n')).not.toContain('hands critical alerts to you')
  })
})

test('whoever could not be reached is not told of an own alert that they took away', async () => {
  await using bot = await annaAndBob()
  const isBack = isDown(bot, 'anna')
  await falls(bot, 94)
  await bot.says('/unwatch main', anna)
  isBack()
  silence(bot)
  await bot.pass(10 * MINUTE_MS)
  expect(bot.hears('anna', 'red')).toEqual([])
})
