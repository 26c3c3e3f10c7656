import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { item, message, say } from '../../src/message/message.ts'
import type { NewRow } from '../../src/store/store.ts'
import { type OutboxUnderTest, startOutbox } from '../support/outbox.ts'
import { budget } from '../support/seed.ts'
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

const wait = (retryAfterMs: number | null, scope: 'chat' | 'platform', why: string): Delivery => ({
  ...{ is: 'delayed', retryAfterMs, scope, maybeSent: false, why },
})
type Refusal = () => Delivery | Promise<Delivery>
const REFUSALS: [string, Refusal][] = [
  ['asks to wait 300 s in that chat', () => wait(300_000, 'chat', '429')],
  ['asks to wait 20 s in that chat', () => wait(20_000, 'chat', '429')],
  ['asks to wait 300 s everywhere', () => wait(300_000, 'platform', '429')],
  ['fails in passing', () => ({ ...wait(null, 'chat', '500'), maybeSent: true })],
  ['fails in passing everywhere', () => wait(null, 'platform', 'ECONNREFUSED')],
  ['never answers', () => new Promise(() => {})],
  ['throws', () => Promise.reject(new Error('broken'))],
  ['says that the message is gone', () => ({ is: 'gone', why: 'message to edit not found' })],
  ['refuses for good', () => ({ is: 'rejected', why: 'message is too old' })],
]

/** When each attempt at a row came, counted from `since`. */
const times = (bot: OutboxUnderTest, row: number, since: number) =>
  bot.attempts.filter((one) => one.row === row).map(({ mono }) => mono - since)

describe.each(REFUSALS)('when a platform that is asked for an edit %s', (_how, refusal) => {
  test('no message waits for that, in its chat or elsewhere, whether it is about the same alert or not', async () => {
    const bot = await startOutbox({ edit: refusal })
    await bot.put(alert({ id: 1 }))
    await bot.put(note({ id: 2 }))
    let id = 10
    for (const afterMs of [0, 1_000, 30_000, 90_000]) {
      await bot.clock.advance(afterMs)
      const since = bot.clock.monotonic()
      const [same, other, elsewhere] = [++id, ++id, ++id]
      await bot.put(
        alert({ id: same, urgency: 0 }),
        aRow({ id: other, urgency: 0, alertIds: [42] }),
        aRow({ id: elsewhere, urgency: 2, chatId: 2 }),
      )
      await bot.clock.advance(10)
      expect([same, other, elsewhere].map((row) => times(bot, row, since))).toEqual([[0], [0], [0]])
      await bot.put(note({ id: ++id }), note({ id: ++id, chatId: 2 }))
    }
  })

  test('a message that is queued behind the edit does not wait for it', async () => {
    const bot = await startOutbox({ edit: refusal })
    await bot.put(alert({ id: 1 }))
    const since = bot.clock.monotonic()
    await bot.put(note({ id: 2, urgency: 0 }), alert({ id: 3 }), aRow({ id: 4, urgency: 2, alertIds: [41] }))
    await bot.clock.advance(10)
    expect([3, 4].map((row) => times(bot, row, since))).toEqual([[0], [0]])
  })

  test('nothing waits for ever, and what somebody has done is said in the end', async () => {
    const bot = await startOutbox({ edit: refusal })
    await bot.put(alert({ id: 1 }))
    await bot.put(note({ id: 2 }))
    await bot.clock.advance(10 * 60_000)
    expect(bot.rows()).toEqual([1, 2])
    expect((await bot.store().outbox.backlog()).waiting).toBe(0)
    expect(bot.changes).toEqual([])
  })
})

/** What is put at one time, after the platform's pace has let the last message go. */
const put = record({
  afterMs: integer({ min: 2_000, max: 60_000 }),
  chatId: constantFrom(1, 2),
  urgency: constantFrom(0, 1, 2),
  isSame: boolean(),
  edits: integer({ min: 0, max: 3 }),
  refusal: constantFrom(...REFUSALS.map(([, refusal]) => refusal)),
})

test('what is cosmetic never stands before what warns: any refusal of any edit at any time delays no message', async () => {
  await assert(
    asyncProperty(array(put, { minLength: 2, maxLength: 12 }), async (puts) => {
      const sent = async (withEdits: boolean) => {
        let refusal = REFUSALS[0]?.[1]
        const bot = await startOutbox({ edit: () => refusal?.() ?? wait(null, 'chat', '500') })
        await bot.put(alert({ id: 1 }), alert({ id: 2, chatId: 2 }))
        let id = 10
        for (const { afterMs, chatId, urgency, isSame, edits, ...one } of puts) {
          refusal = one.refusal
          await bot.clock.advance(afterMs)
          const notes = Array.from({ length: edits }, () => note({ id: ++id, chatId }))
          const row = alert({ id: 1_000 + id++, chatId, urgency, alertIds: [isSame ? 41 : 42] })
          await bot.put(...(withEdits ? notes : []), row)
        }
        await bot.clock.advance(1_000)
        return bot.attempts.flatMap(({ row, mono }) => (row > 1_000 ? [[row, mono]] : []))
      }
      expect(await sent(true)).toEqual(await sent(false))
    }),
    { numRuns: budget(300, 15) },
  )
})

test('as many edits as there are chats may hang: messages go on', async () => {
  const chats = 100
  const bot = await startOutbox({ chats, edit: () => new Promise(() => {}) })
  const all = Array.from({ length: chats }, (_, index) => index + 1)
  await bot.put(...all.map((id) => alert({ id, chatId: id, alertIds: [id], message: named(id) })))
  const edit = { line: 'by Ann', button }
  await bot.put(
    ...all.map((id) =>
      note({
        id: 100 + id,
        chatId: id,
        alertIds: [id],
        note: { alertId: id, ...edit },
        message: message([]),
      }),
    ),
  )
  const since = bot.clock.monotonic()
  await bot.put(...all.map((id) => aRow({ id: 200 + id, chatId: id, urgency: 0 })))
  expect(all.map((id) => times(bot, 200 + id, since))).toEqual(all.map(() => [0]))
})

test('an edit leaves a chat and its platform room for a message', async () => {
  const edits: number[] = []
  const rate = { burst: 2, perSecond: 0.01 }
  const bot: OutboxUnderTest = await startOutbox({
    platforms: { telegram: { platform: { burst: 3, perSecond: 0.01 }, chat: rate, group: null } },
    edit({ ref }) {
      edits.push(bot.clock.monotonic())
      return { is: 'sent', ref }
    },
  })
  await bot.put(alert({ id: 1 }))
  await bot.put(note({ id: 2 }))
  expect(edits).toEqual([])
  await bot.put(aRow({ id: 3, urgency: 0 }))
  expect(bot.rows()).toEqual([1, 3])
})

function named(id: number) {
  return message([item('warning', `BTC long (A${id})`)])
}
