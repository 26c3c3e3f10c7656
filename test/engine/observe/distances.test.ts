import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { monitorKey } from '../../../src/alert/monitor.ts'
import { createNearestLiquidations, distanceOf } from '../../../src/engine/observe/read-demand.ts'
import type { Wallet } from '../../../src/venue/wallet.ts'
import { desk } from '../../support/engine.ts'
import { aMonitor, ALICE, aMarket, aPosition, aRule, aWatch, BOB, exact } from '../../support/fixtures.ts'
import { aWallet } from '../../support/polling.ts'

function watchedBy(many: number) {
  const wallets = Array.from({ length: many }, (_, index) => aWallet(index))
  const world = desk({ rules: [aRule()], watches: wallets.map((wallet) => aWatch({ wallet })) })
  const distances = createNearestLiquidations(world.memory)
  const holds = (wallet: Wallet, positions: ReturnType<typeof aPosition>[]) => {
    world.reads(positions, { wallet })
    distances.moved(wallet)
  }
  const scanned = () => wallets.map((wallet) => distanceOf(world.memory, wallet)).toSorted(compare)
  return { ...world, wallets, distances, holds, scanned }
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
            aWallet(index),
            all.map(({ end, size, marketId }, account) =>
              aPosition({
                ...{ wallet: aWallet(index), accountId: String(account), marketId, size: exact(size) },
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
    const { wallets, memory, distances, holds } = watchedBy(500)
    for (const [index, wallet] of wallets.entries())
      holds(wallet, [aPosition({ wallet, liquidationPrice: exact(String(2_000 - index)) })])
    distances.nearest(1, [])
    let looks = 0
    const { get } = memory.wallets.views
    memory.wallets.views.get = (wallet) => {
      looks++
      return get(wallet)
    }
    const found = distances.nearest(5, [aWallet(400)]).map(({ wallet }) => wallet)
    expect(found).toEqual([0, 1, 2, 3, 4, 400].map(aWallet))
    expect(looks).toBeLessThanOrEqual(6)
  })

  test('are also those that are warned of for another reason', () => {
    const { wallets, memory, distances, holds, prices } = watchedBy(4)
    prices(aMarket({ price: exact('2500') }))
    for (const wallet of wallets.slice(0, 3))
      holds(wallet, [aPosition({ wallet, liquidationPrice: exact('1500') })])
    memory.monitors.danger.put(aWallet(3), monitorKey(aMonitor()), true)
    expect(distances.nearest(1, [])).toContainEqual({ wallet: aWallet(3), distance: 0.1 })
  })

  test('are no more than are watched, and nobody who is not', () => {
    const { memory, distances } = watchedBy(2)
    expect(distances.nearest(5, [ALICE, BOB]).map(({ wallet }) => wallet)).toEqual([aWallet(0), aWallet(1)])
    memory.rules.watches.drop(aWallet(0), 1)
    distances.moved(aWallet(0))
    expect(distances.nearest(5, []).map(({ wallet }) => wallet)).toEqual([aWallet(1)])
  })
})
