import { expect, test } from 'vitest'

import { browsable, derivedFrom } from '../../src/start/adapters.ts'

test('each purpose has a secret of its own, the same for as long as the store keeps its own', async () => {
  const kept = new Uint8Array(32).fill(7)
  const secret = derivedFrom(async () => kept)
  const [push, again, other] = [await secret('push'), await secret('push'), await secret('page')]
  expect(push).toHaveLength(32)
  expect(again).toEqual(push)
  expect(other).not.toEqual(push)
  expect(push).not.toEqual(kept)
  expect(await derivedFrom(async () => new Uint8Array(32))('push')).not.toEqual(push)
})

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['http://[::]:8080', 'http://[::1]:8080'],
  ['http://[fd00::1]:8080', 'http://[fd00::1]:8080'],
])('a server at %s is found at %s', (url, browsed) => {
  expect(browsable(url)).toBe(browsed)
})
