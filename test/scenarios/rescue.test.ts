import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { onTwoPlatforms, red } from '../support/two-platforms.ts'

/** The warnings that Olga sees, as they stand now. */
const warnings = (bot: BotUnderTest) =>
  (bot.platforms.get('red')?.sees('olga', 'olga') ?? [])
    .map(({ text }) => text)
    .filter((text) => /^\[\w+\] .* (?:to|from) liquidation \(A/.test(text))
const previews = (bot: BotUnderTest) =>
  bot.stage.asked.filter((path) => path.startsWith('/post-trade')).length
const sends = (bot: BotUnderTest) => bot.events.filter(({ is }) => is === 'delivery').length

describe('a warning', () => {
  test('has what added margin does from the start, and what closing does when the venue has said so', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    const [first = ''] = bot.hears('olga', 'red')
    const prices =
      '\n  $94.00 → $90.00 · main\n  1.5 BTC ($141) · PnL -$39.00\n  Add $7.90 margin → 10% away\n'
    expect(first).toContain(`${prices}  Add $21.64 margin → 20% away\n  Or close a part of it\n`)
    const [now = ''] = warnings(bot)
    expect(now).toContain(`${prices}  Close 25% → 40.0% away (-$9.73)\n  Close 50% → 40.0% away (-$19.46)\n`)
    // It came in place of lines that were there, so that no button has moved.
    expect(now.split('\n')).toHaveLength(first.split('\n').length)
    // Nothing rings a second time, and nothing of what can be tapped is gone.
    expect(bot.hears('olga', 'red')).toEqual([])
    expect(now).toContain('[Ack: /ack A1]')
    expect(now).toContain('/fix A1')
  })

  test('that gets worse has figures of its own', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(6_000)
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(6_000)
    expect(warnings(bot).map((text) => /Close 25% .*\((\S+)\)/.exec(text)?.[1])).toEqual([
      '-$9.73',
      '-$10.48',
    ])
  })

  test('that is mild costs no request', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 105 })
    await bot.pass(60_000)
    expect(warnings(bot)[0]).toContain('[INFO] BTC long: 14.3% to liquidation')
    expect(warnings(bot)[0]).not.toContain('margin →')
    expect(previews(bot)).toBe(0)
  })

  test.each(['/mute BTC 1h', '/quiet 00:00-23:00'])(
    'that %s holds back costs no request; what is critical is told all the same, with its figures',
    async (rest) => {
      await using bot = await onTwoPlatforms()
      await bot.says(rest, red)
      bot.stage.market('BTC', { price: 98 })
      await bot.pass(60_000)
      expect(await bot.says('/alerts', red)).toContain('8.2% to liquidation')
      expect([warnings(bot), previews(bot)]).toEqual([[], 0])
      bot.stage.market('BTC', { price: 94 })
      await bot.pass(6_000)
      expect(warnings(bot)[0]).toContain('Close 25% → 40.0% away (-$9.73)')
      expect(previews(bot)).toBe(3)
    },
  )

  test('keeps its figures when it is acknowledged, and loses them when it is over', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(6_000)
    await bot.says('/ack A1', red)
    await bot.pass(6_000)
    expect(warnings(bot)[0]).toMatch(/✓ olga[^]*Close 25% → 40/)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(6_000)
    expect(warnings(bot)[0]).not.toContain('Close 25%')
  })
})

describe('a venue that does not say what closing would do', () => {
  test.each([
    ['does not answer', 'hang', 1],
    ['fails', 500, 1],
    ['has nothing to say', 'nonsense', 1],
  ] as const)(
    'because it %s delays no warning, and is not asked again and again',
    async (_how, fault, most) => {
      await using bot = await onTwoPlatforms()
      bot.stage.fails('/post-trade-details', fault)
      bot.stage.market('BTC', { price: 94 })
      await bot.pass(5_000)
      const told = bot.events.findIndex((event) => event.is === 'delivery')
      expect(warnings(bot)).toHaveLength(1)
      expect(told).toBeGreaterThan(-1)
      await bot.pass(60_000)
      expect(previews(bot)).toBeLessThanOrEqual(most)
      expect(warnings(bot)[0]).not.toContain('Close 25%')
      expect(await bot.says('/why A1', red)).toMatch(/sent [0-9] ms after detection/)
    },
  )

  test('because it turns away what is too much reads prices as often as before', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.fails('/post-trade-details', 429)
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(5_000)
    bot.stage.market('BTC', { price: 92 })
    const before = bot.stage.asked.filter((path) => path === '/markets').length
    const sent = sends(bot)
    await bot.pass(20_000)
    expect(warnings(bot)).toHaveLength(2)
    expect(sends(bot)).toBeGreaterThan(sent)
    expect(bot.stage.asked.filter((path) => path === '/markets').length - before).toBe(4)
    expect(bot.events.filter(({ is }) => is === 'ceiling')).toEqual([])
    expect(previews(bot)).toBe(1)
  })
})

describe('/fix', () => {
  test('shows the same on demand, the worst position first, and leads to the others', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('ETH', { price: 100 })
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 120, liquidation: 90 },
      { symbol: 'ETH', size: -2, entry: 90, liquidation: 112 },
    ])
    await bot.pass(70_000)
    const worst = await bot.says('/fix', red)
    expect(worst).toContain('ETH short: 12.0% to liquidation')
    // It is further than 10% away as it is.
    expect(worst).toContain('Add margin\n  Add $16.40 margin → 20% away\n  Margin: a rough estimate\n')
    expect(worst).toMatch(/Close 25% → .*\n.*Close 50% → .*\n.*Close all → PnL -\$20\.10 · fee \$1\.11/)
    expect(worst).toContain('[BTC · main: /fix 0x52908400 BTC]')
    expect(await bot.says('/fix BTC', red)).toContain('BTC long: 30.8% to liquidation')
    expect(await bot.says('/fix SOL', red)).not.toContain('liquidation')
  })

  test('says what the venue says where a part cannot be closed', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.preview({ feasible: false, errorMsg: 'Insufficient margin for this order' })
    expect(await bot.says('/fix BTC', red)).toContain(
      'Close 25% → not possible: Insufficient margin for this order',
    )
  })

  test('says what it cannot see, and nothing that it has not seen', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.fails('/post-trade-details', 500)
    const answer = await bot.says('/fix BTC', red)
    expect(answer).toContain('The venue gave no preview')
    expect(answer).not.toContain('Close 25%')
  })

  test('of an alert leads to its position, or says that it is gone; another’s alert is nobody else’s', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(await bot.says('/fix A1', red)).toContain('BTC long: 4.3% to liquidation')
    expect(await bot.says('/fix A7', red)).toContain('You have no alert A7')
    bot.stage.positions(ALICE, [])
    expect(await bot.says('/fix A1', red)).toContain('The position of A1 is closed')
  })
})

describe('on a venue that says nothing of what an order would do', () => {
  test('closing is our estimate, said as one, and adds little to what is asked', async () => {
    await using bot = await onHyperliquid()
    const wallet = bot.venue.account(ALICE, { usd: 3_000 })
    bot.venue.moves({ BTC: 66_000 })
    wallet.trades('BTC', 0.5, { at: 66_000, leverage: 20 })
    await bot.answers(`/watch ${ALICE} main`)
    await bot.pass(20_000)
    bot.hears()
    bot.venue.moves({ BTC: 62_500 })
    await bot.pass(20_000)
    const all = bot.platforms.get('recorder')?.sees('me', 'me') ?? []
    const seen = all.find(({ text }) => text.startsWith('[CRITICAL]'))?.text ?? ''
    expect(seen).toContain('[CRITICAL] BTC long: 2.7% to liquidation')
    const [, quarter = '?'] = /Close 25% → (\S+% away) \(-\S+\)\n {2}Close 50% → /.exec(seen) ?? []
    const costs = await bot.answers('/fix')
    expect(costs).toContain('If you close now (my estimate at $62,500')
    expect(costs).toContain(`Close 25% → ${quarter} · PnL -`)
    expect(bot.venue.weight()).toBeLessThan(1_200)
  })
})

describe('an account near its maintenance margin', () => {
  /** Four longs of which none alone is near its liquidation: together they need two thirds of what the account has. */
  async function near() {
    const bot = await onHyperliquid(UNHURRIED)
    const wallet = bot.venue.account(ALICE, { usd: 6_000 })
    const longs = [
      ['ATOM', 4_800],
      ['DYDX', 86_000],
      ['INJ', 3_156],
      ['DOGE', 112_800],
    ] as const
    for (const [coin, size] of longs) wallet.trades(coin, size, { leverage: 5 })
    await bot.answers(`/watch ${ALICE} main`)
    await bot.pass(10_000)
    const moves = longs.map(([coin]) => [coin, bot.venue.market(coin).mark * 0.95])
    bot.venue.moves(Object.fromEntries(moves))
    await bot.pass(40_000)
    const seen = (title: string) =>
      (bot.platforms.get('recorder')?.sees('me', 'me') ?? []).find(({ text }) => text.includes(title))?.text
    return Object.assign(bot, { wallet, seen })
  }

  test('is told what added margin and what closing its largest position does to it, and never what to do', async () => {
    await using bot = await near()
    const told = bot.seen('[WARNING] main: margin ratio 67.7%') ?? ''
    // Beside its positions there is room for one way out.
    expect(told).toContain('\n  Close 50% of DOGE → ratio 61.6% (-$264)\n')
    expect(told).not.toContain('should')
    expect(told).toContain('[Ways out: /fix A1]')
    expect(bot.asked('l2Book')).toBe(3)
    expect(await bot.answers('/fix A1')).toMatch(
      / {2}Add \$1,4\d\d margin → ratio 50%\n[^]*Close 25% of DOGE → /,
    )
  })

  test('is what /fix says that it would be, when that much is closed or brought', async () => {
    await using bot = await near()
    const ratioIn = (costs: string) => /main\b.*: margin (\S+%)/.exec(costs)?.[1]
    let costs = await bot.answers('/fix A1')
    const said = (words: RegExp) => words.exec(costs)?.[1] ?? '?'
    const parts = [
      ['25%', 'DOGE', 28_200],
      ['50%', 'INJ', 1_578],
      ['all', 'DYDX', 86_000],
    ] as const
    for (const [part, coin, size] of parts) {
      const ratio = said(new RegExp(`Close ${part} of ${coin} → ratio (\\S+%)`))
      bot.wallet.closes(coin, size)
      costs = await bot.answers('/fix A1')
      expect(ratioIn(costs)).toBe(ratio)
    }
    bot.wallet.deposits(Number(said(/Add \$([\d,.]+) margin → ratio 30%/).replace(',', '')))
    expect(ratioIn(await bot.answers('/fix A1'))).toBe('30%')
  })
})
