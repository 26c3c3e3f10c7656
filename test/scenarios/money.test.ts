import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { handClock } from '../support/clock.ts'

const MINUTE_MS = 60_000
/** 10 BTC from 100, liquidated at 1: far from everything. */
const LONG = { symbol: 'BTC', size: 10, entry: 100, liquidation: 1, breakEven: 101 }

/** Watches a wallet with this rule; nothing of that is heard any more. */
async function asked(bot: BotUnderTest, rule: string): Promise<string> {
  bot.stage.market('BTC', { price: 100, funding: 0.0001 })
  bot.stage.positions(ALICE, [LONG])
  await bot.pass(0)
  await bot.says(`/watch ${ALICE} main`)
  const answer = await bot.says(rule)
  await bot.pass(MINUTE_MS)
  bot.hears()
  return answer
}

async function goes(bot: BotUnderTest, figures: { price?: number; funding?: number }): Promise<string[]> {
  bot.stage.market('BTC', figures)
  await bot.pass(20_000)
  return bot.hears()
}

describe('a rule about what a position gains or costs', () => {
  test.each([
    ['/alert pnl BTC -$200', 'comes to -$200', { price: 75 }, 'BTC long is down $250'],
    ['/alert pnl BTC 200', 'comes to +$200', { price: 125 }, 'BTC long is up $250'],
    ['/alert break-even 1%', 'by 1%', { price: 110 }, 'BTC long is past its break-even: +$90.00'],
    [
      '/alert cost $10',
      'pays $10.00 or more of funding a day',
      { funding: 0.02 },
      'BTC long: funding costs $20.00 a day',
    ],
  ])('%s', async (rule, words, figures, title) => {
    await using bot = await startBot()
    const answer = await asked(bot, rule)
    expect(answer).toContain(words)
    const told = await goes(bot, figures)
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(title)
    await bot.restart(MINUTE_MS)
    await bot.pass(MINUTE_MS)
    expect(bot.hears()).toEqual([])
  })

  test('that can never be judged where its venue does not show what it needs says so at once', async () => {
    await using bot = await startBot()
    expect(await asked(bot, '/alert pnl -20% margin')).toContain(
      'I can’t watch BTC long: no leverage is shown, so no margin: say notional, or dollars',
    )
    expect(await bot.says('/alert pnl -20% notional')).not.toContain('can’t watch')
    expect(await bot.says('/alert pnl ETH -20% margin')).not.toContain('can’t watch')
  })

  test('tells what was crossed while Perch was away, once', async () => {
    await using bot = await startBot()
    await asked(bot, '/alert break-even')
    bot.stage.market('BTC', { price: 110 })
    await bot.restart(10 * MINUTE_MS)
    await bot.pass(MINUTE_MS)
    const told = bot.hears().filter((text) => text.includes('break-even'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('while I was away')
  })

  test('crosses nothing by a position that cannot be read: it is told when its wallet is there again', async () => {
    await using bot = await startBot()
    await asked(bot, '/alert break-even')
    bot.stage.fails('/positions', 500)
    await bot.pass(15 * MINUTE_MS)
    expect(bot.hears().join('\n')).toContain('can’t')
    expect(await goes(bot, { price: 110 })).toEqual([])
    bot.stage.fails('/positions', null)
    await bot.pass(5 * MINUTE_MS)
    expect(bot.hears().filter((text) => text.includes('break-even'))).toHaveLength(1)
  })

  test.each([
    ['/alert pnl BTC -$200', { price: 75 }],
    ['/alert cost $10', { funding: 0.02 }],
  ])(
    'makes no wallet near danger: after a warning of %s it is read as rarely as before',
    async (rule, figures) => {
      await using bot = await startBot({ clock: handClock() })
      await asked(bot, rule)
      const reads = () => bot.stage.asked.filter((path) => path.startsWith('/positions')).length
      const before = reads()
      await bot.pass(2 * MINUTE_MS)
      const calm = reads() - before
      expect((await goes(bot, figures))[0]).toContain('[WARNING]')
      await bot.pass(MINUTE_MS)
      const since = reads()
      await bot.pass(2 * MINUTE_MS)
      expect(reads() - since).toBe(calm)
    },
  )

  test.each([
    ['/alert pnl BTC -$200', { price: 75 }, { price: 60 }, { price: 110 }],
    ['/alert cost $10', { funding: 0.02 }, { funding: 0.015 }, { funding: 0.0001 }],
  ])(
    '%s: while its wallet cannot be read nothing is over, also over a restart',
    async (rule, there, on, back) => {
      await using bot = await startBot({ settings: UNHURRIED })
      await asked(bot, rule)
      expect(await goes(bot, there)).toHaveLength(1)
      bot.stage.fails('/positions', 500)
      await bot.pass(4 * MINUTE_MS)
      expect(bot.hears().join('\n')).toContain('I can’t see wallet main')
      await goes(bot, on)
      expect(await goes(bot, back)).toEqual([])
      await bot.restart(MINUTE_MS)
      await bot.pass(2 * MINUTE_MS)
      expect(bot.hears().join('\n')).not.toMatch(/RESOLVED|Reminder/)
      bot.stage.fails('/positions', null)
      await bot.pass(2 * MINUTE_MS)
      const told = bot.hears().join('\n')
      expect(told).toContain('I can see wallet main again')
      expect(told.match(/\[RESOLVED\] BTC long/g)).toHaveLength(1)
    },
  )

  test('ends with its position, and begins anew with the next one', async () => {
    await using bot = await startBot()
    await asked(bot, '/alert pnl BTC -$200')
    await bot.says('/alert break-even')
    expect(await goes(bot, { price: 75 })).toHaveLength(1)
    bot.stage.positions(ALICE, [])
    await bot.pass(5 * MINUTE_MS)
    expect(bot.hears().join('\n')).toContain('BTC long was closed')
    bot.stage.positions(ALICE, [{ ...LONG, entry: 60, breakEven: 60 }])
    await bot.pass(5 * MINUTE_MS)
    expect(bot.hears().join('\n')).not.toMatch(/PnL -|break-even/)
  })

  test('of losses and one of gains stand side by side', async () => {
    await using bot = await startBot()
    await asked(bot, '/alert pnl BTC -$200 -$400')
    expect(await bot.says('/alert pnl BTC +$200')).toContain(
      'Alerts on BTC in main: from -$200 / -$400 on, from +$200 on',
    )
    expect((await goes(bot, { price: 125 }))[0]).toContain('is up $250')
    const turned = (await goes(bot, { price: 55 })).join('\n')
    expect(turned).toContain('BTC long is down $450')
    expect(turned).toContain('BTC long is back at PnL -$450')
  })
})

describe('a liquidation price that comes nearer by itself', () => {
  const ETH = { symbol: 'ETH', size: -5, entry: 100, liquidation: 0 }

  test('is told with what the readings show of why, once, also when Perch was away', async () => {
    await using bot = await startBot()
    bot.stage.market('ETH', { price: 100 })
    await asked(bot, '/alert liquidation-moved')
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 60 }, ETH])
    await bot.pass(5 * MINUTE_MS)
    bot.hears()
    bot.stage.market('ETH', { price: 120 })
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 70 }, ETH])
    await bot.pass(5 * MINUTE_MS)
    const told = bot.hears()
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('[INFO] BTC long: liquidation moved nearer, 30.0% away')
    expect(told[0]).toContain('ETH short lost $100')
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 74, received: -40 }, ETH])
    await bot.restart(MINUTE_MS)
    await bot.pass(5 * MINUTE_MS)
    const later = bot.hears()
    expect(later).toHaveLength(1)
    expect(later[0]).toContain('$70.00 → $74.00 · ')
    expect(later[0]).toContain('while I was away')
    await bot.restart(MINUTE_MS)
    await bot.pass(5 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
  })

  test('is not told by an answer that lacks a position', async () => {
    await using bot = await startBot()
    await asked(bot, '/alert liquidation-moved')
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 60 }])
    await bot.pass(5 * MINUTE_MS)
    bot.hears()
    bot.stage.positions(ALICE, [{ ...LONG, liquidation: 75 }])
    bot.stage.claims(ALICE, 2)
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears().join('\n')).not.toContain('moved nearer')
    bot.stage.claims(ALICE, null)
    await bot.pass(5 * MINUTE_MS)
    expect(bot.hears().join('\n')).toContain('BTC long: liquidation moved nearer, 25.0% away')
  })
})

test('how much a position must grow before that is told is for everybody to set', async () => {
  await using bot = await startBot()
  await asked(bot, '/alert position-resized main 50%')
  bot.stage.positions(ALICE, [{ ...LONG, size: 12 }])
  await bot.pass(5 * MINUTE_MS)
  expect(bot.hears()).toEqual([])
  bot.stage.positions(ALICE, [{ ...LONG, size: 20 }])
  await bot.pass(5 * MINUTE_MS)
  expect(bot.hears().join('\n')).toContain('BTC long grew by 100%')
})
