import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { guardKey } from '../../../src/alert/monitor.ts'
import { createDistances, distanceOf } from '../../../src/engine/observe/read-demand.ts'
import type { Owner } from '../../../src/venue/wallet.ts'
import { desk } from '../../support/engine.ts'
import { aGuard, ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { anOwner } from '../../support/polling.ts'

function watchedBy(many: number) {
  const owners = Array.from({ length: many }, (_, index) => anOwner(index))
  const world = desk({ rules: [aRule()], watches: owners.map((owner) => aWatch({ owner })) })
  const distances = createDistances(world.memory)
  const holds = (owner: Owner, positions: ReturnType<typeof aPosition>[]) => {
    world.reads(positions, { owner })
    distances.moved(owner)
  }
  const scanned = () => owners.map((owner) => distanceOf(world.memory, owner)).toSorted(compare)
  return { ...world, owners, distances, holds, scanned }
}
/** Infinities are equal. */
const compare = (a: number, b: number) => (a === b ? 0 : a - b)

const place = fc.record({
  marketId: fc.constantFrom('100', '200'),
  size: fc.constantFrom('1', '-1'),
  end: fc.option(fc.integer({ min: 1_800, max: 3_200 }), { freq: 9 }),
})
const held = fc.array(place, { maxLength: 3 })
const MANY = 8
const steps = fc.array(
  fc.oneof(
    fc.record({ index: fc.integer({ min: 0, max: MANY - 1 }), held }),
    fc.record({ price: fc.integer({ min: 2_000, max: 3_000 }), marketId: fc.constantFrom('100', '200') }),
  ),
  { maxLength: 6 },
)

describe('the nearest to their end', () => {
  test('are the same as when all are looked at, whatever they hold and however prices move', () => {
    const atFirst = fc.array(held, { minLength: MANY, maxLength: MANY })
    fc.assert(
      fc.property(atFirst, steps, fc.integer({ min: 1, max: 4 }), (first, later, many) => {
        const { distances, holds, prices, scanned } = watchedBy(MANY)
        const priced = (id: string, price: number) => prices(aMarket({ id, price: exact(String(price)) }))
        const expectSame = () => {
          const found = distances.nearest(many, []).map(({ distance }) => distance)
          expect(found.toSorted(compare).slice(0, many)).toEqual(scanned().slice(0, many))
        }
        const take = (index: number, all: (typeof first)[number]) =>
          holds(
            anOwner(index),
            all.map(({ end, size, marketId }, account) =>
              aPosition({
                ...{ owner: anOwner(index), accountId: String(account), marketId, size: exact(size) },
                liquidationPrice: end === null ? null : exact(String(end)),
              }),
            ),
          )
        for (const id of ['100', '200']) priced(id, 2_500)
        for (const [index, all] of first.entries()) take(index, all)
        expectSame()
        for (const one of later) {
          if ('price' in one) priced(one.marketId, one.price)
          else take(one.index, one.held)
          expectSame()
        }
      }),
    )
  })

  test('are found without a look at all the others', () => {
    const { owners, memory, distances, holds } = watchedBy(500)
    for (const [index, owner] of owners.entries())
      holds(owner, [aPosition({ owner, liquidationPrice: exact(String(2_000 - index)) })])
    distances.nearest(1, [])
    let looks = 0
    const { get } = memory.owners
    memory.owners.get = (owner) => {
      looks++
      return get(owner)
    }
    const found = distances.nearest(5, [anOwner(400)]).map(({ owner }) => owner)
    expect(found).toEqual([0, 1, 2, 3, 4, 400].map(anOwner))
    expect(looks).toBeLessThanOrEqual(6)
  })

  test('are also those that are warned of for another reason', () => {
    const { owners, memory, distances, holds, prices } = watchedBy(4)
    prices(aMarket({ price: exact('2500') }))
    for (const owner of owners.slice(0, 3))
      holds(owner, [aPosition({ owner, liquidationPrice: exact('1500') })])
    memory.danger.put(anOwner(3), guardKey(aGuard()), true)
    expect(distances.nearest(1, [])).toContainEqual({ owner: anOwner(3), distance: 0.1 })
  })

  test('are no more than are watched, and nobody who is not', () => {
    const { memory, distances } = watchedBy(2)
    expect(distances.nearest(5, [ALICE, BOB]).map(({ owner }) => owner)).toEqual([anOwner(0), anOwner(1)])
    memory.watches.drop(anOwner(0), 1)
    distances.moved(anOwner(0))
    expect(distances.nearest(5, []).map(({ owner }) => owner)).toEqual([anOwner(1)])
  })
})
