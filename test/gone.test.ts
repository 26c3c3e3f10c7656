import { describe, expect, test } from 'vitest'
import { awayText, GONE_SEVERITY, tellGone } from '../src/gone.ts'
import type { Gone } from '../src/gone.ts'
import { plainLines, plainText, message } from '../src/message.ts'
import { positionKey } from '../src/position.ts'
import { NOON } from './support/clock.ts'
import { anOrder, aPosition } from './support/fixtures.ts'

const position = aPosition()
const reader = { now: NOON, zone: 'UTC' }

function gone(over: Partial<Gone> = {}): Gone {
  return {
    key: positionKey(position),
    position,
    symbol: 'ETH',
    lastSeenAt: NOON - 4_000,
    awaySince: null,
    cause: 'closed',
    lastPrice: 2500,
    lastDistance: 0.2,
    worstPrice: 2480,
    orders: [],
    ...over,
  }
}

const told = (over: Partial<Gone> = {}) =>
  plainLines(message([tellGone(gone(over), { wallet: 'main', now: NOON })]), reader).join('\n')

describe('a position that is gone is told with the evidence', () => {
  test.each([
    ['closed', 'INFO', 'ETH long was closed'],
    ['probably liquidated', 'CRITICAL', 'ETH long was probably liquidated'],
    ['unknown', 'WARNING', 'ETH long is gone, cause unknown'],
  ] as const)('%s', (cause, mark, title) => {
    expect(told({ cause })).toContain(`[${mark}] ${title}`)
    expect(GONE_SEVERITY[cause]).toBe(mark.toLowerCase())
  })

  test('it says how big it was, whose, and where it was last seen', () => {
    expect(told()).toContain('2 ETH · liquidation at $2,000.00 · main')
    expect(told()).toContain('last seen 4.0 s ago, 20.0 % from liquidation at $2,500.00')
  })

  test.each([
    [
      'a price that stayed away',
      {},
      'price since came no nearer than $2,480.00, liquidation was at $2,000.00',
    ],
    [
      'a price that went there',
      { cause: 'probably liquidated', worstPrice: 1990 } as const,
      'price went to $1,990.00',
    ],
    ['no price since', { worstPrice: null }, 'missing in two reads; no order there'],
    ['no price at all', { lastPrice: null, lastDistance: null }, 'last seen 4.0 s ago\n'],
    ['no liquidation price', { lastDistance: null }, 'last seen 4.0 s ago at $2,500.00'],
    ['orders that could not be read', { orders: null }, 'orders could not be read'],
    ['no orders', {}, 'no order there'],
  ])('with %s', (_what, over, words) => expect(told(over)).toContain(words))

  test('only the orders of its market speak', () => {
    const orders = [anOrder({ status: 'LimitSubmitted' }), anOrder({ marketId: '200', status: 'Committed' })]
    const text = told({ orders })
    expect(text).toContain('LimitSubmitted')
    expect(text).not.toContain('Committed')
  })

  test('what vanished while the bot was down is told as such', () => {
    expect(told({ awaySince: NOON - 7 * 60_000 })).toContain('while I was away, 11:53 UTC to 12:00 UTC')
    expect(told()).not.toContain('away,')
  })
})

test('being away has a beginning and an end', () => {
  expect(plainText(awayText(NOON - 60_000, NOON), reader)).toBe('while I was away, 11:59 UTC to 12:00 UTC')
})
