import { describe, expect, test } from 'vitest'

import { placed } from '../../src/polling/push.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { aWallet } from '../support/polling.ts'

const at = (distances: number[]) => distances.map((distance, index) => ({ wallet: aWallet(index), distance }))
const numbers = (wallets: readonly Wallet[]) => wallets.map((wallet) => Number(wallet))
const had = (...indexes: number[]) => indexes.map(aWallet)

describe('the places that a venue has', () => {
  test('go to those who are nearest to their end, the nearest first', () => {
    expect(numbers(placed(at([0.3, 0.05, Infinity, 0.1]), [], 2))).toEqual([1, 3])
  })

  test('go to everybody while there are enough, also to whom nothing can happen', () => {
    expect(numbers(placed(at([Infinity, 0.2, Infinity]), [], 10))).toEqual([1, 0, 2])
  })

  test('are kept by who has one, though another is a little nearer', () => {
    expect(numbers(placed(at([0.1, 0.2, 0.17]), had(0, 1), 2))).toEqual([0, 1])
  })

  test('are taken from the farthest by who has less than four fifths of its distance', () => {
    expect(numbers(placed(at([0.1, 0.2, 0.15]), had(0, 1), 2))).toEqual([0, 2])
    expect(numbers(placed(at([0.3, 0.2, 0.1, 0.05]), had(0, 1), 2))).toEqual([3, 2])
  })

  test('do not go back and forth between two who are about as near', () => {
    let wallets: Wallet[] = []
    const seen = new Set<string>()
    for (let step = 0; step < 50; step++) {
      wallets = placed(at([0.1 + 0.01 * Math.sin(step), 0.1 + 0.01 * Math.cos(step)]), wallets, 1)
      seen.add(wallets.join())
    }
    expect(seen.size).toBe(1)
  })

  test('of those who are past their end go by turn, not by how far', () => {
    expect(numbers(placed(at([-0.01, -0.5]), had(0), 1))).toEqual([0])
  })

  test('that are fewer than before are kept by the nearest', () => {
    expect(numbers(placed(at([0.3, 0.2, 0.1]), had(0, 1, 2), 1))).toEqual([2])
  })

  test('of who is watched no more are free', () => {
    expect(numbers(placed(at([0.3]), had(0, 7), 1))).toEqual([0])
  })
})
