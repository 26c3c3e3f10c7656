import { expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import { startPushed, walletOf } from '../pushed.ts'

const ANN = walletOf(1)

/** A wallet with a position, followed. */
async function startAnn() {
  const bot = await startPushed()
  const user = bot.venue.account(ANN, 100_000)
  user.trades('ETH', 2)
  await bot.readsMarkets()
  await bot.follows(ANN)
  const size = () =>
    toNumber(bot.last(ANN)?.answer.positions.find(({ marketId }) => marketId === '0')?.size ?? 0n)
  /** The next frames meet these fates, one after the other; null: none. Later ones meet none. */
  const fates = (...some: ('lost' | 'doubled' | 'late' | 'halved' | null)[]) => {
    const all = ['lost', 'doubled', 'late', 'halved'] as const
    const draws = some.flatMap((fate) => (fate === null ? [1] : [0, (all.indexOf(fate) + 0.5) / 4]))
    bot.venue.push.spoil({ rate: 0.5, random: { next: () => draws.shift() ?? 1 } })
  }
  return { bot, user, size, fates }
}

test('half a frame of an account: it is asked for again, and the wallet is read', async () => {
  const { bot, user, size, fates } = await startAnn()
  await using _ = bot
  fates('halved')
  user.trades('ETH', 1)
  await bot.clock.advance(0)
  expect(bot.changed).toEqual([ANN])
  expect(bot.push.status().wallets.followed, 'nobody relies on it').toBe(0)
  await bot.clock.advance(6_000)
  await bot.hears(() => bot.push.status().wallets.followed === 1)
  expect(size()).toBe(3)
  expect(bot.unusable()).toHaveLength(1)
})

test('a doubled update changes nothing, also when it comes after a later one', async () => {
  const { bot, user, size, fates } = await startAnn()
  await using _ = bot
  fates('doubled')
  user.trades('ETH', 1)
  await bot.clock.advance(0)
  expect([size(), bot.changed]).toEqual([3, []])
})

test('an update that comes after a later one does not bring an old size back', async () => {
  const { bot, user, size, fates } = await startAnn()
  await using _ = bot
  // Each trade is a frame of positions, and one of the figures.
  fates('late', 'late')
  user.trades('ETH', 1)
  user.closes('ETH')
  await bot.clock.advance(1_000)
  expect(size()).toBe(0)
  expect(bot.changed, 'a trade was not seen in its turn').toEqual([ANN])
})

test('a lost update shows with the next one, which has the size of both, and the wallet is read', async () => {
  const { bot, user, size, fates } = await startAnn()
  await using _ = bot
  fates('lost')
  user.trades('ETH', 1)
  await bot.clock.advance(0)
  expect(size()).toBe(2)
  user.trades('ETH', 1)
  await bot.clock.advance(0)
  expect([size(), bot.changed]).toEqual([4, [ANN]])
})

test('a lost answer to a subscription is asked for again', async () => {
  const bot = await startPushed()
  await using _ = bot
  bot.venue.account(ANN, 1_000)
  await bot.reads(ANN)
  bot.push.start(bot.hear)
  await bot.hears(() => bot.push.status().subscriptions === 1)
  bot.venue.rewrites('account_all', () => ({ type: 'other' }))
  bot.push.follow([ANN])
  await bot.clock.advance(15_000)
  expect(bot.push.status().wallets.followed).toBe(0)
  bot.venue.rewrites('account_all', null)
  await bot.clock.advance(15_000)
  await bot.hears(() => bot.push.status().wallets.followed === 1)
  expect(bot.venue.broken).toEqual([])
})

test('a frame that is no JSON: the accounts of its connection are asked for again, once', async () => {
  const { bot } = await startAnn()
  await using _ = bot
  const heard = bot.venue.push.heard()
  bot.venue.push.garble()
  await bot.clock.advance(10_000)
  await bot.hears(() => bot.push.status().wallets.followed === 1)
  expect(bot.venue.push.heard() - heard).toBeGreaterThan(1)
  for (let n = 0; n < 20; n++) {
    bot.venue.push.garble()
    await bot.clock.advance(1_000)
  }
  expect(bot.push.status().wallets.followed).toBe(1)
  expect(bot.push.status().why).toBe(null)
})

test('a position that cannot be read: the others are told, and it is asked for again', async () => {
  const { bot, user } = await startAnn()
  await using _ = bot
  bot.venue.rewrites('account_all', (said) => ({ ...said, positions: { 1: { market_id: 1 } } }))
  bot.wallets.length = 0
  user.trades('BTC', 0.5)
  await bot.clock.advance(0)
  const [told] = bot.wallets
  expect(told?.answer.unusable).toHaveLength(1)
  expect(told?.answer.positions.map(({ marketId }) => marketId)).toEqual(['0'])
  expect(bot.push.status().wallets.followed, 'nobody relies on it').toBe(0)
  expect(bot.changed).toEqual([ANN])
  bot.venue.rewrites('account_all', null)
  await bot.clock.advance(6_000)
  await bot.hears(() => bot.push.status().wallets.followed === 1)
  expect(bot.last(ANN)?.answer).toMatchObject({ unusable: [], positions: [{}, {}] })
})
