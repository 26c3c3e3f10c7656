import { describe, expect, test } from 'vitest'
import { demandOf } from '../../src/engine/demand.ts'
import { desk } from '../support/engine.ts'
import { ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../support/fixtures.ts'

function watched() {
  const world = desk({ rules: [aRule()], watches: [aWatch(), aWatch({ owner: BOB })] })
  world.prices(aMarket())
  world.reads([aPosition()])
  const demand = (laterMs = 0) => demandOf(world.memory, world.look().tick + laterMs)
  return { ...world, demand }
}

test('every watched wallet is read, and sooner near danger', () => {
  const { prices, demand } = watched()
  const calm = { nearDanger: false, confirm: false, endedSince: null }
  expect(demand()).toEqual([
    { owner: ALICE, ...calm },
    { owner: BOB, ...calm },
  ])
  prices(aMarket({ price: exact('2050') }))
  expect(demand()).toEqual([
    { owner: ALICE, ...calm, nearDanger: true },
    { owner: BOB, ...calm },
  ])
})

describe('the second look at a position that is missing', () => {
  const confirms = (demand: ReturnType<typeof demandOf>) =>
    demand.find(({ owner }) => owner === ALICE)?.confirm

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

  test('asks how it ended from a minute before it was last seen: the venue’s clock is not ours', () => {
    const { prices, reads, demand, look } = watched()
    const seenAt = look().now
    reads([])
    prices(aMarket())
    expect(demand()[0]).toMatchObject({ confirm: true, endedSince: seenAt - 60_000 })
  })
})
