import { expect, test } from 'vitest'

import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Noon of the test's clock is 03:00 there. */
const ZONE = 'Pacific/Gambier'

/** A BTC long of 0.5 with a stop loss at 90% of its price, watched and nothing more. */
async function watched({ stopped = undefined as number | undefined } = {}) {
  const bot = await startHyperliquidBot({ pushes: false })
  const wallet = bot.standIn.account(WALLET, { usd: 40_000 })
  const { market } = wallet.trades('BTC', 0.5, { leverage: 5 })
  const start = market.mark
  const trigger = { price: start * 0.9, is: 'stopLoss' as const }
  wallet.places({ coin: 'BTC', side: 'sell', trigger, ...(stopped !== undefined && { size: stopped }) })
  await bot.says(`/watch ${WALLET} main`)
  await bot.says(`/settings zone ${ZONE}`)
  await bot.pass(60)
  bot.hears()
  const fall = () => bot.standIn.moves({ BTC: start * 0.89 })
  return { ...bot, wallet, fall, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const titles = (heard: string[]) =>
  heard.flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))

test('a watched wallet is told of its stop loss with the result, and no orders are read for that', async () => {
  await using bot = await watched()
  bot.fall()
  await bot.pass(90)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([expect.stringMatching(/^\[WARNING\] BTC long was closed by its stop loss/)])
  expect(heard.join('\n')).toMatch(/lost \$[\d.,k]+ at \$\S+ on average, \$\S+ fee included/)
  expect([bot.asked('frontendOpenOrders'), bot.asked('historicalOrders')]).toEqual([0, 0])
  expect(bot.asked('orderStatus')).toBe(1)
})

test('a stop loss of a part is one message with what is left, and nothing follows as a smaller position', async () => {
  await using bot = await watched({ stopped: 0.2 })
  bot.fall()
  await bot.pass(90)
  const heard = bot.hears()
  expect(titles(heard)).toEqual([
    expect.stringMatching(/^\[WARNING\] BTC stop loss filled: sold 0\.2 BTC at \$/),
  ])
  expect(heard.join('\n')).toMatch(/lost \$\S+, \$\S+ fee included\n {2}left: 0\.3 BTC/)
  await bot.pass(900)
  expect(titles(bot.hears())).toEqual([])
})

test('at 03:00 in quiet hours a stop loss rings nobody, and stands in the summary of the morning', async () => {
  await using bot = await watched()
  await bot.says('/quiet 23:00-03:30')
  bot.fall()
  await bot.pass(120)
  expect(bot.hears()).toEqual([])
  await bot.pass(1_800)
  expect(bot.hears().join('\n')).toMatch(/While quiet: 1 alert[^]*BTC long was closed by its stop loss/)
})

test('who has no rule about closed positions is told of the trigger by the rule about stops', async () => {
  await using bot = await watched()
  await bot.says('/alert tpsl')
  await bot.says('/remove position-closed')
  await bot.pass(60)
  bot.hears()
  bot.fall()
  await bot.pass(90)
  expect(titles(bot.hears())).toEqual([
    expect.stringMatching(/^\[WARNING\] BTC long: stop loss at \$\S+ triggered/),
  ])
})
