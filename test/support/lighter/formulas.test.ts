import {
  array,
  assert,
  boolean,
  constantFrom,
  double,
  integer,
  property,
  record,
  uniqueArray,
} from 'fast-check'
import { describe, expect, test } from 'vitest'

import recorded from '../../venues/lighter/recorded/account-cross-ETH-long.json' with { type: 'json' }
import { handClock } from '../clock.ts'
import { mainAccount } from './account.ts'
import { crossOf, isolatedOf, liquidationPrice, money, totalOf } from './figures.ts'
import { liquidate } from './trading.ts'
import { createWorld, marketOf } from './world.ts'

const USER = '0x15f43D1f2DeE81424aFd891943262aa90F22cc2A'
const SYMBOLS = ['ETH', 'BTC', 'SOL', 'DOGE', 'HYPE', 'XPL'] as const

function never(): never {
  throw new Error('the recording has it')
}

const newWorld = () => createWorld(handClock())

test('the recorded liquidation price follows from the recorded figures, within 10 parts of a million', () => {
  const [account = never()] = recorded.body.accounts
  const [held = never()] = account.positions
  const world = newWorld()
  const market = marketOf(world, held.symbol)
  market.mark = Number(held.position_value) / Number(held.position)
  const size = Number(held.position)
  const user = mainAccount(world, USER, Number(account.collateral))
  // By the entry price as it is printed, which is rounded.
  user.holds(held.symbol, size, { entryQuote: size * Number(held.avg_entry_price), leverage: 20 })
  const position = user.state.positions.get(market) ?? never()
  const ours = liquidationPrice(user.state, position) ?? 0
  expect(Math.abs(ours / Number(held.liquidation_price) - 1)).toBeLessThan(10e-6)
})

describe('at its liquidation price', () => {
  const positions = uniqueArray(
    record({
      symbol: constantFrom(...SYMBOLS),
      share: double({ min: 0.05, max: 1, noNaN: true }),
      isLong: boolean(),
      isolated: boolean(),
    }),
    { minLength: 1, maxLength: 6, selector: ({ symbol }) => symbol },
  )

  test('a position has as much as maintenance, whatever else the account holds', () => {
    assert(
      property(positions, integer({ min: 5_000, max: 500_000 }), (held, usd) => {
        const world = newWorld()
        world.liquidates = false
        const user = mainAccount(world, USER, usd)
        for (const { symbol, share, isLong, isolated } of held) {
          const { mark } = marketOf(world, symbol)
          const size = Math.ceil((share * usd) / mark) * (isLong ? 1 : -1)
          user.trades(symbol, size, { margin: isolated ? 'isolated' : 'cross' })
        }
        for (const position of user.state.positions.values()) {
          const at = liquidationPrice(user.state, position)
          if (at === null) continue
          const { market, isolated } = position
          const before = market.mark
          market.mark = at
          const pools = isolated ? isolatedOf(user.state) : [crossOf(user.state)]
          const pool = pools.find((one) => one.held.includes(position)) ?? never()
          // Money is rounded to the millionth in each position's profit.
          expect(Math.abs(pool.equity - pool.maintenance)).toBeLessThan(1e-4)
          market.mark = before
        }
      }),
    )
  })
})

test('whatever is traded, money only moves: what there is is what was given, won and lost', () => {
  const trades = array(
    record({ symbol: constantFrom(...SYMBOLS), units: integer({ min: -9, max: 9 }), isolated: boolean() }),
    { maxLength: 30 },
  )
  assert(
    property(trades, (all) => {
      const world = newWorld()
      world.liquidates = false
      const [one, other] = [mainAccount(world, USER, 1e6), mainAccount(world, `0x${'c'.repeat(40)}`, 1e6)]
      for (const { symbol, units, isolated } of all) {
        if (units === 0) continue
        const market = marketOf(world, symbol)
        market.mark = money(market.mark * (1 + units / 100))
        one.trades(symbol, units, { margin: isolated ? 'isolated' : 'cross', against: other })
      }
      expect(totalOf(one.state) + totalOf(other.state)).toBeCloseTo(2e6, 3)
      for (const [market, { size }] of one.state.positions) {
        expect(size + (other.state.positions.get(market)?.size ?? 0)).toBeCloseTo(0, 9)
      }
    }),
  )
})

test('whoever has too little loses the largest position first, and keeps what the rest can bear', () => {
  const world = newWorld()
  const user = mainAccount(world, USER, 4_400)
  user.trades('ETH', 15)
  user.trades('SOL', 20)
  marketOf(world, 'ETH').mark = 3_300
  liquidate(world)
  const sizes = [...user.state.positions.values()].map(({ market, size }) => [market.symbol, size])
  expect(sizes).toEqual([
    ['ETH', 0],
    ['SOL', 20],
  ])
  expect(user.state.trades.at(-1)).toMatchObject({ kind: 'liquidation', askIndex: user.index, size: 15 })
})

test('a margin ratio of 1 is enough, and a shade below it is not', () => {
  const world = newWorld()
  const [one, other] = [
    mainAccount(world, USER, 586.5),
    mainAccount(world, `0x${'c'.repeat(40)}`, 586.500001),
  ]
  for (const user of [one, other]) user.trades('ETH', 1, { at: 3_550.5 })
  marketOf(world, 'ETH').mark = 3_000
  liquidate(world)
  const sizes = [one, other].map(({ state }) => [...state.positions.values()].map(({ size }) => size))
  expect(sizes).toEqual([[0], [1]])
})

test('a crash takes what the account has, and no more: a loss beyond it is the fund’s', () => {
  const world = newWorld()
  const user = mainAccount(world, USER, 1_000)
  user.trades('ETH', 2, { margin: 'isolated' })
  user.trades('SOL', 50)
  const before = user.state.collateral
  marketOf(world, 'ETH').mark = 2_000
  liquidate(world)
  expect(user.state.collateral).toBe(before)
  marketOf(world, 'SOL').mark = 60
  liquidate(world)
  expect(user.state.collateral).toBe(0)
})
