import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type MonitorId, monitorKey, walletOf } from '../../../src/alert/monitor.ts'
import type { SubjectId } from '../../../src/alert/subject-id.ts'
import { createMonitorIndex } from '../../../src/engine/memory/monitor-index.ts'
import { createWords } from '../../../src/lib/data/words.ts'
import { ALICE, BOB } from '../../support/fixtures.ts'

const wallet = fc.constantFrom(ALICE, BOB)
const id = fc.constantFrom('1', 'a|b', 'a/b', '')
const position = fc.record({
  is: fc.constant('position' as const),
  wallet,
  accountId: id,
  marketId: id,
  side: fc.constantFrom('long' as const, 'short' as const),
})
const subject: fc.Arbitrary<SubjectId> = fc.oneof(
  fc.record({ is: fc.constant('market' as const), marketId: id }),
  fc.constant({ is: 'venue' as const }),
  fc.record({ is: fc.constant('wallet' as const), wallet }),
  fc.record({ is: fc.constant('account' as const), wallet, accountId: id }),
  position,
)
const monitor: fc.Arbitrary<MonitorId> = fc.record({
  chatId: fc.constantFrom(1, 2),
  kind: fc.constantFrom('liquidation-distance', 'margin-ratio'),
  identity: fc.constantFrom('', '{"band":1}'),
  subject,
})

const alike = {
  ...{ chatId: 1, kind: 'margin-ratio', identity: '' },
  subject: { is: 'position', wallet: ALICE, accountId: '1', marketId: 'a/b', side: 'short' },
} as const

describe('a guard on the roll', () => {
  test('is found by its name, its chat and its owner until it is dropped, as in a list of them all', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ monitor, goes: fc.boolean() })), (sequence) => {
        const roll = createMonitorIndex(createWords())
        const all = new Map<string, MonitorId>()
        for (const { monitor: one, goes } of sequence) {
          const key = monitorKey(one)
          if (goes) roll.drop(one)
          else expect(roll.keyAt(roll.take(one))).toBe(key)
          if (goes) all.delete(key)
          else if (!all.has(key)) all.set(key, one)
          expect(roll.slotOf(one) >= 0).toBe(all.has(key))
        }
        for (const chatId of [1, 2])
          expect([...roll.in.of(chatId)]).toEqual([...all].filter(([, known]) => known.chatId === chatId))
        for (const whose of [ALICE, BOB])
          expect([...roll.of.of(whose)]).toEqual([...all].filter(([, known]) => walletOf(known) === whose))
        const slots = [...all.values()].map(roll.slotOf)
        expect([new Set(slots).size, slots.includes(-1)]).toEqual([all.size, false])
      }),
    )
  })

  test('of a position is found by the numbers of its words as by its name', () => {
    fc.assert(
      fc.property(fc.array(monitor), monitor, position, (all, { chatId, kind, identity }, sought) => {
        const words = createWords()
        const roll = createMonitorIndex(words)
        for (const one of all) roll.take(one)
        // A wallet that is read and its positions are kept beside the roll, and so are their words.
        const numbers = {
          wallet: words.take(sought.wallet),
          account: words.take(sought.accountId),
          market: words.take(sought.marketId),
          side: sought.side,
        }
        const rule = { chatId, kind, identity }
        expect(roll.slotsOfRule(rule)(numbers)).toBe(roll.slotOf({ ...rule, subject: sought }))
      }),
      { examples: [[[alike], alike, alike.subject]] },
    )
  })

  test('has the same number however often it is taken', () => {
    const roll = createMonitorIndex(createWords())
    const one: MonitorId = {
      ...{ chatId: 1, kind: 'price-above', identity: '' },
      subject: { is: 'market', marketId: '7' },
    }
    expect(roll.take({ ...one })).toBe(roll.take(one))
    expect([roll.in.size, roll.of.size, [...roll.in.groups()]]).toEqual([1, 0, [1]])
  })
})
