import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const wallets = Array.from(
  { length: 12 },
  (_, index) =>
    `0x${String(index + 1)
      .repeat(40)
      .slice(0, 40)}`,
)
const LAST = wallets.at(-1) ?? ''

/** Twelve wallets with a position in the main book: two more than the venue pushes. */
async function watching(pushes: boolean, count = wallets.length) {
  const bot = await startHyperliquidBot({ pushes })
  const watched = wallets.slice(-count)
  for (const [index, address] of watched.entries()) {
    const account = bot.standIn.account(address, { usd: 4_000 })
    account.trades('BTC', 0.01 * (count - index), { leverage: 20 })
    account.deposits(5_000, 'xyz')
    await bot.says(`/watch ${address} w${index + 1 + wallets.length - count}`)
  }
  await bot.pass(120)
  bot.hears()
  const last = bot.standIn.account(LAST)
  return Object.assign(bot, {
    last,
    opensInBuildersBook() {
      const { market } = last.trades('xyz:NVDA', 200, { leverage: 10, margin: 'isolated' })
      return market.mark
    },
  })
}

test('a wallet without a push place opens in a book where it held nothing: it is told in seconds, and so is its danger', async () => {
  await using bot = await watching(true)
  const mark = bot.opensInBuildersBook()
  await bot.pass(8)
  expect(bot.hears().join('\n')).toMatch(/xyz:NVDA long opened/)
  bot.standIn.moves({ 'xyz:NVDA': mark * 0.96 })
  await bot.pass(8)
  expect(bot.hears().join('\n')).toMatch(/\[CRITICAL\] xyz:NVDA long: [\d.]+% to liquidation/)
}, 60_000)

test('without any push, weight that is left over looks into empty books: the position is told within minutes', async () => {
  await using bot = await watching(false, 2)
  bot.opensInBuildersBook()
  await bot.pass(240)
  expect(bot.hears().join('\n')).toMatch(/xyz:NVDA long opened/)
}, 60_000)

test('without any push, /positions asks every book of a wallet before it says that nothing is open', async () => {
  await using bot = await watching(false, 1)
  bot.last.closes('BTC')
  await bot.pass(50)
  bot.opensInBuildersBook()
  expect(await bot.says('/positions')).toContain('xyz:NVDA long')
}, 60_000)

test('a book that cannot be read for long is named, never called empty', async () => {
  await using bot = await watching(false, 1)
  bot.last.closes('BTC')
  await bot.pass(50)
  bot.standIn.fault({ kind: 'error', type: 'clearinghouseState', dex: 'xyz', times: Infinity })
  await bot.pass(400)
  const answer = await bot.says('/positions')
  expect(answer).toContain('Empty when I last looked\n')
  expect(answer).toMatch(/w12: xyz, \d+ min ago/)
  expect(answer).not.toContain('No open position')
}, 60_000)

test.each([
  ['an empty wallet that is pushed', 1, true],
  ['an empty wallet without a place', 12, true],
  ['a wallet far from danger, without a place', 12, false],
])(
  '%s opens in the main book: it is told in seconds',
  async (_what, count, isEmpty) => {
    await using bot = await watching(true, count)
    if (isEmpty) bot.last.closes('BTC')
    await bot.pass(120)
    bot.hears()
    bot.last.trades('ETH', 2, { leverage: 2 })
    let seconds = 0
    for (let heard = ''; !heard.includes('ETH long opened') && seconds < 90; seconds++) {
      await bot.pass(1)
      heard += bot.hears().join('\n')
    }
    expect(seconds).toBeLessThan(8)
  },
  60_000,
)
