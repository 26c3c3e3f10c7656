import { expect, test } from 'vitest'

import { inOrder } from '../../../src/lib/flow/in-order.ts'
import { breathe } from '../../support/clock.ts'

/** Work that ends when the test says so, and writes down that it began. */
function workshop() {
  const began: string[] = []
  const ends = new Map<string, { resolve(): void; reject(why: unknown): void }>()
  const work = (name: string) => () => {
    began.push(name)
    return new Promise<string>((resolve, reject) => ends.set(name, { resolve: () => resolve(name), reject }))
  }
  return {
    began,
    work,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

test('one person’s work is done in order, however long each piece takes', async () => {
  const { began, work, end } = workshop()
  const run = inOrder()
  const both = Promise.all([run('alice', work('a1')), run('alice', work('a2'))])
  await breathe(1)
  expect(began).toEqual(['a1'])
  end('a1')
  await breathe(1)
  expect(began).toEqual(['a1', 'a2'])
  end('a2')
  expect(await both).toEqual(['a1', 'a2'])
})

test('different people’s work runs side by side', async () => {
  const { began, work, end } = workshop()
  const run = inOrder()
  const [slow, fast] = [run('alice', work('a1')), run('bob', work('b1'))]
  await breathe(1)
  expect(began).toEqual(['a1', 'b1'])
  end('b1')
  expect(await fast).toBe('b1')
  end('a1')
  expect(await slow).toBe('a1')
})

test('work that fails is told to whoever asked, and holds up nobody', async () => {
  const { work, end, fail } = workshop()
  const run = inOrder()
  const failing = run('alice', work('a1'))
  const next = run('alice', work('a2'))
  await breathe(1)
  fail('a1')
  await expect(failing).rejects.toThrow('a1')
  await breathe(1)
  end('a2')
  expect(await next).toBe('a2')
})

test('work that comes when all is done begins at once', async () => {
  const run = inOrder()
  expect(await run('alice', async () => 1)).toBe(1)
  expect(await run('alice', async () => 2)).toBe(2)
})
