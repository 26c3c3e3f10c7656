import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createSlotTable } from '../../../src/lib/data/slot-table.ts'

test('whatever came and went, the table finds what a list finds, also where many have one hash', () => {
  const slot = fc.nat(199)
  const acts = fc.array(fc.record({ slot, goes: fc.boolean() }), { maxLength: 400 })
  fc.assert(
    fc.property(acts, fc.constantFrom(1, 7, 1_000), (sequence, hashes) => {
      const hashOf = (one: number) => one % hashes
      const table = createSlotTable(hashOf)
      const there = new Set<number>()
      const find = (one: number) => table.find(hashOf(one), (other) => other === one)
      for (const { slot: one, goes } of sequence) {
        if (goes && there.delete(one)) table.delete(one)
        else if (!goes && !there.has(one)) {
          there.add(one)
          table.add(one)
        }
        expect(find(one)).toBe(there.has(one) ? one : -1)
      }
      for (let one = 0; one < 200; one++) expect(find(one)).toBe(there.has(one) ? one : -1)
    }),
  )
})
