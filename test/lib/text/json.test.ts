import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { fromJson, toJson } from '../../../src/lib/text/json.ts'

test('what is written is read, exact integers too', () => {
  const leaf = fc.oneof(fc.string(), fc.boolean(), fc.bigInt(), fc.integer(), fc.constant(null))
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree')),
      fc.dictionary(fc.string(), tie('tree')),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      expect(fromJson(toJson(value))).toEqual(value)
    }),
  )
})

test('the same is the same text', () => {
  expect(toJson({ amount: -5n })).toBe(toJson({ amount: -5n }))
  expect(toJson({ amount: 5n })).not.toBe(toJson({ amount: 5 }))
})
