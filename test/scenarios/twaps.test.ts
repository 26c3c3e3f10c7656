import { expect, test } from 'vitest'

import { ALICE, PERIODS, UNHURRIED } from '../support/bot.ts'
import { onHyperliquid } from '../support/on-hyperliquid.ts'

const MINUTE_MS = 60_000
const LONG = 60_000

/** The real bot before the stand-in, with a wallet that holds an ETH long and a rule about TWAPs. */
async function trading(rules: readonly string[] = ['/alert twap']) {
  const bot = await onHyperliquid({ ...PERIODS, ...UNHURRIED })
  const wallet = bot.venue.account(ALICE, { usd: 200_000 })
  wallet.trades('ETH', 10, { leverage: 5 })
  await bot.answers(`/watch ${ALICE} main`)
  await bot.answers('/settings zone UTC')
  for (const rule of rules) await bot.answers(rule)
  await bot.pass(6 * MINUTE_MS)
  bot.hears()
  const titles = () => bot.hears().flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')))
  return Object.assign(bot, { wallet, titles })
}

const aboutTwaps = (titles: readonly string[]) => titles.filter((title) => title.includes('TWAP'))

test(
  'a TWAP is told when it starts and when it is finished, and /orders shows it between',
  async () => {
    await using bot = await trading()
    bot.wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.5, minutes: 20 })
    await bot.pass(6 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([
      expect.stringMatching(/^\[INFO\] BTC TWAP started: buy 0.5 BTC/),
    ])
    expect(await bot.answers('/orders main')).toMatch(
      /BTC TWAP: buy 0.5 BTC\n +\d\d% done · avg \$[\d,.]+ · 1[34] min left/,
    )
    await bot.pass(16 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([
      expect.stringMatching(/^\[INFO\] BTC TWAP finished: bought 0.5 BTC at \$[\d,.]+ on average/),
    ])
    expect(await bot.answers('/orders main twap')).toMatch(/finished \d\d:\d\d UTC · 100% done/)
  },
  LONG,
)

test(
  'a TWAP that starts and stops between the rule and a first list that comes late is told',
  async () => {
    await using bot = await trading([])
    bot.wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.1, minutes: 120 })
    await bot.pass(MINUTE_MS)
    bot.venue.fault({ kind: 'error', type: 'twapHistory', times: Infinity })
    expect(await bot.answers('/alert twap')).toMatch(
      /all your wallets · I look every 5 min, every minute while one runs · R\d/,
    )
    await bot.pass(5_000)
    const one = bot.wallet.twaps({ coin: 'SOL', side: 'buy', size: 20, minutes: 120 })
    await bot.pass(30_000)
    bot.wallet.terminates(one)
    bot.venue.clearFaults()
    await bot.pass(3 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([expect.stringMatching(/SOL TWAP cancelled/)])
  },
  LONG,
)

test(
  'what /orders shows is told at once, and its end within a minute',
  async () => {
    await using bot = await trading()
    const one = bot.wallet.twaps({ coin: 'SOL', side: 'buy', size: 20, minutes: 120 })
    await bot.pass(5_000)
    expect(await bot.answers('/orders main')).toContain('SOL TWAP: buy 20 SOL')
    await bot.pass(10_000)
    expect(aboutTwaps(bot.titles())).toEqual([expect.stringMatching(/SOL TWAP started: buy 20 SOL/)])
    bot.wallet.terminates(one)
    await bot.pass(MINUTE_MS + 5_000)
    expect(aboutTwaps(bot.titles())).toEqual([expect.stringMatching(/SOL TWAP cancelled/)])
  },
  LONG,
)

test(
  'a TWAP that ends while the bot is down is told once after its return, and one that runs on is not told again',
  async () => {
    await using bot = await trading()
    bot.wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.5, minutes: 20 })
    const other = bot.wallet.twaps({ coin: 'SOL', side: 'buy', size: 20, minutes: 120 })
    await bot.pass(6 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toHaveLength(2)
    await bot.restart(20 * MINUTE_MS)
    await bot.pass(6 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([expect.stringMatching(/BTC TWAP finished/)])
    await bot.restart()
    bot.wallet.terminates(other)
    await bot.pass(6 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([expect.stringMatching(/SOL TWAP cancelled/)])
  },
  LONG,
)

test(
  'a process that is killed at the commit of the news tells it after its start, once',
  async () => {
    await using bot = await trading()
    bot.killed.beforeCommit(0)
    bot.wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.5, minutes: 30 })
    await bot.pass(6 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([])
    await bot.killed.start()
    await bot.pass(6 * MINUTE_MS)
    expect(aboutTwaps(bot.titles())).toEqual([expect.stringMatching(/BTC TWAP started/)])
  },
  LONG,
)

test(
  'an exit that fails for lack of margin or stops at its price is a warning, while a position is left',
  async () => {
    await using bot = await trading()
    const price = bot.venue.market('ETH').mark
    bot.wallet.twaps({
      coin: 'ETH',
      side: 'sell',
      size: 10,
      minutes: 60,
      reduceOnly: true,
      stopAt: price * 0.97,
    })
    await bot.pass(6 * MINUTE_MS)
    bot.venue.moves({ ETH: price * 0.96 })
    await bot.pass(3 * MINUTE_MS)
    const told = bot.hears().filter((text) => text.includes('TWAP'))
    expect(told.join('\n')).toMatch(/\[WARNING\] ETH TWAP stopped by its price limit/)
    expect(told.join('\n')).toContain('The position it was meant to reduce is still open.')
  },
  LONG,
)

test(
  'TWAPs that cannot be read are said to be unseen, and what ended meanwhile is told afterwards',
  async () => {
    await using bot = await trading()
    bot.wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.5, minutes: 10 })
    await bot.pass(6 * MINUTE_MS)
    bot.titles()
    bot.venue.fault({ kind: 'error', type: 'twapHistory', times: Infinity })
    expect(await bot.answers('/orders main')).toContain('TWAPs of main')
    await bot.pass(12 * MINUTE_MS)
    const unseen = bot.hears().join('\n')
    expect(unseen).toContain('I can’t see the TWAPs of wallet main')
    expect(unseen).toContain('TWAP alerts pause until I can read TWAPs again')
    bot.venue.clearFaults()
    await bot.pass(4 * MINUTE_MS)
    const after = bot.titles()
    expect(aboutTwaps(after)).toContainEqual(expect.stringMatching(/BTC TWAP finished/))
    expect(after.join('\n')).toMatch(/I can see the TWAPs of wallet main again/)
  },
  LONG,
)

test(
  'nobody’s TWAPs are read without such a rule, and with one every five minutes, every minute while one runs',
  async () => {
    await using quiet = await trading([])
    await quiet.pass(30 * MINUTE_MS)
    expect(quiet.asked('twapHistory')).toBe(0)
    await using bot = await trading()
    const before = bot.asked('twapHistory')
    await bot.pass(30 * MINUTE_MS)
    expect(bot.asked('twapHistory') - before).toBe(6)
    bot.wallet.twaps({ coin: 'BTC', side: 'buy', size: 0.5, minutes: 60 })
    await bot.pass(5 * MINUTE_MS)
    const running = bot.asked('twapHistory')
    await bot.pass(10 * MINUTE_MS)
    expect(bot.asked('twapHistory') - running).toBe(10)
    expect(bot.asked('userTwapSliceFillsByTime')).toBe(0)
  },
  LONG,
)

test(
  'a position that a TWAP closes is told as closed, at the price of its slices',
  async () => {
    await using bot = await trading([])
    bot.wallet.twaps({ coin: 'ETH', side: 'sell', size: 10, minutes: 5, reduceOnly: true })
    await bot.pass(8 * MINUTE_MS)
    const told = bot.hears().filter((text) => /ETH long was closed/.test(text))
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/at \$[\d.,]+ on average/)
    expect(told[0]).not.toContain('probably')
  },
  LONG,
)
