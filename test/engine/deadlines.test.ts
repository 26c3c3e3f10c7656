import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeadlines } from '../../src/engine/deadlines.ts'

test('what is due comes out once, the earliest first', () => {
  const deadlines = createDeadlines()
  deadlines.set('later', 300)
  deadlines.set('sooner', 100)
  deadlines.set('between', 200)
  expect(deadlines.next()).toBe(100)
  expect(deadlines.due(99)).toEqual([])
  expect(deadlines.due(200)).toEqual(['sooner', 'between'])
  expect(deadlines.due(200)).toEqual([])
  expect(deadlines.next()).toBe(300)
})

test('a name that is set again moves, a name that is cleared is no more', () => {
  const deadlines = createDeadlines()
  deadlines.set('a', 100)
  deadlines.set('b', 100)
  deadlines.set('a', 500)
  deadlines.clear('b')
  deadlines.clear('never set')
  expect(deadlines.due(499)).toEqual([])
  expect(deadlines.due(500)).toEqual(['a'])
  expect(deadlines.next()).toBeNull()
})

test('nothing is ever late, early or forgotten', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const acts = fc.array(
    fc.oneof(
      fc.record({ set: name, in: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ clear: name }),
      fc.record({ pass: fc.integer({ min: 0, max: 10 }) }),
    ),
  )
  fc.assert(
    fc.property(acts, (sequence) => {
      const deadlines = createDeadlines()
      const model = new Map<string, number>()
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
          const due = [...model].filter(([, at]) => at <= tick).map(([one]) => one)
          expect(deadlines.due(tick).toSorted()).toEqual(due.toSorted())
          for (const one of due) model.delete(one)
        }
        expect(deadlines.next()).toBe(model.size === 0 ? null : Math.min(...model.values()))
      }
    }),
  )
})
