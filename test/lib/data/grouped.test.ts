import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createGrouped, createKeyed, type Grouped } from '../../../src/lib/data/grouped.ts'

const WHAT = ['put', 'put', 'put', 'put', 'drop', 'all'] as const

interface Named {
  name: string
  value: number
}

const KINDS: readonly [string, () => Grouped<number, string, Named>][] = [
  ['under keys of their own', createGrouped],
  ['by the key in each value', () => createKeyed(({ name }) => name)],
  ['by the key in each value, where new ones are added,', createAdding],
]

function createAdding(): Grouped<number, string, Named> {
  const keyed = createKeyed<number, string, Named>(({ name }) => name)
  return {
    ...keyed,
    put: (group, key, value) =>
      keyed.get(group, key) === undefined ? keyed.add(group, value) : keyed.put(group, key, value),
    get size() {
      return keyed.size
    },
  }
}

test.each(KINDS)(
  'whatever is put and dropped %s, groups are as maps of maps: in the order in which they came',
  (_how, create) => {
    // More than one list holds, so that it becomes a map.
    const key = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.nat(30).map(String))
    const act = { group: fc.nat(2), key, value: fc.nat(), what: fc.constantFrom(...WHAT) }
    const acts = fc.array(fc.record(act), { maxLength: 120 })
    fc.assert(
      fc.property(acts, (sequence) => {
        const grouped = create()
        const maps = new Map<number, Map<string, Named>>()
        for (const { group, key: name, value, what } of sequence) {
          const own = maps.get(group) ?? new Map<string, Named>()
          if (what === 'put') {
            grouped.put(group, name, { name, value })
            maps.set(group, own.set(name, { name, value }))
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
            expect(grouped.get(one, name)).toEqual(maps.get(one)?.get(name))
          }
          expect([new Set(grouped.groups()), grouped.size]).toEqual([new Set(maps.keys()), maps.size])
        }
      }),
    )
  },
)

test('a value may be dropped while its group is walked', () => {
  const grouped = createKeyed<number, string, Named>(({ name }) => name)
  for (const name of ['a', 'b', 'c']) grouped.put(1, name, { name, value: 0 })
  const seen: string[] = []
  for (const { name } of grouped.valuesOf(1)) {
    seen.push(name)
    grouped.drop(1, name)
  }
  expect([seen, grouped.has(1)]).toEqual([['a', 'b', 'c'], false])
})
