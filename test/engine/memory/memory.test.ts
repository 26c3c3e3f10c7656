import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import type { Chat } from '../../../src/people/chat.ts'
import { createMemory } from '../../../src/engine/memory/apply.ts'
import type { Memory } from '../../../src/engine/memory/memory.ts'
import { otherChat, fallbackOf } from '../../../src/engine/memory/people.ts'
import { priceOf } from '../../../src/engine/memory/markets.ts'
import { walletLabel } from '../../../src/engine/memory/rules.ts'
import { keptOf } from '../../../src/engine/memory/monitors.ts'
import { NOON } from '../../support/clock.ts'
import {
  aChat,
  aFiring,
  aMonitor,
  aMarket,
  aPerson,
  aRule,
  aWatch,
  BOB,
  remembered,
} from '../../support/fixtures.ts'

test('a wallet has the name that its watcher gave it, else its address, shortened', () => {
  const watches = [aWatch({ wallet: BOB }), aWatch({ wallet: BOB, personId: 2, label: 'whale' })]
  const memory = createMemory(remembered({ watches }))
  expect([1, 2, 3].map((personId) => walletLabel(memory, personId, BOB))).toEqual([
    'main',
    'whale',
    '0x8617…070D',
  ])
})

test('a market that was never seen has no price', () => {
  const memory = createMemory(remembered())
  expect(priceOf(memory, '100')).toBeNull()
  memory.markets.readings.set('100', { value: aMarket(), at: NOON, mono: 0 })
  expect(priceOf(memory, '100')).toBe(2500)
})

describe('where the people of a chat are told', () => {
  const gone = { brokenBecause: 'blocked' }
  const told = (chats: Chat[], fallbackChat: number | null = null) => {
    const memory = createMemory(remembered({ chats, persons: [aPerson({ fallbackChat })] }))
    memory.run.platforms = new Set(['terminal'])
    return fallbackOf(memory, 1)
  }

  test.each([
    ['there, while it works', [aChat(), aChat({ id: 2 })], null, 1],
    ['in the fallback, when it does not', [aChat(gone), aChat({ id: 2 }), aChat({ id: 3 })], 3, 3],
    ['there and nowhere else, when they want no other', [aChat(gone), aChat({ id: 2 })], null, 1],
    ['not in one that is broken too', [aChat(gone), aChat({ id: 2, ...gone }), aChat({ id: 3 })], 2, 3],
    [
      'not on a platform that nobody has opened',
      [
        aChat(gone),
        aChat({ id: 2, address: { platform: 'pager', chat: '2', thread: null } }),
        aChat({ id: 3 }),
      ],
      2,
      3,
    ],
    ['not in a group: it keeps waiting there', [aChat(gone), aChat({ id: 2, private: false })], null, 1],
    [
      'nowhere else for a group that is broken',
      [aChat({ ...gone, private: false }), aChat({ id: 2 })],
      null,
      1,
    ],
  ] as [string, Chat[], number | null, number][])('is %s', (_what, chats, fallback, chatId) =>
    expect(told(chats, fallback)).toBe(chatId),
  )

  test('is nobody’s business where there is no other', () => {
    const memory = createMemory(remembered())
    expect(otherChat(memory, aChat())).toBeNull()
  })
})

test('the store lets go of a state, closes its alert, and lets go of a memo: of what there is', () => {
  const key = monitorKey(aMonitor())
  const kept = (over: Parameters<typeof remembered>[0]) =>
    keptOf(createMemory(remembered(over)), key, aMonitor(), NOON).map(({ is }) => is)
  const row = { monitor: aMonitor(), value: 0, params: aRule().params }
  const firing = { ...row, state: aFiring({ tier: 1, alertId: 3, since: 1 }) }
  expect(kept({})).toEqual([])
  expect(kept({ states: [firing], memos: [{ monitor: aMonitor(), memo: 0 }] })).toEqual([
    'state-gone',
    'alert-closed',
    'memo-gone',
  ])
  expect(
    kept({ states: [{ ...row, state: { is: 'pending', tier: 1, since: 1, leftMs: 15_000, countedAt: 1 } }] }),
  ).toEqual(['state-gone'])
})

/** No line of these is ever run: the type checker has to refuse each of them. */
function changesMemory(memory: Memory): void {
  // @ts-expect-error: a figure of a drawer
  memory.run.aliveAt = 0
  // @ts-expect-error: a field of a figure
  memory.run.last.row++
  // @ts-expect-error: a drawer
  memory.people = createMemory(remembered()).people
  // @ts-expect-error: a map
  memory.markets.readings.delete('100')
  // @ts-expect-error: a map within a figure
  memory.markets.lists.lastMono.clear()
  // @ts-expect-error: a set
  memory.monitors.pending.clear()
  // @ts-expect-error: a set within a map
  memory.monitors.escalatedTo.get(1)?.add(2)
  // @ts-expect-error: a set within a figure that may be missing
  memory.sources.walletOutage?.sources.clear()
  // @ts-expect-error: a list
  memory.markets.holes.push({ since: 0, until: 1 })
  // @ts-expect-error: a grouped index
  memory.rules.watches.dropGroup(BOB)
  // @ts-expect-error: an index with numbers of its own
  memory.monitors.index.take(aMonitor())
  // @ts-expect-error: figures behind functions
  memory.wallets.views.doubt()
  // @ts-expect-error: the recording
  memory.recording.dark(0, 1)
}

test('memory is there to be read: nothing but an effect changes it', () => {
  expect(changesMemory).toHaveLength(1)
})
