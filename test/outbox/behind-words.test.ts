import { expect, test } from 'vitest'

import type { Limits } from '../../src/chat/notifier.ts'
import type { DrawingOrder, PositionPicture } from '../../src/message/picture.ts'
import type { Text } from '../../src/message/message.ts'
import { createPictures } from '../../src/outbox/pictures.ts'
import type { AlertTransition } from '../../src/runtime/event.ts'
import type { QueuedPicture } from '../../src/store/change.ts'
import { handClock } from '../support/clock.ts'
import { UNLIMITED } from '../support/outbox.ts'
import { aChat } from '../support/fixtures.ts'
import { createRecordingNotifier } from '../support/recorder.ts'

const picture = (symbol: string, distance: number): PositionPicture<Text> => ({
  ...{ is: 'position', market: symbol, symbol, wallet: 'main', side: 'long', size: 1, words: symbol },
  ...{ since: 0, until: 1, price: 100, priceName: 'mark', value: 100, liquidation: 90, distance },
  ...{ entry: null, pnl: null, fundingPerDay: null, tiers: [], marks: [] },
})

/** Each alert is told in a chat of its own, unless `told` says in which and of what. */
function started({ limits = SHOWN, told = {} }: { limits?: Limits; told?: Record<number, Told> } = {}) {
  const clock = handClock()
  const queued: QueuedPicture[][] = []
  const asked: number[] = []
  const orders: DrawingOrder[] = []
  const { adapter } = createRecordingNotifier('telegram', clock)
  const pictures = createPictures({
    ...{ clock, simulated: false, emit() {} },
    async draw(order) {
      orders.push(order)
      return null
    },
    adapters: new Map([['telegram', { ...adapter, limits }]]),
    view: {
      chat: () => aChat({ address: { platform: 'telegram', chat: '1', thread: null } }),
      ...{ zone: () => 'UTC', language: () => 'en', numbers: () => '1,234.5', theme: () => 'dark' },
    },
    course: async (market, since) => ({
      ...{ market, symbol: market, since, until: 9, times: [1, 4, 5, 6, 9], prices: [10, 40, 50, 60, 90] },
      gaps: [
        { since: 1, until: 3 },
        { since: 2, until: 5 },
        { since: 5, until: 9 },
      ],
    }),
    pictureOf(alertId, elsewhere) {
      asked.push(alertId)
      const { chatId = alertId, symbol = `M${alertId}` } = told[alertId] ?? {}
      return { chatId: elsewhere ?? chatId, picture: picture(symbol, 0.04) }
    },
    async pictureOfDay({ digestOf }) {
      asked.push(digestOf)
      return null
    },
    day: async () => null,
    queue: async (all) => void queued.push([...all]),
  })
  return { clock, pictures, queued, asked, orders }
}
interface Told {
  chatId: number
  symbol: string
}
const SHOWN: Limits = { ...UNLIMITED, pictures: true }
const fired = (alertId: number, reason: AlertTransition['reason'] = 'fired') =>
  ({
    kind: 'liquidation-distance',
    subject: 'x',
    from: 'tier 0',
    to: 'tier 3',
    reason,
    alert: `A${alertId}`,
  }) as const

test('nothing is made of a picture before the words of its alert had time to leave', async () => {
  const { clock, pictures, queued, asked } = started()
  pictures.transitioned(fired(1))
  await clock.advance(99)
  expect(asked).toEqual([])
  pictures.transitioned(fired(2, 'worse'))
  await clock.advance(1)
  await pictures.idle()
  expect(queued.map((all) => all.map(({ alertId }) => alertId))).toEqual([[1, 2]])
})

test('of very many alerts two hundred bring pictures, and what is only a reminder brings none', async () => {
  const { clock, pictures, queued } = started()
  pictures.transitioned(fired(1, 'reminder'))
  for (let alertId = 2; alertId < 300; alertId++) pictures.transitioned(fired(alertId))
  await clock.advance(100)
  await pictures.idle()
  expect(queued.flat().map(({ alertId }) => alertId)).toEqual(Array.from({ length: 200 }, (_, at) => at + 2))
})

test('of very many answers at once two hundred bring pictures', async () => {
  const { clock, pictures, queued } = started()
  for (let chatId = 1; chatId <= 201; chatId++) pictures.follow(chatId, picture('BTC', 0.1))
  await clock.advance(100)
  await pictures.idle()
  expect(queued.flat()).toHaveLength(200)
})

test('who is told as well gets a picture the first time, and after that with worse news alone', async () => {
  const { clock, pictures, queued } = started()
  pictures.escalated({ alertId: 1, chatId: 11, isNew: true })
  pictures.escalated({ alertId: 2, chatId: 12, isNew: false })
  pictures.escalated({ alertId: 3, chatId: 13, isNew: false })
  pictures.transitioned(fired(3, 'worse'))
  await clock.advance(100)
  await pictures.idle()
  expect(queued.flat().map(({ alertId, chatId }) => [alertId, chatId])).toEqual([
    [3, 3],
    [1, 11],
    [3, 13],
  ])
})

test('two alerts about one position bring one picture into a chat', async () => {
  const btc = { chatId: 1, symbol: 'BTC' }
  const told = { 1: btc, 2: btc, 3: { chatId: 1, symbol: 'ETH' }, 4: { chatId: 2, symbol: 'BTC' } }
  const { clock, pictures, queued } = started({ told })
  for (const alertId of [1, 2, 3, 4]) pictures.transitioned(fired(alertId))
  await clock.advance(100)
  await pictures.idle()
  const shown = queued.flat().map((one) => [one.chatId, 'symbol' in one.picture && one.picture.symbol])
  expect(shown).toEqual([
    [1, 'BTC'],
    [1, 'ETH'],
    [2, 'BTC'],
  ])
})

test('where a platform shows no pictures, none is queued', async () => {
  const { clock, pictures, queued } = started({ limits: UNLIMITED })
  pictures.transitioned(fired(1))
  pictures.follow(2, picture('BTC', 0.1))
  await clock.advance(100)
  await pictures.idle()
  expect(queued).toEqual([])
})

test('what was recorded before or after the times of a picture is not drawn', async () => {
  const { pictures, orders } = started()
  const chat = aChat({ address: { platform: 'telegram', chat: '1', thread: null } })
  await pictures.draw({ ...picture('BTC', 0.1), since: 4, until: 6 }, chat, true)
  expect(orders.map(({ course }) => course)).toEqual([
    {
      ...{ times: [4, 5, 6], prices: [40, 50, 60] },
      gaps: [
        { since: 4, until: 5 },
        { since: 5, until: 6 },
      ],
    },
  ])
})

test('an end leaves out what has not begun', async () => {
  const { clock, pictures, asked } = started()
  pictures.transitioned(fired(1))
  pictures.stop()
  expect(clock.waiting()).toBe(0)
  await clock.advance(1_000)
  expect(asked).toEqual([])
})

test('after the end nothing begins: what is committed last brings no picture', async () => {
  const { clock, pictures, queued, asked } = started()
  pictures.stop()
  pictures.transitioned(fired(1))
  pictures.escalated({ alertId: 1, chatId: 2, isNew: true })
  pictures.follow(3, picture('BTC', 0.1))
  const dailySummary = { fired: { critical: 0, warning: 0, info: 0 }, reached: [] }
  pictures.digestTold({ chatId: 4, digestOf: 4, since: 0, at: 1, dailySummary, nearest: null })
  expect(clock.waiting()).toBe(0)
  await pictures.idle()
  expect([queued, asked]).toEqual([[], []])
})
