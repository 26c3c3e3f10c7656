import { describe, expect, test } from 'vitest'

import type { Delivery } from '../../src/message/delivery.ts'
import { item, message } from '../../src/message/message.ts'
import type { Picture } from '../../src/message/picture.ts'
import type { NewRow } from '../../src/store/store.ts'
import { PNG } from '../support/pictures.ts'
import { startOutbox, UNLIMITED } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

const WITH_PICTURES = { platforms: { telegram: { ...UNLIMITED, pictures: true as const } } }
const drawn: Picture<string> = {
  ...{ is: 'market', market: '100', symbol: 'BTC', since: 0, until: 3_600_000, price: 97_678 },
  ...{ priceName: 'index', ratePerDay: 0, words: 'BTC' },
}
const alert = (over: Partial<NewRow> & { id: number }) =>
  aRow({
    ...{ alertIds: [41], urgency: 0, message: message([{ ...item('critical', 'BTC long'), alertId: 41 }]) },
    ...over,
  })
const pictureOf = (over: Partial<NewRow> & { id: number }) =>
  aRow({
    ...{ urgency: 2, silent: true, alertIds: [], about: [], message: message([], { picture: drawn }) },
    pictureOf: 41,
    ...over,
  })
const later: Delivery = {
  ...{ is: 'delayed', retryAfterMs: 1_000, scope: 'chat', maybeSent: true, why: 'reset' },
}

async function started(options: Parameters<typeof startOutbox>[0] = {}) {
  const bot = await startOutbox({ ...WITH_PICTURES, draw: async () => PNG, ...options })
  const fresh = () => ({
    ...{ queuedAt: bot.clock.now(), detectedAt: bot.clock.now(), dueAt: bot.clock.now() },
  })
  return Object.assign(bot, {
    alert: (over: Partial<NewRow> & { id: number }) => alert({ ...fresh(), ...over }),
    picture: (id: number) => pictureOf({ id, ...fresh(), expiresAt: bot.clock.now() + 60_000 }),
    lost: () => bot.changes.filter(({ is }) => is === 'picture-lost'),
  })
}

test('a picture follows its words silently, as a reply to them, and carries what was drawn', async () => {
  const bot = await started()
  await bot.put(bot.alert({ id: 1 }), bot.picture(2))
  await bot.clock.advance(10)
  expect(bot.rows()).toEqual([1, 2])
  const [words, picture] = bot.attempts
  expect(words?.picture).toBeUndefined()
  expect(picture).toMatchObject({ silent: true, replyTo: { id: 'perch-1' }, picture: PNG })
})

test('words that come later go before a picture that waits', async () => {
  const bot = await started({ answer: ({ to, row }, signal) => slow(row === 1, signal, to) })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2), bot.alert({ id: 3, urgency: 2 }))
  await bot.clock.advance(2_000)
  expect(bot.rows()).toEqual([1, 3, 2])

  function slow(
    isSlow: boolean,
    signal: AbortSignal,
    to: { platform: string; chat: string; thread: null | string },
  ) {
    const done: Delivery = { is: 'sent', ref: { address: to, id: 'x' } }
    if (!isSlow) return done
    return new Promise<Delivery>((resolve) => {
      const off = bot.clock.wakeAt(bot.clock.monotonic() + 1_000, () => resolve(done))
      signal.addEventListener('abort', off)
    })
  }
})

describe.each([
  ['its drawing', { draw: () => new Promise<null>(() => {}) }],
  ['its upload', { answer: hangs }],
] as const)('while %s hangs', (_what, options) => {
  test('no words wait, about the same alert or another, in its chat or elsewhere', async () => {
    const bot = await started(options)
    await bot.put(bot.alert({ id: 1 }), bot.picture(2))
    for (const [at, afterMs] of [10, 1_000, 15_000, 60_000].entries()) {
      await bot.clock.advance(afterMs)
      const since = bot.clock.monotonic()
      const [same, other, elsewhere] = [10 + 3 * at, 11 + 3 * at, 12 + 3 * at]
      await bot.put(
        bot.alert({ id: same }),
        aRow({ id: other, urgency: 2, alertIds: [42] }),
        aRow({ id: elsewhere, urgency: 1, chatId: 2 }),
      )
      await bot.clock.advance(0)
      const when = (id: number) =>
        bot.attempts.filter(({ row }) => row === id).map(({ mono }) => mono - since)
      expect([same, other, elsewhere].map(when)).toEqual([[0], [0], [0]])
    }
  })
})

function hangs({ picture, to, row }: { picture?: Uint8Array; to: Address; row: number }) {
  if (picture) return new Promise<Delivery>(() => {})
  return { is: 'sent', ref: { address: to, id: `perch-${row}` } } as const
}
type Address = { platform: string; chat: string; thread: string | null }

test('a picture that could not be drawn is left out, and its alert’s trail shows that', async () => {
  const bot = await started({ draw: async () => null })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2))
  await bot.clock.advance(10)
  expect(bot.rows()).toEqual([1])
  expect(bot.lost()).toEqual([{ is: 'picture-lost', alertId: 41, rowId: 2, why: 'it could not be drawn' }])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('an upload that breaks off is repeated with a mark, and given up after a minute', async () => {
  const bot = await started({
    answer: ({ picture, to, row }) =>
      picture ? later : { is: 'sent', ref: { address: to, id: `perch-${row}` } },
  })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2))
  await bot.clock.advance(2_000)
  const marks = () => bot.attempts.filter(({ row }) => row === 2).map(({ possibleRepeat }) => possibleRepeat)
  expect(marks().slice(0, 2)).toEqual([false, true])
  await bot.clock.advance(120_000)
  const count = marks().length
  await bot.clock.advance(120_000)
  expect(marks()).toHaveLength(count)
  expect(bot.rows().filter((row) => row === 1)).toHaveLength(1)
  expect(bot.lost()).toEqual([{ is: 'picture-lost', alertId: 41, rowId: 2, why: 'reset' }])
})

test('a picture that was refused breaks neither its chat nor its words', async () => {
  const bot = await started({
    answer: ({ picture, to, row }) =>
      picture
        ? { is: 'gone', why: 'not enough rights to send photos' }
        : { is: 'sent', ref: { address: to, id: `perch-${row}` } },
  })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2), bot.alert({ id: 3 }))
  await bot.clock.advance(1_000)
  expect(bot.rows().filter((row) => row !== 2)).toEqual([1, 3])
  expect(bot.changes.map(({ is }) => is)).toEqual(['picture-lost'])
})

test('without its words no picture is sent', async () => {
  const bot = await started()
  await bot.put(bot.picture(2))
  await bot.clock.advance(10)
  expect(bot.rows()).toEqual([])
  expect((await bot.store().outbox.backlog()).waiting).toBe(0)
})

test('the picture of an alert is drawn before one that somebody asked for', async () => {
  const urgent = new Map<number, boolean>()
  const bot = await started({
    async draw(_picture, { id }, isUrgent) {
      urgent.set(id, isUrgent)
      return PNG
    },
  })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2), { ...bot.picture(3), chatId: 2, pictureOf: null })
  await bot.clock.advance(10)
  expect(urgent).toEqual(
    new Map([
      [1, true],
      [2, false],
    ]),
  )
})

test('where pictures cannot be shown, none is drawn', async () => {
  let drawings = 0
  const draw = async () => {
    drawings++
    return PNG
  }
  const bot = await started({ platforms: { telegram: UNLIMITED }, draw })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2))
  await bot.clock.advance(10)
  expect([bot.rows(), drawings]).toEqual([[1], 0])
})

test('after a minute it is too late for a picture', async () => {
  const bot = await started({
    answer: ({ to, row }) =>
      row === 1 && bot.clock.monotonic() < 61_000
        ? { is: 'delayed', retryAfterMs: 61_000, scope: 'chat', maybeSent: false, why: '429' }
        : { is: 'sent', ref: { address: to, id: `perch-${row}` } },
  })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2))
  await bot.clock.advance(200_000)
  expect(new Set(bot.rows())).toEqual(new Set([1]))
})

describe('while the uploads of a hundred pictures hang', () => {
  const chats = Array.from({ length: 100 }, (_, index) => index + 1)
  const named = (id: number) =>
    message([{ ...item('critical', `BTC long (A${id})`, [], [ACK(id)]), alertId: id }])

  test('four are under way, and what somebody did is shown at once, in their chats and elsewhere', async () => {
    const edits: string[] = []
    const bot = await started({
      ...{ chats: 100, answer: hangs },
      edit({ ref }) {
        edits.push(ref.id)
        return { is: 'sent', ref }
      },
    })
    await bot.put(...chats.map((id) => bot.alert({ id, chatId: id, alertIds: [id], message: named(id) })))
    await bot.put(...chats.map((id) => ({ ...bot.picture(100 + id), chatId: id, pictureOf: id })))
    const uploads = () => bot.attempts.filter(({ picture }) => picture !== undefined)
    await bot.clock.advance(1_000)
    expect(uploads()).toHaveLength(4)
    const noted = [...uploads().map(({ row }) => row - 100), 99, 100]
    await bot.put(...noted.map((id) => noteOf(id)))
    await bot.clock.advance(10)
    expect(edits.toSorted()).toEqual(noted.map((id) => `perch-${id}`).toSorted())
  })

  function noteOf(id: number): NewRow {
    const note = { alertId: id, line: 'by Ann', button: null }
    return aRow({ id: 1_000 + id, chatId: id, alertIds: [id], silent: true, message: message([]), note })
  }
})

const ACK = (id: number) => ({ label: 'Ack', line: `/ack A${id}`, replace: true })

test('a platform that wants no more pictures for now is asked for edits and messages as ever', async () => {
  let edits = 0
  const bot = await started({
    answer: ({ picture, to, row }) =>
      picture
        ? { ...later, scope: 'platform', retryAfterMs: 30_000 }
        : { is: 'sent', ref: { address: to, id: `perch-${row}` } },
    edit({ ref }) {
      edits += 1
      return { is: 'sent', ref }
    },
  })
  const named = message([{ ...item('critical', 'BTC long (A41)', [], [ACK(41)]), alertId: 41 }])
  await bot.put(bot.alert({ id: 1, message: named }), bot.picture(2))
  await bot.clock.advance(1_000)
  const note = { alertId: 41, line: 'by Ann', button: null }
  await bot.put(aRow({ id: 3, alertIds: [41], silent: true, message: message([]), note }))
  await bot.put({ ...bot.picture(4), chatId: 2, pictureOf: null })
  await bot.clock.advance(10)
  expect([edits, bot.rows()]).toEqual([1, [1, 2]])
})

test('pictures leave half of what a chat and a platform take at once to words that come later', async () => {
  const slow = { burst: 10, perSecond: 0.05 }
  const limits = {
    platform: { burst: 20, perSecond: 0.05 },
    chat: slow,
    group: null,
    pictures: true as const,
  }
  const bot = await started({ platforms: { telegram: limits } })
  const now = () => bot.clock.monotonic()
  await bot.put(...[1, 2, 3, 4].map((id) => bot.alert({ id, alertIds: [id] })))
  await bot.put(...[1, 2, 3, 4].map((id) => ({ ...bot.picture(10 + id), pictureOf: null })))
  await bot.clock.advance(5_000)
  const since = now()
  await bot.put(...[21, 22, 23, 24, 25].map((id) => bot.alert({ id, alertIds: [id] })))
  await bot.clock.advance(10)
  const words = bot.attempts.filter(({ row }) => row > 20)
  expect(words.map(({ row, mono }) => [row, mono - since])).toEqual([21, 22, 23, 24, 25].map((id) => [id, 0]))
  expect(bot.attempts.filter(({ picture }) => picture)).toHaveLength(1)
})

test('who was forgotten while it was drawn gets no picture', async () => {
  const drawing = Promise.withResolvers<typeof PNG>()
  const bot = await started({ draw: () => drawing.promise })
  await bot.put(bot.alert({ id: 1 }), bot.picture(2))
  await bot.clock.advance(10)
  bot.chats.delete(1)
  drawing.resolve(PNG)
  await bot.clock.advance(1_000)
  expect(bot.rows()).toEqual([1])
  expect(bot.lost()).toMatchObject([{ why: 'its chat is gone' }])
})
