import { describe, expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const ALICE = '0x52908400098527886E0F7030069857D2E4169EE7'
const BOB = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

const titles = (heard: string[]) => heard.map((text) => text.split('\n')[0])

/** The real bot on the stand-in, whose books can fail one by one. */
async function started({ marketPollMs = 2_000 } = {}) {
  const bot = await startHyperliquidBot({ pushes: false, marketPollMs })
  const { standIn: venue } = bot
  const fails = (type = 'clearinghouseState') =>
    venue.fault({ kind: 'error', type, dex: 'xyz', times: Infinity })
  return Object.assign(bot, { venue, fails })
}

/** For minutes in which nothing hangs on how soon a price is read: each poll is several real requests. */
const UNHURRIED = { marketPollMs: 4_000 }

describe.each([true, false])(
  'a position in a builder’s book that nobody needed yet (pushed: %s)',
  (pushes) => {
    test('is shown with its price and its distance by the first /watch, and by /positions at once after', async () => {
      await using bot = await startHyperliquidBot({ pushes })
      const wallet = bot.standIn.account(ALICE, { usd: 4_000 })
      wallet.deposits(2_000, 'xyz')
      wallet.trades('xyz:NVDA', 20, { leverage: 5 })
      for (const line of [`/watch ${ALICE} main`, '/positions']) {
        const text = await bot.says(line)
        expect(text).toMatch(/xyz:NVDA long: [\d.]+% to liquidation/)
        expect(text).not.toContain('not in view')
      }
    })
  },
)

describe('a builder’s book whose accounts cannot be read', () => {
  test('has its positions shown as they were last seen, and said to be that', async () => {
    await using bot = await started()
    const wallet = bot.venue.account(ALICE, { usd: 40_000 })
    wallet.deposits(2_000, 'xyz')
    wallet.trades('BTC', 0.5, { leverage: 20 })
    wallet.trades('xyz:NVDA', 20, { leverage: 5 })
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(20)
    bot.fails()
    const text = await bot.says('/positions')
    expect(text).toContain('Its positions are as I saw them last.')
    expect(text).toContain('xyz:NVDA long')
    expect(await bot.says('/preview main nvda -50%')).not.toContain('holds no xyz:NVDA')
  })

  test('disturbs nobody who has nothing in it', async () => {
    await using bot = await started(UNHURRIED)
    const { venue, fails } = bot
    venue.account(ALICE, { usd: 4_000 }).trades('BTC', 0.5, { leverage: 20 })
    fails()
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(20)
    bot.hears()
    await bot.pass(600)
    expect(bot.hears()).toEqual([])
    expect(await bot.says('/status')).not.toContain('do not see')
  })

  test('is told to whoever is in it, and so is its return with what was closed meanwhile', async () => {
    await using bot = await started(UNHURRIED)
    const { venue, fails } = bot
    const wallet = venue.account(ALICE, { usd: 40_000 })
    wallet.deposits(2_000, 'xyz')
    wallet.trades('BTC', 0.5, { leverage: 20 })
    wallet.trades('xyz:NVDA', 20, { leverage: 5 })
    await bot.says(`/watch ${ALICE} main`)
    await bot.pass(20)
    bot.hears()
    fails()
    await bot.pass(300)
    const [blind = '', ...more] = bot.hears()
    expect(more).toEqual([])
    expect(titles([blind])).toEqual(['[BLIND] I can’t see wallet main in xyz'])
    expect(blind).toContain('last seen: xyz:NVDA long')
    expect(blind).not.toContain('BTC')

    wallet.trades('BTC', -0.5)
    await bot.pass(180)
    expect(titles(bot.hears())).toEqual(['[INFO] BTC long was closed (A2)'])

    wallet.trades('xyz:NVDA', -20)
    await bot.pass(180)
    expect(bot.hears()).toEqual([])
    venue.clearFaults()
    await bot.pass(180)
    const heard = titles(bot.hears())
    expect(heard).toHaveLength(2)
    expect(heard[0]).toBe('[RESOLVED] I can see wallet main in xyz again')
    expect(heard[1]).toMatch(/xyz:NVDA long/)
  })

  test('hides nothing of what another person is told', async () => {
    await using bot = await started()
    const { venue, fails } = bot
    const alice = venue.account(ALICE, { usd: 4_000 })
    alice.deposits(2_000, 'xyz')
    alice.trades('xyz:NVDA', 20, { leverage: 5 })
    const { market } = venue.account(BOB, { usd: 4_000 }).trades('BTC', 0.5, { leverage: 20 })
    const start = market.mark
    await bot.says(`/watch ${ALICE} main`)
    await bot.says(`/watch ${BOB} cold`)
    await bot.pass(130)
    bot.hears()
    fails()
    await bot.pass(120)
    venue.moves({ BTC: start * 0.93 })
    await bot.pass(10)
    expect(titles(bot.hears())[0]).toMatch(/\[CRITICAL\] BTC long: /)
  })
})

test('several wallets in a book that fails are one message, and their return is another', async () => {
  await using bot = await started(UNHURRIED)
  for (const address of [ALICE, BOB]) {
    const wallet = bot.venue.account(address, { usd: 4_000 })
    wallet.deposits(2_000, 'xyz')
    wallet.trades('xyz:NVDA', 20, { leverage: 5 })
  }
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(20)
  await bot.says(`/watch ${BOB} cold`)
  await bot.pass(120)
  bot.hears()
  bot.fails()
  await bot.pass(400)
  const [blind = '', ...more] = bot.hears()
  expect(more).toEqual([])
  expect(blind).toContain('I can’t see wallet main in xyz')
  expect(blind).toContain('I can’t see wallet cold in xyz')
  bot.venue.clearFaults()
  await bot.pass(180)
  const [back = '', ...later] = bot.hears()
  expect(later).toEqual([])
  expect(back).toContain('I can see wallet main in xyz again')
  expect(back).toContain('I can see wallet cold in xyz again')
})

test('a book whose prices cannot be read is one message to whoever is in it, and main goes on', async () => {
  await using bot = await started()
  const wallet = bot.venue.account(ALICE, { usd: 4_000 })
  wallet.deposits(4_000, 'xyz')
  const { market } = wallet.trades('BTC', 0.5, { leverage: 20 })
  const start = market.mark
  wallet.trades('xyz:NVDA', 20, { leverage: 5 })
  wallet.trades('xyz:GOLD', 0.2, { leverage: 5 })
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(60)
  bot.hears()
  bot.fails('metaAndAssetCtxs')
  await bot.pass(120)
  const [blind = '', ...more] = bot.hears()
  expect(more).toEqual([])
  expect(titles([blind])).toEqual(['[BLIND] I can’t see 2 markets in xyz'])
  bot.venue.moves({ BTC: start * 0.93 })
  await bot.pass(10)
  expect(bot.hears().join()).toMatch(/BTC long: 4\.\d% to liquidation/)
  bot.venue.clearFaults()
  await bot.pass(20)
  expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see 2 markets in xyz again'])
})

test('books that are needed come in turn, and none of them is called blind for it, nor after an outage', async () => {
  await using bot = await started()
  const wallet = bot.venue.account(ALICE, { usd: 4_000 })
  wallet.deposits(4_000, 'xyz')
  wallet.trades('BTC', 0.1, { leverage: 10 })
  wallet.trades('xyz:NVDA', 20, { leverage: 5 })
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(60)
  bot.hears()
  await bot.pass(300)
  expect(bot.hears()).toEqual([])
  await bot.venue.down()
  await bot.pass(40)
  expect(titles(bot.hears())).toEqual(['[BLIND] I can’t see the venue'])
  await bot.venue.up()
  await bot.pass(60)
  expect(titles(bot.hears())).toEqual(['[RESOLVED] I can see the venue again'])
})

test.each([5_000, 10_000])('nor where prices are asked for every %i ms alone', async (marketPollMs) => {
  await using bot = await started({ marketPollMs })
  const wallet = bot.venue.account(ALICE, { usd: 4_000 })
  wallet.deposits(4_000, 'xyz')
  wallet.trades('BTC', 0.1, { leverage: 10 })
  wallet.trades('xyz:NVDA', 20, { leverage: 5 })
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(400)
  expect(titles(bot.hears()).filter((title) => /BLIND|I see/.test(title ?? ''))).toEqual([])
})

test('an outage of the whole venue, however long, closes nothing in a builder’s book', async () => {
  await using bot = await started(UNHURRIED)
  const wallet = bot.venue.account(ALICE, { usd: 4_000 })
  wallet.deposits(2_000, 'xyz')
  wallet.trades('xyz:NVDA', 20, { leverage: 5 })
  await bot.says(`/watch ${ALICE} main`)
  await bot.pass(60)
  await bot.venue.down()
  await bot.pass(700)
  await bot.venue.up()
  bot.hears()
  await bot.pass(180)
  expect(bot.hears().join()).not.toMatch(/closed|gone|opened/)
})
