import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { formatDecimal } from '../../../src/venue/amount.ts'
import { traderWallet } from '../../../src/venues/sim/play/traders.ts'
import { draftOf, size, steps, take, walkable, where, who } from '../../support/exchange-walk.ts'
import { hosted } from '../../support/hosted.ts'
import { budget, SEED } from '../../support/seed.ts'
import { type Json, positionsPath } from '../../support/sim.ts'

/** Orders at one venue, one after the other; each changes what the next one meets. */
const ORDERS = 50
const VENUES = budget(25, 10)

test('a preview says to the last digit what the order then does, hundreds of orders on whatever has happened', async () => {
  console.log(`SEED=${SEED}`)
  const order = fc.record({ who, where, size })
  const many = fc.array(order, { minLength: ORDERS, maxLength: ORDERS })
  const done = { settled: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(steps, many, async (walk, orders) => {
      const exchange = walkable({ wallet: traderWallet })
      for (const step of walk) take(exchange, step)
      await using venue = await hosted(exchange)
      for (const one of orders) {
        const { account, market, sizeDelta } = draftOf(exchange, one.who, one.where, one.size)
        if (sizeDelta === 0n) continue
        const place = { accountId: account.id, marketId: market.terms.id }
        const draft = { ...place, sizeDelta: sizeDelta.toString() }
        const { body: said } = await venue.send('POST', '/post-trade-details?chainId=8008', draft)
        const asked = { accountId: account.id, symbol: market.terms.symbol, size: formatDecimal(sizeDelta) }
        const { status } = await venue.send('POST', '/_sim/order', asked)
        // One that is being liquidated is not even taken.
        if (status === 409) {
          expect([said.feasible, account.isFlagged]).toEqual([false, true])
          continue
        }
        const { happened } = await venue.control('POST', 'advance', { ms: 0 })
        const settled = happened.find((event: Json) => event.is === 'settled')
        if (!settled) {
          expect([said.feasible, happened[0].is]).toEqual([false, 'expired'])
          done.refused += 1
          continue
        }
        done.settled += 1
        const { positions } = await venue.read(positionsPath(account.wallet))
        const position = positions.find(
          (each: Json) => each.accountId === place.accountId && each.marketId === place.marketId,
        )
        const exact = (text: string) => formatDecimal(BigInt(text))
        expect({ ...settled, feasible: true, line: position?.liquidationPrice ?? '0' }).toMatchObject({
          feasible: said.feasible,
          fillPrice: exact(said.fillPrice),
          feesUsd: exact(said.totalFees),
          line: said.liquidationPrice,
        })
        expect(BigInt(said.totalFees)).toBe(BigInt(said.settlementReward) + BigInt(said.ammFees))
        expect(said.newMarginUsage).toBe(100 / said.newHealthFactor)
      }
    }),
    { numRuns: VENUES },
  )
  // Most were filled, or nothing would have been compared.
  expect(done.settled + done.refused).toBeGreaterThan(VENUES * 40)
  expect(done.settled).toBeGreaterThan(done.refused)
})
