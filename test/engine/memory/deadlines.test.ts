import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createDeadlines, type Deadline } from '../../../src/engine/memory/deadlines.ts'

const guard = (key: string): Deadline => ({ is: 'guard', key })
const feed = (key: string): Deadline => ({ is: 'feed', feed: key })

test('what is due comes out once, the earliest first', () => {
  const deadlines = createDeadlines()
  deadlines.set(guard('later'), 300)
  deadlines.set(guard('sooner'), 100)
  deadlines.set({ is: 'alive' }, 200)
  expect(deadlines.next()).toBe(100)
  expect(deadlines.due(99)).toEqual([])
  expect(deadlines.due(200)).toEqual([guard('sooner'), { is: 'alive' }])
  expect(deadlines.due(200)).toEqual([])
  expect(deadlines.next()).toBe(300)
})

test('of very many guards some come out, and what is due behind them is due still', () => {
  const deadlines = createDeadlines()
  for (const [place, key] of ['a', 'b', 'c'].entries()) deadlines.set(guard(key), 100 + place)
  deadlines.set({ is: 'alive' }, 103)
  expect(deadlines.due(200, { guards: 2, feeds: 9 })).toEqual([guard('a'), guard('b')])
  expect(deadlines.next()).toBe(102)
  expect(deadlines.due(200, { guards: 2, feeds: 9 })).toEqual([guard('c'), { is: 'alive' }])
})

test('one that is set again moves, one that is cleared is no more; a feed and a guard of one name are two', () => {
  const deadlines = createDeadlines()
  deadlines.set(guard('a'), 100)
  deadlines.set(feed('a'), 100)
  deadlines.set(guard('a'), 500)
  expect([deadlines.at(guard('a')), deadlines.at(feed('a'))]).toEqual([500, 100])
  deadlines.clear(feed('a'))
  deadlines.clear(guard('never set'))
  expect(deadlines.due(499)).toEqual([])
  expect(deadlines.due(500)).toEqual([guard('a')])
  expect(deadlines.at(guard('a'))).toBeNull()
  expect(deadlines.next()).toBeNull()
})

test('nothing is ever late, early or forgotten', () => {
  const ofChat = (['confirm', 'rest'] as const).flatMap((is) =>
    [1, 2].map((chatId): Deadline => ({ is, chatId })),
  )
  const one = fc.constantFrom<Deadline>(
    guard('a'),
    feed('a'),
    feed('b'),
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
      let tick = 0
      for (const act of sequence) {
        if ('set' in act) {
          deadlines.set(act.set, tick + act.in)
          model.set(act.set, tick + act.in)
        } else if ('clear' in act) {
          deadlines.clear(act.clear)
          model.delete(act.clear)
        } else {
          tick += act.pass
          const due = [...model].filter(([, at]) => at <= tick).map(([due]) => due)
          const name = (deadline: Deadline) => JSON.stringify(deadline)
          expect(deadlines.due(tick).map(name).toSorted()).toEqual(due.map(name).toSorted())
          for (const passed of due) model.delete(passed)
        }
        expect(deadlines.next()).toBe(model.size === 0 ? null : Math.min(...model.values()))
      }
    }),
  )
})
