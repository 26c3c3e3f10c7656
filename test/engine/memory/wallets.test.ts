import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { WalletView, SeenPosition } from '../../../src/engine/memory/wallet-view.ts'
import { createWalletViews } from '../../../src/engine/memory/wallets.ts'
import { createWords } from '../../../src/lib/data/words.ts'
import { toNumber } from '../../../src/venue/amount.ts'
import { distance, positionKey, side } from '../../../src/venue/position.ts'
import { ALICE, aPosition, BOB } from '../../support/fixtures.ts'

const time = fc.nat()
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })
const amount = fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n })
const wallet = fc.constantFrom(ALICE, BOB)

const seen: fc.Arbitrary<SeenPosition> = fc.record({
  position: fc
    .record({
      accountId: fc.constantFrom('main', '7/8'),
      marketId: fc.constantFrom('100', '200', 'xyz:GOLD'),
      size: amount.filter((size) => size !== 0n),
      entryPrice: amount,
      liquidationPrice: maybe(amount),
      margin: fc.constantFrom('cross' as const, 'isolated' as const, null),
      leverage: maybe(fc.double({ noNaN: true })),
      fundingUsd: maybe(amount),
      breakEvenPrice: maybe(amount),
      realisedPnlUsd: maybe(amount),
      openedAt: maybe(time),
    })
    .map((one) => aPosition(one)),
  seenAt: time,
  seenMono: fc.oneof(fc.constant(-Infinity), fc.double({ noNaN: true })),
  price: maybe(fc.double({ noNaN: true })),
  missingSince: maybe(fc.double({ noNaN: true })),
  endSought: fc.boolean(),
  doubtedNone: fc.boolean(),
  kept: maybe(fc.record({ liquidationPrice: maybe(amount), symbol: maybe(fc.constantFrom('ETH', 'BTC')) })),
})

function viewOf(whose: typeof ALICE, held: readonly SeenPosition[], mono: number): WalletView {
  const own = held.map((one) => ({ ...one, position: { ...one.position, wallet: whose } }))
  return {
    ...{ wallet: whose, at: mono, mono, completeMono: null },
    ...{
      failedParts: new Map(),
      unasked: [],
      reduced: new Map(),
      accounts: new Map(),
      gone: [],
      left: {},
      touchedLiquidation: {},
    },
    held: new Map(own.map((one) => [positionKey(one.position), one])),
  }
}

const priceOf = (marketId: string) => (marketId === '100' ? 2_700 : null)

function nearestOf(held: readonly SeenPosition[]): number {
  const distances = held.map(({ position, price: seen }) => {
    const { marketId, liquidationPrice } = position
    const now = priceOf(marketId) ?? seen
    const isKnown = now !== null && liquidationPrice !== null
    return isKnown ? distance(side(position), now, toNumber(liquidationPrice)) : Infinity
  })
  return Math.min(...distances)
}

test('a wallet is found exactly as it was put there last, in the order of reading, whatever became of others', () => {
  const acts = fc.array(
    fc.record({ wallet, held: fc.array(seen, { maxLength: 4 }), goes: fc.integer({ min: 0, max: 3 }) }),
  )
  fc.assert(
    fc.property(acts, (sequence) => {
      const wallets = createWalletViews(createWords())
      const known = new Map<string, WalletView>()
      for (const [mono, { wallet: whose, held, goes }] of sequence.entries()) {
        const view = viewOf(whose, held, mono)
        known.delete(whose)
        if (goes === 0) wallets.delete(whose)
        else {
          wallets.put(view)
          known.set(whose, view)
        }
        for (const one of [ALICE, BOB]) {
          const [is, was] = [wallets.get(one), known.get(one)]
          expect(is && { ...is, held: [...is.held] }).toEqual(was && { ...was, held: [...was.held] })
          const isMissing = [...(was?.held.values() ?? [])].some(({ missingSince }) => missingSince !== null)
          expect(wallets.lacks(one)).toBe(isMissing)
          expect(wallets.nearest(one, priceOf)).toBe(nearestOf([...(was?.held.values() ?? [])]))
        }
        for (const marketId of ['100', '200', 'xyz:GOLD']) {
          const there = [...known].filter(([, { held: all }]) =>
            [...all.values()].some(({ position }) => position.marketId === marketId),
          )
          expect([...wallets.holders.of(marketId)].toSorted()).toEqual(there.map(([one]) => one).toSorted())
          expect(wallets.holders.has(marketId)).toBe(there.length > 0)
        }
        expect([[...wallets.keys()], wallets.size]).toEqual([[...known.keys()], known.size])
        expect([...wallets.values()].map(({ mono: at }) => at)).toEqual(
          [...known.values()].map(({ mono: at }) => at),
        )
      }
    }),
  )
})

test('a view that is looked into late shows what its own wallet held when it was asked for', () => {
  const wallets = createWalletViews(createWords())
  const [one] = fc.sample(seen, { numRuns: 1, seed: 7 })
  if (!one) throw new Error('nothing is held')
  wallets.put(viewOf(ALICE, [one], 1))
  const late = wallets.get(ALICE)
  wallets.delete(ALICE)
  wallets.put(viewOf(BOB, [one], 2))
  expect([...(late?.held.values() ?? [])]).toEqual([one])
})
