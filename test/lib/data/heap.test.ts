import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createHeap } from '../../../src/lib/data/heap.ts'

type Entry = { key: string; priority: number }

/** The same as a list that is sorted whenever it is asked. */
function sortedList() {
  const entries = new Map<string, number>()
  const first = () => Math.min(...entries.values())
  return {
    set: (key: string, priority: number) => void entries.set(key, priority),
    delete: (key: string) => void entries.delete(key),
    has: ({ key, priority }: Entry) => entries.get(key) === priority,
    first,
    get size() {
      return entries.size
    },
  }
}

const keys = fc.constantFrom(...'abcdefghij')
const priorities = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-Infinity, Infinity, -0, 0.5))
const operations = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ is: fc.constant('set' as const), key: keys, priority: priorities }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('delete' as const), key: keys }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('pop' as const) }) },
  ),
  { maxLength: 120 },
)

test('a heap is a list sorted by priority, whatever is done to it', () => {
  fc.assert(
    fc.property(operations, (sequence) => {
      const [heap, list] = [createHeap<string>(), sortedList()]
      for (const operation of sequence) {
        if (operation.is === 'set') {
          heap.set(operation.key, operation.priority)
          list.set(operation.key, operation.priority)
        } else if (operation.is === 'delete') {
          heap.delete(operation.key)
          list.delete(operation.key)
        } else {
          const popped = heap.pop()
          expect(popped === undefined).toBe(list.size === 0)
          if (popped) {
            expect(popped.priority === list.first() && list.has(popped)).toBe(true)
            list.delete(popped.key)
          }
        }
        expect(heap.size).toBe(list.size)
        const top = heap.peek()
        expect(top === undefined ? list.size === 0 : top.priority === list.first() && list.has(top)).toBe(
          true,
        )
      }
    }),
    { numRuns: 500 },
  )
})

test('what is put in comes out in order', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
      const heap = createHeap<number>()
      for (const [place, value] of values.entries()) heap.set(place, value)
      const out: number[] = []
      for (let top = heap.pop(); top; top = heap.pop()) out.push(top.priority)
      expect(out.map((value) => value + 0)).toEqual(values.map((value) => value + 0).sort((a, b) => a - b))
    }),
  )
})

test('a key is there once: set again it moves, either way', () => {
  const heap = createHeap<string>()
  heap.set('a', 1)
  heap.set('b', 2)
  heap.set('a', 3)
  expect([heap.size, heap.peek()]).toEqual([2, { key: 'b', priority: 2 }])
  heap.set('a', 0)
  expect([heap.size, heap.peek()]).toEqual([2, { key: 'a', priority: 0 }])
})

test('an empty heap has nothing to give and nothing to lose', () => {
  const heap = createHeap<string>()
  heap.delete('a')
  expect([heap.peek(), heap.pop(), heap.size]).toEqual([undefined, undefined, 0])
})
