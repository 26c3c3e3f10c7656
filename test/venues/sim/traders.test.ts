import { expect, test } from 'vitest'

import { magnitude } from '../../../src/amount.ts'
import type { Happening } from '../../../src/venues/sim/exchange/happening.ts'
import { planFor } from '../../../src/venues/sim/plan.ts'
import { traderOwner } from '../../../src/venues/sim/traders.ts'
import { createWorld } from '../../../src/venues/sim/world.ts'

const STEP = 20
const START = 1_750_000_000

const venue = (some: { owners?: number; traders?: number }) =>
  createWorld(planFor(some), { seed: 3, stepSeconds: STEP, startSeconds: START })

test('wallets trade some six times a day, in bursts, some of them far more often than others', () => {
  const many = 400
  const world = venue({ traders: many })
  const traders = new Set(Array.from({ length: many }, (_, index) => traderOwner(index)))
  const changes = new Map<string, number[]>()
  for (let seconds = 0; seconds <= 86_400; seconds += STEP) {
    const told: Happening[] = []
    while (world.moveTo(seconds, told) === 'liquidated');
    for (const one of told) {
      if (one.is !== 'settled') continue
      const owner = world.exchange.accounts.get(one.accountId)?.owner
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

test('wallets that only hold are there from the start, with a few positions each, and none is about to go', () => {
  const world = venue({ owners: 300 })
  const owners = Array.from({ length: 300 }, (_, index) => traderOwner(index))
  const accounts = owners.flatMap((owner) => world.exchange.owners.get(owner) ?? [])
  expect(accounts).toHaveLength(300)
  const counts = accounts.map(({ positions }) => positions.length)
  expect(counts.reduce((sum, one) => sum + one, 0) / 300).toBeGreaterThan(3)
  expect(Math.max(...counts)).toBeLessThanOrEqual(5)
  const told: Happening[] = []
  while (world.moveTo(600, told) === 'liquidated');
  expect(told.filter(({ is }) => is === 'flagged')).toEqual([])
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
