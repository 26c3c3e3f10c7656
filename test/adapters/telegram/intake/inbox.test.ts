import { expect, test } from 'vitest'

import { createInbox } from '../../../../adapters/telegram/intake/poll.ts'
import { breathe, handClock } from '../../../support/clock.ts'

function open() {
  const clock = handClock()
  const stopping = new AbortController()
  const handled: number[] = []
  const given: number[] = []
  const release = new Map<number, () => void>()
  const inbox = createInbox<{ update_id: number }>({
    clock,
    signal: stopping.signal,
    handle({ update_id: id }) {
      handled.push(id)
      return new Promise((resolve) => release.set(id, resolve))
    },
    failed: (_error, id) => given.push(id),
  })
  const ends = async (id: number) => {
    release.get(id)?.()
    await breathe()
  }
  const take = (...ids: number[]) => inbox.take(ids.map((id) => ({ update_id: id })))
  return { clock, stopping, inbox, handled, given, ends, take }
}

test('nothing is confirmed before it is finished, and what came again is not taken twice', async () => {
  const { inbox, handled, ends, take } = open()
  expect(inbox.offset()).toBe(0)
  take(7, 8, 9)
  expect(inbox.offset()).toBe(7)
  await ends(8)
  expect(inbox.offset()).toBe(7)
  take(7, 8, 9, 10)
  expect(handled).toEqual([7, 8, 9, 10])
  await ends(7)
  expect(inbox.offset()).toBe(9)
  await ends(9)
  await ends(10)
  expect(inbox.offset()).toBe(11)
})

test('what was confirmed is forgotten, so that ids may begin anew', async () => {
  const { inbox, handled, ends, take } = open()
  take(900)
  await ends(900)
  inbox.confirmed(inbox.offset())
  expect(inbox.offset()).toBe(0)
  take(3)
  expect(handled).toEqual([900, 3])
  expect(inbox.offset()).toBe(3)
})

test('what never ends is given up after a minute, unless we are stopping: then it comes again', async () => {
  const { inbox, clock, given, stopping, take } = open()
  take(1)
  await clock.advance(60_000)
  expect(given).toEqual([1])
  expect(inbox.offset()).toBe(2)
  take(2)
  stopping.abort()
  await clock.advance(120_000)
  expect(inbox.offset()).toBe(2)
  expect(clock.waiting()).toBe(0)
})

test('an update that breaks whoever handles it counts as done, and disturbs no other', async () => {
  const failed: number[] = []
  const inbox = createInbox<{ update_id: number }>({
    clock: handClock(),
    signal: new AbortController().signal,
    handle: ({ update_id: id }) => (id === 1 ? Promise.reject(new Error('broken')) : Promise.resolve()),
    failed: (_error, id) => failed.push(id),
  })
  inbox.take([{ update_id: 1 }, { update_id: 2 }])
  await inbox.idle()
  expect([failed, inbox.offset()]).toEqual([[1], 3])
})
