import { describe, expect, test } from 'vitest'

import { type MonitorId, monitorKey } from '../../src/alert/monitor.ts'
import { type ByChat, sortByChat } from '../../src/engine/chunks.ts'
import { apply, createMemory } from '../../src/engine/memory/apply.ts'
import type { Drawers } from '../../src/engine/memory/memory.ts'
import { aChat, aPerson, remembered } from '../support/fixtures.ts'

const monitorIn = (chatId: number, marketId = '100'): MonitorId => ({
  ...{ chatId, kind: 'price-above', identity: '' },
  subject: { is: 'market', marketId },
})

function armed(memory: Drawers, monitor: MonitorId): number {
  const slot = memory.monitors.index.take(monitor)
  memory.monitors.thresholdIndex.arm(slot, '100', { of: 'price', above: 1 })
  return slot
}

function piles(
  memory: Drawers,
  found: Partial<Parameters<typeof sortByChat>[1]>,
  done: readonly number[] = [],
): ByChat {
  const sorting = sortByChat(memory, { keys: [], slots: [], reported: [], ...found }, new Set(done))
  for (;;) {
    const { done, value } = sorting.next()
    if (done) return value
  }
}

describe('what is found', () => {
  test('is in the pile of its chat, however it is known, once', () => {
    const memory = createMemory(remembered({}))
    const slots = [1, 2, 1].map((chatId, place) => armed(memory, monitorIn(chatId, String(place))))
    const key = monitorKey(monitorIn(3))
    const sorted = piles(memory, { keys: [key], slots, reported: [2, 4, 2] })
    expect([...sorted.chats()]).toEqual([1, 2, 3, 4])
    expect(sorted.of(1)).toEqual({ reported: new Set(), keys: [], slots: [slots[0], slots[2]] })
    expect(sorted.of(2)).toEqual({ reported: new Set([2]), keys: [], slots: [slots[1]] })
    expect(sorted.of(3)).toEqual({ reported: new Set(), keys: [key], slots: [] })
    expect(sorted.of(4)).toEqual({ reported: new Set([4]), keys: [], slots: [] })
  })

  test('is with what is said where its people are told instead of there', () => {
    const memory = createMemory(
      remembered({
        persons: [aPerson({ id: 1, defaultChat: 1, fallbackChat: 2 })],
        chats: [aChat({ id: 1, personId: 1, brokenBecause: 'blocked' }), aChat({ id: 2, personId: 1 })],
      }),
    )
    const slots = [1, 2].map((chatId) => armed(memory, monitorIn(chatId)))
    const sorted = piles(memory, { slots })
    expect([...sorted.chats()]).toEqual([2])
    expect(sorted.of(2).slots).toEqual(slots)
  })

  test('is left out where its chat was told already', () => {
    const memory = createMemory(remembered({}))
    const slots = [1, 2].map((chatId) => armed(memory, monitorIn(chatId)))
    expect([...piles(memory, { slots }, [1]).chats()]).toEqual([2])
  })

  test('is no longer there when somebody has taken it back, whoever has its number since', () => {
    const memory = createMemory(remembered({}))
    const [first, second] = [monitorIn(1), monitorIn(2)]
    const slots = [armed(memory, first), armed(memory, second)]
    const sorted = piles(memory, { slots })
    apply(memory, [
      { is: 'forgotten', key: monitorKey(first), monitor: first },
      { is: 'forgotten', key: monitorKey(second), monitor: second },
    ])
    expect([armed(memory, monitorIn(3)), slots[1]]).toEqual([slots[1], slots[1]])
    expect([1, 2].map((chatId) => sorted.of(chatId).slots)).toEqual([[], []])
  })
})
