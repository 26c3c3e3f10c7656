import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import type { Order } from '../../../src/venue/order.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, aPosition, exact } from '../../support/fixtures.ts'
import { guards, listing, waits } from '../../support/orders.ts'

const kind = eventNamed('order-filled')
const filled = (order: Order): Order => ({ ...order, state: 'filled', venueStatus: 'LimitExecuted' })
const [first, second, third] = [waits('1'), waits('2'), waits('3')]

/** Lists of orders, look by look. */
function told(...lists: Order[][]): string {
  const readings = lists.map((orders, look) => listing(look, orders))
  return occurrences(kind, {}, readings)
}

describe('an order that waited for its price', () => {
  test.each([
    ['is told when it is filled, once', [[first], [filled(first)], [filled(first)]], '1:filled'],
    ['is not told of at the first look', [[filled(first)], [filled(first)]], ''],
    ['is no news while it waits', [[first], [first, second]], ''],
    [
      'is told also when it came and was filled between two looks',
      [[first], [first, filled(second)]],
      '1:filled',
    ],
    ['that an empty first list has hidden is not told so', [[], [filled(waits('-700'))]], ''],
    ['that is as old as what was seen is not told so', [[second], [second, filled(first)]], ''],
    ['is silent when it is gone without a word', [[first], [], []], ''],
    ['is told when a list that lacked it has it again', [[first], [], [filled(first)]], '2:filled'],
    [
      'is forgotten ten minutes after',
      [[first], ...Array.from({ length: 42 }, () => []), [filled(first)]],
      '',
    ],
    ['is silent when its trader takes it back', [[first], [{ ...first, state: 'cancelled' as const }]], ''],
    [
      'is not what guards a position',
      [[guards('1', { stopLoss: '2300' })], [filled(guards('1', { stopLoss: '2300' }))]],
      '',
    ],
    [
      'is told with others of its market',
      [
        [first, second, third],
        [filled(first), filled(second), third],
        [filled(first), filled(third)],
      ],
      '1:filled 2:filled',
    ],
    [
      'is told apart from those of another market',
      [
        [first, waits('2', { marketId: '200' })],
        [filled(first), filled(waits('2', { marketId: '200' }))],
      ],
      '1:filled 1:filled',
    ],
  ])('%s', (_what, lists, said) => expect(told(...lists)).toBe(said))
})

test('ten thousand at once are one item for each market', () => {
  const all = Array.from({ length: 10_000 }, (_, at) =>
    waits(String(at), { marketId: at % 2 ? '100' : '200' }),
  )
  const readings = [listing(0, all.slice(-900)), listing(1, all.map(filled))]
  expect(occurrences(kind, {}, readings)).toBe('1:filled 1:filled')
})

test('it asks what became of those that wait, and of no other', () => {
  const { state: memo } = kind.detect({}, undefined, listing(0, [first, second, filled(third)]))
  expect(kind.awaits(memo)).toEqual(['1', '2'])
  const { state: next } = kind.detect({}, memo, listing(1, [filled(first)]))
  expect(kind.awaits(next)).toEqual(['2'])
})

test('says what was bought and sold, whose it is, how old that is, and that it was while we were away', () => {
  const sold = waits('2', {
    size: exact('-4'),
    limit: { lower: exact('2900'), upper: null, acceptable: null },
  })
  const { state: memo } = kind.detect({}, undefined, listing(0, [first, sold]))
  const subject = listing(1, [filled(first), filled(sold)], { awaySince: NOON - 600_000 })
  const items = kind.detect({}, memo, subject).occurrences.map((one) => kind.tell({}, one, subject))
  expect(plainLines(message(items), { now: subject.now, zone: 'UTC' })).toEqual([
    '[INFO] ETH: 2 orders filled',
    '  buy 1 ETH, limit $2,400.00, placed 12:00 UTC',
    '  sell 4 ETH, limit $2,900.00, placed 12:00 UTC',
    '  main',
    '  while I was away, 11:50 UTC to 12:00 UTC',
  ])
})

test('bears on the position that is there, else on the one that it would open', () => {
  const bearing = (positions: ReturnType<typeof aPosition>[], order: Order) => {
    const { state: memo } = kind.detect({}, undefined, listing(0, [order], { positions }))
    const subject = listing(1, [filled(order)], { positions, market: () => aMarket() })
    return kind.detect({}, memo, subject).occurrences[0]?.bearsOn?.split('/').slice(1).join('/')
  }
  expect(bearing([aPosition()], waits('1', { size: exact('-1') }))).toBe('1/100/long')
  expect(bearing([], waits('1', { size: exact('-1') }))).toBe('1/100/short')
  expect(bearing([], waits('1', { marketId: null }))).toBeUndefined()
})
