import { describe, expect, test } from 'vitest'

import { VenueError } from '../../../src/venue/venue.ts'
import { testVenue } from '../../contracts/venue.ts'
import { exact } from '../../support/fixtures.ts'
import { failureOf } from '../perps-data/server.ts'
import open from './recorded/frontendOpenOrders-tpsl-2023.json' with { type: 'json' }
import past from './recorded/historicalOrders-2025.json' with { type: 'json' }
import status from './recorded/orderStatus-testnet.json' with { type: 'json' }
import unknown from './recorded/orderStatus-unknownOid.json' with { type: 'json' }
import { aFill, OWNER, STRANGER } from './records.ts'
import { holds, refuse, reply, startInfo } from './server.ts'

testVenue('hyperliquid', async () => {
  const venue = await startInfo()
  holds(venue)
  venue.answers('frontendOpenOrders', () => open.body)
  venue.answers('historicalOrders', () => past.body)
  venue.answers('orderStatus', () => unknown.body)
  venue.answers('l2Book', () => ({ levels: [[{ px: '99.9', sz: '50.0' }], [{ px: '100.1', sz: '50.0' }]] }))
  venue.answers('userFees', () => ({ userCrossRate: '0.00045' }))
  venue.answers('activeAssetData', () => ({
    leverage: { type: 'cross', value: 10 },
    maxTradeSzs: ['5.0', '5.0'],
  }))
  return {
    venue: venue.venue,
    wallet: OWNER,
    stranger: STRANGER,
    draft: { wallet: OWNER, accountId: 'main', marketId: 'ETH', sizeDelta: exact('-1') },
    held: 'ETH',
    close: () => venue.close(),
    weight: { markets: 40, positions: 26 },
  }
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
    // Whoever counts from the events counts the same.
    const told = bot.events.map((event) => (event.is === 'venue-request' ? event.weight : 0))
    expect(told.reduce((sum, weight) => sum + weight, 0)).toBe(21)
  })

  test('in a state that the venue does not have cost nothing', async () => {
    await using bot = await started()
    expect(await bot.venue.orders(OWNER, ['pending', 'expired'], bot.asking())).toEqual({
      orders: [],
      unusable: [],
      unasked: [],
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

describe('what became of orders', () => {
  test('is asked of each, and weighs two', async () => {
    await using bot = await startInfo()
    bot.answers('orderStatus', ({ oid }) => (oid === 141622259364 ? unknown.body : status.body))
    const orderOutcomes = await bot.venue.orderOutcomes?.(
      OWNER,
      ['37907159219', '141622259364', 'h12'],
      bot.asking(),
    )
    expect(orderOutcomes?.orders).toMatchObject([{ id: '37907159219', state: 'filled', marketId: 'ETH' }])
    expect(bot.asked.map(({ oid }) => oid)).toEqual([37907159219, 141622259364])
    expect(bot.spent()).toBe(4)
  })

  test('is looked for in the list of what is over where they are many', async () => {
    await using bot = await startInfo()
    bot.answers('historicalOrders', () => past.body)
    const [wanted] = past.body
    const ids = [String(wanted?.order.oid), ...Array.from({ length: 40 }, (_, at) => String(at))]
    const orderOutcomes = await bot.venue.orderOutcomes?.(OWNER, ids, bot.asking())
    expect(orderOutcomes?.orders.map(({ id }) => id)).toEqual([ids[0]])
    expect(bot.news()).toEqual(['historicalOrders'])
  })

  test('is a VenueError where the answer is none', async () => {
    await using bot = await startInfo()
    bot.answers('orderStatus', () => ({ nothing: 'known' }))
    expect(
      await failureOf(bot.venue.orderOutcomes?.(OWNER, ['1'], bot.asking()) ?? Promise.resolve()),
    ).toMatchObject({
      is: 'unreadable',
    })
  })
})

describe('how positions ended', () => {
  test('is asked from the time on that is meant, and weighs more by the number of fills', async () => {
    await using bot = await startInfo()
    bot.answers('userFillsByTime', () => [aFill({ oid: null })])
    const closeRecords = await bot.venue.closeRecords?.(OWNER, 1_789_000_000_000, bot.asking())
    expect(closeRecords).toMatchObject([{ marketId: 'ETH', how: 'closed', price: exact('90') }])
    expect(bot.asked).toMatchObject([
      { type: 'userFillsByTime', user: OWNER.toLowerCase(), startTime: 1_789_000_000_000 },
    ])
    expect(bot.spent()).toBe(21)
  })

  test('goes on from the last trade where an answer is full, and tells no end when that is too much', async () => {
    await using bot = await startInfo()
    const full = Array.from({ length: 2_000 }, (_, place) => aFill({ tid: place, time: place, oid: null }))
    const pages: unknown[][] = [full, [full.at(-1), aFill({ tid: 2_000, time: 2_000, oid: null })]]
    bot.answers('userFillsByTime', () => pages.shift() ?? full)
    expect(await bot.venue.closeRecords?.(OWNER, 0, bot.asking())).toMatchObject([{ at: 2_000 }])
    expect(bot.asked).toMatchObject([{ startTime: 0 }, { startTime: 1_999 }])
    await expect(bot.venue.closeRecords?.(OWNER, 0, bot.asking())).rejects.toThrow('traded too often')
  })

  test.each([
    ['its stop loss', 'Stop Market', true, true, 'stop-loss'],
    ['its stop loss with a limit', 'Stop Limit', true, false, 'stop-loss'],
    ['its take profit', 'Take Profit Market', true, true, 'take-profit'],
    ['a stop order that may open a position too', 'Stop Market', false, true, undefined],
    ['a limit order that waited', 'Limit', false, false, 'limit'],
    ['a limit order that was filled at once', 'Limit', false, true, undefined],
    ['its trader at the market', 'Market', false, true, undefined],
  ])('by %s is known from the order of its last fill', async (_what, orderType, reduceOnly, crossed, by) => {
    await using bot = await startInfo()
    bot.answers('userFillsByTime', () => [aFill({ oid: 7, crossed })])
    bot.answers('orderStatus', () => ({
      status: 'order',
      order: {
        order: { ...past.body[0]?.order, oid: 7, orderType, reduceOnly },
        status: 'filled',
        statusTimestamp: 5,
      },
    }))
    const ask = () => bot.venue.closeRecords?.(OWNER, 0, bot.asking())
    expect((await ask())?.[0]?.by).toBe(by)
    expect(bot.asked.map(({ type }) => type)).toEqual(['userFillsByTime', 'orderStatus'])
    // A second look, because the position shrank as well, costs the fills alone.
    await ask()
    expect(bot.spent()).toBe(21 + 2 + 21)
  })

  test.each([
    ['has forgotten it', () => ({ status: 'unknownOid' })],
    ['refuses it', () => refuse(500, 'null')],
  ])('tells its end all the same when the venue %s', async (_what, answer) => {
    await using bot = await startInfo()
    bot.answers('userFillsByTime', () => [aFill({ oid: 7 })])
    bot.answers('orderStatus', answer)
    const [record] = (await bot.venue.closeRecords?.(OWNER, 0, bot.asking())) ?? []
    expect(record).toMatchObject({ how: 'closed' })
    expect(record).not.toHaveProperty('by')
  })

  test('looks up eight orders at most, and none of a liquidation', async () => {
    await using bot = await startInfo()
    const liquidation = { liquidatedUser: OWNER, markPx: '90.0', method: 'market' }
    bot.answers('userFillsByTime', () => [
      ...Array.from({ length: 40 }, (_, n) => aFill({ oid: n + 1, tid: n, time: n, coin: `C${n}` })),
      aFill({ oid: 99, tid: 99, time: 99, liquidation }),
    ])
    bot.answers('orderStatus', () => ({ status: 'unknownOid' }))
    await bot.venue.closeRecords?.(OWNER, 0, bot.asking())
    const oids = bot.asked.flatMap(({ oid }) => (oid === undefined ? [] : [oid]))
    expect(new Set(oids)).toEqual(new Set([33, 34, 35, 36, 37, 38, 39, 40]))
  })

  test('who an address is weighs most of all, after its sub-accounts', async () => {
    await using bot = await startInfo()
    bot.answers('userRole', () => ({ role: 'missing' }))
    expect(await bot.venue.identify?.(OWNER, bot.asking(), false)).toEqual({ is: 'unknown' })
    expect(bot.spent()).toBe(80)
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
    const asked = bot.venue.identify?.(OWNER, bot.asking({ patience: 'person' }), false)
    while (times === 0) await bot.clock.advance(0)
    while (times < 2) await bot.clock.advance(250)
    expect(await asked).toEqual({ is: 'holder' })
    // What it weighs beyond an ordinary one is paid off when it is answered; its sub-accounts are asked for beside.
    expect(bot.spent()).toBe(100)
  })

  test('who does not answer in time is told as that', async () => {
    await using bot = await startInfo()
    bot.answers('userRole', () => reply(() => {}))
    const call = failureOf(bot.venue.identify?.(OWNER, bot.asking(), false) ?? Promise.resolve())
    while (bot.asked.length === 0) await bot.clock.advance(0)
    await bot.clock.advance(5_000)
    expect(await call).toEqual({ is: 'timeout' })
  })

  test('nothing else than a VenueError comes from it', async () => {
    await using bot = await startInfo()
    bot.answers('metaAndAssetCtxs', () => [{ universe: 5 }])
    await expect(bot.venue.markets(bot.asking(), [])).rejects.toBeInstanceOf(VenueError)
  })
})
