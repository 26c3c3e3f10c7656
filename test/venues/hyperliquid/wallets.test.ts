import { describe, expect, test } from 'vitest'

import { type Asking, OTHER_ACCOUNTS } from '../../../src/venue/venue.ts'
import { exact } from '../../support/fixtures.ts'
import { failureOf } from '../perps-data/server.ts'
import { aLeg, anEmptyState, aState, OWNER } from './records.ts'
import { holds, type InfoUnderTest, refuse, reply, startInfo } from './server.ts'

const HOUR = 3_600_000

describe('the positions of a wallet', () => {
  test('are looked for in every book at first, then read where it holds something, and everywhere again each hour', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    const look = async () => {
      const { positions, failedParts, unusable } = await bot.venue.positions(OWNER, bot.asking())
      expect([failedParts, unusable]).toEqual([[], []])
      expect(positions.map(({ accountId, marketId }) => `${accountId} ${marketId}`)).toEqual([
        'main ETH',
        'xyz xyz:NVDA',
      ])
      return bot.news()
    }
    const everywhere = ['clearinghouseState', 'clearinghouseState flx', 'clearinghouseState xyz']
    expect(await look()).toEqual([...everywhere, 'perpDexs', 'userAbstraction'])
    expect(bot.spent()).toBe(3 * 2 + 20 + 20)
    expect(await look()).toEqual(['clearinghouseState', 'clearinghouseState xyz'])
    expect(bot.spent()).toBe(2 * 2)
    await bot.clock.advance(HOUR)
    expect(await look()).toEqual([...everywhere, 'perpDexs', 'userAbstraction'])
  })

  test('are read without the account mode for half a day, where no weight is left over', async () => {
    await using bot = await startInfo()
    holds(bot)
    const asksMode = async (over: Partial<Asking>) => {
      bot.news()
      await bot.venue.positions(OWNER, bot.asking(over))
      return bot.news().includes('userAbstraction')
    }
    const busy = { hasSpare: () => false }
    expect(await asksMode(busy)).toBe(true)
    await bot.clock.advance(2 * HOUR)
    expect(await asksMode(busy)).toBe(false)
    expect(await asksMode({ hasSpare: () => true })).toBe(true)
    await bot.clock.advance(11.9 * HOUR)
    expect(await asksMode(busy)).toBe(false)
    await bot.clock.advance(0.1 * HOUR)
    expect(await asksMode(busy)).toBe(true)
  })

  test('a book that has become empty is read again and again before it is left alone', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    await bot.venue.positions(OWNER, bot.asking())
    holds(bot, false)
    for (const waitMs of [0, 60_000, 60_000]) {
      await bot.clock.advance(waitMs)
      bot.news()
      expect((await bot.venue.positions(OWNER, bot.asking())).positions).toHaveLength(1)
      expect(bot.news()).toContain('clearinghouseState xyz')
    }
    await bot.clock.advance(600_000)
    await bot.venue.positions(OWNER, bot.asking())
    expect(bot.news()).toEqual(['clearinghouseState'])
  })

  describe('in books that were empty', () => {
    test('are looked for where weight is left over, and the answer names the books that it leaves out', async () => {
      await using bot = await startInfo()
      holds(bot)
      await bot.venue.positions(OWNER, bot.asking())
      await bot.clock.advance(60_000)
      bot.news()
      const { unasked } = await bot.venue.positions(OWNER, bot.asking())
      expect(bot.news()).toEqual(['clearinghouseState'])
      expect(unasked?.map(({ part, at }) => [part, bot.clock.now() - at])).toEqual([
        ['xyz', 60_000],
        ['flx', 60_000],
      ])
      const spare = await bot.venue.positions(OWNER, bot.asking({ hasSpare: () => true }))
      expect(bot.news()).toEqual(['clearinghouseState', 'clearinghouseState flx', 'clearinghouseState xyz'])
      expect(spare.unasked).toBeUndefined()
    })

    test('are looked for in every book before a person is told that nothing is open', async () => {
      await using bot = await startInfo()
      bot.answers('clearinghouseState', () => anEmptyState())
      await bot.venue.positions(OWNER, bot.asking())
      await bot.clock.advance(20_000)
      bot.answers('clearinghouseState', ({ dex }) =>
        dex === 'xyz' ? aState([aLeg({ coin: 'xyz:NVDA' })]) : anEmptyState(),
      )
      expect((await bot.venue.positions(OWNER, bot.asking())).positions).toEqual([])
      const { positions } = await bot.venue.positions(OWNER, bot.asking({ patience: 'person' }))
      expect(positions.map(({ marketId }) => marketId)).toEqual(['xyz:NVDA'])
    })
  })

  describe('when one book fails', () => {
    const failing = (bot: InfoUnderTest, failed: string | undefined) =>
      bot.answers('clearinghouseState', ({ dex }) =>
        dex === failed
          ? refuse(500, 'null')
          : aState([aLeg({ coin: dex === undefined ? 'ETH' : `${dex}:NVDA` })]),
      )

    test('that may hold something, it is unread and the others stand', async () => {
      await using bot = await startInfo()
      failing(bot, 'xyz')
      const { positions, failedParts } = await bot.venue.positions(OWNER, bot.asking())
      expect(positions.map(({ marketId }) => marketId)).toEqual(['ETH', 'flx:NVDA'])
      expect(failedParts).toEqual([{ part: 'xyz', why: 'The venue refused with status 500.' }])
    })

    test('and it is the main one, it is unread as well', async () => {
      await using bot = await startInfo()
      failing(bot, undefined)
      const { positions, failedParts } = await bot.venue.positions(OWNER, bot.asking())
      expect(positions).toHaveLength(2)
      expect(failedParts).toMatchObject([{ part: 'main' }])
    })

    test('that was empty when it was last looked at, nobody is disturbed, and it is looked at soon', async () => {
      await using bot = await startInfo()
      holds(bot)
      await bot.venue.positions(OWNER, bot.asking())
      await bot.clock.advance(HOUR)
      bot.answers('clearinghouseState', ({ dex }) =>
        dex === 'xyz' ? refuse(500, 'null') : dex === undefined ? aState([aLeg()]) : anEmptyState(),
      )
      expect((await bot.venue.positions(OWNER, bot.asking())).failedParts).toEqual([])
      await bot.clock.advance(300_000)
      bot.news()
      await bot.venue.positions(OWNER, bot.asking())
      expect(bot.news()).toEqual(['clearinghouseState', 'clearinghouseState xyz'])
    })

    test('and all others do too, the read fails', async () => {
      await using bot = await startInfo()
      bot.answers('clearinghouseState', () => refuse(500, 'null'))
      expect(await failureOf(bot.venue.positions(OWNER, bot.asking()))).toEqual({
        is: 'refused',
        status: 500,
        message: null,
      })
    })
  })

  test('are not read when that is called off, whatever came until then', async () => {
    await using bot = await startInfo()
    holds(bot)
    const stop = new AbortController()
    bot.answers('clearinghouseState', ({ dex }) =>
      dex === 'xyz' ? reply(() => stop.abort()) : anEmptyState(),
    )
    expect(await failureOf(bot.venue.positions(OWNER, bot.asking({ signal: stop.signal })))).toEqual({
      is: 'aborted',
    })
  })

  test('without the list of builders’ books are not all: it is said', async () => {
    await using bot = await startInfo()
    holds(bot)
    bot.answers('perpDexs', () => refuse(500, 'null'))
    expect((await bot.venue.positions(OWNER, bot.asking())).failedParts).toMatchObject([
      { part: OTHER_ACCOUNTS },
    ])
  })
})

describe('the accounts of a wallet', () => {
  const accounts = async (bot: InfoUnderTest) =>
    (await bot.venue.positions(OWNER, bot.asking())).accounts.map(({ wallet: _wallet, ...rest }) => rest)

  test('each have their own equity, where collateral lies in the books', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    await bot.venue.markets(bot.asking(), [])
    await bot.venue.market('xyz:NVDA', bot.asking())
    expect(await accounts(bot)).toEqual(
      ['main', 'xyz'].map((accountId) => ({
        accountId,
        pool: accountId,
        mode: 'single',
        equityUsd: exact('86'),
        maintenanceUsd: exact('10'),
        marginRatio: 10 / 86,
        withdrawableUsd: exact('66'),
      })),
    )
  })

  test('of a unified wallet have the equity of spot, of which nothing is added', async () => {
    await using bot = await startInfo()
    holds(
      bot,
      false,
      aState([aLeg()], { ...anEmptyState(), assetPositions: [aLeg()], crossMaintenanceMarginUsed: '10.0' }),
    )
    bot.answers('userAbstraction', () => 'unifiedAccount')
    bot.answers('spotClearinghouseState', () => ({
      balances: [{ coin: 'USDC', token: 0, total: '500.0', hold: '0.0' }],
    }))
    expect(await accounts(bot)).toEqual([
      {
        accountId: 'main',
        pool: 'main',
        mode: 'unified',
        equityUsd: exact('500'),
        maintenanceUsd: exact('10'),
        marginRatio: 0.02,
        withdrawableUsd: null,
      },
    ])
  })

  test('of a wallet whose mode has just changed are never at their end: the mode is asked for again', async () => {
    await using bot = await startInfo()
    holds(bot)
    await accounts(bot)
    // The collateral has moved to spot.
    const moved = { ...anEmptyState(), assetPositions: [aLeg()], crossMaintenanceMarginUsed: '10.0' }
    bot.answers('clearinghouseState', ({ dex }) => (dex === undefined ? moved : anEmptyState()))
    bot.answers('userAbstraction', () => refuse(500, 'null'))
    expect(await accounts(bot)).toMatchObject([{ equityUsd: null, marginRatio: null }])
    bot.answers('userAbstraction', () => 'unifiedAccount')
    bot.answers('spotClearinghouseState', () => ({
      balances: [
        { coin: '+1234', total: '3.0', hold: '0.0' },
        { coin: 'USDC', token: 0, total: '500.0', hold: '0.0' },
      ],
    }))
    await bot.clock.advance(300_000)
    expect(await accounts(bot)).toMatchObject([
      { mode: 'unified', equityUsd: exact('500'), marginRatio: 0.02 },
    ])
  })

  test('that are at their end in the mode that they have are believed, and the mode is asked for once', async () => {
    await using bot = await startInfo()
    const gone = { ...anEmptyState(), assetPositions: [aLeg()], crossMaintenanceMarginUsed: '10.0' }
    bot.answers('clearinghouseState', ({ dex }) => (dex === undefined ? gone : anEmptyState()))
    expect(await accounts(bot)).toMatchObject([{ marginRatio: 1 }])
    bot.news()
    expect(await accounts(bot)).toMatchObject([{ marginRatio: 1 }])
    expect(bot.news()).not.toContain('userAbstraction')
  })

  test('of a unified wallet whose balances do not come are never worth nothing', async () => {
    await using bot = await startInfo()
    holds(bot)
    bot.answers('userAbstraction', () => 'unifiedAccount')
    bot.answers('spotClearinghouseState', () => refuse(500, 'null'))
    expect(await accounts(bot)).toMatchObject([{ equityUsd: null, marginRatio: null }])
  })

  test('of a unified wallet have no ratio while one of its books cannot be read: what that one needs is not known', async () => {
    await using bot = await startInfo()
    bot.answers('userAbstraction', () => 'unifiedAccount')
    bot.answers('spotClearinghouseState', () => ({
      balances: [{ coin: 'USDC', token: 0, total: '500.0', hold: '0.0' }],
    }))
    bot.answers('clearinghouseState', ({ dex }) =>
      dex === 'xyz' ? refuse(500, 'null') : dex === undefined ? aState([aLeg()]) : anEmptyState(),
    )
    expect(await accounts(bot)).toMatchObject([{ accountId: 'main', pool: 'main', marginRatio: null }])
  })

  test('whose mode could not be had are there soon, and it is asked for ever more rarely', async () => {
    await using bot = await startInfo()
    holds(bot, false)
    bot.answers('userAbstraction', () => refuse(500, 'null'))
    const look = async () => (await bot.venue.positions(OWNER, bot.asking())).accounts.length
    let tries = 0
    for (let second = 0; second < 600; second += 5) {
      bot.news()
      await look()
      tries += bot.news().filter((one) => one === 'userAbstraction').length
      await bot.clock.advance(5_000)
    }
    expect(tries).toBeGreaterThan(4)
    expect(tries).toBeLessThan(9)
    bot.answers('userAbstraction', () => 'default')
    await bot.clock.advance(300_000)
    expect(await look()).toBe(1)
  })

  test('of a wallet whose mode is not known are not shown, and its positions are', async () => {
    await using bot = await startInfo()
    holds(bot)
    bot.answers('userAbstraction', () => 'somethingNew')
    const { positions, accounts: shown, failedParts } = await bot.venue.positions(OWNER, bot.asking())
    expect([positions.length, shown, failedParts]).toEqual([1, [], []])
    bot.news()
    await bot.venue.positions(OWNER, bot.asking())
    expect(bot.news()).toEqual(['clearinghouseState'])
  })
})
