import { expect, test } from 'vitest'

import { plainLines } from '../../../src/message/message.ts'
import type { Order } from '../../../src/venue/order.ts'
import { aDialog, anInbound, aView } from '../../dialog/world.ts'
import { NOON } from '../../support/clock.ts'
import { anOrder } from '../../support/fixtures.ts'

async function says(orders: Order[], unasked: string[] = []): Promise<string[]> {
  const { dialog } = aDialog({ orders, unasked })
  return plainLines(await dialog.line(anInbound(), '/orders main'), { now: NOON, zone: 'UTC' })
}
const titles = (lines: string[]) => lines.filter((line) => /^\w+ order: /.test(line))
const before = (minutes: number) => NOON - minutes * 60_000

test('what may still happen comes first, by market, however long it waits; then what is over, the newest first', async () => {
  const lines = await says([
    anOrder({ id: '1', state: 'filled', marketId: '300', createdAt: before(1) }),
    anOrder({ id: '2', state: 'open', marketId: '200', createdAt: before(900) }),
    anOrder({ id: '3', state: 'cancelled', marketId: '100', createdAt: before(5) }),
    anOrder({ id: '4', state: 'open', marketId: '100', createdAt: before(800) }),
    anOrder({ id: '5', state: 'triggered', marketId: '200', createdAt: before(2) }),
  ])
  expect(titles(lines)).toEqual([
    'ETH order: open',
    'BTC order: triggered',
    'BTC order: open',
    'Sol order: filled',
    'ETH order: cancelled',
  ])
})

test('of many it is said how many wait', async () => {
  const many = Array.from({ length: 12 }, (_, at) =>
    anOrder({ id: String(at), state: at < 3 ? 'open' : 'filled', createdAt: before(at) }),
  )
  expect((await says(many))[0]).toBe('12 orders, 3 waiting first')
})

test('books that were not asked are named, and of many how many more there are', async () => {
  const footnote = (await says([], ['xyz', 'flx', 'vntl', 'hyna'])).at(-1)
  expect(footnote).toContain('not asked: xyz, flx, vntl and 1 more, nothing held there · live')
})

test.each([
  ['alone', [], ['lighter'], ['lighter shows nobody’s orders'], undefined],
  ['of two', ['main', 'lighter'], ['lighter'], ['no order'], 'lighter shows nobody’s orders'],
  [
    'and both of two',
    ['main', 'lighter'],
    ['main', 'lighter'],
    ['main, lighter show nobody’s orders'],
    undefined,
  ],
])('a venue %s that shows nobody’s orders is named', async (_, venues, hidesOrders, says, note) => {
  const status = () => ({ ...aView().status(), venues, hidesOrders })
  const { dialog } = aDialog({ orders: [], view: { status } })
  const answer = await dialog.line(anInbound(), '/orders')
  const [first, ...rest] = plainLines(answer, { now: NOON, zone: 'UTC' })
  expect([first]).toEqual(says)
  expect(rest.some((line) => line.includes('nobody’s orders'))).toBe(note !== undefined)
})
