import { describe, expect, test } from 'vitest'

import { VenueError } from '../../../src/venue.ts'
import { testVenue } from '../../contracts/venue.ts'
import { exact } from '../../support/fixtures.ts'
import { errorOf, failureOf } from '../perps-data/server.ts'
import { aBook, aContext, aFill, aLeg, anEmptyState, aState, OWNER, STRANGER } from './records.ts'
import open from './recorded/frontendOpenOrders-tpsl-2023.json' with { type: 'json' }
import past from './recorded/historicalOrders-2025.json' with { type: 'json' }
import { refuse, reply, startInfo } from './server.ts'
import type { InfoUnderTest } from './server.ts'

const HOUR = 3_600_000

/** OWNER holds ETH in the main book, and with `xyz` a long there too; anybody else holds nothing. */
function holds(venue: InfoUnderTest, inXyz = false, main = aState([aLeg()])): void {
  venue.answers('clearinghouseState', ({ user, dex }) => {
    if (user !== OWNER.toLowerCase()) return anEmptyState()
    if (dex === undefined) return main
    return inXyz && dex === 'xyz' ? aState([aLeg({ coin: 'xyz:NVDA' })]) : anEmptyState()
  })
}

testVenue('hyperliquid', async () => {
  const venue = await startInfo()
  holds(venue)
  venue.answers('frontendOpenOrders', () => open.body)
  venue.answers('historicalOrders', () => past.body)
  venue.answers('l2Book', () => ({ levels: [[{ px: '99.9', sz: '50.0' }], [{ px: '100.1', sz: '50.0' }]] }))
  venue.answers('userFees', () => ({ userCrossRate: '0.00045' }))
  venue.answers('activeAssetData', () => ({
    leverage: { type: 'cross', value: 10 },
    maxTradeSzs: ['5.0', '5.0'],
  }))
  return {
    venue: venue.venue,
    owner: OWNER,
    stranger: STRANGER,
    draft: { owner: OWNER, accountId: 'main', marketId: 'ETH', sizeDelta: exact('-1') },
    held: 'ETH',
    close: () => venue.close(),
    weight: { markets: 40, positions: 26 },
  }
})

describe('the markets', () => {
  const look = async (bot: InfoUnderTest) => {
    const { markets, unread } = await bot.venue.markets(bot.asking())
    expect(unread).toEqual([])
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

  test('of a builder’s book in which a known wallet holds something take turns with the main ones', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    await bot.venue.positions(OWNER, bot.asking())
    bot.news()
    const turns: unknown[] = []
    for (const _poll of [1, 2, 3, 4, 5]) {
      turns.push((await look(bot))[0])
      await bot.clock.advance(2_000)
    }
    expect(turns).toEqual([
      ['metaAndAssetCtxs'],
      ['metaAndAssetCtxs flx'],
      ['metaAndAssetCtxs xyz'],
      ['metaAndAssetCtxs'],
      ['metaAndAssetCtxs xyz'],
    ])
  })

  test('of a book that fails are unread, and the main ones are read in its place', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    await bot.venue.positions(OWNER, bot.asking())
    await bot.venue.markets(bot.asking())
    bot.answers('metaAndAssetCtxs', ({ dex }) =>
      dex === 'xyz' ? refuse(500, 'null') : aBook([{ name: dex === undefined ? 'BTC' : `${dex}:X` }]),
    )
    const answers = [await bot.venue.markets(bot.asking()), await bot.venue.markets(bot.asking())]
    expect(answers.at(-1)?.markets.map(({ id }) => id)).toEqual(['BTC'])
    expect(answers.at(-1)?.unread).toEqual([{ part: 'xyz', why: 'The venue refused with status 500.' }])
  })

  test('of no book at all are a failure', async () => {
    await using bot = await startInfo()
    bot.answers('metaAndAssetCtxs', () => refuse(500, 'null'))
    expect(await failureOf(bot.venue.markets(bot.asking()))).toMatchObject({ is: 'refused', status: 500 })
  })

  test('without the list of builders’ books are those of the main one, and it is said', async () => {
    await using bot = await startInfo()
    bot.answers('perpDexs', () => refuse(500, 'null'))
    const { markets, unread } = await bot.venue.markets(bot.asking())
    expect(markets).toHaveLength(2)
    expect(unread).toMatchObject([{ part: 'builders’ books' }])
  })

  test('one of them is served from the last list while that is fresh, and then read with its book', async () => {
    await using bot = await startInfo()
    await bot.venue.markets(bot.asking())
    bot.news()
    expect((await bot.venue.market('ETH', bot.asking())).id).toBe('ETH')
    expect(bot.news()).toEqual([])
    bot.answers('metaAndAssetCtxs', () => aBook([{ name: 'ETH' }], [aContext({ markPx: '50.0' })]))
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

describe('the positions of a wallet', () => {
  test('are looked for in every book at first, then read where it holds something, and everywhere again each hour', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    const look = async () => {
      const { positions, unread, unusable } = await bot.venue.positions(OWNER, bot.asking())
      expect([unread, unusable]).toEqual([[], []])
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
      const { positions, unread } = await bot.venue.positions(OWNER, bot.asking())
      expect(positions.map(({ marketId }) => marketId)).toEqual(['ETH', 'flx:NVDA'])
      expect(unread).toEqual([{ part: 'xyz', why: 'The venue refused with status 500.' }])
    })

    test('and it is the main one, it is unread as well', async () => {
      await using bot = await startInfo()
      failing(bot, undefined)
      const { positions, unread } = await bot.venue.positions(OWNER, bot.asking())
      expect(positions).toHaveLength(2)
      expect(unread).toMatchObject([{ part: 'main' }])
    })

    test('that was empty when it was last looked at, nobody is disturbed, and it is looked at soon', async () => {
      await using bot = await startInfo()
      holds(bot)
      await bot.venue.positions(OWNER, bot.asking())
      await bot.clock.advance(HOUR)
      bot.answers('clearinghouseState', ({ dex }) =>
        dex === 'xyz' ? refuse(500, 'null') : dex === undefined ? aState([aLeg()]) : anEmptyState(),
      )
      expect((await bot.venue.positions(OWNER, bot.asking())).unread).toEqual([])
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
    expect((await bot.venue.positions(OWNER, bot.asking())).unread).toMatchObject([
      { part: 'builders’ books' },
    ])
  })
})

describe('the accounts of a wallet', () => {
  const accounts = async (bot: InfoUnderTest) =>
    (await bot.venue.positions(OWNER, bot.asking())).accounts.map(({ owner: _owner, ...rest }) => rest)

  test('each have their own equity, where collateral lies in the books', async () => {
    await using bot = await startInfo()
    holds(bot, true)
    await bot.venue.markets(bot.asking())
    await bot.venue.market('xyz:NVDA', bot.asking())
    expect(await accounts(bot)).toEqual(
      ['main', 'xyz'].map((accountId) => ({
        accountId,
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
        mode: 'unified',
        equityUsd: exact('500'),
        maintenanceUsd: exact('10'),
        marginRatio: 0.02,
        withdrawableUsd: null,
      },
    ])
  })

  test('of a unified wallet whose balances do not come are never worth nothing', async () => {
    await using bot = await startInfo()
    holds(bot)
    bot.answers('userAbstraction', () => 'unifiedAccount')
    bot.answers('spotClearinghouseState', () => refuse(500, 'null'))
    expect(await accounts(bot)).toMatchObject([{ equityUsd: null, marginRatio: null }])
  })

  test('of a wallet whose mode is not known are not shown, and its positions are', async () => {
    await using bot = await startInfo()
    holds(bot)
    bot.answers('userAbstraction', () => 'somethingNew')
    const { positions, accounts: shown, unread } = await bot.venue.positions(OWNER, bot.asking())
    expect([positions.length, shown, unread]).toEqual([1, [], []])
    bot.news()
    await bot.venue.positions(OWNER, bot.asking())
    expect(bot.news()).toEqual(['clearinghouseState'])
  })
})

describe('the orders of a wallet', () => {
  const started = async () => {
    const bot = await startInfo()
    bot.answers('frontendOpenOrders', () => open.body)
    bot.answers('historicalOrders', () => past.body)
    return bot
  }

  test('that wait are asked of the books in which it holds something', async () => {
    await using bot = await started()
    holds(bot, true)
    await bot.venue.positions(OWNER, bot.asking())
    bot.news()
    bot.spent()
    const { orders } = await bot.venue.orders(OWNER, ['open'], bot.asking())
    expect(new Set(orders.map(({ state }) => state))).toEqual(new Set(['open']))
    expect(bot.news()).toEqual(['frontendOpenOrders', 'frontendOpenOrders xyz'])
    expect(bot.spent()).toBe(40)
  })

  test('that are over are asked for alone, and weigh more by their number', async () => {
    await using bot = await started()
    const { orders } = await bot.venue.orders(OWNER, ['cancelled'], bot.asking())
    expect(orders.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
    expect(bot.news()).toEqual(['historicalOrders'])
    expect(bot.spent()).toBe(21)
  })

  test('in a state that the venue does not have cost nothing', async () => {
    await using bot = await started()
    expect(await bot.venue.orders(OWNER, ['pending', 'expired'], bot.asking())).toEqual({
      orders: [],
      unusable: [],
    })
    expect(bot.news()).toEqual([])
  })

  test('of all states are each there once: what waits is in the list of what waits', async () => {
    await using bot = await started()
    const waiting = { order: open.body[0], status: 'open', statusTimestamp: 1 }
    const gone = { order: { ...open.body[0], oid: 5 }, status: 'open', statusTimestamp: 1 }
    const elsewhere = {
      order: { ...open.body[0], oid: 6, coin: 'flx:X' },
      status: 'open',
      statusTimestamp: 1,
    }
    const filledInPart = { order: open.body[1], status: 'triggered', statusTimestamp: 1 }
    bot.answers('historicalOrders', () => [waiting, gone, elsewhere, filledInPart])
    const { orders } = await bot.venue.orders(OWNER, [], bot.asking())
    expect(orders.map(({ id }) => id).toSorted()).toEqual(['3184595905', '3184595906', '3184595907', '6'])
  })
})

describe('how positions ended', () => {
  test('is asked from the time on that is meant, and weighs more by the number of fills', async () => {
    await using bot = await startInfo()
    bot.answers('userFillsByTime', () => [aFill()])
    const endings = await bot.venue.endings?.(OWNER, 1_789_000_000_000, bot.asking())
    expect(endings).toMatchObject([{ marketId: 'ETH', how: 'closed', price: exact('90') }])
    expect(bot.asked).toMatchObject([
      { type: 'userFillsByTime', user: OWNER.toLowerCase(), startTime: 1_789_000_000_000 },
    ])
    expect(bot.spent()).toBe(21)
  })

  test('who an address is weighs most of all', async () => {
    await using bot = await startInfo()
    bot.answers('userRole', () => ({ role: 'missing' }))
    expect(await bot.venue.identify?.(OWNER, bot.asking())).toEqual({ is: 'unknown' })
    expect(bot.spent()).toBe(60)
  })
})

describe('how it says no', () => {
  test.each([
    ['429 with null is a limit', 429, 'null', { is: 'limited', retryAfterMs: null }],
    [
      '422 has its words',
      422,
      'Failed to deserialize the JSON body into the target type',
      { is: 'refused', status: 422, message: 'Failed to deserialize the JSON body into the target type' },
    ],
    ['500 with null has no words', 500, 'null', { is: 'refused', status: 500, message: null }],
    ['200 with null is no answer', 200, 'null', { is: 'unreadable' }],
  ])('%s', async (_what, status, text, failure) => {
    await using bot = await startInfo()
    bot.answers('clearinghouseState', () => refuse(status, text))
    expect(await failureOf(bot.venue.positions(OWNER, bot.asking()))).toMatchObject(failure)
  })

  test('who waits for a person asks again, and every attempt is spent', async () => {
    await using bot = await startInfo()
    let times = 0
    bot.answers('userRole', () =>
      times++ === 0 ? reply((response) => response.socket?.destroy()) : { role: 'user' },
    )
    const asked = bot.venue.identify?.(OWNER, bot.asking({ patience: 'person' }))
    while (times === 0) await bot.clock.advance(0)
    while (times < 2) await bot.clock.advance(250)
    expect(await asked).toEqual({ is: 'holder' })
    expect(bot.spent()).toBe(120)
  })

  test('who does not answer in time is told as that', async () => {
    await using bot = await startInfo()
    bot.answers('userRole', () => reply(() => {}))
    const call = failureOf(bot.venue.identify?.(OWNER, bot.asking()) ?? Promise.resolve())
    while (bot.asked.length === 0) await bot.clock.advance(0)
    await bot.clock.advance(5_000)
    expect(await call).toEqual({ is: 'timeout' })
  })

  test('nothing else than a VenueError comes from it', async () => {
    await using bot = await startInfo()
    bot.answers('metaAndAssetCtxs', () => [{ universe: 5 }])
    await expect(bot.venue.markets(bot.asking())).rejects.toBeInstanceOf(VenueError)
  })
})
