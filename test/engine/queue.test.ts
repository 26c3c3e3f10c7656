import { expect, test } from 'vitest'

import { createQueue, type Input } from '../../src/engine/queue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { ALICE, aMarket, BOB } from '../support/fixtures.ts'
import { startEngine } from '../support/running.ts'

const list = (mono: number, dex: string | null = null): Input => ({
  is: 'markets',
  reading: { value: { markets: [aMarket({ dex })], unusable: [], failedParts: [] }, at: 0, mono },
})
const wallet = (mono: number, wallet: Wallet = ALICE): Input => {
  const value = { positions: [], accounts: [], unusable: [], failedParts: [], totalCount: null }
  const reading = { wallet, value, orders: null, closeRecords: null, unsolicited: false, at: 0, mono }
  return { is: 'wallet', reading }
}
const orders = (mono: number, wallet: Wallet = ALICE): Input => ({
  is: 'orders',
  reading: { wallet, value: { orders: [], unusable: [], unasked: [] }, at: 0, mono },
})
const asks = (personId: number): Input => ({
  is: 'change',
  ...{ change: { is: 'forget', personId }, input: null, resolve() {}, reject() {} },
})
function queued(...inputs: Input[]) {
  const queue = createQueue()
  for (const input of inputs) queue.put(input)
  return queue
}
function all(queue: ReturnType<typeof queued>): Input[] {
  const taken: Input[] = []
  for (let input = queue.next(); input; input = queue.next()) taken.push(input)
  return taken
}

test('what comes first is taken first', () => {
  const inputs = [asks(1), list(1), wallet(1), asks(2), wallet(1, BOB)]
  expect(all(queued(...inputs))).toEqual(inputs)
})

test('a newer reading takes the place of an older one of the same wallet, or of the same books', () => {
  const [asked, newer, bobs] = [asks(1), wallet(2), wallet(1, BOB)]
  expect(all(queued(wallet(1), asked, newer, bobs))).toEqual([asked, newer, bobs])
  const [a, b] = [list(3, 'a'), list(2, 'b')]
  expect(all(queued(list(1, 'a'), b, a))).toEqual([b, a])
})

test('a price waits for one wallet at most, however many of them wait, and each newer price takes the place of the last', () => {
  const owner = (n: number): Wallet => `0x${String(n).padStart(40, '0')}`
  const wallets = Array.from({ length: 5 }, (_, n) => wallet(1, owner(n)))
  const queue = queued(...wallets, list(1))
  expect(queue.next()).toEqual(wallets[0])
  queue.put(list(2))
  expect(queue.next()).toEqual(list(2))
  queue.put(list(3))
  expect([queue.next(), queue.next(), queue.next()]).toEqual([wallets[1], list(3), wallets[2]])
})

test('orders of a wallet take the place of older ones, and never that of its positions', () => {
  const [newer, positions, bobs] = [orders(2), wallet(3), orders(1, BOB)]
  expect(all(queued(orders(1), wallet(1), newer, bobs, positions))).toEqual([newer, bobs, positions])
  expect(all(queued(newer, orders(1)))).toContain(newer)
})

test('what people ask for is taken before the readings that wait, in its order, and once', () => {
  const [first, reading, second] = [asks(1), list(1), asks(2)]
  const queue = queued(first, reading, second)
  expect([queue.nextChange(), queue.nextChange(), queue.nextChange()]).toEqual([first, second, undefined])
  expect(all(queue)).toEqual([reading])
})

test('what is asked for just as nothing is left to do is done, and does not wait for the next reading', async () => {
  const { engine } = await startEngine({})
  for (let steps = 0; steps < 40; steps++) {
    let isDone = false
    const first = wallet(steps + 1)
    if (first.is === 'wallet') engine.wallet(first.reading)
    for (let step = 0; step < steps; step++) await Promise.resolve()
    void engine.change({ is: 'forget', personId: 1 }, null).finally(() => void (isDone = true))
    await engine.idle()
    await Promise.resolve()
    expect(isDone, `asked ${steps} steps after a reading`).toBe(true)
  }
})
