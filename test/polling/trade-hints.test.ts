import { describe, expect, test } from 'vitest'

import { createTradeHints } from '../../src/polling/trade-history.ts'
import { aMarket, aPosition, exact } from '../support/fixtures.ts'
import { aWallet } from '../support/polling.ts'

/** The open interest of a market, in its two sides. */
const sides = (longs: number | string, shorts: number | string, id = '100') =>
  aMarket({ id, longOpenInterest: exact(String(longs)), shortOpenInterest: exact(String(shorts)) })

/** Wallets that hold these sizes in market 100, the first one is wallet 0; and a first list. */
function holding(...sizes: string[]) {
  const hints = createTradeHints()
  const holds = (index: number, ...held: string[]) => {
    const wallet = aWallet(index)
    return hints.holds(
      wallet,
      held.map((size) => aPosition({ wallet, marketId: '100', size: exact(size) })),
    )
  }
  sizes.forEach((size, index) => holds(index, size))
  hints.listed([sides(1_000, 1_000)])
  const spokenOf = (longs: number | string, shorts: number | string = 1_000) =>
    hints.listed([sides(longs, shorts)]).map(Number)
  return { hints, holds, spokenOf }
}

/** So many that nobody is asked for being one of few. */
const MANY = Array.from({ length: 40 }, (_, index) => String(100 + index))

describe('a list of markets speaks of a wallet', () => {
  test('that held exactly what has gone from a side', () => {
    expect(holding(...MANY, '7.25', '-7.25').spokenOf('992.75')).toEqual([40])
    expect(holding(...MANY, '7.25', '-7.25').spokenOf(1_000, '992.75')).toEqual([41])
  })

  test.each([
    ['a half', '996'],
    ['a quarter', '998'],
    ['three quarters', '994'],
  ])('that held what has gone is %s of', (_part, left) => {
    expect(holding(...MANY, '8').spokenOf(left)).toEqual([40])
  })

  test('and of nobody when nothing has moved, or what has gone fits nobody among many', () => {
    const { spokenOf } = holding(...MANY)
    expect([spokenOf(1_000), spokenOf('999.9')]).toEqual([[], []])
  })

  test('of all on that side where few hold anything', () => {
    expect(holding('3', '-5', '4').spokenOf('1001.5')).toEqual([0, 2])
  })

  test('but not in a market that moves all the time', () => {
    const { spokenOf } = holding('3', '-5', '4')
    for (let list = 1; list < 20; list++) spokenOf(1_000 + list)
    expect(spokenOf(900)).toEqual([])
  })

  test('of no more than sixteen, however many are alike', () => {
    const { hints } = holding()
    const ids = Array.from({ length: 30 }, (_, index) => String(200 + index))
    for (const [index, marketId] of ids.entries())
      hints.holds(aWallet(index), [aPosition({ wallet: aWallet(index), marketId, size: exact('2') })])
    hints.listed(ids.map((id) => sides(10, 10, id)))
    expect(hints.listed(ids.map((id) => sides(8, 10, id)))).toHaveLength(16)
  })

  test('by what it was last seen to hold, and not of one that nobody watches any more', () => {
    const { hints, holds, spokenOf } = holding(...MANY)
    holds(0, '9')
    expect(spokenOf(900)).toEqual([])
    expect(spokenOf(891)).toEqual([0])
    hints.forget(aWallet(0))
    expect(spokenOf(882)).toEqual([])
  })

  test('not where the venue does not say what is held on which side', () => {
    const { hints } = holding('3')
    const silent = (openInterest: string) =>
      aMarket({
        id: '100',
        longOpenInterest: null,
        shortOpenInterest: null,
        skew: null,
        openInterest: exact(openInterest),
      })
    hints.listed([silent('2000')])
    expect(hints.listed([silent('1997')])).toEqual([])
  })
})

test('a wallet that holds something else than before has changed, the first look apart', () => {
  const { holds } = holding()
  expect([holds(7, '1'), holds(7, '1'), holds(7, '1', '2'), holds(7)]).toEqual([null, false, true, true])
})
