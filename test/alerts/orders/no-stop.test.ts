import { describe, expect, test } from 'vitest'

import type { PositionSubject } from '../../../src/alert/subject.ts'
import { message, plainLines } from '../../../src/message/message.ts'
import type { Order } from '../../../src/venue/order.ts'
import { NOON } from '../../support/clock.ts'
import { levelNamed, story } from '../../support/engine.ts'
import { anOrder, aPosition, exact, seenAt } from '../../support/fixtures.ts'
import { set } from '../../support/kinds.ts'
import { guards } from '../../support/orders.ts'

// Two ETH long: $5,000 at a price of 2500.

const kind = levelNamed('no-stop')
const FROM_5000 = { above: 5000, lacks: 'both' }
const stop = guards('1', { stopLoss: '2300' })
const profit = guards('2', { takeProfit: '2900' })
const at = (price: number, orders: Order[] | null = [], position = aPosition()): PositionSubject =>
  seenAt(price, position, { orders, ordersAt: NOON - 3_000 })

describe('a position above $5,000', () => {
  test.each([
    ['is told when nothing closes it', [at(2_600)], '0:0>1'],
    ['is told at the line', [at(2_500)], '0:0>1'],
    ['is not told below it', [at(2_499)], ''],
    ['is not told twice', [at(2_600), at(2_700)], '0:0>1'],
    ['is clear when it has a stop loss', [at(2_600), at(2_600, [stop])], '0:0>1 1:1>0'],
    ['is clear when it has a take profit', [at(2_600), at(2_600, [profit])], '0:0>1 1:1>0'],
    ['is clear a tenth below the line', [at(2_600), at(2_260), at(2_249)], '0:0>1 2:1>0'],
    [
      'is not judged while its orders cannot be read',
      [at(2_600, null), at(2_600, [stop]), at(2_600, null)],
      '',
    ],
    ['stays as it is while they cannot', [at(2_600), at(2_600, null)], '0:0>1'],
    ['has nothing where the order is another market’s', [at(2_600, [{ ...stop, marketId: '200' }])], '0:0>1'],
    ['has nothing where the order is another account’s', [at(2_600, [{ ...stop, accountId: '2' }])], '0:0>1'],
    ['has nothing where the order is a short’s', [at(2_600, [{ ...stop, size: exact('-2') }])], '0:0>1'],
    ['has nothing where the order is over', [at(2_600, [{ ...stop, state: 'cancelled' as const }])], '0:0>1'],
    ['has nothing where the order waits for another one', [at(2_600, [{ ...stop, after: '9' }])], '0:0>1'],
    ['is guarded by an order that names no account', [at(2_600, [{ ...stop, accountId: null }])], ''],
    [
      'is guarded by a trigger that would sell it',
      [at(2_600, [anOrder({ state: 'open', size: exact('-1'), stopLoss: stop.stopLoss })])],
      '',
    ],
    ['is not judged where what guards it cannot be read', [at(2_600, [{ ...stop, stopLoss: null }])], ''],
    ['is a short as well', [at(2_600, [], aPosition({ size: exact('-2') }))], '0:0>1'],
  ])('%s', (_what, readings, said) => expect(story(kind, FROM_5000, readings)).toBe(said))

  test('needs a stop loss where that is asked for', () => {
    const params = { ...FROM_5000, lacks: 'stop-loss' }
    expect(story(kind, params, [at(2_600, [profit]), at(2_600, [profit, stop])])).toBe('0:0>1 1:1>0')
  })
})

test('says by itself which prices change it', () => {
  const until = (price: number, orders: Order[] = []) => {
    const verdict = kind.judge(FROM_5000, at(price, orders))
    return verdict === 'unknown' ? verdict : verdict.stableWithin
  }
  expect(until(2_600)).toEqual({ of: 'price', below: 2_500 })
  expect(until(2_300)).toEqual({ of: 'price', below: 2_250, above: 2_500 })
  expect(until(2_000)).toEqual({ of: 'price', above: 2_250 })
  expect(until(2_600, [stop])).toEqual({ of: 'price' })
})

test('is typed with what it is worth, and waits for five minutes', () => {
  expect(set(kind, 'no-stop').params).toEqual({ above: 1000, lacks: 'both' })
  expect(set(kind, 'no-stop ETH $5k stop-loss for 10m')).toEqual({
    params: { above: 5000, lacks: 'stop-loss', for: 600_000 },
    scope: ['market'],
  })
  expect(kind.holdMs).toBe(300_000)
  expect(kind.typed(set(kind, `no-stop ${kind.typed({ ...FROM_5000, lacks: 'stop-loss' })}`).params)).toBe(
    '$5000 stop-loss',
  )
})

test('rules with the same wish go together, and those with another do not', () => {
  expect(kind.merge([FROM_5000, { above: 900, lacks: 'both' }])).toMatchObject({
    above: 900,
  })
  expect(kind.identity(FROM_5000)).not.toBe(kind.identity({ ...FROM_5000, lacks: 'stop-loss' }))
})

test('says what there is to lose, and what guards it now', () => {
  const change = {
    reason: 'fired',
    from: 0,
    to: 1,
    value: 5_200,
    at: NOON,
    alertId: 1,
    reminders: 0,
  } as const
  const said = (subject: PositionSubject, to: number) =>
    plainLines(message([kind.tell(FROM_5000, { ...change, from: 1 - to, to }, subject)]), {
      now: NOON,
      zone: 'UTC',
    })
  expect(said(at(2_600), 1)).toEqual([
    '[WARNING] ETH long has no take profit or stop loss',
    '  2 ETH, $5,200 · main',
    '  liquidation at $2,000.00, 23.1% away',
  ])
  expect(said(at(1_600), 1)[2]).toBe('  liquidation at $2,000.00, the price is past it')
  expect(said(at(2_600, [stop]), 0).slice(0, 4)).toEqual([
    '[RESOLVED] ETH long is protected now',
    '  2 ETH, $5,200 · main',
    '  liquidation at $2,000.00, 23.1% away',
    '  stop loss at $2,300.00',
  ])
  expect(said(at(2_200), 0)[0]).toBe('[RESOLVED] ETH long is below your $5,000')
})
