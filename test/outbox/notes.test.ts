import { expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { item, message, plainLines, say } from '../../src/message/message.ts'
import type { NewRow } from '../../src/store/store.ts'
import { type Edit, type OutboxUnderTest, startOutbox } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

const button = { label: 'Snooze', line: '/snooze A41 30m', replace: true }
const alert = (over: Partial<NewRow> & { id: number }) =>
  aRow({ alertIds: [41], urgency: 1, message: message([item('warning', 'BTC long (A41)')]), ...over })
const note = (over: Partial<NewRow> & { id: number }) =>
  aRow({
    ...{ alertIds: [41], silent: true, message: say('acknowledged by Ann (A41)') },
    note: { alertId: 41, line: 'by Ann', button },
    ...over,
  })
const delayed: Delivery = { is: 'delayed', retryAfterMs: 1_000, scope: 'chat', maybeSent: true, why: 'down' }

/** What was changed, and how that ends, the first time first. */
async function editing(
  ...endings: Delivery[]
): Promise<{ bot: OutboxUnderTest; edits: Edit[]; texts: () => string[] }> {
  const edits: Edit[] = []
  const bot = await startOutbox({
    edit(one) {
      edits.push(one)
      return endings.shift() ?? { is: 'sent', ref: one.ref }
    },
  })
  const texts = () =>
    bot.attempts.map(({ message: said, at }) => plainLines(said, { now: at, zone: 'UTC' }).join('\n'))
  return { bot, edits, texts }
}

test('what somebody did changes the message of the alert, and nothing new is sent', async () => {
  const { bot, edits } = await editing()
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2 }))
  expect(edits.map(({ ref, message: said }) => [ref.id, said.items[0]?.lines])).toEqual([
    ['perch-1', ['by Ann']],
  ])
  expect(bot.rows()).toEqual([1])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test.each([
  ['refuses to change it', { is: 'rejected', why: 'message is too old' }],
  ['has it no more', { is: 'gone', why: 'message to edit not found' }],
] as const)('where the platform %s, it is one new quiet message', async (_how, ending) => {
  const { bot, texts } = await editing(ending)
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2 }))
  expect(bot.attempts.map(({ row, silent }) => [row, silent])).toEqual([
    [1, false],
    [2, true],
  ])
  expect(texts()[1]).toContain('acknowledged by Ann (A41)')
  expect(bot.changes).toEqual([])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('where its answer was read already, nothing new is said', async () => {
  const { bot } = await editing({ is: 'rejected', why: 'message is too old' })
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2, message: message([]) }))
  expect(bot.rows()).toEqual([1])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('where the alert was never sent, it is one new message, or none when its answer was read', async () => {
  const { bot, edits } = await editing()
  await bot.put(note({ id: 1 }), note({ id: 2, chatId: 2, message: message([]) }))
  expect(bot.rows()).toEqual([1])
  expect(edits).toEqual([])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('a change that the platform does not take now is made later, and is no possible repeat', async () => {
  const { bot, edits } = await editing(delayed, { is: 'rejected', why: 'message is too old' })
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2 }))
  expect(edits).toHaveLength(1)
  await bot.clock.advance(1_000)
  expect(edits).toHaveLength(2)
  expect(bot.attempts.map(({ row, possibleRepeat }) => [row, possibleRepeat])).toEqual([
    [1, false],
    [2, false],
  ])
})

test('a message of another chat, from before this one moved, is not touched', async () => {
  const { bot, edits } = await editing()
  await bot.put(alert({ id: 1 }))
  const chat = bot.chats.get(1)
  if (!chat) throw new Error('there is no chat 1')
  await bot.commit({ is: 'chat', chat: { ...chat, address: { ...chat.address, chat: 'elsewhere' } } })
  await bot.put(note({ id: 2 }))
  expect(edits).toEqual([])
  expect(bot.attempts.map(({ row, chat: to }) => [row, to])).toEqual([
    [1, 'chat-1'],
    [2, 'elsewhere'],
  ])
})

test('it never overtakes the alert, and an alert that waited carries it itself', async () => {
  let up = false
  const order: string[] = []
  const bot: OutboxUnderTest = await startOutbox({
    answer({ to, row, message: said }) {
      if (!up) return delayed
      order.push(`perch-${row} ${JSON.stringify(said.items[0]?.lines)}`)
      return { is: 'sent', ref: { address: to, id: `perch-${row}` } }
    },
    edit(one) {
      order.push(`edit of ${one.ref.id}`)
      return { is: 'sent', ref: one.ref }
    },
  })
  await bot.put(alert({ id: 1, urgency: 2 }))
  await bot.put(note({ id: 2, urgency: 1 }))
  up = true
  await bot.clock.advance(10_000)
  expect(order).toEqual(['perch-1 ["by Ann"]', 'edit of perch-1'])
})

test('one that a process died over is made again', async () => {
  const edits: Edit[] = []
  const bot: OutboxUnderTest = await startOutbox({
    edit(one) {
      edits.push(one)
      if (edits.length === 1) bot.die()
      return { is: 'sent', ref: one.ref }
    },
  })
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2 }))
  await bot.revive()
  expect(edits).toHaveLength(2)
  expect(edits[1]).toEqual(edits[0])
  expect(bot.rows()).toEqual([1])
})

test('what was done about several alerts of one message at once changes it once', async () => {
  const { bot, edits } = await editing()
  const items = [41, 42, 43].map((id) => item('warning', `BTC long (A${id})`))
  await bot.put(alert({ id: 1, alertIds: [41, 42, 43], message: message(items) }))
  const noting = (id: number, alertId: number, queuedAt: number) =>
    note({ id, alertIds: [alertId], note: { alertId, line: `by Ann ${id}`, button }, queuedAt })
  await bot.put(noting(2, 41, 2_000), noting(3, 42, 2_000), noting(4, 43, 2_000))
  const lines = () => edits.map((one) => one.message.items.map((each) => each.lines[0]))
  expect(lines()).toEqual([['by Ann 2', 'by Ann 3', 'by Ann 4']])
  await bot.put(noting(5, 42, 3_000))
  expect(lines().at(-1)).toEqual(['by Ann 2', 'by Ann 5', 'by Ann 4'])
  expect(edits).toHaveLength(2)
  expect(bot.rows()).toEqual([1])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('a change that never succeeds keeps no warning waiting, and is said anew in the end', async () => {
  const down = Array.from({ length: 30 }, () => ({ ...delayed, retryAfterMs: null }))
  const { bot, edits, texts } = await editing(...down)
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2 }))
  await bot.clock.advance(60_000)
  const before = bot.clock.monotonic()
  await bot.put(aRow({ id: 3, urgency: 0 }))
  expect(bot.attempts.at(-1)).toMatchObject({ row: 3, mono: before })
  await bot.clock.advance(30 * 60_000)
  expect(texts().at(-1)).toContain('acknowledged by Ann (A41)')
  expect(edits.length).toBeLessThan(12)
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})
