import { describe, expect, test } from 'vitest'

import { formatDecimal, fromNumber, multiply, ONE } from '../../../src/venue/amount.ts'
import { findMarket, hoursToFlip } from '../../../src/venue/market.ts'
import { distance, side, unrealisedPnl } from '../../../src/venue/position.ts'
import { onBrokenScale } from '../../../src/venue/position.ts'
import { readMarkets, readSingleMarket } from '../../../src/venues/perps-data/wire/markets.ts'
import { readOrders } from '../../../src/venues/perps-data/wire/orders.ts'
import { readPositions } from '../../../src/venues/perps-data/wire/positions.ts'
import { fundingPercent } from '../../support/funding.ts'
import {
  ACCOUNT,
  guard,
  market,
  markets,
  OPEN_LOWER,
  OPEN_UPPER,
  order,
  OWNER,
  position,
  positions,
  preview,
  range,
  STRANGER,
  WHOLE_POSITION,
} from './records.ts'
import { failureOf, json, startVenue, text } from './server.ts'

/** The checklist of real data's traps (venue-facts, section 10): here for what the client and the nouns own of each. */
type Fields = Record<string, unknown>

function aMarket(over: Fields = {}) {
  const [read] = readMarkets(markets([market(over)]), 8008).markets
  if (!read) throw new Error('the market was not read')
  return read
}

function aPosition(over: Fields = {}) {
  const [read] = readPositions(positions([position(over)]), 8008, OWNER).positions
  if (!read) throw new Error('the position was not read')
  return read
}

describe('numbers', () => {
  test('1. a volume is an integer 0 or a float, and a price may come in exponent form', () => {
    expect(aMarket({ tradesVolume24h: 0 }).volume24hUsd).toBe(0n)
    expect(aMarket({ tradesVolume24h: 0.1 }).volume24hUsd).toBe(10n ** 17n)
    expect(aMarket({ price: 8.847e-7 }).price).toBe(884_700_000_000n)
  })

  test('2. prices as small as 0.0000010412 and scales of 10^11 units hold', () => {
    const small = aMarket({ price: 0.0000010412, skewScale: `${10n ** 29n}`, maxMarketSize: `${10n ** 29n}` })
    expect(formatDecimal(small.price)).toBe('0.0000010412')
    expect(formatDecimal(multiply(small.maxOpenInterest ?? 0n, small.price))).toBe('104120')
  })

  test('3. open interest is "digits.00"', () => {
    expect(aMarket({ longOI: '85398783236400345424.00' }).longOpenInterest).toBe(85_398_783_236_400_345_424n)
  })

  test('4. an account id of 39 digits and the size of a whole position never pass through a number', () => {
    expect(aPosition().accountId).toBe(ACCOUNT)
    const { orders } = readOrders([guard({ accountId: ACCOUNT })], 8008, OWNER)
    expect(orders[0]).toMatchObject({ accountId: ACCOUNT, size: 'all' })
  })

  test('5. a liquidation price of 15 to 17 digits is taken as it is', () => {
    expect(aPosition({ liquidationPrice: '320168214434283200000000' }).liquidationPrice).toBe(
      320_168_214_434_283_200_000_000n,
    )
  })

  test('6. an 18-decimal integer keeps every digit, on the way in and on the way out', async () => {
    expect(aPosition({ size: '-123456789012345678901' }).size).toBe(-123_456_789_012_345_678_901n)
    await using bot = await startVenue()
    bot.answers(json(preview()))
    const sizeDelta = 10n * ONE + 1n
    await bot.venue.preview({ wallet: OWNER, accountId: ACCOUNT, marketId: '100', sizeDelta }, bot.asking())
    expect(bot.heard[0]?.body).toContain('"sizeDelta":"10000000000000000001"')
  })
})

describe('markets', () => {
  test('7. a symbol is not normalised, and found in any case', () => {
    const { markets: all } = readMarkets(markets([market({ symbol: 'Sol' })]), 8008)
    expect([all[0]?.symbol, findMarket(all, 'SOL')?.symbol]).toEqual(['Sol', 'Sol'])
  })

  test('8. the list is sorted by id as text and has gaps: its order is kept, its ids are text', () => {
    const list = ['100', '1000', '1100', '200'].map((marketId) => market({ marketId }))
    expect(readMarkets(markets(list), 8008).markets.map((each) => each.id)).toEqual([
      '100',
      '1000',
      '1100',
      '200',
    ])
  })

  test('9. a frozen rate without trades promises no flip and divides by nothing', () => {
    const frozen = aMarket({
      skew: '0',
      currentOI: '0',
      currentFundingVelocity: '0',
      currentFundingRate: '-9',
    })
    expect(hoursToFlip(frozen)).toBeNull()
    expect(fundingPercent(frozen, 8_760, 'long')).toBeGreaterThan(0)
  })

  test('10. the side that pays is told by the rate, not by the skew', () => {
    const odd = aMarket({
      skew: `${5n * ONE}`,
      currentFundingRate: `-${ONE / 100n}`,
      currentFundingVelocity: `${ONE}`,
    })
    expect(fundingPercent(odd, 24, 'long')).toBeCloseTo(1, 12)
    expect(fundingPercent(odd, 24, 'short')).toBeCloseTo(-1, 12)
    expect(hoursToFlip(odd)).toBeCloseTo(0.24, 12)
  })

  test('11. all open interest on one side, and none at all', () => {
    expect(aMarket({ shortOI: '0.00' }).shortOpenInterest).toBe(0n)
    const none = aMarket({ longOI: '0.00', shortOI: '0.00', currentOI: '0', positiveSkew: '50.00' })
    expect([none.longOpenInterest, none.shortOpenInterest, none.openInterest]).toEqual([0n, 0n, 0n])
  })

  test('12. "paid by longs" is a signed income: the rate says it without those fields', () => {
    const read = aMarket({ currentFundingRate: `${ONE / 1_000n}`, netLongFundingRate1HInPercentage: 'x' })
    expect(fundingPercent(read, 24, 'long')).toBeCloseTo(-0.1, 12)
  })

  test('13. a mark price is taken when there is one and never needed', () => {
    expect(aMarket().otherPrice).toBeNull()
    expect(aMarket({ markPrice: 3_120.8 }).otherPrice).toBe(fromNumber(3_120.8))
  })

  test('14. the markets are those of the configured chain, not of the first', () => {
    const body = [
      { chainId: 80_008, markets: [market({ marketId: '7' })] },
      { chainId: 8008, markets: [market()] },
    ]
    expect(readMarkets(body, 8008).markets.map((each) => each.id)).toEqual(['100'])
    expect(readMarkets(body, 80_008).markets.map((each) => each.id)).toEqual(['7'])
  })
})

describe('positions', () => {
  test('15. a liquidation price of "0" is none: there is no distance', () => {
    expect(aPosition({ liquidationPrice: '0' }).liquidationPrice).toBeNull()
  })

  test('16. a liquidation price 117 times the entry price is legitimate', () => {
    const tiny = aPosition({
      size: '-250000000000000',
      avgEntryPrice: `${2_700n * ONE}`,
      liquidationPrice: `${315_900n * ONE}`,
    })
    expect(onBrokenScale(tiny, aMarket().price)).toBe(false)
    expect(distance(side(tiny), 2_700, 315_900)).toBe(116)
  })

  test('17. break-even prices far from the entry of a tiny position are no broken scale', () => {
    const tiny = { size: '-250000000000000', avgEntryPrice: `${2_700n * ONE}` }
    const far = {
      breakEvenPriceIncludingClosingFee: `${290n * ONE}`,
      breakEvenPriceExcludingClosingFee: `${785n * ONE}`,
    }
    expect(aPosition({ ...tiny, ...far })).toEqual({ ...aPosition(tiny), breakEvenPrice: 290n * ONE })
    expect(onBrokenScale(aPosition({ ...tiny, ...far }), aMarket().price)).toBe(false)
  })

  test('18. more positions than were received is said, not hidden', () => {
    const answer = readPositions(positions([position()], { totalCount: 3 }), 8008, OWNER)
    expect([answer.positions.length, answer.totalCount]).toEqual([1, 3])
  })

  test('19. an active take-profit or stop-loss is not a filled limit order', () => {
    const [active] = readOrders([guard()], 8008, OWNER).orders
    expect([active?.state, active?.venueStatus, active?.isProtective]).toEqual([
      'open',
      'LimitExecuted',
      true,
    ])
    const [filled] = readOrders([order({ status: 'LimitExecuted' })], 8008, OWNER).orders
    expect([filled?.state, filled?.isProtective]).toEqual(['filled', false])
  })

  test('20. profit is counted from the market price, whatever the last fill and the realised profit say', () => {
    const read = aPosition({ size: `${ONE}`, latestInteractionPrice: '1', totalRealisedPnlUsd: '5' })
    expect(unrealisedPnl(read, 3_060_250_000_000_000_000_000n)).toBe(10)
  })

  test('21. unrealised funding that moves while break-even does not is no other position', () => {
    const moved = aPosition({ unrealisedFundingUsd: '-400000000000000000' })
    expect(moved).toEqual({ ...aPosition(), fundingUsd: moved.fundingUsd })
  })

  test('22. interest on a position while its market says "0" is no contradiction', () => {
    expect(aPosition({ unrealisedInterestUsd: '-7' })).toEqual(aPosition())
  })

  test('23. an owner in any case is the same owner, and the user of an order may be another', () => {
    const body = positions([position()], { wallet: OWNER.toLowerCase() })
    expect(readPositions(body, 8008, OWNER).positions[0]?.wallet).toBe(OWNER)
    expect(
      readOrders({ wallet: OWNER, orders: [order({ user: STRANGER })] }, 8008, OWNER).orders,
    ).toHaveLength(1)
  })
})

describe('orders', () => {
  test('24. seconds and milliseconds in one record', () => {
    const [read] = readOrders(
      [order({ timestamp: 1_765_000_000, expiry: 1_796_000_000_000 })],
      8008,
      OWNER,
    ).orders
    expect([read?.createdAt, read?.expiresAt]).toEqual([1_765_000_000_000, 1_796_000_000_000])
    expect(aPosition({ entryTimestamp: 1_765_432_100_000 }).openedAt).toBe(1_765_432_100_000)
  })

  test('25. sentinels are neither prices nor sizes', () => {
    const open = range(OPEN_LOWER, OPEN_UPPER, '0')
    const [read] = readOrders([order({ size: `-${WHOLE_POSITION}`, priceRange: open })], 8008, OWNER).orders
    expect([read?.size, read?.limit]).toEqual(['all', null])
  })

  test('26. Comitted is read as Committed, and only what may be pending is asked for', async () => {
    await using bot = await startVenue()
    bot.answers(json([order({ status: 'Comitted' }), order({ status: 'Committed' })]))
    const { orders } = await bot.venue.orders(OWNER, ['pending'], bot.asking())
    expect(orders.map((each) => each.venueStatus)).toEqual(['Committed', 'Committed'])
    expect(new URL(bot.heard[0]?.url ?? '', bot.url).searchParams.get('statuses')).toBe('Created,Committed')
  })

  test('27. an unknown type or status is a word, not an error', () => {
    const answer = readOrders([order({ orderType: 'Twap', status: 'Paused' })], 8008, OWNER)
    expect(answer.orders[0]).toMatchObject({ type: 'Twap', state: null, venueStatus: 'Paused' })
    expect(answer.unusable).toEqual([])
  })
})

describe('transport', () => {
  test('28. envelopes, bare or with any of owner, chainId and totalCount', () => {
    for (const extra of [{}, { wallet: OWNER }, { chainId: 8008 }, { totalCount: 1 }]) {
      expect(readPositions({ positions: [position()], ...extra }, 8008, OWNER).positions).toHaveLength(1)
      expect(readOrders({ orders: [order()], ...extra }, 8008, OWNER).orders).toHaveLength(1)
    }
    expect(readPositions([position()], 8008, OWNER).positions).toHaveLength(1)
    expect(readOrders([order()], 8008, OWNER).orders).toHaveLength(1)
    for (const body of [market(), [market()], { chainId: 8008, markets: [market()] }]) {
      expect(readSingleMarket(body, 8008, '100').id).toBe('100')
    }
  })

  test.each([
    ['message', '{"message": "slow down"}'],
    ['error', '{"error": "slow down"}'],
    ['HTML', '<html><h1>429</h1></html>'],
    ['nothing', ''],
  ])('29. a 429 without Retry-After and an error, with %s', async (_what, body) => {
    await using bot = await startVenue()
    bot.answers(text(body, 429))
    expect(await failureOf(bot.venue.markets(bot.asking(), []))).toEqual({
      is: 'limited',
      retryAfterMs: null,
    })
    bot.answers(text(body, 500))
    const message = body.startsWith('{') ? 'slow down' : null
    expect(await failureOf(bot.venue.markets(bot.asking(), []))).toEqual({
      is: 'refused',
      status: 500,
      message,
    })
  })

  test('30. unknown extra fields everywhere, and one unparsable element among good ones', async () => {
    await using bot = await startVenue()
    const extra = { added: { later: [1, null, 'x'] } }
    bot.answers(
      json([{ chainId: 8008, ...extra, markets: [market(extra), 'x', market({ marketId: '200' })] }]),
    )
    const read = await bot.venue.markets(bot.asking(), [])
    expect([read.markets.length, read.unusable.length]).toEqual([2, 1])
    bot.answers(json(positions([position(extra), { ...extra }, position({ marketId: '200' })], extra)))
    const held = await bot.venue.positions(OWNER, bot.asking())
    expect([held.positions.length, held.unusable.length]).toEqual([2, 1])
    bot.answers(json({ orders: [order(extra), 'x'], ...extra }))
    const orders = await bot.venue.orders(OWNER, [], bot.asking())
    expect([orders.orders.length, orders.unusable.length]).toEqual([1, 1])
    expect(bot.events.filter((event) => event.is === 'venue-unusable')).toHaveLength(3)
  })
})
