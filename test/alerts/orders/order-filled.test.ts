import { describe, expect, test } from 'vitest'

import { message, plainLines } from '../../../src/message/message.ts'
import { magnitude } from '../../../src/venue/amount.ts'
import type { Order } from '../../../src/venue/order.ts'
import type { OrderFills } from '../../../src/venue/record/order-fills.ts'
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

/** The buy of one ETH, worked off so far by the venue's record. */
function worked(done: string, over: Partial<Order> = {}): Order {
  const [size, before] = [exact(done), exact('2')]
  const fills = { ...{ size, before, after: before + size, price: exact('2400'), realisedUsd: 0n }, at: NOON }
  return {
    ...waits('1', { size: exact('1') - size }),
    doneSize: size,
    fills: { ...fills, feeUsd: exact('1') },
    ...over,
  }
}
const cut = (order: Order): Order => ({ ...order, state: 'cancelled', venueStatus: 'canceled' })
const unread = { fills: null }

describe('an order of which a part is filled', () => {
  test.each([
    ['is told at once', [[first], [worked('0.2')]], '1:partly filled'],
    ['is told once', [[first], [worked('0.2')], [worked('0.2')]], '1:partly filled'],
    [
      'gathers for a minute: looks are fifteen seconds apart',
      [[first], ...['0.2', '0.3', '0.4', '0.5', '0.6'].map((done) => [worked(done)])],
      '1:partly filled 5:partly filled',
    ],
    [
      'tells after that minute what was gathered, though no more came',
      [[first], [worked('0.2')], ...Array.from({ length: 6 }, () => [worked('0.3')])],
      '1:partly filled 5:partly filled',
    ],
    [
      'is told at once when it ends',
      [[first], [worked('0.2')], [filled(worked('1'))]],
      '1:partly filled 2:filled',
    ],
    ['is not told of parts from before the first look', [[worked('0.2')], [worked('0.2')]], ''],
    ['is told of parts that come later', [[worked('0.2')], [worked('0.3')]], '1:partly filled'],
    ['is told also where it is new', [[], [worked('0.2', { createdAt: NOON + 60_000 })]], '1:partly filled'],
    ['is no news while the record shows no trade', [[first], [{ ...first, doneSize: exact('0.2') }]], ''],
    ['is no news while the record is unread', [[first], [worked('0.2', unread)]], ''],
    [
      'is told once the record is read',
      [[first], [worked('0.2', unread)], [worked('0.2')]],
      '2:partly filled',
    ],
    ['is told when the rest is cancelled', [[first], [cut(worked('0.2'))]], '1:partly filled'],
    ['is told so once', [[first], [worked('0.2')], [cut(worked('0.2'))]], '1:partly filled'],
    ['is silent when all of it is cancelled', [[first], [cut(first)]], ''],
    [
      'is told once, whatever lists lack it',
      [[first], [worked('0.2')], [], [worked('0.2')]],
      '1:partly filled',
    ],
    [
      'is not what guards a position',
      [[guards('1', { stopLoss: '2300' })], [worked('0.2', { isProtective: true })]],
      '',
    ],
  ])('%s', (_what, lists, said) => expect(told(...lists)).toBe(said))

  test('is not told again by a version that counts no parts', () => {
    const { state } = kind.detect({}, { waiting: { 1: null }, newest: NOON }, listing(1, [worked('0.2')]))
    expect(kind.detect({}, state, listing(2, [worked('0.2')])).occurrences).toEqual([])
  })

  test('is told apart for each order: news of one does not hold back that of another', () => {
    const other = (done: string) => worked(done, { id: '2', createdAt: NOON + 2_000 })
    const lists = [
      [first, second],
      [worked('0.2'), second],
      [worked('0.3'), other('0.5')],
    ]
    expect(told(...lists)).toBe('1:partly filled 2:partly filled')
  })
})

function words(orders: Order[], waiting = orders.map(({ id }) => waits(id))): string[] {
  const { state: memo } = kind.detect({}, undefined, listing(0, waiting))
  const subject = listing(1, orders)
  const items = kind.detect({}, memo, subject).occurrences.map((one) => kind.tell({}, one, subject))
  return plainLines(message(items), { now: subject.now, zone: 'UTC' })
}

describe('a fill says what it brought', () => {
  const trade = (size: string, before: string, over: Partial<OrderFills> = {}): Partial<Order> => ({
    doneSize: magnitude(exact(size)),
    size: exact(size),
    fills: {
      ...{ size: exact(size), price: exact('3412'), realisedUsd: exact('120'), feeUsd: exact('1.02') },
      ...{ before: exact(before), after: exact(before) + exact(size), at: NOON },
      ...over,
    },
  })
  test.each([
    ['what is left', trade('-3', '8'), 'made $119, $1.02 fee included · 5 ETH long left'],
    ['that nothing is left', trade('3', '-3'), 'made $119, $1.02 fee included · position closed'],
    ['that it turned', trade('-3', '1'), 'made $119, $1.02 fee included · now 2 ETH short'],
    [
      'a loss',
      trade('3', '-8', { realisedUsd: exact('-9') }),
      'lost $10.02, $1.02 fee included · 5 ETH short left',
    ],
    ['what it adds to', trade('3', '2', { realisedUsd: 0n }), '$1.02 fee · now 5 ETH long'],
    ['what it opens', trade('-3', '0', { realisedUsd: 0n }), '$1.02 fee · now 3 ETH short'],
    ['a rebate', trade('3', '0', { feeUsd: exact('-0.5') }), '$0.50 of fees paid back · now 3 ETH long'],
    ['that there was no fee', trade('3', '0', { feeUsd: 0n }), 'no fee · now 3 ETH long'],
    ['nothing of a fee in another token', trade('3', '0', { feeUsd: null }), 'now 3 ETH long'],
    ['so beside a result', trade('-3', '8', { feeUsd: null }), 'made $120, before fees · 5 ETH long left'],
  ])('%s', (_what, over, brought) => {
    const [title, result, label, ...rest] = words([filled(waits('1', over))])
    const way = (over.size as bigint) < 0n ? 'sell' : 'buy'
    expect([title, result, label, rest]).toEqual([
      `[INFO] ETH ${way} filled: 3 ETH at $3,412.00`,
      `  ${brought}`,
      '  main · placed 12:00 UTC',
      [],
    ])
  })

  test('of several orders one way together, and of both ways apart', () => {
    const [one, two] = [trade('-1', '8'), trade('-3', '7')]
    expect(words([filled(waits('1', one)), filled(waits('2', two))])).toEqual([
      '[INFO] ETH: 2 orders filled, sold 4 ETH at $3,412.00',
      '  made $238, $2.04 fee included · 4 ETH long left',
      '  main',
    ])
    const back = trade('3', '4', { at: NOON + 1, realisedUsd: 0n })
    expect(words([filled(waits('1', one)), filled(waits('2', two)), filled(waits('3', back))])).toEqual([
      '[INFO] ETH: 3 orders filled',
      '  bought 3 ETH at $3,412.00, sold 4 ETH at $3,412.00',
      '  made $237, $3.06 fee included · now 7 ETH long',
      '  main',
    ])
  })

  test('nothing where the record could not be read, or shows not all of it', () => {
    expect(words([filled(waits('1', { fills: null }))])).toEqual([
      '[INFO] ETH buy order filled',
      '  buy 1 ETH, limit $2,400.00, placed 12:00 UTC',
      '  I couldn’t read what it brought.',
      '  main',
    ])
    const known = filled(waits('1', trade('-3', '8')))
    expect(words([known, filled(waits('2', { fills: null }))])[0]).toBe('[INFO] ETH: 2 orders filled')
  })
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
