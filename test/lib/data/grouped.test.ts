import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createGrouped } from '../../../src/lib/data/grouped.ts'

test('whatever is put and dropped, groups are as maps of maps: in the order in which they came', () => {
  const key = fc.constantFrom('a', 'b', 'c')
  const acts = fc.array(
    fc.record({ group: fc.nat(2), key, value: fc.nat(), what: fc.constantFrom('put', 'put', 'drop', 'all') }),
  )
  fc.assert(
    fc.property(acts, (sequence) => {
      const grouped = createGrouped<number, string, number>()
      const maps = new Map<number, Map<string, number>>()
      for (const { group, key: name, value, what } of sequence) {
        const own = maps.get(group) ?? new Map<string, number>()
        if (what === 'put') {
          grouped.put(group, name, value)
          maps.set(group, own.set(name, value))
        } else if (what === 'drop') {
          grouped.drop(group, name)
          own.delete(name)
        } else {
          grouped.dropGroup(group)
          own.clear()
        }
        if (own.size === 0) maps.delete(group)
        for (let one = 0; one < 3; one++) {
          const there = [...(maps.get(one) ?? [])]
          expect([...grouped.of(one)]).toEqual(there)
          expect([...grouped.keysOf(one)]).toEqual(there.map(([known]) => known))
          expect([...grouped.valuesOf(one)]).toEqual(there.map(([, known]) => known))
          expect(grouped.has(one)).toBe(there.length > 0)
        }
        expect([new Set(grouped.groups()), grouped.size]).toEqual([new Set(maps.keys()), maps.size])
      }
    }),
  )
})
