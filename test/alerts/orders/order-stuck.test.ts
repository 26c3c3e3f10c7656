import { describe, expect, test } from 'vitest'

import type { Order } from '../../../src/venue/order.ts'
import { readOrders } from '../../../src/venues/perps-data/wire/orders.ts'
import { NOON } from '../../support/clock.ts'
import { eventNamed, occurrences, titleOf } from '../../support/engine.ts'
import { anOrder, BOB } from '../../support/fixtures.ts'
import { set } from '../../support/kinds.ts'
import { listing } from '../../support/orders.ts'

const kind = eventNamed('order-stuck')
const USUAL = { after: 60_000 }
const order = anOrder()
const looks = (...lists: Order[][]) => lists.map((orders, look) => listing(look, orders))
const always = (count: number, ...orders: Order[]) => Array.from({ length: count }, () => orders)

describe('an order that the venue has taken', () => {
  // Looks are fifteen seconds apart.
  test.each([
    ['is told after a minute, once', looks(...always(9, order)), '4:stuck'],
    ['is not told when it is settled sooner', looks(...always(4, order), [], []), ''],
    [
      'is told with what became of it',
      looks(...always(5, order), [{ ...order, state: 'expired' }]),
      '4:stuck 5:over',
    ],
    ['is told when it is in no list any more', looks(...always(5, order), [], [], []), '4:stuck 6:over'],
    [
      'is told no more when one list alone lacks it',
      looks(...always(5, order), [], ...always(3, order)),
      '4:stuck',
    ],
    [
      'is told beside another one, each when its time is over',
      looks([order], ...always(8, order, anOrder({ id: '2' }))),
      '4:stuck 5:stuck',
    ],
    ['begins anew when it was gone', looks(...always(3, order), [], ...always(3, order)), ''],
    ['is stuck as long as nobody looked, too', [listing(0, [order]), listing(400, [order])], '1:stuck'],
    ['waits for its price, and is not stuck', looks(...always(9, anOrder({ state: 'open' }))), ''],
  ])('%s', (_what, readings, said) => expect(occurrences(kind, USUAL, readings)).toBe(said))

  test.each(['Committed', 'Comitted', 'Created'])('is pending where the venue writes %s', (status) => {
    const record = { orderId: 1, status, accountId: '1', marketId: '100', size: '1' }
    const { orders } = readOrders({ wallet: BOB, orders: [record] }, 8008, BOB)
    expect(occurrences(kind, USUAL, looks(...always(5, ...orders)))).toBe('4:stuck')
  })
})

test('how long is too long is set, and the shortest of several counts', () => {
  expect(set(kind, 'order-stuck 2m').params).toEqual({ after: 120_000 })
  expect(set(kind, 'order-stuck').params).toEqual(USUAL)
  expect(() => set(kind, 'order-stuck 5s')).toThrow('every 15 seconds')
  expect(kind.merge([{ after: 120_000 }, USUAL])).toEqual(USUAL)
  expect(occurrences(kind, { after: 120_000 }, looks(...always(9, order)))).toBe('8:stuck')
})

test('says for how long, and asks what becomes of it', () => {
  const first = kind.detect(USUAL, undefined, listing(0, [order]))
  expect(kind.awaits(first.state)).toEqual([])
  const subject = listing(5, [order], { now: NOON + 76_000 })
  const { state: memo, occurrences: happened } = kind.detect(USUAL, first.state, subject)
  expect(kind.awaits(memo)).toEqual(['1'])
  const [occurrence] = happened
  if (!occurrence) throw new Error('nothing has happened')
  const item = kind.tell(USUAL, occurrence, subject)
  expect([kind.severity(USUAL, occurrence), titleOf(item)]).toEqual(['warning', 'ETH buy order stuck'])
  expect(titleOf({ ...item, title: item.lines[0] ?? '' })).toMatch(/^Pending for 75 s or more/)
})
