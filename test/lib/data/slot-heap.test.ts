import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { growingInts } from '../../../src/lib/data/paged.ts'
import { createSlotHeap } from '../../../src/lib/data/slot-heap.ts'

const slots = fc.nat(40)
const priorities = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(-Infinity, Infinity, -0, 0.5))
const operations = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ set: slots, priority: priorities }) },
    { weight: 2, arbitrary: fc.record({ delete: slots }) },
    { weight: 2, arbitrary: fc.record({ upTo: priorities }) },
  ),
  { maxLength: 120 },
)

test('of two heaps with one list of places each finds what a list finds that is searched from end to end', () => {
  fc.assert(
    fc.property(operations, (sequence) => {
      const places = growingInts()
      const heaps = [createSlotHeap(places), createSlotHeap(places)] as const
      const lists = [new Map<number, number>(), new Map<number, number>()] as const
      for (const operation of sequence) {
        if ('upTo' in operation) {
          for (const at of [0, 1] as const) {
            const listed = [...lists[at]].filter(([, priority]) => priority <= operation.upTo)
            const found = heaps[at].upTo(operation.upTo)
            expect(found.toSorted((a, b) => a - b)).toEqual(
              listed.map(([slot]) => slot).toSorted((a, b) => a - b),
            )
            const lowest = heaps[at].lowest(operation.upTo, 3)
            expect(new Set(lowest).size).toBe(Math.min(listed.length, 3))
            const ofLowest = lowest.map((slot) => heaps[at].priorityOf(slot))
            expect(ofLowest).toEqual(lowest.map((slot) => lists[at].get(slot)))
            const all = listed.map(([, priority]) => priority).toSorted((a, b) => a - b)
            expect(ofLowest.map((one) => one + 0)).toEqual(all.slice(0, 3).map((one) => one + 0))
          }
        } else if ('set' in operation) {
          // Each slot is in one of the two.
          const at = operation.set % 2 === 0 ? 0 : 1
          heaps[at].set(operation.set, operation.priority)
          lists[at].set(operation.set, operation.priority)
        } else {
          const at = operation.delete % 2 === 0 ? 0 : 1
          heaps[at].delete(operation.delete)
          lists[at].delete(operation.delete)
        }
      }
    }),
    { numRuns: 500 },
  )
})
