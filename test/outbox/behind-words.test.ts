import { expect, test } from 'vitest'

import type { Picture } from '../../src/message/picture.ts'
import type { Text } from '../../src/message/message.ts'
import { createPictures } from '../../src/outbox/pictures.ts'
import type { AlertTransition } from '../../src/runtime/event.ts'
import type { QueuedPicture } from '../../src/store/change.ts'
import { handClock } from '../support/clock.ts'
import { UNLIMITED } from '../support/outbox.ts'
import { aChat } from '../support/fixtures.ts'
import { createRecordingNotifier } from '../support/recorder.ts'

const picture = (symbol: string, distance: number): Picture<Text> => ({
  ...{ is: 'position', market: symbol, symbol, wallet: 'main', side: 'long', size: 1, words: symbol },
  ...{ since: 0, until: 1, price: 100, priceName: 'mark', value: 100, liquidation: 90, distance },
  ...{ entry: null, pnl: null, fundingPerDay: null, tiers: [], marks: [] },
})

/** Each alert is told in a chat of its own. */
function started() {
  const clock = handClock()
  const queued: QueuedPicture[][] = []
  const asked: number[] = []
  const { adapter } = createRecordingNotifier('telegram', clock)
  const pictures = createPictures({
    ...{ clock, simulated: false, emit() {}, draw: async () => null },
    adapters: new Map([['telegram', { ...adapter, limits: { ...UNLIMITED, pictures: true } }]]),
    view: {
      chat: () => aChat({ address: { platform: 'telegram', chat: '1', thread: null } }),
      ...{ zone: () => 'UTC', language: () => 'en', numbers: () => '1,234.5', theme: () => 'dark' },
    },
    course: async () => 'busy',
    pictureOf(alertId) {
      asked.push(alertId)
      return { chatId: alertId, picture: picture(`M${alertId}`, 0.04) }
    },
    ...{ pictureOfDay: async () => null, day: async () => null },
    queue: async (all) => void queued.push([...all]),
  })
  return { clock, pictures, queued, asked }
}
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

test('an end leaves out what has not begun', async () => {
  const { clock, pictures, asked } = started()
  pictures.transitioned(fired(1))
  pictures.stop()
  expect(clock.waiting()).toBe(0)
  await clock.advance(1_000)
  expect(asked).toEqual([])
})

test('after the end nothing begins: what is committed last brings no picture', async () => {
  const { clock, pictures, queued } = started()
  pictures.stop()
  pictures.transitioned(fired(1))
  pictures.escalated({ alertId: 1, chatId: 2, isNew: true })
  pictures.follow(3, picture('BTC', 0.1))
  expect(clock.waiting()).toBe(0)
  await pictures.idle()
  expect(queued).toEqual([])
})
