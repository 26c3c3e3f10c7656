import { describe, expect, test } from 'vitest'

import type { Order } from '../../../src/venue/order.ts'
import { eventNamed, occurrences, titleOf } from '../../support/engine.ts'
import { aPosition, exact } from '../../support/fixtures.ts'
import { guards, listing, waits } from '../../support/orders.ts'

const kind = eventNamed('order-expired')
const order = waits('1')
const sell = waits('2', { size: exact('-2') })
const expired = (one: Order): Order => ({ ...one, state: 'expired', venueStatus: 'Expired' })
const cancelled = (venueStatus: string): Order => ({ ...order, state: 'cancelled', venueStatus })

describe('an order that ends without being filled', () => {
  test.each([
    ['is told when it runs out, once', [[order], [expired(order)], [expired(order)]], '1:not filled'],
    ['is not told of at the first look', [[expired(order)], [expired(order)]], ''],
    ['is told when it was to close something', [[sell], [expired(sell)]], '1:closing order not filled'],
    [
      'is told when the venue turns it away',
      [[order], [{ ...order, state: 'rejected' as const }]],
      '1:not filled',
    ],
    ['is told when the venue calls it off', [[order], [cancelled('marginCanceled')]], '1:not filled'],
    [
      'is silent when its trader takes it back',
      [[order], [cancelled('canceled')], [cancelled('Cancelled')]],
      '',
    ],
    [
      'is silent when the venue has no word for it',
      [[order], [{ ...order, state: 'cancelled' as const, venueStatus: null }]],
      '',
    ],
    ['is silent when it is filled', [[order], [{ ...order, state: 'filled' as const }]], ''],
    [
      'is not what guards a position',
      [[guards('1', { stopLoss: '2300' })], [expired(guards('1', { stopLoss: '2300' }))]],
      '',
    ],
  ])('%s', (_what, lists, said) => {
    expect(
      occurrences(
        kind,
        {},
        lists.map((orders, look) => listing(look, orders)),
      ),
    ).toBe(said)
  })
})

// the position | the order | how loud, and the title
test.each([
  ['a long', aPosition(), sell, 'warning', 'ETH sell order expired'],
  ['a long', aPosition(), waits('2'), 'info', 'ETH buy order expired'],
  ['a long', aPosition(), waits('2', { reduceOnly: true }), 'warning', 'ETH buy order expired'],
  ['a short', aPosition({ size: exact('-2') }), waits('2'), 'warning', 'ETH buy order expired'],
  ['a long in another account', aPosition({ accountId: '9' }), sell, 'info', 'ETH sell order expired'],
])('%s: %#', (_what, position, one, severity, title) => {
  const { state: memo } = kind.detect({}, undefined, listing(0, [one], { positions: [position] }))
  const subject = listing(1, [expired(one)], { positions: [position] })
  const [occurrence] = kind.detect({}, memo, subject).occurrences
  if (!occurrence) throw new Error('nothing has happened')
  const item = kind.tell({}, occurrence, subject)
  expect([kind.severity({}, occurrence), item.tone, titleOf(item)]).toEqual([severity, severity, title])
})

test('nothing is said to be still open while a position is missing', () => {
  const { state: memo } = kind.detect({}, undefined, listing(0, [sell]))
  const subject = listing(1, [expired(sell)], { missing: ['any'] })
  expect(kind.detect({}, memo, subject).occurrences.map(({ what }) => what)).toEqual(['not filled'])
})
