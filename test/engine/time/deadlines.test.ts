import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createDeadlines, type Deadline } from '../../../src/engine/time/deadlines.ts'

const monitor = (key: string): Deadline => ({ is: 'monitor', key })
const source = (key: string): Deadline => ({ is: 'source', source: key })

test('what is due comes out once, the earliest first', () => {
  const deadlines = createDeadlines()
  deadlines.set(monitor('later'), 300)
  deadlines.set(monitor('sooner'), 100)
  deadlines.set({ is: 'alive' }, 200)
  expect(deadlines.next()).toBe(100)
  expect(deadlines.due(99)).toEqual([])
  expect(deadlines.due(200)).toEqual([monitor('sooner'), { is: 'alive' }])
  expect(deadlines.due(200)).toEqual([])
  expect(deadlines.next()).toBe(300)
})

test('of very many guards some come out, and what is due behind them is due still', () => {
  const deadlines = createDeadlines()
  for (const [place, key] of ['a', 'b', 'c'].entries()) deadlines.set(monitor(key), 100 + place)
  deadlines.set({ is: 'alive' }, 103)
  expect(deadlines.due(200, { monitors: 2, sources: 9 })).toEqual([monitor('a'), monitor('b')])
  expect(deadlines.next()).toBe(102)
  expect(deadlines.due(200, { monitors: 2, sources: 9 })).toEqual([monitor('c'), { is: 'alive' }])
})

test('one that is set again moves, one that is cleared is no more; a feed and a guard of one name are two', () => {
  const deadlines = createDeadlines()
  deadlines.set(monitor('a'), 100)
  deadlines.set(source('a'), 100)
  deadlines.set(monitor('a'), 500)
  expect([deadlines.at(monitor('a')), deadlines.at(source('a'))]).toEqual([500, 100])
  deadlines.clear(source('a'))
  deadlines.clear(monitor('never set'))
  expect(deadlines.due(499)).toEqual([])
  expect(deadlines.due(500)).toEqual([monitor('a')])
  expect(deadlines.at(monitor('a'))).toBeNull()
  expect(deadlines.next()).toBeNull()
})

test('nothing is ever late, early or forgotten', () => {
  const ofChat = (['confirm', 'rest'] as const).flatMap((is) =>
    [1, 2].map((chatId): Deadline => ({ is, chatId })),
  )
  const one = fc.constantFrom<Deadline>(
    monitor('a'),
    source('a'),
    source('b'),
    ...ofChat,
    { is: 'alive' },
    { is: 'prune' },
  )
  const acts = fc.array(
    fc.oneof(
      fc.record({ set: one, in: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ clear: one }),
      fc.record({ pass: fc.integer({ min: 0, max: 10 }) }),
    ),
  )
  fc.assert(
    fc.property(acts, (sequence) => {
      const deadlines = createDeadlines()
      const model = new Map<Deadline, number>()
      let mono = 0
      for (const act of sequence) {
        if ('set' in act) {
          deadlines.set(act.set, mono + act.in)
          model.set(act.set, mono + act.in)
        } else if ('clear' in act) {
          deadlines.clear(act.clear)
          model.delete(act.clear)
        } else {
          mono += act.pass
          const due = [...model].filter(([, at]) => at <= mono).map(([due]) => due)
          const name = (deadline: Deadline) => JSON.stringify(deadline)
          expect(deadlines.due(mono).map(name).toSorted()).toEqual(due.map(name).toSorted())
          for (const touchedLiquidation of due) model.delete(touchedLiquidation)
        }
        expect(deadlines.next()).toBe(model.size === 0 ? null : Math.min(...model.values()))
      }
    }),
  )
})
