import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../../src/venue/amount.ts'
import type { PositionsAnswer } from '../../../../src/venue/venue.ts'
import { startPushed, walletOf } from '../pushed.ts'

const ANN = walletOf(1)
const BEN = walletOf(2)

function sizesOf(answer: Pick<PositionsAnswer, 'positions'> | undefined): string[] | undefined {
  return answer?.positions.map(
    ({ accountId, marketId, size }) => `${accountId} ${marketId} ${toNumber(size)}`,
  )
}

describe('prices are pushed', () => {
  test('as soon as the list of markets is known', async () => {
    await using bot = await startPushed({ needed: ['0'] })
    await bot.follows()
    expect(bot.markets.at(-1)?.whole).toBe(false)
    await bot.readsMarkets()
    bot.venue.moves({ ETH: 3_111 })
    await bot.clock.advance(0)
    const { answer, whole } = bot.markets.at(-1) ?? {}
    expect(whole).toBe(true)
    expect(toNumber(answer?.markets.find(({ id }) => id === '0')?.price ?? 0n)).toBeCloseTo(3_111, 9)
    expect(bot.told()).toEqual(['on'])
    expect(bot.push.status()).toMatchObject({ open: true, why: null, subscriptions: 1 })
  })

  test('and where none come, it is said and another connection is opened', async () => {
    await using bot = await startPushed()
    await bot.readsMarkets()
    await bot.follows()
    bot.venue.push.silence()
    await bot.clock.advance(10_500)
    expect(bot.push.status().why).toBe('no prices were told for 10 s')
    await bot.clock.advance(2_000)
    await bot.hears(() => bot.push.status().why === null)
    expect(bot.told()).toEqual(['on', 'no prices were told for 10 s', 'on'])
  })
})

describe('a wallet', () => {
  test('is followed after it was read, and every change is told at once', async () => {
    await using bot = await startPushed()
    const user = bot.venue.account(ANN, 10_000)
    user.trades('ETH', 2)
    await bot.readsMarkets()
    await bot.follows(ANN)
    expect(bot.push.status().wallets.followed).toBe(1)
    expect(bot.last(ANN)?.whole).toBe(true)
    user.trades('BTC', -0.1)
    await bot.clock.advance(0)
    expect(sizesOf(bot.last(ANN)?.answer)).toEqual([`${user.index} 0 2`, `${user.index} 1 -0.1`])
    user.closes('ETH')
    await bot.clock.advance(0)
    expect(sizesOf(bot.last(ANN)?.answer)).toEqual([`${user.index} 1 -0.1`])
    expect([bot.changed, bot.unusable(), bot.troubles(), bot.venue.broken]).toEqual([[], [], [], []])
  })

  test('that was never read is not followed, because its accounts are not known', async () => {
    await using bot = await startPushed()
    bot.venue.account(ANN, 10_000)
    bot.push.follow([ANN])
    bot.push.start(bot.hear)
    await bot.hears(() => bot.push.status().subscriptions === 1)
    await bot.clock.advance(5_000)
    expect([bot.push.status().wallets.followed, bot.venue.push.channels()]).toEqual([0, ['market_stats/all']])
    await bot.reads(ANN)
    await bot.clock.advance(2_000)
    await bot.hears(() => bot.push.status().wallets.followed === 1)
  })

  test('without any account at the venue is told nothing of', async () => {
    await using bot = await startPushed()
    await bot.reads(BEN)
    bot.push.follow([BEN])
    bot.push.start(bot.hear)
    await bot.hears(() => bot.push.status().subscriptions === 1)
    await bot.clock.advance(20_000)
    expect([bot.wallets, bot.push.status().wallets.followed]).toEqual([[], 0])
  })

  test('of 20 sub-accounts is whole when the last of them is, and all are told as one', async () => {
    await using bot = await startPushed()
    const main = bot.venue.account(ANN, 10_000)
    main.trades('ETH', 1)
    const subs = Array.from({ length: 20 }, () => main.sub(10_000))
    for (const sub of subs) sub.trades('BTC', 0.1)
    await bot.readsMarkets()
    await bot.follows(ANN)
    expect(bot.last(ANN)?.answer.positions).toHaveLength(21)
    const [first] = bot.wallets
    expect(first?.whole, 'the first answer').toBe(false)
    const told = first?.answer
    expect((told?.positions.length ?? 0) + (told?.failedParts.length ?? 0)).toBe(21)
    expect(told?.failedParts.every(({ queued }) => queued)).toBe(true)
    subs[7]?.trades('SOL', 5)
    await bot.clock.advance(0)
    expect(bot.last(ANN)?.answer.positions).toHaveLength(22)
  })

  test('is told of a new sub-account after the next read', async () => {
    await using bot = await startPushed()
    const main = bot.venue.account(ANN, 10_000)
    await bot.readsMarkets()
    await bot.follows(ANN)
    const sub = main.sub(5_000)
    await bot.reads(ANN)
    expect(bot.push.status().wallets.followed, 'not whole without it').toBe(0)
    await bot.clock.advance(1_000)
    await bot.hears(() => bot.push.status().wallets.followed === 1)
    sub.trades('ETH', 1)
    await bot.clock.advance(0)
    expect(sizesOf(bot.last(ANN)?.answer)).toEqual([`${sub.index} 0 1`])
  })

  test('that nobody watches any more is left at the venue', async () => {
    await using bot = await startPushed()
    const [ann, ben] = [bot.venue.account(ANN, 100), bot.venue.account(BEN, 100)]
    await bot.follows(ANN, BEN)
    bot.push.follow([BEN])
    await bot.clock.advance(1_000)
    expect(bot.venue.push.channels()).toEqual(['market_stats/all', `account_all/${ben.index}`])
    ann.trades('ETH', 0.01)
    await bot.clock.advance(20_000)
    expect(bot.last(ANN)?.answer.positions).toEqual([])
    expect(bot.unusable()).toEqual([])
  })

  test('is told again while nothing happens, before a push counts as old', async () => {
    await using bot = await startPushed()
    bot.venue.account(ANN, 10_000).trades('ETH', 1)
    await bot.readsMarkets()
    await bot.follows(ANN)
    bot.wallets.length = 0
    await bot.clock.advance(60_000)
    const monos = bot.wallets.map(({ ms }) => ms)
    const gaps = monos.slice(1).map((ms, n) => ms - (monos[n] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan(10_000)
    expect(bot.wallets.every(({ whole }) => whole)).toBe(true)
  })

  test('is no longer told when its connection is dead, and again after another one is there', async () => {
    await using bot = await startPushed()
    const user = bot.venue.account(ANN, 10_000)
    user.trades('ETH', 1)
    await bot.readsMarkets()
    await bot.follows(ANN)
    bot.venue.push.silence('all')
    await bot.clock.advance(60_000)
    expect(bot.push.status()).toMatchObject({ why: expect.any(String), wallets: { followed: 0 } })
    bot.wallets.length = 0
    user.closes('ETH')
    await bot.clock.advance(30_000)
    expect(bot.wallets).toEqual([])
    bot.venue.push.speak()
    bot.venue.push.cut()
    await bot.clock.advance(25_000)
    await bot.hears(() => bot.push.status().wallets.followed === 1)
    expect(bot.last(ANN)).toMatchObject({ whole: true, answer: { positions: [] } })
  })

  test('stays followed for a while in which nothing happens: pings are answered', async () => {
    await using bot = await startPushed()
    bot.venue.account(ANN, 10_000)
    await bot.follows(ANN)
    await bot.clock.advance(20 * 60_000)
    expect(bot.push.status()).toMatchObject({ why: null, wallets: { followed: 1 } })
    expect([bot.told(), bot.venue.broken]).toEqual([['on'], []])
  })
})
