import { describe, expect, test } from 'vitest'

import { createTradeActivity } from '../../src/polling/trade-history.ts'
import { aPosition } from '../support/fixtures.ts'
import { aWallet } from '../support/polling.ts'

const HOUR = 3_600_000
const NOW = 1_000 * HOUR

/** How often each is believed to open, by how many hours ago it opened what it holds; the first is wallet 0. */
function believed(...wallets: (number | null)[][]) {
  const opens = createTradeActivity()
  const of = (index: number) =>
    opens.asOftenAs(
      aWallet(index),
      (wallets[index] ?? []).map((hours) =>
        aPosition({ openedAt: hours === null ? null : NOW - hours * HOUR }),
      ),
      NOW,
    )
  wallets.forEach((_, index) => of(index))
  return { opens, all: () => wallets.map((_, index) => of(index)) }
}

describe('a wallet is believed to open', () => {
  test('as often as usual when it holds nothing, or nothing that says when', () => {
    expect(believed([], [null], [8]).all()).toEqual([1, 1, 1])
  })

  test('the oftener, the younger what it holds is among what all hold', () => {
    expect(believed([1, 1], [15, 15]).all()).toEqual([3 / 1.25, 3 / 4.75])
    expect(believed([10, 10], [150, 150]).all()).toEqual([3 / 1.25, 3 / 4.75])
  })

  test('as often as usual where all are as old', () => {
    expect(believed([5], [5, 5], [5, 5, 5]).all()).toEqual([1, 1, 1])
  })

  test('as often as usual before anything has aged', () => {
    expect(believed([0, 0]).all()).toEqual([1])
  })

  test('by those who are watched now', () => {
    const { opens, all } = believed([2, 2], [100])
    expect(all()[0]).toBeCloseTo(3 / (1 + (4 * 3) / 104))
    opens.forget(aWallet(1))
    expect(opens.asOftenAs(aWallet(0), [aPosition({ openedAt: NOW - 2 * HOUR })], NOW)).toBe(1)
  })
})
