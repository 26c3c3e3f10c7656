import { array, assert, boolean, constantFrom, property, record } from 'fast-check'
import { expect, test } from 'vitest'

import { emptyMemory } from '../../../src/engine/memory/memory.ts'
import { rulesLaw } from '../../../src/engine/memory/rules.ts'
import type { Watch } from '../../../src/people/person.ts'
import { ALICE, BOB, remembered } from '../../support/fixtures.ts'

const steps = array(
  record({
    personId: constantFrom(1, 2, 3),
    wallet: constantFrom(ALICE, BOB),
    as: constantFrom<Watch['as']>('own', 'followed'),
    ends: boolean(),
  }),
  { maxLength: 40 },
)

test('a wallet is read for followers alone exactly while somebody follows it and nobody owns it', () => {
  assert(
    property(steps, (all) => {
      const { rules, ...others } = emptyMemory(remembered({}))
      const model = new Map<string, Watch>()
      for (const { ends, ...watch } of all) {
        const key = `${watch.personId} ${watch.wallet}`
        if (ends) {
          model.delete(key)
          rulesLaw.unwatch(rules, { is: 'unwatch', ...watch }, others)
        } else {
          const made = { ...watch, label: 'main', since: 0 }
          model.set(key, made)
          rulesLaw.watch(rules, { is: 'watch', watch: made }, others)
        }
        for (const wallet of [ALICE, BOB]) {
          const own = [...model.values()].filter((one) => one.wallet === wallet)
          const isOnly = own.length > 0 && own.every(({ as }) => as === 'followed')
          expect(rules.onlyFollowed.has(wallet)).toBe(isOnly)
        }
      }
    }),
  )
})
