import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { consequence, retryMs } from '../../src/outbox/outcome.ts'
import type { OutboxRow } from '../../src/store/store.ts'
import { aRow } from '../support/store.ts'

const row: OutboxRow = {
  ...aRow({ id: 5, chatId: 3, alertIds: [41] }),
  attempts: 0,
  possibleRepeat: false,
  plain: false,
  pictureOf: null,
  replyTo: null,
  edits: null,
  overdue: [],
}
const address = { platform: 'telegram', chat: 'x', thread: null }
const at = { now: 10_000, dueNow: 10_000 }
const delayed = (over: Partial<Extract<Delivery, { is: 'delayed' }>>): Delivery => ({
  is: 'delayed',
  retryAfterMs: null,
  scope: 'chat',
  maybeSent: false,
  why: '',
  ...over,
})
const again = { rowId: 5, is: 'again', dueAt: 10_000, maybeSent: false, plain: false }
const ref = { address, id: 'm1' }

describe('what a delivery leads to', () => {
  test.each<[string, Partial<OutboxRow>, Delivery, unknown, unknown, unknown]>([
    ['sent: done', {}, { is: 'sent', ref }, { rowId: 5, is: 'sent', at: 10_000, ref }, null, null],
    [
      'delayed as asked: the chat waits that long',
      {},
      delayed({ retryAfterMs: 5_000 }),
      { ...again, dueAt: 15_000 },
      { scope: 'chat', ms: 5_000 },
      null,
    ],
    [
      'delayed by part of a millisecond: whole ones, as the store keeps them',
      {},
      delayed({ retryAfterMs: 64_569.99999999999 }),
      { ...again, dueAt: 74_570 },
      { scope: 'chat', ms: 64_570 },
      null,
    ],
    [
      'delayed by nonsense: our own delay',
      {},
      delayed({ retryAfterMs: Number.NaN }),
      { ...again, dueAt: 10_750 },
      { scope: 'chat', ms: 750 },
      null,
    ],
    [
      'delayed, perhaps sent, everybody: a possible repeat, and the platform waits',
      { attempts: 3, plain: true },
      delayed({ maybeSent: true, scope: 'platform' }),
      { ...again, dueAt: 16_000, maybeSent: true, plain: true },
      { scope: 'platform', ms: 5_000 },
      null,
    ],
    [
      'gone: the chat is broken, the row waits for it',
      {},
      { is: 'gone', why: 'blocked' },
      again,
      null,
      { is: 'chat-broken', chatId: 3, why: 'blocked' },
    ],
    [
      'moved: at once to the new address',
      {},
      { is: 'moved', to: address },
      again,
      null,
      { is: 'chat-moved', chatId: 3, to: address },
    ],
    [
      'moved yet again: not so fast',
      { attempts: 3 },
      { is: 'moved', to: address },
      { ...again, dueAt: 16_000 },
      null,
      { is: 'chat-moved', chatId: 3, to: address },
    ],
    [
      'rejected: once more as plain text',
      {},
      { is: 'rejected', why: 'bad' },
      { ...again, plain: true },
      null,
      null,
    ],
    [
      'rejected as plain text: parked, and told elsewhere',
      { plain: true },
      { is: 'rejected', why: 'bad' },
      { rowId: 5, is: 'parked', at: 10_000, why: 'bad' },
      null,
      { is: 'undeliverable', chatId: 3, alertIds: [41], message: row.message, why: 'bad' },
    ],
  ])('%s', (_name, over, delivery, settlement, hold, change) => {
    expect(consequence({ ...row, ...over }, delivery, at, 0.5)).toEqual({ settlement, hold, change })
  })

  test('delays count from a clock that does not jump, what people read from the wall', () => {
    const jumped = { now: 3_610_000, dueNow: 10_000 }
    expect(consequence(row, delayed({ retryAfterMs: 500 }), jumped, 0).settlement).toMatchObject({
      dueAt: 10_500,
    })
    expect(consequence(row, { is: 'sent', ref }, jumped, 0).settlement).toMatchObject({ at: 3_610_000 })
  })
})

test('the delay doubles from a second to a minute and is spread by half', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map((attempts) => retryMs(attempts, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000,
  ])
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
      const ms = retryMs(attempts, random)
      expect(Number.isInteger(ms)).toBe(true)
      expect(ms).toBeGreaterThanOrEqual(retryMs(attempts, 1) / 2)
      expect(ms).toBeLessThanOrEqual(Math.min(60_000, 1_000 * 2 ** Math.min(attempts, 10)))
    }),
  )
})
