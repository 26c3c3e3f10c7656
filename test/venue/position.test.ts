import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { plainText, type Text } from '../../src/message/message.ts'
import {
  distance,
  fundingPerDay,
  isRenamed,
  liquidationText,
  notional,
  onBrokenScale,
  positionKey,
  side,
  sizeText,
  unrealisedPnl,
} from '../../src/venue/position.ts'
import { ALICE, aPosition, BOB, exact } from '../support/fixtures.ts'

const long = aPosition({ size: exact('2') })
const short = aPosition({ size: exact('-2') })

test('a negative size is a short', () => {
  expect(side(long)).toBe('long')
  expect(side(short)).toBe('short')
  expect(side({ size: -1n })).toBe('short')
})

describe('a position is the same position', () => {
  test('whatever its size, entry or liquidation price become', () => {
    const later = aPosition({ size: exact('9'), entryPrice: exact('1'), liquidationPrice: null })
    expect(positionKey(later)).toBe(positionKey(long))
  })

  test.each([
    ['wallet', { wallet: BOB }],
    ['account', { accountId: '2' }],
    ['market', { marketId: '200' }],
    ['side', { size: exact('-2') }],
  ])('not when its %s is another', (_what, over) => {
    expect(positionKey(aPosition({ wallet: ALICE, ...over }))).not.toBe(positionKey(long))
  })
})

test.each([
  ['in a market of another name', { marketId: '200' }, true],
  ['in the same market', {}, false],
  ['of another size', { marketId: '200', size: exact('3') }, false],
  ['from another entry', { marketId: '200', entryPrice: exact('101') }, false],
  ['in another account', { marketId: '200', accountId: '2' }, false],
  ['opened at another time', { marketId: '200', openedAt: 7 }, false],
])('a position %s is the same under a new name: %s', (_what, over, isSame) => {
  expect(isRenamed(long, aPosition({ ...long, ...over }))).toBe(isSame)
})

describe('the distance to liquidation is a fraction of the price', () => {
  test.each([
    ['long', 2500, 2000, 0.2],
    ['short', 2500, 3000, 0.2],
    ['long', 2000, 2000, 0],
    ['short', 3000, 3000, 0],
    ['long', 1000, 2000, -1],
    ['short', 4000, 3000, -0.25],
  ] as const)('a %s at %d, liquidated at %d: %d', (towards, price, liquidation, expected) => {
    expect(distance(towards, price, liquidation)).toBe(expected)
  })

  test('what brings a long nearer takes a short away', () => {
    const prices = fc.double({ min: 1e-9, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(prices, prices, (price, liquidation) => {
        expect(distance('long', price, liquidation) + distance('short', price, liquidation)).toBe(0)
      }),
    )
  })
})

test.each([
  ['far below a long', '2', '0.00001', false],
  ['a million times above a long', '2', '100000000', true],
  ['far above a short', '-2', '100000000', false],
  ['a million times below a short', '-2', '0.0001', true],
])('without an entry price, a liquidation price %s', (_where, size, at, speaksOfBrokenScale) => {
  const position = aPosition({ size: exact(size), entryPrice: null, liquidationPrice: exact(at) })
  expect(onBrokenScale(position, exact('100'))).toBe(speaksOfBrokenScale)
})

test('a position’s worth has no sign, its profit has', () => {
  expect(notional(long, exact('2600'))).toBe(5200)
  expect(notional(short, exact('2600'))).toBe(5200)
  expect(unrealisedPnl(long, exact('2600'))).toBe(200)
  expect(unrealisedPnl(short, exact('2600'))).toBe(-200)
  expect(unrealisedPnl(short, exact('2400'))).toBe(200)
})

test.each([
  ['a long pays a positive rate', long, '0.001', -5],
  ['a short receives a positive rate', short, '0.001', 5],
  ['a long receives a negative rate', long, '-0.001', 5],
  ['a short pays a negative rate', short, '-0.001', -5],
])('%s', (_what, position, rate, dollars) => {
  const market = { price: exact('2500'), fundingRatePerDay: exact(rate) }
  expect(fundingPerDay(position, market)).toBe(dollars)
  expect(fundingPerDay(position, { ...market, fundingPrice: exact('2550') })).toBeCloseTo(dollars * 1.02, 9)
})

test('sizes and liquidation prices read well on a phone', () => {
  const read = (text: Text) => plainText(text, { now: 0, zone: 'UTC' })
  expect(read(sizeText(aPosition({ size: exact('1.5') }), 'BTC', exact('97678')))).toBe('1.5 BTC, $146.5k')
  expect(read(sizeText(short, 'ETH', null))).toBe('2 ETH')
  expect(read(liquidationText(aPosition({ liquidationPrice: exact('92013.4') })))).toBe(
    'liquidation at $92,013',
  )
  expect(read(liquidationText(aPosition({ liquidationPrice: null })))).toBe('no liquidation price')
})
