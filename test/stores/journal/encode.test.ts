import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Write } from '../../../src/store/store.ts'
import { decode, encode } from '../../../src/stores/journal/encode.ts'
import type { Operation } from '../../../src/stores/sqlite/journaled/operations.ts'
import { withEveryField } from '../../support/every-field.ts'
import { budget } from '../../support/seed.ts'
import { aTurn, aRow, sentAt } from '../../support/store.ts'
import { everything, writesOf } from '../../support/store-everything.ts'

const again = (operation: Operation) => decode(encode(operation))

/** An operation that holds this somewhere, as an event memory does: kinds of alerts remember what they like. */
function holding(memo: unknown): Operation {
  const [monitor] = everything().memos.map((row) => row.monitor)
  if (!monitor) throw new Error('no memo')
  return { is: 'commit', writes: [{ is: 'memo', row: { monitor, memo } }] }
}

test('each kind of write comes back equal', () => {
  const message = withEveryField()
  const writes: Write[] = [...writesOf(everything()), { is: 'send', row: aRow({ id: 6, message }) }]
  for (const write of writes) {
    const commit: Operation = { is: 'commit', writes: [write] }
    expect(again(commit)).toEqual(commit)
  }
})

test.each<Operation>([
  {
    ...{ is: 'round', now: 5, jump: { byMs: -3_600_000, before: 4, now: 5 } },
    settled: [
      sentAt(1),
      { rowId: 2, is: 'again', dueAt: 1 / 3, maybeSent: true, plain: false },
      { rowId: 3, is: 'parked', at: 2, why: 'chat not found: “ünï”' },
    ],
    taken: [{ id: 4, chatId: 1, isTried: false, carries: true }],
  },
  { is: 'round', now: aTurn().now, jump: null, settled: [], taken: [] },
  { is: 'recover', at: { now: 1, latest: 2 } },
  { is: 'secret', secret: 'ab'.repeat(32) },
  { is: 'venues', text: 'sim\nlighter https://a.example' },
  { is: 'forget', name: 'lighter', venues: ['sim'] },
  { is: 'nothing' },
])('the operation “$is” comes back equal', (operation) => {
  expect(again(operation)).toEqual(operation)
})

test.each([
  ['amounts of any length', { size: 2n ** 200n + 1n, negative: -1n, none: 0n }],
  ['numbers that JSON does not have', [Infinity, -Infinity, NaN, -0, 5e-324, 1 / 3, 2 ** 53]],
  ['bytes', { data: Uint8Array.of(0, 255, 128), none: new Uint8Array() }],
  ['text that is no Unicode', 'half \ud800, null \u0000, end \u2028'],
  ['a name that is no property elsewhere', JSON.parse('{"__proto__":{"size":1},"constructor":2}')],
  ['text of a person that looks like an exact integer', '{"$bigint":"5"}'],
  ['a market with the name of a mark', { $bigint: 'five' }],
  ['a mark of another type', { $number: 5 }],
  ['a mark in a mark', { $plain: ['$bytes', { $bytes: '' }] }],
  ['a mark among others', { $bytes: 'a', other: 7n }],
  ['five megabytes', 'a "b" \\ ü'.repeat(600_000)],
])('%s comes back equal', (_, value) => {
  const operation = holding(value)
  expect(again(operation)).toEqual(operation)
})

test('bytes come back as bytes, also those of a buffer and of a part of one', () => {
  const part = Buffer.from('abcdef').subarray(2, 4)
  const operation: Operation = {
    ...{ is: 'commit', writes: [] },
    writes: [{ is: 'past', blocks: [], pieces: [{ at: 1, id: 'm', data: part }], inBlocks: null }],
  }
  expect(again(operation)).toMatchObject({ writes: [{ pieces: [{ data: new Uint8Array([99, 100]) }] }] })
})

test('whatever it holds, it comes back equal', () => {
  const key = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('$bigint', '$bytes', '$number', '$plain', '$', '__proto__', 'toJSON'),
  )
  const leaf = fc.oneof(
    ...[fc.string({ unit: 'binary' }), fc.boolean(), fc.bigInt(), fc.integer(), fc.constant(null)],
    ...[fc.double(), fc.uint8Array({ maxLength: 5 }), fc.constantFrom('5', '-0', '{"$bigint":"5"}')],
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const operation = holding(value)
      expect(again(operation)).toEqual(operation)
    }),
    { numRuns: budget(1_000, 40) },
  )
})
