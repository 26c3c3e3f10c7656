import { expect, test } from 'vitest'

import type { Asked } from '../support/hyperliquid/answering.ts'
import { startHyperliquidBot } from '../support/hyperliquid-bot.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits */
const LIMIT = 1_200
const SHARE = 0.6

const GUARDED = 10
/** Guarded wallets with rules about orders: the dearest thing that Perch reads regularly. */
const WITH_ORDERS = 3
const WITH_TWAPS = 2
const FOLLOWED = 20

const addressOf = (place: number) => `0x${String(place + 1).padStart(40, '0')}` as const
const COINS = ['BTC', 'ETH', 'SOL']

/** The largest weight of any sixty seconds, wherever they begin. */
function busiestMinute(asked: readonly Asked[]): number {
  let [most, sum, first] = [0, 0, 0]
  for (const { at, weight } of asked) {
    sum += weight
    for (let left = asked[first]; left && left.at <= at - MINUTE_MS; left = asked[++first]) sum -= left.weight
    most = Math.max(most, sum)
  }
  return most
}

test('with all of it on, no minute weighs more than 60% of what the venue allows', async () => {
  await using bot = await startHyperliquidBot()
  for (let place = 0; place < GUARDED; place++) {
    const wallet = bot.standIn.account(addressOf(place), { usd: 50_000 })
    wallet.trades(COINS[place % COINS.length] ?? 'BTC', 1, { leverage: 5 })
    await bot.says(`/watch ${addressOf(place)} own${place}`)
  }
  for (let place = GUARDED; place < GUARDED + FOLLOWED; place++) {
    const wallet = bot.standIn.account(addressOf(place), { usd: 90_000 })
    wallet.trades(COINS[place % COINS.length] ?? 'BTC', 2, { leverage: 3 })
    await bot.says(`/follow ${addressOf(place)} $10k whale${place}`)
  }
  for (let place = 0; place < WITH_ORDERS; place++) await bot.says(`/alert order-filled own${place}`)
  for (let place = 0; place < WITH_TWAPS; place++) await bot.says(`/alert twap own${GUARDED - 1 - place}`)
  await bot.says('/settings zone UTC')
  const due = new Date(bot.clock.now() + 4 * MINUTE_MS).toISOString().slice(11, 16)
  await bot.says(`/digest ${due}`)
  await bot.pass(70)
  const began = bot.standIn.asked.length
  const asks = ['/positions', '/pnl week', '/funding paid', '/orders', '/balances', '/pnl month']
  for (const [place, line] of asks.entries()) {
    await bot.says(line)
    await bot.pass(80)
    bot.standIn.moves({ BTC: bot.standIn.market('BTC').mark * (place % 2 === 0 ? 1.002 : 0.998) })
    await bot.pass(30)
  }
  const asked = bot.standIn.asked.slice(began)
  expect(asked.filter(({ status }) => status === 429)).toEqual([])
  expect(busiestMinute(asked)).toBeLessThanOrEqual(LIMIT * SHARE)
  // Each purpose is named, and together they are what the venue counted.
  const [, sum = '', costs = ''] = /weight (\S+) of .*\n +(.*)/.exec(await bot.says('/status full')) ?? []
  const named = [...costs.matchAll(/([a-z]+) (\d+)/g)].map(([, , weight]) => Number(weight))
  expect(named.reduce((all, weight) => all + weight, 0)).toBe(Number(sum))
  expect(costs).toMatch(/^orders \d+/)
})
