import { expect, test } from 'vitest'

import { startPushed, walletOf } from '../pushed.ts'

const wallets = Array.from({ length: 12 }, (_, n) => walletOf(n + 1))

/** Twelve wallets, read and wanted, with the venue's limits as given. */
async function startWith(limits: Parameters<Awaited<ReturnType<typeof startPushed>>['venue']['allow']>[0]) {
  const bot = await startPushed()
  for (const wallet of wallets) bot.venue.account(wallet, 1_000)
  for (const wallet of wallets) await bot.reads(wallet)
  bot.venue.allow(limits)
  bot.push.follow(wallets)
  bot.push.start(bot.hear)
  await bot.hears(() => bot.push.status().subscriptions > 0)
  await bot.clock.advance(30_000)
  return bot
}

test('a connection that takes fewer subscriptions is not filled further: another one takes the rest', async () => {
  await using bot = await startWith({ subscriptions: 5 })
  expect(bot.push.status().wallets.followed).toBe(12)
  const broken = bot.venue.broken.length
  await bot.clock.advance(120_000)
  expect(bot.venue.broken.length, 'asked again').toBe(broken)
  expect(bot.unusable()).toEqual([expect.stringContaining('an error frame: 23001')])
})

test('a venue that takes no more connections keeps those that there are, and the rest is polled', async () => {
  await using bot = await startWith({ subscriptions: 5, connections: 2 })
  expect(bot.push.status()).toMatchObject({ open: true, wallets: { followed: 5 } })
  const broken = bot.venue.broken.length
  await bot.clock.advance(120_000)
  expect(bot.venue.broken.length - broken, 'asked again').toBeLessThan(3)
  expect(bot.push.status().wallets.followed).toBe(5)
})

test('after too many messages nothing is asked for a minute, and then all is followed', async () => {
  await using bot = await startWith({ messagesAMinute: 6 })
  const heard = bot.venue.push.heard()
  await bot.clock.advance(20_000)
  expect(bot.venue.push.heard() - heard, 'pings alone').toBeLessThan(5)
  bot.venue.allow({ messagesAMinute: 200 })
  await bot.clock.advance(120_000)
  expect(bot.push.status().wallets.followed).toBe(12)
})

test('after too many at once fewer wait for their answer, and then all is followed', async () => {
  await using bot = await startWith({ messagesInFlight: 6 })
  await bot.clock.advance(60_000)
  expect(bot.push.status().wallets.followed).toBe(12)
})

test('an account that the venue does not find any more leaves the others followed', async () => {
  await using bot = await startPushed()
  const accounts = wallets.map((wallet) => bot.venue.account(wallet, 1_000))
  for (const wallet of wallets) await bot.reads(wallet)
  bot.venue.world.accounts.delete(accounts[3]?.index ?? 0)
  bot.push.follow(wallets)
  bot.push.start(bot.hear)
  await bot.hears(() => bot.push.status().subscriptions > 5)
  await bot.clock.advance(10_000)
  const heard = bot.venue.push.heard()
  await bot.clock.advance(300_000)
  expect(bot.push.status().wallets.followed).toBe(11)
  // Pings and pongs of two connections, and ever rarer attempts.
  expect(bot.venue.push.heard() - heard).toBeLessThan(60)
})

test('prices that were refused for long are there soon after they are given again', async () => {
  await using bot = await startPushed()
  bot.venue.rewrites('market_stats', () => ({ error: { code: 30_005, message: 'invalid channel' } }))
  bot.push.start(bot.hear)
  await bot.hears(() => bot.push.status().open)
  const heard = bot.venue.push.heard()
  await bot.clock.advance(30 * 60_000)
  expect(bot.push.status()).toMatchObject({ marketsAt: null, why: expect.stringContaining('no prices') })
  expect(bot.venue.push.heard() - heard, 'a few a minute').toBeLessThan(30 * 10)
  bot.venue.rewrites('market_stats', null)
  await bot.clock.advance(40_000)
  expect(bot.push.status()).toMatchObject({ why: null, subscriptions: 1 })
  expect(bot.venue.broken).toEqual([])
})
