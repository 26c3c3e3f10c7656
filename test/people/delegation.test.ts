import { expect, test } from 'vitest'

import { called } from '../../src/people/delegation.ts'

const people = [
  { id: 2, name: 'Bob' },
  { id: 3, name: 'bob' },
  { id: 4, name: '@Ann Lee' },
  { id: 5, name: 'P2' },
]
const idsOf = (typed: string) => called(people, typed).map(({ id }) => id)

test.each([
  ['@BOB', [2, 3]],
  ['bob', [2, 3]],
  ['ann lee', [4]],
  ['P3', [3]],
  // Whoever calls themselves like another's number is not taken for them.
  ['p2', [2]],
  ['bo', []],
  ['', []],
])('“%s” are %j', (typed, ids) => {
  expect(idsOf(typed)).toEqual(ids)
})
