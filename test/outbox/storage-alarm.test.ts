import { expect, test } from 'vitest'

import type { Notifier } from '../../src/chat/notifier.ts'
import type { Chat } from '../../src/people/chat.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { createStorageAlarm } from '../../src/outbox/storage-alarm.ts'
import type { Event } from '../../src/runtime/event.ts'
import { inWords } from '../../src/message/message.ts'
import { handClock } from '../support/clock.ts'

const HOME: Chat = {
  id: 1,
  address: { platform: 'red', chat: 'olga', thread: null },
  title: null,
  personId: 1,
  private: true,
  mention: null,
  brokenBecause: null,
  quiet: null,
  digest: null,
  weekly: null,
  pin: null,
  acksBy: 'known',
}

test.each<[string, Delivery, string]>([
  ['has blocked us', { is: 'gone', why: 'bot was blocked by the user' }, 'bot was blocked by the user'],
  ['refuses it', { is: 'rejected', why: '400 Bad Request' }, '400 Bad Request'],
  ['has moved', { is: 'moved', to: { ...HOME.address, chat: 'elsewhere' } }, 'the chat has moved'],
])(
  'when the chat of the operator %s, the log says that they do not know that nothing is kept',
  async (_how, outcome, why) => {
    const events: Event[] = []
    const adapter = { deliver: async () => outcome } as Partial<Notifier> as Notifier
    const clock = handClock()
    const alarm = createStorageAlarm({
      clock,
      emit: (event) => events.push(event),
      random: () => 0,
      adapters: new Map([['red', adapter]]),
      chats: () => [HOME],
      everybody: () => [HOME],
      localize: (message) => message,
    })
    alarm.storeFailed('disk full')
    await clock.advance(1)
    expect(events).toMatchObject([{ is: 'trouble', where: 'outbox', why: expect.stringContaining(why) }])
    alarm.stop()
  },
)

/** The operator and two others, of whom one cannot be reached; what each has been sent, and how long it took since the start. */
function threePeople() {
  const clock = handClock()
  const events: Event[] = []
  const heard: [user: string, title: unknown, silent: boolean][] = []
  const deliver: Notifier['deliver'] = async ({ to, message, silent }) => {
    if (to.chat === 'gone') return { is: 'gone', why: 'blocked' }
    heard.push([to.chat, inWords(message.items[0]?.title ?? ''), silent])
    return { is: 'sent', ref: { address: to, id: '1' } }
  }
  const home = (personId: number, chat: string): Chat => ({
    ...{ ...HOME, id: personId, personId },
    address: { ...HOME.address, chat },
  })
  const alarm = createStorageAlarm({
    ...{ clock, emit: (event) => events.push(event), random: () => 0 },
    adapters: new Map([['red', { deliver } as Partial<Notifier> as Notifier]]),
    chats: () => [HOME],
    everybody: () => [HOME, home(2, 'bob'), home(3, 'gone')],
    localize: (message) => message,
  })
  return { clock, events, alarm, heard: () => heard.splice(0) }
}

test('when nothing can be kept for a minute, everybody hears that they are not warned, without a sound, and when they are again', async () => {
  const { clock, alarm, events, heard } = threePeople()
  alarm.storeFailed('disk full')
  await clock.advance(59_000)
  expect(heard()).toEqual([['olga', 'I can’t save anything now', false]])
  await clock.advance(1_000)
  expect(heard()).toEqual([['bob', 'I can’t warn you now', true]])
  expect(events).toMatchObject([{ is: 'trouble', why: '1 of 2 people do not know whether anything is kept' }])
  alarm.storeFailed(null)
  await clock.advance(60_000)
  expect(heard()).toEqual([
    ['olga', 'I can save again', false],
    ['bob', 'I can warn you again', true],
  ])
  expect(clock.waiting()).toBe(0)
})

test('what is over within a minute, and what comes again within an hour, only the operator hears of', async () => {
  const { clock, alarm, heard } = threePeople()
  alarm.storeFailed('disk full')
  await clock.advance(30_000)
  alarm.storeFailed(null)
  await clock.advance(60_000)
  expect(heard().map(([user]) => user)).toEqual(['olga', 'olga'])
  for (let times = 0; times < 3; times++) {
    alarm.storeFailed('disk full')
    await clock.advance(300_000)
    alarm.storeFailed(null)
    await clock.advance(300_000)
  }
  expect(heard().filter(([user]) => user === 'bob')).toHaveLength(2)
  alarm.stop()
})
