import { expect, test } from 'vitest'

import { magnitude, multiply, toNumber } from '../../../../src/venue/amount.ts'
import type { Account, Position } from '../../../../src/venues/sim/exchange/account.ts'
import type { VenueEvent } from '../../../../src/venues/sim/exchange/venue-events.ts'
import { standing } from '../../../../src/venues/sim/maths/margin.ts'
import { planFor } from '../../../../src/venues/sim/play/plan.ts'
import { traderWallet } from '../../../../src/venues/sim/play/traders.ts'
import { createWorld } from '../../../../src/venues/sim/play/world.ts'

const STEP = 20
const START = 1_750_000_000

const venue = (some: { walletCount?: number; traders?: number }) =>
  createWorld(planFor(some), { seed: 3, stepSeconds: STEP, startSeconds: START })

test('wallets trade some six times a day, in bursts, some of them far more often than others', () => {
  const many = 400
  const world = venue({ traders: many })
  const traders = new Set(Array.from({ length: many }, (_, index) => traderWallet(index)))
  const changes = new Map<string, number[]>()
  for (let seconds = 0; seconds <= 86_400; seconds += STEP) {
    const told: VenueEvent[] = []
    while (world.moveTo(seconds, told) === 'liquidated');
    for (const one of told) {
      if (one.is !== 'settled') continue
      const owner = world.exchange.accounts.get(one.accountId)?.wallet
      if (!owner || !traders.has(owner)) continue
      changes.set(owner, [...(changes.get(owner) ?? []), seconds])
    }
  }
  const all = [...changes.values()]
  const each = all.reduce((sum, { length }) => sum + length, 0) / many
  expect(each).toBeGreaterThan(4)
  expect(each).toBeLessThan(9)
  const waits = all.flatMap((seconds) => seconds.slice(1).map((at, index) => at - (seconds[index] ?? 0)))
  expect(waits.filter((wait) => wait < 1_200).length / waits.length).toBeGreaterThan(0.5)
  expect(Math.max(...all.map(({ length }) => length))).toBeGreaterThan(5 * each)
})

const accountsOf = (world: ReturnType<typeof venue>, many: number): Account[] =>
  Array.from({ length: many }, (_, index) => traderWallet(index)).flatMap(
    (owner) => world.exchange.accountsByWallet.get(owner) ?? [],
  )
const notionalUsd = ({ size, market }: Position) => Math.abs(toNumber(multiply(size, market.indexPrice)))
const leverageOf = ({ exchange }: ReturnType<typeof venue>, account: Account) =>
  account.positions.map(notionalUsd).reduce((sum, usd) => sum + usd, 0) /
  toNumber(standing(exchange.terms, account, exchange.nowSeconds).availableMargin)
const part = (of: readonly number[], share: number) =>
  of.toSorted((a, b) => a - b)[Math.floor(share * of.length)] ?? Number.NaN

test('wallets that only hold are there from the start, with one position or a few each, and none is about to go', () => {
  const world = venue({ walletCount: 300 })
  const accounts = accountsOf(world, 300)
  expect(accounts).toHaveLength(300)
  const counts = accounts.map(({ positions }) => positions.length)
  expect([Math.min(...counts), part(counts, 0.5), Math.max(...counts)]).toEqual([1, 1, 5])
  const told: VenueEvent[] = []
  while (world.moveTo(600, told) === 'liquidated');
  expect(told.filter(({ is }) => is === 'flagged')).toEqual([])
})

test('they are as unlike as people are: most hold little, a few very much; most with some leverage, a few with very much', () => {
  const world = venue({ walletCount: 2_000 })
  const accounts = accountsOf(world, 2_000)
  const held = accounts.flatMap(({ positions }) => positions)
  const usd = held.map(notionalUsd)
  expect(part(usd, 0.5)).toBeGreaterThan(1_000)
  expect(part(usd, 0.5)).toBeLessThan(2_000)
  expect(part(usd, 0.99) / part(usd, 0.5)).toBeGreaterThan(20)
  const leverage = accounts.map((account) => leverageOf(world, account))
  expect(part(leverage, 0.5)).toBeGreaterThan(3)
  expect(part(leverage, 0.5)).toBeLessThan(5)
  expect(part(leverage, 0.97)).toBeGreaterThan(12)
  expect(Math.max(...leverage)).toBeLessThan(26)
  const longs = held.filter(({ size }) => size > 0n).length / held.length
  expect(longs).toBeGreaterThan(0.5)
  expect(longs).toBeLessThan(0.6)
})

test('they came at different times and prices: about half of them have lost something', () => {
  const world = venue({ walletCount: 1_000 })
  const held = accountsOf(world, 1_000).flatMap(({ positions }) => positions)
  const hours = held.map(({ enteredAtSeconds }) => (world.exchange.nowSeconds - enteredAtSeconds) / 3600)
  expect([part(hours, 0.05) < 8, part(hours, 0.95) > 200]).toEqual([true, true])
  const lost = held.filter(
    ({ size, market, avgEntryPrice }) => size * (market.indexPrice - avgEntryPrice) < 0n,
  )
  expect(lost.length / held.length).toBeGreaterThan(0.4)
  expect(lost.length / held.length).toBeLessThan(0.6)
})

test('who trades keeps to a leverage: after a day it is not less, although each opening brings money', () => {
  const world = venue({ traders: 150 })
  while (world.moveTo(86_400, []) === 'liquidated');
  const holding = accountsOf(world, 150).filter(({ positions }) => positions.length > 0)
  const median = part(
    holding.map((account) => leverageOf(world, account)),
    0.5,
  )
  expect(median).toBeGreaterThan(2)
  expect(median).toBeLessThan(5)
})

test('also in a small market nobody holds more than a twentieth of what a side may', () => {
  const world = venue({ walletCount: 30 })
  const held = accountsOf(world, 30).flatMap(({ positions }) => positions)
  for (const { size, market } of held)
    expect(magnitude(size) * 19n).toBeLessThanOrEqual(market.terms.maxMarketSize)
})

test('what all hold is what the markets show, also after a day of trading', () => {
  const world = venue({ traders: 40 })
  while (world.moveTo(86_400, []) === 'liquidated');
  const { markets, accounts } = world.exchange
  for (const market of markets.values()) {
    const sizes = [...accounts.values()].flatMap(({ positions }) =>
      positions.filter((one) => one.market === market).map(({ size }) => size),
    )
    const side = (some: bigint[]) => some.reduce((sum, size) => sum + magnitude(size), 0n)
    expect(market.longs).toBe(side(sizes.filter((size) => size > 0n)))
    expect(market.shorts).toBe(side(sizes.filter((size) => size < 0n)))
  }
})
