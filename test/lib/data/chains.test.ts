import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { createChains } from '../../../src/lib/data/paged.ts'

test('a group has its slots in the order in which they came, and is none without them', () => {
  const acts = fc.array(fc.record({ slot: fc.nat(9), group: fc.constantFrom('a', 'b', 'c') }))
  fc.assert(
    fc.property(acts, (sequence) => {
      const chains = createChains<string>()
      const groups = new Map<string, number[]>()
      const groupOf = new Map<number, string>()
      // A slot that is somewhere is dropped there; any other one is added.
      for (const { slot, group } of sequence) {
        const known = groupOf.get(slot)
        if (known === undefined) {
          chains.add(group, slot)
          groupOf.set(slot, group)
          groups.set(group, [...(groups.get(group) ?? []), slot])
        } else {
          chains.drop(known, slot)
          groupOf.delete(slot)
          const left = (groups.get(known) ?? []).filter((one) => one !== slot)
          if (left.length > 0) groups.set(known, left)
          else groups.delete(known)
        }
        for (const one of ['a', 'b', 'c']) expect(chains.of(one)).toEqual(groups.get(one) ?? [])
        expect([[...chains.groups()].toSorted(), chains.size]).toEqual([
          [...groups.keys()].toSorted(),
          groups.size,
        ])
      }
    }),
  )
})
