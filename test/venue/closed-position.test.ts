import { describe, expect, test } from 'vitest'

import { message, plainLines, plainText } from '../../src/message/message.ts'
import {
  awayText,
  type ClosedPosition,
  CLOSE_SEVERITY,
  describeClose,
} from '../../src/venue/closed-position.ts'
import { positionKey } from '../../src/venue/position.ts'
import { NOON } from '../support/clock.ts'
import { anEnding, anOrder, aPosition, exact } from '../support/fixtures.ts'

const position = aPosition()
const reader = { now: NOON, zone: 'UTC' }

function gone(over: Partial<ClosedPosition> = {}): ClosedPosition {
  return {
    key: positionKey(position),
    position,
    symbol: 'ETH',
    lastSeenAt: NOON - 4_000,
    awaySince: null,
    cause: 'closed',
    ending: null,
    takerFee: null,
    lastPrice: 2500,
    lastDistance: 0.2,
    worstPrice: 2480,
    orders: [],
    ...over,
  }
}

const told = (over: Partial<ClosedPosition> = {}) =>
  plainLines(message([describeClose(gone(over), { label: 'main', now: NOON })]), reader).join('\n')

describe('a position that is gone is told with the evidence', () => {
  test.each([
    ['closed', 'INFO', 'ETH long was closed'],
    ['probably liquidated', 'CRITICAL', 'ETH long was probably liquidated'],
    ['unknown', 'WARNING', 'ETH long is gone, cause unknown'],
    ['liquidated', 'CRITICAL', 'ETH long was liquidated'],
    ['settled', 'WARNING', 'ETH long was settled by the venue'],
  ] as const)('%s', (cause, mark, title) => {
    expect(told({ cause })).toContain(`[${mark}] ${title}`)
    expect(CLOSE_SEVERITY[cause]).toBe(mark.toLowerCase())
  })

  test.each([
    ['delisted', 'was settled: the market is delisted'],
    ['unlisted', 'is gone: its market is no longer listed'],
  ] as const)('settled in a market that is %s', (market, words) => {
    expect(told({ cause: 'settled', market })).toContain(`[WARNING] ETH long ${words}`)
  })

  test('it says how big it was, whose, and where it was last seen', () => {
    expect(told()).toContain('2 ETH · main\n  estimated from the last price I saw')
    expect(told()).toContain('  liquidation at $2,000.00\n')
    expect(told()).toContain('last seen 4.0 s ago, 20.0% from liquidation at $2,500.00')
  })

  test.each([
    ['a price that stayed away', {}, 'Closest price since then: $2,480.00'],
    [
      'a price that went there',
      { cause: 'probably liquidated', worstPrice: 1990 } as const,
      'the price went to $1,990.00 since',
    ],
    ['no price at all', { lastPrice: null, lastDistance: null }, 'last seen 4.0 s ago\n'],
    ['no liquidation price', { lastDistance: null }, 'last seen 4.0 s ago at $2,500.00'],
    [
      'a price beyond it',
      { lastDistance: -0.011 },
      'last seen 4.0 s ago, past its liquidation price at $2,500.00',
    ],
    ['orders that could not be read', { orders: null }, 'its orders could not be read'],
  ])('with %s', (_what, over, words) => expect(told(over)).toContain(words))

  test('no doubt about orders where the venue shows nobody’s', () => {
    expect(told({ orders: 'hidden' })).not.toContain('orders')
  })

  test('a filled order of its market speaks; no other one does, and no word of the venue is shown', () => {
    const active = { state: 'open', venueStatus: 'LimitExecuted', isProtective: true } as const
    expect(told({ orders: [anOrder({ state: 'filled' })] })).toContain('an order of it was filled')
    expect(told({ orders: [anOrder({ state: 'filled', marketId: '200' })] })).not.toContain('order')
    expect(
      told({ orders: [anOrder(active), anOrder({ state: 'open', venueStatus: 'LimitSubmitted' })] }),
    ).not.toMatch(/order|Limit/)
  })

  test('what it cost or brought is an estimate, and says from what', () => {
    expect(told({ lastPrice: 2480 })).toContain(
      'lost about $40.00 before fees\n  2 ETH · main\n  estimated from the last price I saw, entry $2,500.00, before fees',
    )
    expect(told({ lastPrice: 2600 })).toContain('made about $200 before fees')
    expect(told({ cause: 'probably liquidated', lastPrice: 2010 })).toContain(
      'lost about $1,000 or more, estimated at liquidation, entry $2,500.00, before fees',
    )
    expect(told({ cause: 'unknown', lastPrice: 2600 })).toContain(
      'made about $200, or lost about $1,000 if it was liquidated',
    )
    expect(told({ cause: 'unknown', lastPrice: 2480 })).toContain(
      'lost about $40.00, or $1,000 if it was liq',
    )
    expect(told({ lastPrice: null, lastDistance: null })).not.toContain('about')
  })

  test('one that was liquidated has not gained, though its price rose: funding took its margin', () => {
    const bled = aPosition({ liquidationPrice: exact('2520') })
    const words = told({ cause: 'probably liquidated', position: bled })
    expect(words).toContain(
      'lost its margin, though the price alone made about $40.00: to funding, or elsewhere',
    )
  })

  test('where the venue says what closing costs, the estimate has its fee', () =>
    expect(told({ lastPrice: 2600, takerFee: exact('0.0005') })).toContain(
      'made about $197 (my estimate)\n  2 ETH · main\n  estimated from the last price I saw, entry $2,500.00, $2.60 fee included',
    ))

  test.each([
    ['12.5', 'Funding received while open: $12.50'],
    ['-0.42', 'Funding paid while open: $0.42'],
  ])('funding that came or went is told beside the result, in no sum', (fundingUsd, words) => {
    expect(told({ position: { ...position, fundingUsd: exact(fundingUsd) } })).toContain(words)
    expect(told({ position: { ...position, fundingUsd: 0n } })).not.toContain('funding')
  })

  test('where nobody knows the cause it says who does', () => {
    expect(told({ cause: 'unknown' })).toContain('Check the venue to see how it ended.')
    expect(told({ cause: 'closed' })).not.toContain('on the venue')
  })

  test('what vanished while the bot was down is told as such', () => {
    expect(told({ awaySince: NOON - 7 * 60_000 })).toContain('while I was away, 11:53 UTC to 12:00 UTC')
    expect(told({ cause: 'unknown', awaySince: NOON - 7 * 60_000 })).not.toContain('no price nearer')
    expect(told()).not.toContain('away,')
  })
})

describe('a position whose end the venue has recorded', () => {
  const recorded = (ending: Parameters<typeof anEnding>[0] = {}, over: Partial<ClosedPosition> = {}) =>
    told({ ending: anEnding({ at: NOON - 3_000, ...ending }), ...over })

  test('is told with its price and its result, and with no estimate beside them', () => {
    expect(recorded()).toBe(
      [
        '[INFO] ETH long was closed',
        '  made $196 at $2,600.00 on average, $4.00 fee included',
        '  2 ETH · main',
        '  liquidation at $2,000.00',
        '  ended 3.0 s ago, by the venue’s record',
      ].join('\n'),
    )
  })

  test.each([
    [
      'a loss',
      { realisedPnlUsd: exact('-1040.5'), price: exact('1979.75') },
      'lost $1,045 at $1,979.75 on average,',
    ],
    ['a part of it', { size: exact('0.5') }, 'made $196 on 0.5 ETH at $2,600.00 on average,'],
    [
      'more than it was when last seen',
      { size: exact('5') },
      'made $196 on 5 ETH at $2,600.00 on average, with what was closed just before, $4.00 fee included',
    ],
    ['no price', { price: null }, 'made $196, $4.00 fee included'],
    [
      'no fees',
      { feesUsd: null },
      'made $200 at $2,600.00 on average: the trade alone, before fees and funding',
    ],
    ['fees of nothing', { feesUsd: 0n }, 'made $200 at $2,600.00 on average, no fee'],
    ['fees that it was paid', { feesUsd: exact('-1.5') }, 'made $202 at $2,600.00 on average, $1.50 of fees'],
    ['fees that turn it into a loss', { realisedPnlUsd: exact('1') }, 'lost $3.00 at $2,600.00'],
    ['a price alone', { realisedPnlUsd: null }, 'ended at $2,600.00 on average\n'],
    ['a clock that is ahead of ours', { at: NOON + 900 }, 'ended just now, by the venue’s record'],
  ])('with %s', (_what, ending, words) => expect(recorded(ending)).toContain(words))

  test('with neither price nor result says when it ended, and guesses nothing', () => {
    const words = recorded({ price: null, realisedPnlUsd: null })
    expect(words.split('\n')[1]).toBe('  2 ETH · main')
    expect(words).not.toMatch(/about|estimate|no price nearer/)
  })

  test('while the bot was down is told as such, too', () => {
    expect(recorded({}, { awaySince: NOON - 7 * 60_000 })).toContain(
      'while I was away, 11:53 UTC to 12:00 UTC',
    )
  })
})

test('a position that was settled without a record has an estimate that says so, and nothing of its price', () => {
  const words = told({ cause: 'settled', lastPrice: 2600, orders: null })
  expect(words).toContain(
    'made about $200, estimated from the last price I saw, entry $2,500.00, before fees',
  )
  expect(words).not.toMatch(/no price nearer|orders/)
})

test('being away has a beginning and an end', () => {
  expect(plainText(awayText(NOON - 180_000, NOON), reader)).toBe('while I was away, 11:57 UTC to 12:00 UTC')
  expect(plainText(awayText(NOON - 20_000, NOON), reader)).toBe('while I was away for 20 s')
})
