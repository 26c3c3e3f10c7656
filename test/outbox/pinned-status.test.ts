import { describe, expect, test } from 'vitest'

import type { Notifier } from '../../src/chat/notifier.ts'
import type { Chat } from '../../src/people/chat.ts'
import type { Address } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { say, type Text, words } from '../../src/message/message.ts'
import { createPins } from '../../src/outbox/pinned-status.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Change } from '../../src/store/change.ts'
import { handClock } from '../support/clock.ts'
import { aChat } from '../support/fixtures.ts'

const MINUTE = 60_000
const SOMEWHERE: Address = { platform: 'red', chat: 'olga', thread: null }

/** A chat with such a message, and what is done about it. */
function pinning(over: Partial<Chat> = {}) {
  const clock = handClock()
  const done: string[] = []
  const chat = aChat({ address: SOMEWHERE, pin: { ref: null }, ...over })
  const world = {
    ...{ clock, done, chats: [chat] as Chat[], isAtRest: true, keeps: true, said: 'I am watching' },
    pinning: null as Text | null | Error,
    heard: [] as Event[],
    edited: (): Delivery => ({ is: 'sent', ref: { address: SOMEWHERE, id: 'm1' } }),
    did: () => done.splice(0),
  }
  const adapter = {
    async deliver({ to, silent }) {
      done.push(`sends ${silent ? 'silently ' : ''}to ${to.chat}`)
      return { is: 'sent', ref: { address: to, id: 'm1' } }
    },
    async edit({ address, id }, { items }) {
      done.push(`writes ${id} in ${address.chat}: ${items[0]?.title as string}`)
      return world.edited()
    },
    async pin({ id }, isKept) {
      done.push(`${isKept ? 'pins' : 'unpins'} ${id}`)
      if (world.pinning instanceof Error) throw world.pinning
      return world.pinning
    },
  } as Partial<Notifier> as Notifier
  const pins = createPins({
    ...{ clock, emit: (event: Event) => void world.heard.push(event), adapters: new Map([['red', adapter]]) },
    chats: () => world.chats,
    words: () => say(world.said),
    lastWords: () => say('This card is no longer live.'),
    isAtRest: () => world.isAtRest,
    async change(change: Change) {
      if (!world.keeps) throw new Error('disk full')
      world.chats = world.chats.map((one) => {
        if (change.is === 'pinned') return { ...one, pin: { ref: change.ref } }
        return change.is === 'unpin' ? { ...one, pin: null } : one
      })
      world.chats = world.chats.filter(({ pin }) => pin !== null)
    },
  })
  return { world, pins, ...world }
}

const WRITES = 'writes m1 in olga: I am watching'

describe('a message that is kept up to date', () => {
  test('never goes out while anything else does, and is made up for when nothing does', async () => {
    const { world, pins, clock, did } = pinning({ pin: { ref: { address: SOMEWHERE, id: 'm1' } } })
    world.isAtRest = false
    pins.nudge()
    await clock.advance(20 * MINUTE)
    expect(did()).toEqual([])
    world.isAtRest = true
    await clock.advance(1_000)
    expect(did()).toEqual([WRITES])
    await clock.advance(5 * MINUTE)
    expect(did()).toEqual([WRITES])
    pins.stop()
    expect(clock.waiting()).toBe(0)
  })

  test('comes once, also while nothing can be kept', async () => {
    const { world, pins, clock, did } = pinning()
    world.keeps = false
    pins.nudge()
    await clock.advance(5 * MINUTE)
    expect(did()).toEqual(['sends silently to olga', 'pins m1', WRITES])
    world.keeps = true
    await clock.advance(5 * MINUTE)
    expect(world.chats[0]?.pin).toEqual({ ref: { address: SOMEWHERE, id: 'm1' } })
  })

  test('is not tried again at once where the platform asks to wait', async () => {
    const { world, pins, clock, did } = pinning({ pin: { ref: { address: SOMEWHERE, id: 'm1' } } })
    const why = 'too many requests'
    world.edited = () => ({ is: 'delayed', retryAfterMs: 30_000, scope: 'chat', maybeSent: false, why })
    pins.nudge()
    await clock.advance(MINUTE - 1)
    expect(did()).toEqual([WRITES])
    expect(world.chats).toHaveLength(1)
  })

  test('is edited within seconds of a change, and not before', async () => {
    const { world, pins, clock, did } = pinning()
    pins.nudge()
    await clock.advance(1)
    expect(did()).toEqual(['sends silently to olga', 'pins m1'])
    world.said = 'BTC short: 4.3% to liquidation'
    await clock.advance(14_000)
    expect(did()).toEqual([])
    await clock.advance(1_000)
    expect(did()).toEqual(['writes m1 in olga: BTC short: 4.3% to liquidation'])
    await clock.advance(4 * MINUTE)
    expect(did()).toEqual([])
  })

  test('is written ever more rarely where the platform refuses edits, however much changes', async () => {
    const { world, pins, clock, did } = pinning({ pin: { ref: { address: SOMEWHERE, id: 'm1' } } })
    const why = 'too many requests'
    world.edited = () => ({ is: 'delayed', retryAfterMs: null, scope: 'chat', maybeSent: false, why })
    pins.nudge()
    for (let second = 0; second < 600; second++) {
      world.said = `${second}`
      await clock.advance(1_000)
    }
    // At 0, 60, 300 and 600 s.
    expect(did()).toHaveLength(4)
  })

  test('is bounded for all chats together: two edits a second', async () => {
    const { world, pins, clock, did } = pinning()
    world.chats = Array.from({ length: 300 }, (_, id) =>
      aChat({ id, address: SOMEWHERE, pin: { ref: { address: SOMEWHERE, id: `m${id}` } } }),
    )
    pins.nudge()
    await clock.advance(1_000)
    did()
    for (let second = 0; second < 300; second++) {
      world.said = `${second}`
      await clock.advance(1_000)
    }
    expect(did().length).toBeLessThanOrEqual(600)
  })

  test('is unpinned when it is taken away', async () => {
    const { world, pins, clock, did } = pinning({ pin: { ref: { address: SOMEWHERE, id: 'm1' } } })
    pins.nudge()
    await clock.advance(1)
    world.chats = []
    pins.nudge()
    await clock.advance(1)
    expect(did()).toEqual([WRITES, 'writes m1 in olga: This card is no longer live.', 'unpins m1'])
  })

  test('says at once whether the platform keeps it in sight', async () => {
    const { world, pins, clock } = pinning()
    world.pinning = words('card.pin.rights')
    const refused = pins.shown(world.chats[0]?.id ?? 0)
    await clock.advance(1)
    expect(await refused).toEqual({ is: 'refused', why: words('card.pin.rights') })
    const busy = pinning()
    busy.world.isAtRest = false
    const unknown = busy.pins.shown(1)
    await busy.clock.advance(3_000)
    expect(await unknown).toBeNull()
  })

  test('says that the platform failed, and tells the operator why', async () => {
    const { world, pins, clock } = pinning()
    world.pinning = new Error('socket hang up')
    const refused = pins.shown(world.chats[0]?.id ?? 0)
    await clock.advance(1)
    expect(await refused).toEqual({ is: 'refused', why: words('card.pin.failed') })
    expect(world.heard).toEqual([
      expect.objectContaining({ is: 'trouble', where: 'pin', why: 'Error: socket hang up' }),
    ])
  })

  test('ends where it was deleted, or nothing can be changed', async () => {
    const { world, pins, clock, did } = pinning()
    world.edited = () => ({ is: 'rejected', why: 'message to edit not found' })
    pins.nudge()
    await clock.advance(10 * MINUTE)
    expect(did()).toEqual(['sends silently to olga', 'pins m1', WRITES])
    expect(world.chats).toEqual([])
  })

  test('goes on once the chat that has locked us out lets us in again', async () => {
    const { world, pins, clock, did } = pinning({ pin: { ref: { address: SOMEWHERE, id: 'm1' } } })
    world.edited = () => ({ is: 'gone', why: 'bot was blocked by the user' })
    pins.nudge()
    await clock.advance(4 * MINUTE)
    world.edited = () => ({ is: 'sent', ref: { address: SOMEWHERE, id: 'm1' } })
    await clock.advance(MINUTE)
    expect(did()).toEqual([WRITES, WRITES])
    expect(world.chats).toHaveLength(1)
  })

  test('comes anew in a group that has moved, and waits for a chat that is broken', async () => {
    const { world, pins, clock, did } = pinning()
    pins.nudge()
    await clock.advance(1)
    const moved = { address: { ...SOMEWHERE, chat: 'super' }, pin: { ref: null } }
    world.chats = world.chats.map((chat) => ({ ...chat, ...moved, brokenBecause: 'blocked' }))
    await clock.advance(10 * MINUTE)
    expect(did()).toEqual(['sends silently to olga', 'pins m1'])
    world.chats = world.chats.map((chat) => ({ ...chat, brokenBecause: null }))
    pins.nudge()
    await clock.advance(1)
    expect(did()).toEqual(['sends silently to super', 'pins m1'])
  })
})
