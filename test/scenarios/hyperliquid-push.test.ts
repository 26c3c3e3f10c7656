import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'

async function watching(needed: string[] = []) {
  const bot = await startHyperliquidBot()
  const wallet = bot.standIn.account(ALICE, { usd: 4_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  for (const coin of needed) {
    wallet.deposits(2_000, coin.split(':')[0])
    wallet.trades(coin, 1, { leverage: 2 })
  }
  await bot.says(`/watch ${ALICE} main`)
  // Every book's list is read once.
  await bot.pass(60)
  // Between two beats of the venue, so that what is pushed then has a time of its own.
  await bot.clock.advance(300)
  bot.hears()
  return Object.assign(bot, { wallet, start: market.mark })
}

test('while markets are pushed none is asked for, and a mark that crosses a line is warned of at once', async () => {
  await using bot = await watching()
  const before = bot.asked('metaAndAssetCtxs')
  await bot.pass(60)
  expect(bot.asked('metaAndAssetCtxs')).toBe(before)
  bot.standIn.moves({ BTC: bot.start * 0.93 })
  // Nobody turns the clock: it is told before any poll is due.
  expect(await bot.told()).toMatch(/\[CRITICAL\] BTC long: 4\.2% to liquidation/)
})

test.each([
  ['one book', []],
  ['two books', ['xyz:NVDA']],
  ['three books', ['xyz:NVDA', 'flx:TSLA']],
  ['four books', ['xyz:NVDA', 'flx:TSLA', 'hyna:ETH']],
])(
  'push that falls silent, %s needed: polling takes over by itself, no price is older than 10 s, and it goes back',
  async (_dexes, needed) => {
    await using bot = await watching(needed)
    const dexes = needed.map((coin) => coin.split(':')[0] ?? '')
    bot.standIn.push.silence()
    await bot.pass(30, () => expect(bot.priceAgeMs(...dexes)).toBeLessThan(10_000))
    bot.standIn.moves({ BTC: bot.start * 0.93 })
    await bot.pass(8)
    expect(await bot.told()).toMatch(/BTC long: [\d.]+% to liquidation/)
    bot.standIn.push.speak()
    await bot.pass(10)
    const before = bot.asked('metaAndAssetCtxs')
    await bot.pass(60, () => expect(bot.priceAgeMs(...dexes)).toBeLessThan(4_000))
    expect(bot.asked('metaAndAssetCtxs')).toBe(before)
  },
)

test('push and polling both gone: it is told, and so is the return', async () => {
  await using bot = await watching()
  await bot.standIn.down()
  await bot.pass(40)
  expect(await bot.told()).toMatch(/BLIND|cannot see/i)
  await bot.standIn.up()
  await bot.pass(70)
  expect(await bot.told()).toMatch(/see .*again/i)
  expect(bot.priceAgeMs()).toBeLessThan(4_000)
})

test('polls that fail while push goes on blind nobody to prices', async () => {
  await using bot = await watching()
  bot.standIn.fault({ kind: 'error', type: 'metaAndAssetCtxs', times: Infinity })
  await bot.pass(60, () => expect(bot.priceAgeMs()).toBeLessThan(4_000))
  bot.standIn.moves({ BTC: bot.start * 0.93 })
  expect(await bot.told()).toMatch(/BTC long: [\d.]+% to liquidation/)
})

test('a position that is missing from what is pushed is asked for before it is called closed', async () => {
  await using bot = await watching()
  bot.wallet.closes('BTC')
  const before = bot.asked('userFillsByTime')
  const [states, orders] = [bot.asked('clearinghouseState'), bot.asked('historicalOrders')]
  await bot.pass(15)
  expect(await bot.told()).toMatch(/BTC long.*(closed|is gone)/i)
  expect(bot.asked('clearinghouseState')).toBeGreaterThan(states)
  expect(bot.asked('userFillsByTime')).toBe(before + 1)
  // The fills say how it ended, so its orders are not asked for.
  expect(bot.asked('historicalOrders')).toBe(orders)
})

const MINUTES = 10

test(`thirty wallets for ${MINUTES} minutes: no minute takes more than nine tenths of what the venue allows`, async () => {
  await using bot = await startHyperliquidBot()
  const wallets = Array.from({ length: 30 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`)
  for (const [n, wallet] of wallets.entries()) {
    const account = bot.standIn.account(wallet, { usd: 4_000 })
    account.trades('BTC', 0.5, { leverage: 20 })
    if (n % 3 > 0) continue
    account.deposits(2_000, 'xyz')
    account.trades('xyz:NVDA', 1, { leverage: 2 })
  }
  for (const [n, wallet] of wallets.entries()) await bot.says(`/watch ${wallet} w${n}`)
  let most = 0
  await bot.pass(MINUTES * 60, (second) => {
    most = Math.max(most, bot.standIn.weight())
    // A market that rises until nobody is near danger, and falls until they are liquidated.
    if (second % 7 === 0) bot.standIn.moves({ BTC: 62_000 + 7_000 * Math.sin(second / (9.5 * MINUTES)) })
  })
  expect(most).toBeLessThanOrEqual(0.9 * 1_200)
  expect(bot.standIn.asked.filter(({ status }) => status === 429)).toEqual([])
  expect(bot.asked('userFillsByTime')).toBeGreaterThan(wallets.length)
  expect(bot.standIn.push.users()).toBe(10)
  expect(bot.priceAgeMs()).toBeLessThan(4_000)
})

test.each([true, false])(
  'a halted market of a builder is watched again when it is resumed (with push: %s)',
  async (pushes) => {
    await using bot = await startHyperliquidBot({ pushes })
    const account = bot.standIn.account(ALICE, { usd: 1_000 })
    account.deposits(15_000, 'xyz')
    account.trades('xyz:NVDA', 100, { leverage: 5, margin: 'isolated' })
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(60)
    bot.standIn.delists('xyz:NVDA')
    await bot.pass(120)
    expect(bot.hears().join('\n')).toMatch(/xyz:NVDA long was settled/)
    bot.standIn.market('xyz:NVDA').delisted = false
    account.trades('xyz:NVDA', 100, { leverage: 10, margin: 'isolated' })
    await bot.pass(60)
    const heard = bot.hears().join('\n')
    expect(heard).toMatch(/xyz:NVDA long opened/)
    expect(heard).toMatch(/\[WARNING\] xyz:NVDA long: 5\.3% to liquidation/)
  },
  60_000,
)

test.each(['unifiedAccount', 'portfolioMargin'] as const)(
  'an account that shares its collateral (%s) is shown with its margin ratio, whenever somebody asks',
  async (mode) => {
    await using bot = await startHyperliquidBot()
    const account = bot.standIn.account(ALICE, { usd: 5_000, mode })
    account.trades('BTC', 0.5, { leverage: 20 })
    await bot.says(`/watch ${ALICE} main`)
    for (let asked = 0; asked < 4; asked++) {
      await bot.pass(61)
      expect(await bot.says('/positions')).toMatch(/main \(.*\): margin [\d.]+%/)
    }
  },
  60_000,
)
