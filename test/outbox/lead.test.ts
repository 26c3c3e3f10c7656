import { expect, test } from 'vitest'

import type { Chat } from '../../src/people/chat.ts'
import type { Notifier } from '../../src/chat/notifier.ts'
import { inWords, type Message } from '../../src/message/message.ts'
import { createStorageAlarm } from '../../src/outbox/storage-alarm.ts'
import { handClock } from '../support/clock.ts'
import { startOutbox } from '../support/outbox.ts'
import { aRow } from '../support/store.ts'

/** An outbox of a process that leads, or may not any more. */
async function outboxOf() {
  const lead = { holds: true }
  return { lead, bot: await startOutbox({ mayAct: () => lead.holds }) }
}

test('a process whose lease is over sends nothing, and goes on with the same row once it leads again', async () => {
  const { lead, bot } = await outboxOf()
  lead.holds = false
  await bot.put(aRow({ id: 1 }))
  await bot.clock.advance(10_000)
  expect(bot.rows()).toEqual([])
  lead.holds = true
  await bot.clock.advance(60_000)
  expect(bot.attempts).toMatchObject([{ row: 1, possibleRepeat: false }])
})

test('an answer waits as well, and is not written by two processes', async () => {
  const { lead, bot } = await outboxOf()
  lead.holds = false
  let tries = 0
  const to = { platform: 'telegram', chat: 'chat-1', thread: null }
  const over = bot.dispatcher().answer(to, async () => {
    tries += 1
    return { is: 'sent', ref: { address: to, id: '7' } }
  })
  await bot.clock.advance(3_000)
  expect(tries).toBe(0)
  lead.holds = true
  await bot.clock.advance(30_000)
  await over
  expect(tries).toBe(1)
})

/** The alarm of two people, and the chats that have heard it. */
function alarmOf(mayAlarm: () => boolean, isShared = true) {
  const clock = handClock()
  const heard: string[] = []
  const read: Message[] = []
  const chat = (personId: number): Chat => ({
    ...{ id: personId, personId, title: null, private: true, mention: null, brokenBecause: null },
    ...{ quiet: null, digest: null, weekly: null, pin: null, acksBy: 'known' },
    address: { platform: 'red', chat: `home of ${personId}`, thread: null },
  })
  const adapter: Partial<Notifier> = {
    async deliver({ to, message }) {
      heard.push(to.chat)
      read.push(message)
      return { is: 'sent', ref: { address: to, id: '1' } }
    },
  }
  const alarm = createStorageAlarm({
    ...{ clock, emit: () => {}, random: () => 0, mayAlarm, isShared: () => isShared },
    adapters: new Map([['red', adapter as Notifier]]),
    chats: () => [chat(1)],
    everybody: () => [chat(1), chat(2)],
    localize: (message) => message,
  })
  return { clock, alarm, heard, read }
}

test('while it is not known who leads, people hear that nobody warns them', async () => {
  const { clock, alarm, heard } = alarmOf(() => true)
  alarm.storeFailed('PostgreSQL does not answer')
  await clock.advance(61_000)
  expect(heard).toEqual(['home of 1', 'home of 2'])
  alarm.stop()
})

test('a process that was stopped while nothing could be kept alarms nobody before it knows who leads', async () => {
  let mayAlarm = true
  const { clock, alarm, heard } = alarmOf(() => mayAlarm)
  alarm.storeFailed('PostgreSQL does not answer')
  await clock.advance(59_000)
  mayAlarm = false
  // Its timers are the first that run when it goes on.
  await clock.advance(10_000)
  expect(heard).toEqual(['home of 1'])
  mayAlarm = true
  await clock.advance(2_000)
  expect(heard).toEqual(['home of 1', 'home of 2'])
  alarm.stop()
})

test.each([
  [true, 'Check PostgreSQL, the network and the disk; /healthz has details.'],
  [false, 'Check the disk; /status has details.'],
])('the operator reads where to look, with a shared store (%s) and with a file', async (isShared, where) => {
  const { clock, alarm, read } = alarmOf(() => true, isShared)
  alarm.storeFailed('PostgreSQL does not answer')
  await clock.advance(1_000)
  expect(read.map(({ items: [first] }) => first?.lines.map((line) => inWords(line)).join('\n'))).toEqual([
    expect.stringContaining(where),
  ])
  alarm.stop()
})
