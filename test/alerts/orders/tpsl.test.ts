import { describe, expect, test } from 'vitest'

import { fromJson, toJson } from '../../../src/lib/text/json.ts'
import type { WalletSubject } from '../../../src/alert/subject.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { ClosedPosition } from '../../../src/venue/closed-position.ts'
import type { Order } from '../../../src/venue/order.ts'
import { positionKey } from '../../../src/venue/position.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences } from '../../support/engine.ts'
import { aMarket, anEnding, anOrder, aPosition, exact } from '../../support/fixtures.ts'
import { guards, listing } from '../../support/orders.ts'

// An ETH long of Alice's, with a stop loss at 2300 and a take profit at 2900. Looks at orders are fifteen seconds apart.

const kind = eventNamed('tpsl')
const eth = aPosition()
const stop = guards('1', { stopLoss: '2300' })
const profit = guards('2', { takeProfit: '2900' })
const both = guards('3', { stopLoss: '2300', takeProfit: '2900' })
const is = (order: Order, state: Order['state']): Order => ({ ...order, state })

type Look = [orders: Order[], over?: Partial<WalletSubject>]
const told = (...looks: Look[]) =>
  occurrences(
    kind,
    {},
    looks.map(([orders, over], look) => listing(look, orders, over)),
  )

function gone(over: Partial<ClosedPosition> = {}): ClosedPosition {
  return {
    ...{ key: positionKey(eth), position: eth, symbol: 'ETH', lastSeenAt: NOON, awaySince: null },
    ...{
      cause: 'closed',
      ending: null,
      lastPrice: 2_500,
      lastDistance: 0.2,
      worstPrice: 2_500,
      orders: null,
      takerFee: null,
    },
    ...over,
  }
}
const closed = (over: Partial<ClosedPosition> = {}): Partial<WalletSubject> => ({
  positions: [],
  gone: [gone(over)],
})

describe('a stop loss or take profit is gone while its position stays', () => {
  test.each<[string, Look[], string]>([
    ['it is told when two looks lacked it, once', [[[stop]], [[]], [[]], [[]]], '2:stop loss gone'],
    ['one look proves nothing', [[[stop]], [[]], [[stop]], [[stop]]], ''],
    ['a look that is there already at the first is no news', [[[]], [[]], [[]]], ''],
    ['both of an order are told', [[[both]], [[]], [[]]], '2:stop loss gone 2:take profit gone'],
    [
      'the same order guards by less',
      [[[both]], [[{ ...both, takeProfit: null }]], [[both]]],
      '1:take profit gone',
    ],
    [
      'another has taken its place',
      [[[stop]], [[guards('9', { stopLoss: '2400' })]], [[guards('9', { stopLoss: '2400' })]]],
      '',
    ],
    ['another takes its place a look later', [[[stop]], [[]], [[guards('9', { stopLoss: '2400' })]]], ''],
    ['something else is no place for it', [[[stop]], [[profit]], [[profit]]], '2:stop loss gone'],
    [
      'the same order has another price',
      [[[stop]], [[{ ...stop, stopLoss: guards('1', { stopLoss: '2400' }).stopLoss }]], [[]]],
      '',
    ],
    [
      'the venue says that it was cancelled',
      [[[stop]], [[is(stop, 'cancelled')]], [[is(stop, 'cancelled')]]],
      '2:stop loss gone',
    ],
    [
      'the position was not read since',
      [[[stop]], [[], { positionAt: NOON }], [[], { positionAt: NOON }], [[], { positionAt: NOON }]],
      '',
    ],
    [
      'the position is missing meanwhile, and there again',
      [[[stop]], [[]], [[], { missing: [positionKey(eth)] }], [[]]],
      '3:stop loss gone',
    ],
    [
      'its account cannot be read',
      [[[stop]], [[]], [[], { failedParts: ['1'] }], [[], { failedParts: ['1'] }]],
      '',
    ],
    ['it had waited for another order', [[[{ ...stop, after: '9' }]], [[]], [[]]], ''],
    ['it never had a position', [[[stop], { positions: [] }], [[]], [[]]], ''],
    ['it is of another side', [[[{ ...stop, size: exact('-2') }]], [[]], [[]]], ''],
  ])('%s', (_what, looks, said) => expect(told(...looks)).toBe(said))

  test('an order that is no guard by name, and would close it all the same', () => {
    const sell = anOrder({ id: '5', state: 'open', size: exact('-2'), stopLoss: stop.stopLoss })
    expect(told([[sell]], [[]], [[]])).toBe('2:stop loss gone')
    expect(told([[{ ...sell, size: exact('2') }]], [[]], [[]])).toBe('')
    // What a limit order brings along guards what it leads to.
    expect(
      told([[{ ...sell, limit: { lower: exact('2900'), upper: null, acceptable: null } }]], [[]], [[]]),
    ).toBe('')
  })

  test('the reason of the venue is named', () => {
    const cancelled: Order = {
      ...is(stop, 'cancelled'),
      venueStatus: 'openInterestCapCanceled',
      reason: 'cap',
    }
    const looks = [[stop], [cancelled], [cancelled]].map((orders, look) => listing(look, orders))
    let memo: unknown = undefined
    const items = looks.flatMap((subject) => {
      const { state, occurrences: all } = kind.detect({}, memo, subject)
      memo = state
      return all.map((one) => kind.tell({}, one, subject))
    })
    expect(plainLines(message(items), { now: NOON, zone: 'UTC' }).slice(0, 2)).toEqual([
      '[WARNING] ETH long: its stop loss at $2,300.00 is gone',
      '  It was cancelled: the market is at its open interest cap. The position is still open.',
    ])
  })

  test('what is left of the same is named, and makes it quiet', () => {
    const other = guards('4', { stopLoss: '2200' })
    let { state: memo } = kind.detect({}, undefined, listing(0, [stop, other]))
    memo = kind.detect({}, memo, listing(1, [other])).state
    const subject = listing(2, [other])
    const [occurrence] = kind.detect({}, memo, subject).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    expect(kind.severity({}, occurrence)).toBe('info')
    expect(
      plainLines(message([kind.tell({}, occurrence, subject)]), { now: subject.now, zone: 'UTC' }),
    ).toContain('  Another stop loss is still there: $2,200.00')
  })
})

describe('a stop loss or take profit is triggered', () => {
  const rests = { ...stop, isProtective: false, stopLoss: null, limit: stop.stopLoss }
  const atPrice = (price: string): Partial<WalletSubject> => ({
    market: () => aMarket({ price: exact(price) }),
  })
  test.each<[string, Look[], string]>([
    [
      'the venue says so, once',
      [[[stop]], [[is(stop, 'triggered')]], [[is(stop, 'filled')]]],
      '1:stop loss triggered',
    ],
    [
      'it is filled between two looks, and nobody else says so within a minute',
      [[[profit]], ...Array.from({ length: 6 }, (): Look => [[is(profit, 'filled')]])],
      '5:take profit triggered',
    ],
    [
      'it is filled, and its position is gone a look later',
      [[[profit]], [[is(profit, 'filled')]], [[is(profit, 'filled')], closed()]],
      '2:take profit triggered',
    ],
    [
      'it is filled in part of a position at a venue without records',
      [
        [[{ ...stop, size: exact('1') }]],
        [[is({ ...stop, size: exact('1') }, 'filled')], { hasRecords: () => false }],
      ],
      '1:stop loss triggered',
    ],
    ['it rests as a limit order then', [[[stop]], [[rests]], [[rests]]], '1:stop loss triggered'],
    ['it was so at the first look', [[[is(stop, 'filled')]], [[is(stop, 'filled')]]], ''],
    ['the price had been there', [[[stop]], [[], closed({ worstPrice: 2_290 })]], '1:stop loss triggered'],
    ['the price had not', [[[stop]], [[], closed()]], ''],
    [
      'the venue’s own record has the price',
      [[[stop]], [[], closed({ worstPrice: 2_100, ending: anEnding() })]],
      '',
    ],
    [
      'the price is there now',
      [[[profit]], [[], { ...closed(), ...atPrice('2910') }]],
      '1:take profit triggered',
    ],
    [
      'the position goes first',
      [[[stop]], [[stop], closed({ worstPrice: 2_290 })], [[], { positions: [] }]],
      '2:stop loss triggered',
    ],
    [
      'the order outlives its position, which it did not close',
      [
        [[stop]],
        [[stop], closed({ worstPrice: 2_290 })],
        [[stop], { positions: [] }],
        [[], { positions: [] }],
        [[], { positions: [] }],
      ],
      '',
    ],
    [
      'the order goes first',
      [[[stop]], [[]], [[], { missing: [positionKey(eth)] }], [[], closed({ worstPrice: 2_290 })]],
      '3:stop loss triggered',
    ],
    [
      'only one of two can have done it',
      [[[both]], [[], closed({ worstPrice: 2_290 })]],
      '1:stop loss triggered',
    ],
  ])('%s', (_what, looks, said) => expect(told(...looks)).toBe(said))

  test.each([
    ['a stop loss rings', is(stop, 'filled'), 'warning', 'ETH long: stop loss at $2,300.00 triggered'],
    ['a take profit does not', is(profit, 'filled'), 'info', 'ETH long: take profit at $2,900.00 triggered'],
  ])('%s', (_what, after, severity, title) => {
    const { state: memo } = kind.detect({}, undefined, listing(0, [is(after, 'open')]))
    const subject = listing(1, [after], closed())
    const [occurrence] = kind.detect({}, memo, subject).occurrences
    if (!occurrence) throw new Error('nothing has happened')
    const lines = plainLines(message([kind.tell({}, occurrence, subject)]), { now: subject.now, zone: 'UTC' })
    expect(kind.severity({}, occurrence)).toBe(severity)
    expect(lines).toEqual([`[${severity.toUpperCase()}] ${title}`, '  main'])
  })
})

describe('a trigger is left to the alert about the close', () => {
  const named = { ...closed(), gone: [gone({ by: 'stop-loss', ending: anEnding() })] }
  const part = {
    ...{
      key: positionKey(eth),
      position: eth,
      how: 'stop-loss' as const,
      from: exact('3'),
      size: exact('1'),
    },
    ...{ price: exact('2300'), realisedPnlUsd: 0n, feesUsd: 0n, at: NOON },
  }
  const filled = is(stop, 'filled')
  /** The triggers that are left, and those that are not. */
  const left = (...looks: Look[]) => {
    let memo: unknown = undefined
    return looks.flatMap(([orders, over], look) => {
      const { state, occurrences: all } = kind.detect({}, memo, listing(look, orders, over))
      memo = fromJson(toJson(state))
      return all.map(({ what, leftTo }) => `${look}:${what}${leftTo === undefined ? '' : ` → ${leftTo}`}`)
    })
  }
  test.each<[string, Look[], string[]]>([
    [
      'the order is seen first',
      [[[stop]], [[filled]], [[filled], named]],
      ['2:stop loss triggered → position-closed'],
    ],
    [
      'the close is seen first',
      [[[stop]], [[stop], named], [[filled], { positions: [] }]],
      ['2:stop loss triggered → position-closed'],
    ],
    ['the order is not seen at all', [[[stop]], [[], named]], []],
    [
      'its price was seen there, though no list has the order',
      [[[stop]], [[], { ...named, gone: [gone({ by: 'stop-loss', worstPrice: 2_290 })] }]],
      ['1:stop loss triggered → position-closed'],
    ],
    [
      'a part is seen after the order',
      [[[stop]], [[filled]], [[filled], { taken: [part] }]],
      ['2:stop loss triggered → position-closed'],
    ],
    [
      'a part is seen before the order',
      [[[stop]], [[stop], { taken: [part] }], [[filled]]],
      ['2:stop loss triggered → position-closed'],
    ],
    [
      'not where the close names a take profit',
      [[[stop]], [[filled]], [[filled], { ...named, gone: [gone({ by: 'take-profit' })] }]],
      ['2:stop loss triggered'],
    ],
    [
      'not where the close names nothing',
      [[[stop]], [[filled]], [[filled], closed()]],
      ['2:stop loss triggered'],
    ],
    [
      'not where it was opened again at once',
      [[[stop]], ...Array.from({ length: 6 }, (): Look => [[filled]])],
      ['5:stop loss triggered'],
    ],
  ])('%s', (_what, looks, said) => expect(left(...looks)).toEqual(said))
})

test('a wallet that reads the same again has the same memo: nothing is written', () => {
  const { state: memo } = kind.detect({}, undefined, listing(0, [stop, both]))
  const later = listing(9, [stop, both], {
    positions: [{ ...eth, liquidationPrice: exact('2001'), fundingUsd: exact('3') }],
  })
  expect(kind.detect({}, memo, later).state).toEqual(memo)
})

test('of very many the newest are known, and those that are not are not told as gone', () => {
  const all = Array.from({ length: 1_000 }, (_, at) =>
    guards(String(at), { stopLoss: '2300' }, { createdAt: NOON + at }),
  )
  const { state: memo } = kind.detect({}, undefined, listing(0, all))
  expect(kind.awaits(memo)).toHaveLength(200)
  expect(told([all], [all], [all])).toBe('')
})
