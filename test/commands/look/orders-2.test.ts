import { describe, expect, test } from 'vitest'

import { wholeOrderItem } from '../../../src/commands/look/orders.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { Order } from '../../../src/venue/order.ts'
import { NOON } from '../../support/clock.ts'
import { anOrder, exact } from '../../support/fixtures.ts'

const reads = (over: Partial<Order>) =>
  plainLines(
    message([
      wholeOrderItem({
        order: anOrder({ id: 'h', state: 'open', venueStatus: 'open', ...over }),
        symbol: 'ETH',
        wallet: 'main',
      }),
    ]),
    {
      now: NOON,
      zone: 'UTC',
    },
  )
const below = { lower: null, upper: exact('2900'), acceptable: null }
const monitor = { isProtective: true, reduceOnly: true, type: 'Stop Market', stopLoss: below }

describe('an order is called what it is', () => {
  test('a stop loss that follows the whole position', () => {
    expect(reads({ ...monitor, size: 'all' })).toEqual([
      'ETH stop loss: open',
      '  whole position · Stop Market · main',
      '  stop loss $2,900.00',
    ])
  })

  test('a take profit of a part of it', () => {
    expect(
      reads({ ...monitor, type: 'Take Profit Market', stopLoss: null, takeProfit: below, size: exact('-2') }),
    ).toEqual([
      'ETH take profit: open',
      '  2 ETH of a short · Take Profit Market · main',
      '  take profit $2,900.00',
    ])
  })

  test('one that may only reduce says so', () => {
    expect(reads({ reduceOnly: true, size: exact('-1'), type: 'Limit' })[1]).toBe(
      '  sell 1 ETH · Limit · reduce only · main',
    )
  })

  test('one that is set off by a price and opens something is no stop loss', () => {
    expect(reads({ stopLoss: below })).toContain('  set off at $2,900.00')
  })
})

describe('the venue’s own word stands beside ours', () => {
  test.each([
    ['where it says more', 'marginCanceled', '1 ETH · marginCanceled · main'],
    ['and not where it is the same, spelt otherwise', 'canceled', '1 ETH · main'],
  ])('%s', (_where, venueStatus, words) =>
    expect(reads({ state: 'cancelled', venueStatus })[1]).toContain(words),
  )

  test('also of what guarded a position and does so no more', () => {
    const over = { ...monitor, state: 'cancelled' as const, venueStatus: 'reduceOnlyCanceled' }
    expect(reads(over)[1]).toContain('reduceOnlyCanceled')
  })
})
