import { describe, expect, test } from 'vitest'
import { asksOf } from '../../src/engine/demand.ts'
import type { OwnerDemand } from '../../src/reading.ts'
import { desk } from '../support/engine.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'

function watched() {
  const world = desk({ rules: [aRule()], watches: [aWatch(), aWatch({ owner: BOB })] })
  world.prices(aMarket())
  world.reads([aPosition()])
  const demand = (laterMs = 0) => asksOf(world.memory, { tick: () => world.look().tick + laterMs }).demand()
  return { ...world, demand }
}

test('every watched wallet is read, and sooner near danger', () => {
  const { prices, demand } = watched()
  const calm = { nearDanger: false, confirm: false }
  expect(demand()).toEqual([
    { owner: ALICE, ...calm },
    { owner: BOB, ...calm },
  ])
  prices(aMarket({ price: exact('2050') }))
  expect(demand()).toEqual([
    { owner: ALICE, nearDanger: true, confirm: false },
    { owner: BOB, ...calm },
  ])
})

describe('the second look at a position that is missing', () => {
  const confirms = (demand: OwnerDemand[]) => demand.find(({ owner }) => owner === ALICE)?.confirm

  test('waits for a price that is newer than the first: it may be the one that did it', () => {
    const { prices, reads, demand } = watched()
    reads([])
    expect(confirms(demand())).toBe(false)
    prices(aMarket())
    expect(confirms(demand())).toBe(true)
    reads([])
    expect(confirms(demand())).toBe(false)
  })

  test('does not wait for ever', () => {
    const { reads, demand } = watched()
    reads([])
    expect([confirms(demand(10_000)), confirms(demand(10_001))]).toEqual([false, true])
  })
})
