import { describe, expect, test } from 'vitest'

import { ALICE, BOB, startBot, UNHURRIED } from '../support/bot.ts'
import { titles, watched } from '../support/watched.ts'

const MINUTE_MS = 60_000
const LONG = { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 }

describe('a position', () => {
  test('that one whole answer lacks is not gone, and its alert neither ends nor begins anew', async () => {
    await using bot = await startBot()
    await watched(bot, 94)
    await bot.says('/ack')
    for (let time = 0; time < 5; time++) {
      bot.stage.positions(ALICE, [])
      const reads = () => bot.stage.asked.filter((path) => path.startsWith('/positions')).length
      for (const before = reads(); reads() === before;) await bot.pass(100)
      bot.stage.positions(ALICE, [LONG])
      await bot.pass(10_000)
    }
    expect(bot.hears()).toEqual([])
    expect(await bot.says('/alerts')).toContain('acknowledged by me')
  })

  test('whose price went through while its wallet was dark for long is not called closed', async () => {
    await using bot = await startBot({ settings: UNHURRIED })
    await watched(bot, 130)
    bot.stage.fails('/positions', 503)
    await bot.pass(MINUTE_MS)
    bot.stage.market('BTC', { price: 88 })
    await bot.pass(6_000)
    bot.stage.market('BTC', { price: 130 })
    bot.stage.positions(ALICE, [])
    await bot.pass(30 * MINUTE_MS)
    bot.hears()
    bot.stage.fails('/positions', null)
    await bot.pass(2 * MINUTE_MS)
    const ends = titles(bot.hears()).filter((title) => title.includes('BTC long'))
    expect(ends).toEqual([expect.stringMatching(/BTC long was probably liquidated/)])
  })

  test('that is gone when the venue is back is not called closed: what the price did meanwhile nobody saw', async () => {
    await using bot = await startBot()
    await watched(bot, 130)
    bot.stage.fails('/', 503)
    await bot.pass(5 * MINUTE_MS)
    bot.hears()
    bot.stage.positions(ALICE, [])
    bot.stage.fails('/', null)
    await bot.pass(2 * MINUTE_MS)
    const heard = bot.hears()
    const ends = titles(heard).filter((title) => title.includes('BTC long'))
    expect(ends).toEqual([expect.stringMatching(/WARNING.*BTC long is gone, cause unknown/)])
    expect(heard.join('\n')).not.toContain('Closest price')
  })
})

test('what was shown when its wallet was added is told when it ends, though nobody has seen it since', async () => {
  await using bot = await startBot({ settings: UNHURRIED })
  bot.stage.market('BTC', { price: 130 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(5_000)
  const reads = () => bot.stage.asked.filter((path) => path.startsWith('/positions')).length
  bot.stage.refuses(() => reads() > 1)
  expect(await bot.says(`/watch ${ALICE} main`)).toContain('BTC long: 30.8% to liquidation')
  bot.stage.positions(ALICE, [])
  bot.stage.refuses(null)
  await bot.pass(2 * MINUTE_MS)
  expect(titles(bot.hears())).toEqual([expect.stringMatching(/BTC long was closed/)])
})

test('of two wallets in danger one is read afresh at once, the other not at all: both are told when the wait is over, in one message', async () => {
  await using bot = await startBot()
  await watched(bot, 130)
  bot.stage.positions(BOB, [{ ...LONG, size: 3 }])
  await bot.says(`/watch ${BOB} other`)
  await bot.pass(20_000)
  bot.hears()
  let reads = 0
  bot.stage.refuses(() => {
    bot.stage.fails('/positions', ++reads === 2 ? 'hang' : null)
    return false
  })
  bot.stage.market('BTC', { price: 94 })
  await bot.pass(2_000)
  expect(bot.hears()).toEqual([])
  await bot.pass(2_000)
  const [told = ''] = bot.hears()
  expect(told.match(/\[CRITICAL\] BTC long: 4.3%/g)).toHaveLength(2)
  expect(told).toMatch(/\$90\.00 · 4\d s old · main\n[^]*\$90\.00 · other\n/)
})

test('a rule that is set while it is so is told at once, not with the next change', async () => {
  await using bot = await startBot()
  await watched(bot, 130)
  await bot.says('/alert liq BTC 35%')
  await bot.pass(20_000)
  expect(titles(bot.hears())).toEqual([expect.stringContaining('BTC long: 30.8% to liquidation')])
})
