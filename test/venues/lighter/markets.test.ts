import { describe, expect, test } from 'vitest'

import { toNumber } from '../../../src/venue/amount.ts'
import { createApi } from '../../../src/venues/lighter/api.ts'
import { createMarkets } from '../../../src/venues/lighter/markets.ts'
import type { Stat } from '../../../src/venues/lighter/wire/stats.ts'
import { createAsk } from '../../../src/venues/http/ask.ts'
import { openTransport } from '../../../src/venues/http/request.ts'
import { handClock } from '../../support/clock.ts'
import { exact } from '../../support/fixtures.ts'
import { startLighter } from '../../support/lighter/server.ts'
import { asking } from './memory.ts'

async function started() {
  const standIn = await startLighter()
  const clock = handClock()
  const transport = openTransport(new URL(standIn.url), clock)
  const ask = createAsk({ transport, clock, emit: () => {}, random: () => 0.5, secret: null })
  const markets = createMarkets({ api: createApi(ask, null), clock })
  return {
    ...{ standIn, clock, markets },
    asked: () => standIn.asked.map(({ path }) => path),
    async [Symbol.asyncDispose]() {
      await transport.close()
      await standIn.stop()
    },
  }
}

const stat = (id: string, mark: string, over: Partial<Stat> = {}): Stat => ({
  ...{ price24hAgo: null, volume24hUsd: null },
  ...{ id, mark: exact(mark), index: exact(mark), ratePerHour: exact('0.00001'), ...over },
})
const ACTIVE = ['0', '1', '2', '3', '4', '5', '6', '7']

describe('a poll', () => {
  test('has every perpetual, and no spot market', async () => {
    await using bot = await started()
    const { markets, listings, unusable } = await bot.markets.markets(asking)
    expect(markets.map(({ id }) => id)).toEqual([...ACTIVE, '8'])
    expect(markets.filter(({ delisted }) => delisted).map(({ symbol }) => symbol)).toEqual(['MKR'])
    expect([...(listings?.[0]?.symbols.keys() ?? [])]).toEqual(ACTIVE)
    expect(unusable).toEqual([])
    expect(bot.asked().toSorted()).toEqual(['funding-rates', 'orderBookDetails'])
  })

  test('takes eight hours of funding for three eighths of a day’s', async () => {
    await using bot = await started()
    // Per cent of an hour.
    bot.standIn.market('ETH').funding = -0.002
    const [eth] = (await bot.markets.markets(asking)).markets
    expect(toNumber(eth?.fundingRatePerDay ?? 0n)).toBeCloseTo((-0.002 / 100) * 24, 12)
  })

  test('asks for the rates again after ten minutes, and not meanwhile', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    await bot.markets.markets(asking)
    expect(bot.asked().filter((path) => path === 'funding-rates')).toHaveLength(1)
    await bot.clock.advance(600_000)
    await bot.markets.markets(asking)
    expect(bot.asked().filter((path) => path === 'funding-rates')).toHaveLength(2)
  })

  test('without rates fails with a sentence', async () => {
    await using bot = await started()
    bot.standIn.rewrites('funding-rates', () => ({ code: 200, funding_rates: [] }))
    const poll = bot.markets.markets(asking)
    await expect(poll).rejects.toThrow('it names no funding rates, and none were pushed yet')
  })

  test('of an older list has the marks that were pushed, and without any it fails', async () => {
    await using bot = await started()
    bot.standIn.older()
    await expect(bot.markets.markets(asking)).rejects.toThrow('it names no mark prices')
    bot.markets.tell([stat('0', '3600')], true, [])
    const { markets, unusable } = await bot.markets.markets(asking)
    expect(markets.map(({ id, price }) => [id, toNumber(price)])).toEqual([['0', 3_600]])
    expect(unusable.map(({ what }) => what)).toContain('market 1')
    await bot.clock.advance(10_001)
    await expect(bot.markets.markets(asking)).rejects.toThrow('it names no mark prices')
  })
})

describe('one market', () => {
  test('is served from a poll of the last seconds', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    expect((await bot.markets.market('1', 'market', asking)).symbol).toBe('BTC')
    expect(bot.asked()).toHaveLength(2)
    await bot.clock.advance(5_001)
    await bot.markets.market('1', 'market', asking)
    expect(bot.asked()).toHaveLength(3)
  })

  test.each(['2048', '77', 'ETH'])('called %s is none', async (id) => {
    await using bot = await started()
    await expect(bot.markets.market(id, 'market', asking)).rejects.toThrow(id)
  })
})

describe('a push', () => {
  test('is not whole before the list was read', async () => {
    await using bot = await started()
    const all = ACTIVE.map((id) => stat(id, '10'))
    expect(bot.markets.tell(all, true, ['0'])).toMatchObject({ answer: { markets: [] }, whole: false })
    await bot.markets.markets(asking)
    expect(bot.markets.tell(all, true, ['0']).whole).toBe(true)
  })

  test('with some markets leaves the others as they were', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    bot.markets.tell(
      ACTIVE.map((id) => stat(id, '10')),
      true,
      ACTIVE,
    )
    const { answer, whole } = bot.markets.tell([stat('3', '11')], false, ACTIVE)
    expect(whole).toBe(true)
    const prices = answer.markets.map(({ price, delisted }) => (delisted ? 'over' : toNumber(price)))
    expect(prices).toEqual([10, 10, 10, 11, 10, 10, 10, 10, 'over'])
    expect(toNumber(answer.markets[3]?.fundingRatePerDay ?? 0n)).toBeCloseTo(0.00024, 12)
  })

  test('is not whole where a needed market is missing', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    expect(bot.markets.tell([stat('3', '11')], true, ['3', '4']).whole).toBe(false)
    // Neither one that is over nor one that does not exist can be pushed.
    expect(bot.markets.tell([stat('3', '11')], true, ['3', '8', '99']).whole).toBe(true)
  })

  test('of a market that the list lacks has the list read again, once', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    const told = [stat('3', '11'), stat('50', '1')]
    expect(bot.markets.tell(told, true, ['3']).whole).toBe(false)
    await bot.markets.markets(asking)
    expect(bot.markets.tell(told, false, ['3']).whole).toBe(true)
  })

  test('asks for the list again after ten minutes', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    await bot.clock.advance(600_000)
    expect(bot.markets.tell([stat('3', '11')], true, ['3']).whole).toBe(false)
  })

  test('that has ended is forgotten', async () => {
    await using bot = await started()
    await bot.markets.markets(asking)
    bot.markets.tell([stat('3', '11')], true, ['3'])
    bot.markets.cut()
    expect(bot.markets.tell([stat('4', '12')], false, ['3', '4']).whole).toBe(false)
  })
})

test('the last mark is the newer one of list and push', async () => {
  await using bot = await started()
  expect(bot.markets.mark('0')).toBeNull()
  await bot.markets.markets(asking)
  expect(bot.markets.mark('0')?.price).toBe(exact('3550.69'))
  await bot.clock.advance(1_000)
  bot.markets.tell([stat('0', '3600')], true, [])
  expect(bot.markets.mark('0')).toEqual({ price: exact('3600'), mono: bot.clock.monotonic() })
})
