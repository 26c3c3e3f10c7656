import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, startBot, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'

const MINUTE_MS = 60_000

/** Nobody's wallet: a market alone is watched. */
async function watching(...lines: string[]): Promise<BotUnderTest> {
  const bot = await startBot({ settings: UNHURRIED })
  bot.stage.market('BTC', { price: 100_000, funding: 0.0001 })
  await bot.pass(0)
  for (const line of lines) await bot.says(line)
  await bot.pass(MINUTE_MS)
  expect(bot.hears()).toEqual([])
  return bot
}

async function moves(bot: BotUnderTest, to: { price?: number; funding?: number }, ms = MINUTE_MS) {
  bot.stage.market('BTC', to)
  await bot.pass(ms)
  return bot.hears().map((message) => message.split('\n')[0])
}

describe('each kind about a market, from what is typed to what is heard', () => {
  test.each([
    [
      'price BTC below 95000',
      { price: 94_000 },
      /\[WARNING\] BTC is at \$94,000, below your \$95,000 \(A1\)/,
      { price: 96_000 },
      /\[RESOLVED\] BTC is back above \$95,000, at \$96,000 \(A1\)/,
    ],
    [
      'funding-rate BTC above 50%/y',
      { funding: 0.002 },
      /\[WARNING\] BTC funding: 73% a year, above your 50% \(A1\)/,
      { funding: 0.001 },
      /\[RESOLVED\] BTC funding: 36.5% a year, back below 50% \(A1\)/,
    ],
  ])('/alert %s', async (rule, there, told, back, over) => {
    await using bot = await watching(`/alert ${rule}`)
    expect(await moves(bot, there)).toEqual([expect.stringMatching(told)])
    await bot.restart(MINUTE_MS)
    // It is the same alert after a restart: nothing of it is said again, and its end is told.
    expect(await moves(bot, there)).toEqual([])
    expect(await moves(bot, back)).toEqual([expect.stringMatching(over)])
  })
})

test('levels of one market stand side by side, and each is taken away by itself', async () => {
  await using bot = await watching('/alert price BTC above 110k', '/alert price BTC above 105k')
  expect(await bot.says('/alert price BTC below 90k')).toContain(
    'Alerts on BTC: above $110,000, above $105,000, below $90,000',
  )
  expect(await bot.says('/alerts')).toMatch(/R1 price above \$110,000[^]*R2 price above \$105,000/)
  await bot.says('/remove R1')
  expect(await moves(bot, { price: 111_000 })).toEqual([expect.stringContaining('above your $105,000')])
})

test('a price that only passes its level by little for a moment is not told', async () => {
  await using bot = await watching('/alert price BTC above 110k')
  expect(await moves(bot, { price: 110_500 }, 5_000)).toEqual([])
  expect(await moves(bot, { price: 100_000 })).toEqual([])
})

test('somebody who holds a position there reads what it is worth', async () => {
  await using bot = await watching()
  bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 1, entry: 90_000, liquidation: 10_000 }])
  await bot.says(`/watch ${ALICE} main`)
  await bot.says('/alert price BTC above 110k')
  bot.stage.market('BTC', { price: 111_000 })
  await bot.pass(MINUTE_MS)
  expect(bot.hears().join('\n')).toContain('long 1 BTC, $111k · PnL +$21k · main')
})

describe('/alert price-move', () => {
  test('tells a move once, also over a restart, and the turn', async () => {
    await using bot = await watching('/alert price-move BTC 5% 1h')
    expect(await moves(bot, { price: 106_000 })).toEqual(['[WARNING] BTC rose 6% in 10 s, to $106,000 (A1)'])
    await bot.restart(MINUTE_MS)
    expect(await moves(bot, { price: 107_000 })).toEqual([])
    expect(await moves(bot, { price: 100_000 })).toEqual([expect.stringContaining('BTC fell 6.5%')])
  })

  test('goes on over a restart: what began before it is told when it has come far enough', async () => {
    await using bot = await watching('/alert price-move BTC 5% 1h')
    expect(await moves(bot, { price: 96_000 })).toEqual([])
    await bot.restart(2_000)
    expect(await moves(bot, { price: 92_000 })).toEqual([expect.stringContaining('BTC fell 8% in 72 s')])
  })

  test('tells a fall that nobody saw as one while the bot was away', async () => {
    await using bot = await watching('/alert price-move BTC 5% 1h')
    bot.stage.market('BTC', { price: 80_000 })
    await bot.restart(MINUTE_MS)
    await bot.pass(MINUTE_MS)
    const heard = bot.hears()
    expect(heard).toEqual([expect.stringMatching(/BTC fell 20% in [^]*while I was away for 65 s/)])
  })

  test('says how much of that time the venue could not be seen', async () => {
    await using bot = await watching('/alert price-move BTC 5% 1h')
    bot.stage.fails('/markets', 500)
    await bot.pass(20 * MINUTE_MS)
    bot.hears()
    bot.stage.market('BTC', { price: 94_000 })
    bot.stage.fails('/markets', null)
    await bot.pass(MINUTE_MS)
    const [back, told] = bot.hears()
    expect(back).toContain('I can see the venue again')
    expect(told).toMatch(/BTC fell 6% in 20 min, to \$94,000[^]*I saw only 65 s of that time/)
  })
})

test('/alert funding-forecast tells a flip ahead, once, also over a restart', async () => {
  await using bot = await startBot({ settings: { marketPollMs: 30_000 } })
  const velocity = -0.024
  const goesOn = async (from: number, to: number) => {
    for (let minute = from; minute < to; minute++) {
      bot.stage.market('BTC', { price: 100, funding: 0.0033 + (velocity * minute) / 1_440, velocity })
      await bot.pass(MINUTE_MS)
    }
    return bot.hears().map((message) => message.split('\n')[0])
  }
  await goesOn(0, 1)
  await bot.says('/alert funding-forecast BTC 3h')
  // After eighteen minutes it is near enough, and two later it was seen for long enough.
  expect(await goesOn(1, 17)).toEqual([])
  expect(await goesOn(17, 25)).toEqual([
    expect.stringMatching(/BTC funding will probably flip in about (3 h|2 h 50 min) \(A1\)/),
  ])
  await bot.restart(MINUTE_MS)
  expect(await goesOn(26, 60)).toEqual([])
})

describe('what the venue lists', () => {
  /** Somebody wants to hear of both; the venue has been seen for a while. */
  async function listening() {
    const bot = await startBot({ settings: UNHURRIED })
    for (const symbol of ['BTC', 'ETH', 'OLD', 'SOL']) bot.stage.market(symbol, { price: 100 })
    await bot.pass(0)
    const answer = await bot.says('/alert market-listed')
    expect(answer).toMatch(/✓ I’ll alert you when the venue lists a new market\n {2}R1\n/)
    await bot.says('/alert market-removed')
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    return bot
  }
  const heard = async (bot: BotUnderTest, ms: number) => {
    await bot.pass(ms)
    return bot.hears().map((message) => message.split('\n')[0])
  }

  test('a new market is told once, also over a restart', async () => {
    await using bot = await listening()
    bot.stage.market('NEW', { price: 5 })
    expect(await heard(bot, 10_000)).toEqual(['[INFO] Listed: NEW (A1)'])
    await bot.restart()
    expect(await heard(bot, 20 * MINUTE_MS)).toEqual([])
  })

  test('one that is missing for a moment is there; one that stays away is told once, also over a restart', async () => {
    await using bot = await listening()
    bot.stage.market('OLD', { missing: true })
    await bot.pass(30_000)
    bot.stage.market('OLD', { missing: false })
    expect(await heard(bot, 5 * MINUTE_MS)).toEqual([])
    bot.stage.market('OLD', { missing: true })
    expect(await heard(bot, 2 * MINUTE_MS)).toEqual(['[INFO] No longer listed: OLD (A1)'])
    await bot.restart()
    expect(await heard(bot, 20 * MINUTE_MS)).toEqual([])
  })

  test('what changed while nothing ran is told once, and as such', async () => {
    await using bot = await listening()
    bot.stage.market('NEW', { price: 5 })
    bot.stage.market('OLD', { missing: true })
    await bot.restart(20 * MINUTE_MS)
    await bot.pass(10_000)
    expect(bot.hears().join('\n')).toMatch(/Listed: NEW \(A1\)[^]*while I was away/)
    expect(await heard(bot, 2 * MINUTE_MS)).toEqual(['[INFO] No longer listed: OLD (A2)'])
    expect(await heard(bot, 20 * MINUTE_MS)).toEqual([])
  })

  test('an outage, and a list that has lost most of itself for minutes, is no removal', async () => {
    await using bot = await listening()
    bot.stage.fails('/markets', 500)
    await bot.pass(5 * MINUTE_MS)
    bot.stage.fails('/markets', null)
    for (const symbol of ['ETH', 'OLD', 'SOL']) bot.stage.market(symbol, { missing: true })
    await bot.pass(5 * MINUTE_MS)
    for (const symbol of ['ETH', 'OLD', 'SOL']) bot.stage.market(symbol, { missing: false })
    await bot.pass(MINUTE_MS)
    expect(bot.hears().filter((message) => message.includes('listed ('))).toEqual([])
  })

  test('a thousand at once are one message', async () => {
    await using bot = await listening()
    for (let n = 0; n < 1_000; n++) bot.stage.market(`M${n}`, { price: 1 })
    expect(await heard(bot, 10_000)).toEqual(['[INFO] Listed: 1000 markets (A1)'])
  })

  test('what could not be kept is told when it can be', async () => {
    await using bot = await listening()
    bot.stage.market('NEW', { price: 5 })
    const sqlite = new Database(bot.database)
    sqlite.exec("CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
    await bot.pass(10_000)
    expect(bot.hears().filter((message) => message.includes('isted'))).toEqual([])
    sqlite.exec('DROP TRIGGER full')
    sqlite.close()
    await bot.pass(MINUTE_MS)
    expect(bot.hears().filter((message) => message.includes('Listed: NEW'))).toHaveLength(1)
  })

  test('on Hyperliquid what is delisted is told, whatever other books are read meanwhile', async () => {
    await using bot = await onHyperliquid()
    await bot.answers('/alert market-removed')
    await bot.answers('/alert market-listed')
    await bot.pass(2 * MINUTE_MS)
    expect(bot.hears()).toEqual([])
    bot.venue.delists('ATOM')
    await bot.pass(3 * MINUTE_MS)
    expect(bot.hears()).toEqual([expect.stringMatching(/^\[INFO\] Delisted: ATOM \(A1\)/)])
  })
})
