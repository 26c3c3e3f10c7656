import { describe, expect, test } from 'vitest'

import { apply, createMemory } from '../../../src/engine/memory/apply.ts'
import { demandOf, distanceOf, neededMarkets } from '../../../src/engine/observe/read-demand.ts'
import { rowOf } from '../../../src/engine/observe/wallet-row.ts'
import type { Snapshot } from '../../../src/store/snapshot.ts'
import { desk } from '../../support/engine.ts'
import {
  aFiring,
  aMonitor,
  ALICE,
  aMarket,
  aPosition,
  aRule,
  aWatch,
  BOB,
  exact,
  remembered,
} from '../../support/fixtures.ts'

function watched() {
  const world = desk({ rules: [aRule()], watches: [aWatch(), aWatch({ wallet: BOB })] })
  world.prices(aMarket())
  world.reads([aPosition()])
  const demand = (wallet = ALICE, laterMs = 0) => demandOf(world.memory, wallet, world.look().mono + laterMs)
  return { ...world, demand }
}

test('every watched wallet is read, and sooner near danger', () => {
  const { prices, demand } = watched()
  expect([ALICE, BOB].map((wallet) => demand(wallet).nearDanger)).toEqual([false, false])
  prices(aMarket({ price: exact('2050') }))
  expect([ALICE, BOB].map((wallet) => demand(wallet).nearDanger)).toEqual([true, false])
})

test('of a wallet that was not read since a start it is known how near its end it was; warned of, it goes first', () => {
  const { memory, prices, reads } = watched()
  prices(aMarket())
  reads([aPosition()])
  const far = (wallet = ALICE) => demandOf(memory, wallet, 0).rememberedDistance
  expect([far(), far(BOB)]).toEqual([Infinity, Infinity])
  const wallets = [...memory.wallets.views.values()].map((view) => rowOf(memory, view))
  const again = (over: Partial<Snapshot>) =>
    demandOf(createMemory(remembered({ rules: [aRule()], wallets, ...over })), ALICE, 0).rememberedDistance
  expect(again({})).toBe(0.2)
  expect(
    again({ states: [{ monitor: aMonitor(), state: aFiring(), value: 0.04, params: aRule().params }] }),
  ).toBe(0)
})

describe('the second look at a position that is missing', () => {
  const confirms = ({ confirm }: ReturnType<typeof demandOf>) => confirm

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
    expect([confirms(demand(ALICE, 10_000)), confirms(demand(ALICE, demand().againMono ?? 0))]).toEqual([
      false,
      true,
    ])
  })

  test('asks how it ended from a minute before it was last seen: the venue’s clock is not ours', () => {
    const { prices, reads, demand, look } = watched()
    const seenAt = look().now
    reads([])
    prices(aMarket())
    expect(demand()).toMatchObject({ confirm: true, endedSince: seenAt - 60_000 })
  })
})

describe('what is asked for beside', () => {
  test('how far each wallet is from its nearest liquidation, by the price of now', () => {
    const { memory, prices, reads } = watched()
    prices(aMarket({ price: exact('2500') }))
    reads([aPosition({ liquidationPrice: exact('2000') })])
    const distances = () => [ALICE, BOB].map((wallet) => distanceOf(memory, wallet))
    expect(distances()).toEqual([0.2, Infinity])
    reads([aPosition({ liquidationPrice: null })], { wallet: BOB })
    prices(aMarket({ price: exact('2100') }))
    expect(distances()).toEqual([expect.closeTo(100 / 2100), Infinity])
  })

  test('the markets that somebody holds or has a rule on', () => {
    const { memory, reads } = watched()
    expect(neededMarkets(memory)).toEqual(['100'])
    reads([aPosition({ marketId: '300' })], { wallet: BOB })
    expect(neededMarkets(memory).toSorted()).toEqual(['100', '300'])
    apply(memory, [{ is: 'rule', rule: aRule({ id: 9, market: { id: '500', symbol: 'DOGE' } }) }])
    expect(neededMarkets(memory).toSorted()).toEqual(['100', '300', '500'])
  })
})
