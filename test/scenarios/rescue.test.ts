import { describe, expect, test } from 'vitest'

import { ALICE, type BotUnderTest, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'
import { onTwoPlatforms, red } from '../support/two-platforms.ts'

/** The warnings that Olga sees, as they stand now. */
const warnings = (bot: BotUnderTest) =>
  (bot.platforms.get('red')?.sees('olga', 'olga') ?? [])
    .map(({ text }) => text)
    .filter((text) => /^\[\w+\] .* from liquidation \(A/.test(text))
const previews = (bot: BotUnderTest) =>
  bot.stage.asked.filter((path) => path.startsWith('/post-trade')).length
const sends = (bot: BotUnderTest) => bot.events.filter(({ is }) => is === 'delivery').length

describe('a warning', () => {
  test('has what added margin does from the start, and what closing does when the venue has said so', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    const [first = ''] = bot.hears('olga', 'red')
    expect(first).toContain('$7.90 more margin → 10% away, $21.64 → 20% (a rough estimate)')
    expect(first).not.toContain('closing')
    const [now = ''] = warnings(bot)
    expect(now).toContain(
      [
        'closing at $94.00, 12:00 UTC, by the venue’s preview:',
        '  25%: liquidation $56.40 (40.0% away), PnL -$9.73, fees $1.11',
        '  50%: liquidation $56.40 (40.0% away), PnL -$19.46, fees $1.11',
        '  all: PnL -$38.93, fees $1.11',
      ].join('\n'),
    )
    // Nothing rings a second time, and nothing of what can be tapped is gone.
    expect(bot.hears('olga', 'red')).toEqual([])
    expect(now).toContain('[Ack A1: /ack A1]')
    expect(now).toContain('/fix A1')
  })

  test('that gets worse has figures of its own', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(6_000)
    bot.stage.market('BTC', { price: 92 })
    await bot.pass(6_000)
    expect(warnings(bot).map((text) => /closing at (\S+),/.exec(text)?.[1])).toEqual(['$94.00', '$92.00'])
  })

  test('that is mild costs no request', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 105 })
    await bot.pass(60_000)
    expect(warnings(bot)[0]).toContain('[INFO] BTC long is 14.3% from liquidation')
    expect(warnings(bot)[0]).not.toContain('more margin')
    expect(previews(bot)).toBe(0)
  })

  test.each(['/mute BTC 1h', '/quiet 00:00-23:00'])(
    'that %s holds back costs no request; what is critical is told all the same, with its figures',
    async (rest) => {
      await using bot = await onTwoPlatforms()
      await bot.says(rest, red)
      bot.stage.market('BTC', { price: 98 })
      await bot.pass(60_000)
      expect(await bot.says('/alerts', red)).toContain('8.2% from liquidation')
      expect([warnings(bot), previews(bot)]).toEqual([[], 0])
      bot.stage.market('BTC', { price: 94 })
      await bot.pass(6_000)
      expect(warnings(bot)[0]).toContain('closing at $94.00')
      expect(previews(bot)).toBe(3)
    },
  )

  test('keeps its figures when it is acknowledged, and loses them when it is over', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(6_000)
    await bot.says('/ack A1', red)
    await bot.pass(6_000)
    expect(warnings(bot)[0]).toMatch(/✓ olga[^]*closing at/)
    bot.stage.market('BTC', { price: 130 })
    await bot.pass(6_000)
    expect(warnings(bot)[0]).not.toContain('closing at')
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
      expect(warnings(bot)[0]).not.toContain('closing at')
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
    expect(worst).toContain('ETH short: 12.0% from liquidation')
    // It is further than 10% away as it is.
    expect(worst).toContain('$16.40 more margin → 20% away (a rough estimate)')
    expect(worst).toMatch(/ 25%: .*\n.* 50%: .*\n.* all: PnL -\$20\.10, fees \$1\.11/)
    expect(worst).toContain('[BTC · main: /fix 0x52908400 BTC]')
    expect(await bot.says('/fix BTC', red)).toContain('BTC long: 30.8% from liquidation')
    expect(await bot.says('/fix SOL', red)).not.toContain('liquidation')
  })

  test('says what the venue says where a part cannot be closed', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.preview({ feasible: false, errorMsg: 'Insufficient margin for this order' })
    expect(await bot.says('/fix BTC', red)).toContain('25%: not possible: Insufficient margin for this order')
  })

  test('says what it cannot see, and nothing that it has not seen', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.fails('/post-trade-details', 500)
    const answer = await bot.says('/fix BTC', red)
    expect(answer).toContain('The venue gave no preview')
    expect(answer).not.toContain('closing at')
  })

  test('of an alert leads to its position, or says that it is gone; another’s alert is nobody else’s', async () => {
    await using bot = await onTwoPlatforms()
    bot.stage.market('BTC', { price: 94 })
    await bot.pass(4_000)
    expect(await bot.says('/fix A1', red)).toContain('BTC long: 4.3% from liquidation')
    expect(await bot.says('/fix A7', red)).toContain('You have no alert A7')
    bot.stage.positions(ALICE, [])
    expect(await bot.says('/fix A1', red)).toContain('The position of A1 is not open any more')
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
    expect(seen).toContain('[CRITICAL] BTC long is 2.7% from liquidation')
    expect(seen).toMatch(/closing at \$62,500, .*, by my estimate:\n {2}25%: .*\n {2}50%: .*\n {2}all: /)
    expect(await bot.answers('/fix')).toContain(/closing at [^]*fees \S+\n/.exec(seen)?.[0] ?? '?')
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
    const told = bot.seen('[WARNING] main is at a margin ratio of 67.7%') ?? ''
    expect(told).toMatch(/ {2}\$1,4\d\d more margin → ratio 50%, \$5,0\d\d → 30%\n/)
    expect(told).toContain(
      [
        'closing DOGE long at $0.08854, 12:00 UTC, by my estimate:',
        '  25%: margin ratio 64.7%, PnL -$132, fees $1.12',
        '  50%: margin ratio 61.6%, PnL -$264, fees $2.25',
        '  all: margin ratio 55.4%, PnL -$528, fees $4.49',
      ].join('\n'),
    )
    expect(told).not.toContain('add margin')
    expect(told).toContain('[Costs to fix main: /fix A1]')
    expect(bot.asked('l2Book')).toBe(3)
  })

  test('is what /fix says that it would be, when that much is closed or brought', async () => {
    await using bot = await near()
    const ratioIn = (costs: string) => /main: .* margin ratio (\S+%)/.exec(costs)?.[1]
    let costs = await bot.answers('/fix A1')
    const said = (words: RegExp) => words.exec(costs)?.[1] ?? '?'
    const parts = [
      ['25%', 'DOGE', 28_200],
      ['50%', 'INJ', 1_578],
      ['all', 'DYDX', 86_000],
    ] as const
    for (const [part, coin, size] of parts) {
      expect(costs).toContain(`closing ${coin} long at`)
      const ratio = said(new RegExp(` ${part}: margin ratio (\\S+%)`))
      bot.wallet.closes(coin, size)
      costs = await bot.answers('/fix A1')
      expect(ratioIn(costs)).toBe(ratio)
    }
    bot.wallet.deposits(Number(said(/\$([\d,.]+) more margin → ratio 30%/).replace(',', '')))
    expect(ratioIn(await bot.answers('/fix A1'))).toBe('30%')
  })
})
