import { expect, test } from 'vitest'

import { ALICE, BOB, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'

const MINUTE = 60_000

/** A long of 1.5 BTC that is liquidated at 90: 10% away at 100. */
async function watched(bot: BotUnderTest): Promise<void> {
  bot.stage.market('BTC', { price: 120, funding: 0.0001 })
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(MINUTE)
}

/** Falls there, stays for so long, and comes back. */
async function dips(bot: BotUnderTest, to: number, ms: number): Promise<void> {
  bot.stage.market('BTC', { price: to })
  await bot.pass(ms)
  bot.stage.market('BTC', { price: 120 })
  await bot.pass(2 * MINUTE)
}

test('a rule that is tried says how it stands and how often it would have fired, and sets nothing', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  await watched(bot)
  await bot.says('/alert liq main 10% 5%')
  // Of three falls one is over before it has held for long enough.
  await dips(bot, 99, MINUTE)
  await dips(bot, 99, 8_000)
  await dips(bot, 99.5, MINUTE)
  const answer = await bot.says('/try liq BTC 10%')
  expect(answer).toContain('now: BTC long · main 25.0%')
  expect(answer).toMatch(/would have fired 2 times in the \d+ min on record/)
  expect(answer).toMatch(/last \d min ago: BTC long · main/)
  expect(answer).toContain('Not set yet.')
  expect(await bot.says('/alerts')).not.toContain('at 10%')
  expect(await bot.says('/alert liq BTC 9.3%')).toContain('would have fired once in the ')
  // The rule of /watch is less patient, and tells of both as one.
  const beside = await bot.says('/try liq BTC 9.3% for 5m')
  expect(beside).toContain('would have fired once in the ')
  expect(beside).toContain('counted together with R1, as it would ring')
  await bot.says('/remove R1')
  expect(await bot.says('/try liq BTC 9.3% for 5m')).toContain('wouldn’t have fired in the ')
})

test('what was recorded is there after a restart, and the time between is one that nobody saw', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  await watched(bot)
  await dips(bot, 99, MINUTE)
  await bot.restart(30 * MINUTE)
  await dips(bot, 99, MINUTE)
  const answer = await bot.says('/try liq BTC 10%')
  expect(answer).toContain('would have fired 2 times in the ')
  expect(answer).toMatch(/I couldn’t see (29|30|31) min of that time/)
})

test('after a crash all but the last minute is there', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  await watched(bot)
  await dips(bot, 99, MINUTE)
  await bot.pass(2 * MINUTE)
  bot.killed.now()
  await bot.killed.start(MINUTE)
  await bot.pass(MINUTE)
  expect(await bot.says('/try liq BTC 10%')).toContain('would have fired once in the ')
})

test('what is not recorded is not made up', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  await watched(bot)
  expect(await bot.says('/try opened')).toContain('but not events')
  bot.stage.positions(BOB, [{ symbol: 'BTC', size: -1, entry: 120, liquidation: 150 }])
  await bot.says(`/watch ${BOB} hedge`)
  expect(await bot.says('/try liq hedge 30%')).toContain('No price history yet')
  await bot.pass(2 * MINUTE)
  expect(await bot.says('/try liq hedge 30%')).toMatch(
    /would have fired once in the \d+(\.\d)? (s|min) on record/,
  )
  await bot.says('/unwatch hedge')
  await bot.pass(2 * MINUTE)
  await bot.says(`/watch ${BOB} hedge`)
  // With the wallet went what was recorded of it.
  expect(await bot.says('/try liq hedge 30%')).toContain('No price history yet')
})
