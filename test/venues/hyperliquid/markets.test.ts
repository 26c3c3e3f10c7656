import { describe, expect, test } from 'vitest'

import { exact } from '../../support/fixtures.ts'
import { errorOf, failureOf } from '../perps-data/server.ts'
import { aDex, aContext } from './records.ts'
import { type InfoUnderTest, refuse, startInfo } from './server.ts'

const HOUR = 3_600_000

describe('the markets', () => {
  const look = async (bot: InfoUnderTest, needed: string[] = []) => {
    const { markets, failedParts } = await bot.venue.markets(bot.asking(), needed)
    expect(failedParts).toEqual([])
    return [bot.news(), markets.map(({ id }) => id)]
  }

  test('are those of the main book; builders’ books come one after the other, and then rarely', async () => {
    await using bot = await startInfo()
    expect(await look(bot)).toEqual([
      ['metaAndAssetCtxs', 'perpDexs'],
      ['BTC', 'ETH'],
    ])
    expect(bot.spent()).toBe(40)
    expect(await look(bot)).toEqual([['metaAndAssetCtxs xyz'], ['xyz:NVDA']])
    expect(await look(bot)).toEqual([['metaAndAssetCtxs'], ['BTC', 'ETH']])
    expect(bot.spent()).toBe(40)
    await bot.clock.advance(10_000)
    expect((await look(bot))[0]).toEqual(['metaAndAssetCtxs flx'])
    for (const _poll of [1, 2, 3]) {
      await bot.clock.advance(10_000)
      expect((await look(bot))[0]).toEqual(['metaAndAssetCtxs'])
    }
    await bot.clock.advance(HOUR)
    expect((await look(bot))[0]).toEqual(['metaAndAssetCtxs xyz', 'perpDexs'])
  })

  test('are listed a book at a time', async () => {
    await using bot = await startInfo()
    const listed = async () =>
      (await bot.venue.markets(bot.asking(), [])).listings?.map(({ dex, symbols }) => [
        dex,
        ...symbols.keys(),
      ])
    expect(await listed()).toEqual([[null, 'BTC', 'ETH']])
    expect(await listed()).toEqual([['xyz', 'xyz:NVDA']])
  })

  test('of a builder’s book that somebody needs take turns with the main ones', async () => {
    await using bot = await startInfo()
    const turns: unknown[] = []
    for (const _poll of [1, 2, 3, 4, 5]) {
      turns.push((await look(bot, ['xyz:NVDA', 'BTC']))[0])
      await bot.clock.advance(2_000)
    }
    expect(turns).toEqual([
      ['metaAndAssetCtxs', 'perpDexs'],
      ['metaAndAssetCtxs flx'],
      ['metaAndAssetCtxs xyz'],
      ['metaAndAssetCtxs'],
      ['metaAndAssetCtxs xyz'],
    ])
  })

  test('in a book that there is not are not asked for', async () => {
    await using bot = await startInfo()
    await bot.venue.markets(bot.asking(), [])
    bot.answers('metaAndAssetCtxs', ({ dex }) => aDex([{ name: dex === undefined ? 'BTC' : `${dex}:X` }]))
    bot.news()
    for (const _poll of [1, 2, 3]) await look(bot, ['abc:NVDA'])
    expect(bot.asked.filter(({ dex }) => dex === 'abc')).toEqual([])
  })

  test('of a book that fails are unread, and the main ones are read in its place', async () => {
    await using bot = await startInfo()
    await bot.venue.markets(bot.asking(), ['xyz:NVDA'])
    bot.answers('metaAndAssetCtxs', ({ dex }) =>
      dex === 'xyz' ? refuse(500, 'null') : aDex([{ name: dex === undefined ? 'BTC' : `${dex}:X` }]),
    )
    const ask = () => bot.venue.markets(bot.asking(), ['xyz:NVDA'])
    const answers = [await ask(), await ask()]
    expect(answers.at(-1)?.markets.map(({ id }) => id)).toEqual(['BTC'])
    expect(answers.at(-1)?.failedParts).toEqual([{ part: 'xyz', why: 'The venue refused with status 500.' }])
  })

  test('of no book at all are a failure', async () => {
    await using bot = await startInfo()
    bot.answers('metaAndAssetCtxs', () => refuse(500, 'null'))
    expect(await failureOf(bot.venue.markets(bot.asking(), []))).toMatchObject({ is: 'refused', status: 500 })
  })

  test('without the list of builders’ books are those of the main one, and it is said', async () => {
    await using bot = await startInfo()
    bot.answers('perpDexs', () => refuse(500, 'null'))
    const { markets, failedParts } = await bot.venue.markets(bot.asking(), [])
    expect(markets).toHaveLength(2)
    expect(failedParts).toMatchObject([{ part: 'builders’ books' }])
  })

  test('one of them is served from the last list while that is fresh, and then read with its book', async () => {
    await using bot = await startInfo()
    await bot.venue.markets(bot.asking(), [])
    bot.news()
    expect((await bot.venue.market('ETH', bot.asking())).id).toBe('ETH')
    expect(bot.news()).toEqual([])
    bot.answers('metaAndAssetCtxs', () => aDex([{ name: 'ETH' }], [aContext({ markPx: '50.0' })]))
    await bot.clock.advance(10_000)
    expect((await bot.venue.market('ETH', bot.asking())).price).toBe(exact('50'))
    expect(bot.news()).toEqual(['metaAndAssetCtxs'])
  })

  test('one in a book that there is not costs no request for it', async () => {
    await using bot = await startInfo()
    const error = await errorOf(bot.venue.market('abc:NVDA', bot.asking()))
    expect(error.message).toBe('The venue has no market abc:NVDA.')
    expect(bot.news()).toEqual(['perpDexs'])
  })
})
