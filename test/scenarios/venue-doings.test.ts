import { describe, expect, test } from 'vitest'

import { cancel } from '../support/hyperliquid/orders.ts'
import { trade } from '../support/hyperliquid/trading.ts'
import { startBot, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid, type OnHyperliquid } from '../support/on-hyperliquid.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

interface Doing {
  what: string
  /** How the fill says so. */
  dir: string
  isNamed: boolean
  share: number
  says: RegExp[]
}

/** Everything that this venue can do to a position by itself, by its record, with the words, the severity and the money. */
const DOINGS: Doing[] = [
  {
    ...{ what: 'liquidates a part', dir: 'Liquidated Cross Long', isNamed: true, share: 0.5 },
    says: [/\[CRITICAL\] BTC long was partly liquidated/, /lost \$[\d.,k]+ on 0\.05 of 0\.1 BTC at \$/],
  },
  {
    ...{
      what: 'liquidates a part, without the name',
      dir: 'Liquidated Cross Long',
      isNamed: false,
      share: 0.5,
    },
    says: [/\[CRITICAL\] BTC long was partly liquidated/],
  },
  {
    ...{ what: 'liquidates all', dir: 'Liquidated Cross Long', isNamed: true, share: 1 },
    says: [/\[CRITICAL\] BTC long was liquidated/, /lost \$/],
  },
  {
    ...{ what: 'liquidates all, without the name', dir: 'Liquidated Cross Long', isNamed: false, share: 1 },
    says: [/\[CRITICAL\] BTC long was liquidated/, /lost \$/],
  },
  {
    ...{ what: 'deleverages a part', dir: 'Auto-Deleveraging', isNamed: false, share: 0.5 },
    says: [/\[CRITICAL\] BTC long was partly closed by the venue \(ADL\)/, /lost \$/],
  },
  {
    ...{ what: 'deleverages all', dir: 'Auto-Deleveraging', isNamed: false, share: 1 },
    says: [/\[CRITICAL\] BTC long was closed by the venue \(ADL\)/, /Auto-deleveraging/],
  },
  {
    ...{ what: 'settles all', dir: 'Settlement', isNamed: false, share: 1 },
    says: [/\[WARNING\] BTC long was settled by the venue/, /lost \$/],
  },
]

function does(bot: OnHyperliquid, { dir, isNamed, share }: Doing): void {
  const { world } = bot.venue
  const { state } = bot.venue.account(ALICE)
  const market = bot.venue.market('BTC')
  const held = state.holdings.find((one) => one.market === market)
  trade(world, {
    ...{ market, dir, size: -(held?.szi ?? 0) * share, price: market.mark * 0.9 },
    taker: { account: state },
    maker: { account: world.liquidator },
    ...(isNamed && {
      liquidation: { liquidatedUser: ALICE.toLowerCase(), mark: market.mark, method: 'market' },
    }),
  })
}

describe('the venue’s doing is never small', () => {
  test.each(DOINGS)(
    'it $what ($dir): at once, right after an opening too',
    async (doing) => {
      await using bot = await onHyperliquid(UNHURRIED)
      const account = bot.venue.account(ALICE, { usd: 100_000 })
      await bot.answers(`/watch ${ALICE} main`)
      account.trades('BTC', 0.1, { leverage: 20 })
      await bot.pass(60_000)
      expect(bot.hears().join('\n')).toMatch(/BTC long opened/)
      does(bot, doing)
      await bot.pass(90_000)
      const heard = bot.hears().join('\n')
      for (const words of doing.says) expect(heard).toMatch(words)
      expect(heard).not.toMatch(/shrank/)
      await bot.pass(660_000)
      expect(bot.hears().join('\n')).not.toMatch(/shrank/)
    },
    60_000,
  )

  test('only what the trader may have done is gathered: a sale is told after ten minutes', async () => {
    await using bot = await onHyperliquid(UNHURRIED)
    const account = bot.venue.account(ALICE, { usd: 100_000 })
    await bot.answers(`/watch ${ALICE} main`)
    account.trades('BTC', 0.1, { leverage: 20 })
    await bot.pass(60_000)
    bot.hears()
    account.closes('BTC', 0.05)
    await bot.pass(90_000)
    expect(bot.hears()).toEqual([])
    await bot.pass(660_000)
    expect(bot.hears().join('\n')).toMatch(/BTC long shrank by 50%/)
  }, 60_000)
})

interface WiderDoing {
  what: string
  does(bot: OnHyperliquid): void
  says: RegExp[]
}

/** Everything that it can do to the market, the orders and the account around a position. */
const WIDER_DOINGS: WiderDoing[] = [
  {
    what: 'delists the market',
    does: ({ venue }) => venue.delists('BTC', venue.market('BTC').mark * 0.99),
    says: [/\[WARNING\] BTC long was settled: the market is delisted/, /lost \$/],
  },
  {
    what: 'renames the market',
    does: ({ venue }) => venue.renames('BTC', 'BTC2'),
    says: [/\[INFO\] BTC long is now called BTC2/],
  },
  {
    what: 'calls off an order',
    does({ venue }) {
      const { state } = venue.account(ALICE)
      for (const order of state.orders) cancel(venue.world, state, order, 'marginCanceled')
    },
    says: [/\[INFO\] BTC buy order cancelled by the venue/, /reason: too little margin/],
  },
  {
    what: 'halts the market: what is held there is watched by its last price, and nothing is called over',
    does({ venue }) {
      venue.rewrites('metaAndAssetCtxs', ([meta, contexts]: [Meta, Record<string, unknown>[]]) => {
        const place = meta.universe.findIndex(({ name }) => name === 'BTC')
        Object.assign(contexts[place] ?? {}, { midPx: null, impactPxs: null })
      })
    },
    says: [/^$/],
  },
  {
    what: 'changes the mode of the account: no danger, so no news',
    does: ({ venue }) => venue.account(ALICE).mode('unifiedAccount'),
    says: [/^$/],
  },
]

interface Meta {
  universe: { name: string }[]
}

describe('the venue’s doing is never small, around a position', () => {
  test.each(WIDER_DOINGS)(
    'it $what',
    async ({ does: doesIt, says }) => {
      await using bot = await onHyperliquid(UNHURRIED)
      const account = bot.venue.account(ALICE, { usd: 100_000 })
      await bot.answers(`/watch ${ALICE} main`)
      await bot.answers('/alert expired')
      account.trades('BTC', 0.1, { leverage: 20 })
      account.places({ coin: 'BTC', side: 'buy', size: 0.1, limit: bot.venue.market('BTC').mark * 0.9 })
      await bot.pass(90_000)
      bot.hears()
      doesIt(bot)
      await bot.pass(150_000)
      const heard = bot.hears().join('\n')
      for (const words of says) expect(heard).toMatch(words)
      expect(heard).not.toMatch(/BLIND|was closed|opened/)
    },
    60_000,
  )
})

test('a position that goes with all equity and without a record was not simply closed', async () => {
  await using bot = await onHyperliquid(UNHURRIED)
  const account = bot.venue.account(ALICE, { usd: 3_000 })
  account.trades('BTC', 0.1, { leverage: 20 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.pass(90_000)
  bot.hears()
  account.state.holdings = []
  account.state.crossUsd.clear()
  await bot.pass(150_000)
  const heard = bot.hears().join('\n')
  expect(heard).toMatch(/\[WARNING\] BTC long is gone, cause unknown/)
  expect(heard).not.toMatch(/was closed/)
}, 60_000)

test('the venue’s backstop takes a position over: the loss of the trade is not all of it', async () => {
  await using bot = await onHyperliquid(UNHURRIED)
  const account = bot.venue.account(ALICE, { usd: 10_000 })
  account.trades('BTC', 1.5, { leverage: 20 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.pass(60_000)
  bot.venue.moves({ BTC: bot.venue.market('BTC').mark * 0.904 })
  await bot.pass(60_000)
  const heard = bot.hears().join('\n')
  expect(heard).toMatch(/BTC long was liquidated.*\n.*lost \$[\d.,k]+ at/)
  expect(heard).toContain('The venue also kept the remaining margin and doesn’t say how much.')
}, 60_000)

/** Everything that a venue without records can do to a position. */
describe('the venue’s doing is never small, without its record', () => {
  test('it takes a market away with its position: that is the news, at once', async () => {
    await using bot = await startBot()
    for (const symbol of ['BTC', 'ETH', 'DOGE']) bot.stage.market(symbol, { price: 100 })
    const held = { size: -3, entry: 90, liquidation: 150 }
    bot.stage.positions(ALICE, [
      { symbol: 'DOGE', ...held },
      { symbol: 'BTC', ...held },
    ])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(30_000)
    bot.hears()
    bot.stage.market('DOGE', { missing: true })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', ...held }])
    await bot.pass(30_000)
    const heard = bot.hears()
    expect(heard).toHaveLength(1)
    expect(heard[0]).toMatch(/\[WARNING\] DOGE short is gone: its market is no longer listed/)
    await bot.pass(120_000)
    expect(bot.hears()).toEqual([])
  })

  test('it liquidates: what the price cost is the least', async () => {
    await using bot = await startBot()
    bot.stage.market('BTC', { price: 100 })
    bot.stage.positions(ALICE, [{ symbol: 'BTC', size: 3, entry: 120, liquidation: 95 }])
    await bot.pass(0)
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(30_000)
    bot.stage.market('BTC', { price: 94 })
    bot.stage.positions(ALICE, [])
    await bot.pass(30_000)
    const heard = bot.hears().join('\n')
    expect(heard).toMatch(/\[CRITICAL\] BTC long was probably liquidated/)
    expect(heard).toMatch(/lost about \$75.00 or more, estimated at liquidation/)
  })
})
