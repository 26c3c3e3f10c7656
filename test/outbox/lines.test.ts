import { expect, test } from 'vitest'

import { createLines } from '../../src/outbox/answers.ts'

const named = () => createLines<string>((one) => one.charAt(0))

test('the first of each chat are there in the order in which they came', () => {
  const lines = named()
  for (const one of ['b1', 'a1', 'a2', 'c1', 'b2']) lines.add(one)
  expect([...lines.heads()]).toEqual(['b1', 'a1', 'c1'])
  expect(lines.size()).toBe(5)
})

test('whoever is next in a chat keeps the place at which they came', () => {
  const lines = named()
  for (const one of ['a1', 'b1', 'a2', 'c1', 'b2']) lines.add(one)
  lines.take('a1')
  lines.take('b1')
  expect([...lines.heads()]).toEqual(['a2', 'c1', 'b2'])
})

test('one that comes back is before all others, and those behind it wait', () => {
  const lines = named()
  for (const one of ['a1', 'b1', 'a2']) lines.add(one)
  lines.take('a1')
  lines.addFirst('a1')
  expect([...lines.heads()]).toEqual(['a1', 'b1'])
})

test('all of them have their turn where each is taken as it comes', () => {
  const lines = named()
  const came = ['a1', 'b1', 'a2', 'b2', 'a3']
  for (const one of came) lines.add(one)
  const taken: string[] = []
  for (const one of lines.heads()) {
    lines.take(one)
    taken.push(one)
  }
  expect(taken).toEqual(came)
  expect(lines.size()).toBe(0)
})
