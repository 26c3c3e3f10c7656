import { describe, expect, test } from 'vitest'

import type { BotUnderTest } from '../../support/bot.ts'
import { ALICE } from '../../support/fixtures.ts'
import { openDesk, trader } from '../desk.ts'

/**
 * The desk: in main 1.5 BTC long at $97,678, liquidated at $92,500 (5.3% down), and 20 ETH short at $2,634.97, liquidated at $3,400
 * (29% up); in hedge 300 Sol long without a liquidation price.
 */
const says = (bot: BotUnderTest, line: string) => bot.says(line, trader)

// line | what is said of it all | what is said besides, each between semicolons
const STORIES = `
/shock BTC -8% ETH -12% | BTC -8%, ETH -12%: 1 of 2 accounts would be liquidated | main: liquidated 91.3% into this move; at BTC $90,547, ETH $2,346.42; 1 account untouched; all other prices stay
/shock BTC -5.302% main | BTC -5.3%: 1 of 1 account would be liquidated | main: liquidated 100% into this move
/shock BTC -5% main | BTC -5%: nothing would be liquidated | main survives up to 1.1× this move; margin left about $441 (now about $7,767); BTC long: PnL -$3,309 (now +$4,017)
/shock all -10% BTC -2% | BTC -2%, all others -10%: nothing would be liquidated | hedge survives; PnL +$1,251 (now +$6,390)
/shock Sol -99% | Sol -99%: nothing would be liquidated | hedge survives; Sol long: PnL -$44.5k (now +$6,390)
/shock all +40% | all prices +40%: nothing would be liquidated | main survives; hedge survives
/shock ETH +40% | ETH +40%: 1 of 2 accounts would be liquidated | main: liquidated 72.6% into this move; at ETH $3,400.00; ETH short: PnL -$14k (now +$1,301)
/shock hedge btc-8% | BTC -8%: nothing would be liquidated | 1 account untouched; nothing held in BTC
/shock all -10% | all prices -10%: 1 of 2 accounts would be liquidated | [Refresh: /shock all -10%] [Half: /shock all -5%] [Twice: /shock all -20%]
/shock all -60% | all prices -60%: 1 of 2 accounts would be liquidated | [Refresh: /shock all -60%] [Half: /shock all -30%]
/whatif -7% | all prices -7%: 1 of 2 accounts would be liquidated | main: liquidated 92.6% into this move`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '))

describe('/shock', () => {
  test('says what each move does to each account and each position', async () => {
    await using bot = await openDesk()
    for (const [line = '', all = '', besides = ''] of STORIES) {
      const text = await says(bot, line)
      expect(text.split('\n')[0], line).toBe(all)
      for (const one of besides.split('; ')) expect(text, line).toContain(one)
    }
  })

  test('says that its margins are estimates, and what was assumed for them', async () => {
    await using bot = await openDesk()
    const text = await says(bot, '/shock all -1%')
    expect(text).toContain('margin estimated')
    expect(text).toContain('all positions of an account taken to share it')
    expect(text).toContain('no order fills')
  })

  test('keeps accounts apart that share nothing, and names them', async () => {
    await using bot = await openDesk()
    const btc = { symbol: 'BTC', size: 1, entry: 95_000 }
    bot.stage.positions(ALICE, [
      { ...btc, liquidation: 92_500, accountId: '170141183460469231731687303715884105001' },
      { ...btc, liquidation: 90_000, accountId: '170141183460469231731687303715884105002' },
    ])
    await bot.pass(6_000)
    const text = await says(bot, '/shock BTC -10%')
    expect(text).toContain('2 of 3 accounts would be liquidated')
    // Who falls first is told first.
    expect(text).toMatch(
      /BTC long · main …105001: liquidated 53% into this move[^]*main …105002: liquidated 78\.6% /,
    )
  })

  test('estimates by its size what has no liquidation price beside something that moves too, and says so', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 92_500 },
      { symbol: 'Sol', size: 10, entry: 150, liquidation: 0 },
    ])
    await bot.pass(6_000)
    expect(await says(bot, '/shock all -5% main')).toContain(
      'estimated by size, no liquidation price: Sol (maintenance taken as 1%)',
    )
    expect(await says(bot, '/shock Sol -5% main')).not.toContain('estimated by size')
    expect(await says(bot, '/positions main')).toMatch(/All prices down about [\d.]+%: main is liquidated/)
  })

  test('of very many positions names those that it means most to, and says how many more there are', async () => {
    await using bot = await openDesk()
    const coins = [
      'MOODENG',
      '1000PEPE',
      'FARTCOIN',
      'AVAX',
      'RENDER',
      'POPCAT',
      '1000BONK',
      'PENDLE',
      'TIA',
      'SEI',
    ]
    for (const symbol of coins) bot.stage.market(symbol, { price: 100 })
    bot.stage.positions(
      ALICE,
      coins.map((symbol, at) => ({
        ...{ symbol, entry: 112, size: (at % 2 ? -1 : 1) * (120 - at) },
        liquidation: at < 3 ? 0 : at % 2 ? 130 : 70,
      })),
    )
    await bot.pass(6_000)
    const text = await says(bot, '/shock all -10% main')
    expect(text).toContain('estimated by size, no liquidation price: MOODENG, 1000PEPE')
    const [, more = ''] = /\n {2}and (\d+) more\n/.exec(text) ?? []
    expect(text.match(/ (long|short): PnL/g)).toHaveLength(coins.length - Number(more))
    expect(text).not.toContain('…')
  })

  test('cannot tell of an account of which nothing says what it can lose', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 0.1, entry: 95_000, liquidation: 0 },
      { symbol: 'Sol', size: 50, entry: 150, liquidation: 0 },
    ])
    await bot.pass(6_000)
    const text = await says(bot, '/shock all -90% main')
    expect(text).toContain('all prices -90%: I can’t tell for 1 of 1 account')
    expect(text).toContain('main: I can’t tell whether it holds')
    expect(text).toContain('the venue says neither its margin nor a liquidation price')
    // Less than the larger of the two is worth alone.
    expect(await says(bot, '/shock all -30% main')).toContain('main survives')
    expect(await says(bot, '/positions main')).toContain(
      'I can’t tell which move of all prices liquidates something\n  I can’t tell that for main',
    )
  })

  test('never says that all holds where it does not see everything', async () => {
    await using bot = await openDesk()
    bot.stage.claims(ALICE, 5)
    await bot.pass(6_000)
    const text = await says(bot, '/shock BTC -1%')
    expect(text).toContain('I can’t see everything now')
    expect(text).toContain('I can’t tell for 1 of 2 accounts')
    expect(text).toContain('I don’t see all of this account: the rest may help or hurt')
    // What it sees falls nevertheless.
    expect(await says(bot, '/shock BTC -8%')).toContain('main: liquidated')
    const positions = await says(bot, '/positions')
    expect(positions).toMatch(/main is liquidated first\n +I don’t see all of this account/)
    expect(positions).not.toContain('I can’t tell that for main')
  })

  test('does not guess the price of a market that it does not see', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 92_500 },
      { symbol: 'NEW', size: 2, entry: 10, liquidation: 5 },
    ])
    await bot.pass(6_000)
    const text = await says(bot, '/shock all -1% main')
    expect(text).toContain('main: I can’t tell whether it holds')
    expect(text).toContain('no price that I trust: market 999')
    // It does not move: the rest can be told.
    expect(await says(bot, '/shock BTC -1% main')).toContain('main survives')
  })

  test('says so when a price is past a liquidation price already', async () => {
    await using bot = await openDesk()
    bot.stage.market('BTC', { price: 92_400 })
    await bot.pass(6_000)
    expect(await says(bot, '/shock ETH -1%')).toContain('main: past its liquidation price now')
    expect(await says(bot, '/positions')).toContain('main: past its liquidation price now')
  })

  test('says that there is no wallet, or nothing in it', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [])
    await bot.pass(70_000)
    expect(await says(bot, '/shock all -10% main')).toContain('all prices -10%: you hold no position')
    for (const wallet of ['main', 'hedge']) await says(bot, `/unwatch ${wallet} yes`)
    expect(await says(bot, '/shock all -10%')).toContain('I don’t watch a wallet for you yet')
  })

  test('names what moves when nothing was said', async () => {
    await using bot = await openDesk()
    const text = await says(bot, '/shock')
    expect(text).toContain('What moves, and how far?')
    expect(text).toContain('[all -10%: /shock all -10%]')
    expect(await says(bot, '/shock all-10%')).toContain('all prices -10%')
  })
})

describe('/positions ends with the smallest move of all prices that liquidates something', () => {
  test('of all wallets, or of the one that was asked for', async () => {
    await using bot = await openDesk()
    const all = await says(bot, '/positions')
    expect(all).toContain(
      'All prices down 6.5%: main is liquidated first\n[BTC long · main: /positions 0x52908400 BTC] [ETH short · main: /positions 0x52908400 ETH] [Sol long · hedge: /positions 0x8617E340 Sol] [Refresh: /positions] [What if -10%: /shock all -10%]',
    )
    expect(await says(bot, '/positions main')).toContain(
      'All prices down 6.5%: main is liquidated\n[BTC long · main: /positions 0x52908400 BTC] [ETH short · main: /positions 0x52908400 ETH] [Refresh: /positions 0x52908400] [What if -10%: /shock all -10% 0x52908400]',
    )
    expect(await says(bot, '/positions hedge')).toContain(
      'No move of all prices together liquidates anything',
    )
    expect(await says(bot, '/positions ETH')).not.toContain('All prices')
  })

  test('upwards for who is short', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [{ symbol: 'ETH', size: -20, entry: 2_700, liquidation: 3_400 }])
    await bot.pass(6_000)
    expect(await says(bot, '/positions')).toContain(
      'All prices up 29%: ETH short · main is liquidated first\n[ETH short · main: /positions 0x52908400 ETH] [Sol long · hedge: /positions 0x8617E340 Sol] [Refresh: /positions] [What if +10%: /shock all +10%]',
    )
  })

  test('a rough guide where liquidation prices do not fit one margin', async () => {
    await using bot = await openDesk()
    bot.stage.positions(ALICE, [
      { symbol: 'BTC', size: 1.5, entry: 95_000, liquidation: 92_500 },
      { symbol: 'ETH', size: -20, entry: 2_700, liquidation: 5_400 },
    ])
    await bot.pass(6_000)
    const rough = 'rough: its liquidation prices don’t fit one shared margin'
    expect(await says(bot, '/positions main')).toContain(rough)
    expect(await says(bot, '/shock all -1% main')).toContain(rough)
  })
})
