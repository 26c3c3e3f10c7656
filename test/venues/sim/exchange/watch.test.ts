import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Account } from '../../../../src/venues/sim/exchange/account.ts'
import { advance } from '../../../../src/venues/sim/exchange/exchange.ts'
import { liquidationRoom } from '../../../../src/venues/sim/exchange/market.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { standing } from '../../../../src/venues/sim/maths/margin.ts'
import { steps, take, walkable } from '../../../support/exchange-walk.ts'
import { units } from '../../../support/exchange.ts'

describe('the keeper', () => {
  test('leaves nothing of who is liquidated that the windows would let go', () => {
    let seen = 0
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable({ market: { liquidationWindowMultiplier: units('0.0005') } })
        const wrong: Account[] = []
        for (const step of steps) {
          take(exchange, step)
          for (const account of exchange.flagged) {
            const { isFlagged, collateralUsd, debtUsd, positions } = account
            if (isFlagged && collateralUsd === 0n && debtUsd === 0n && positions.length > 0) seen++
            else wrong.push(account)
            for (const { market, size } of positions)
              if (liquidationRoom(market, size, exchange.nowSeconds) !== 0n) wrong.push(account)
          }
          if (wrong.length > 0) break
        }
        expect(wrong).toEqual([])
      }),
    )
    expect(seen).toBeGreaterThan(0)
  })

  test('never overlooks what a price has done, not for a moment', () => {
    let liquidated = 0
    fc.assert(
      fc.property(steps, (steps) => {
        const exchange = walkable({ venue: { roundSeconds: 1e12 }, market: { maxFundingVelocity: 0n } })
        for (const step of steps) {
          if (step.is === 'rate') continue
          liquidated += take(exchange, step).filter(({ is }) => is === 'liquidated').length
          const lost = overlooked(exchange)
          if (lost.length > 0) expect(lost).toEqual([])
        }
      }),
    )
    expect(liquidated).toBeGreaterThan(100)
  })

  test('overlooks what funding has done for a round at the longest', () => {
    let seen = 0
    fc.assert(
      fc.property(steps, (steps) => {
        // Funding that runs a thousand times as fast as anywhere.
        const market = { maxFundingVelocity: units(9_000) }
        const exchange = walkable({ venue: { roundSeconds: 600 }, market })
        const since = new Map<string, number>()
        let longest = 0
        for (const step of steps) {
          // By a minute at a time, as somebody does who plays the venue.
          const seconds = step.is === 'move' ? step.seconds : 0
          for (let left = seconds; left > 0; left -= 60) {
            advance(exchange, exchange.nowSeconds + Math.min(left, 60), [])
            const lost = overlooked(exchange)
            for (const id of since.keys()) if (!lost.includes(id)) since.delete(id)
            for (const id of lost) {
              seen++
              if (!since.has(id)) since.set(id, exchange.nowSeconds)
              longest = Math.max(longest, exchange.nowSeconds - (since.get(id) ?? 0))
            }
          }
          take(exchange, step.is === 'move' ? { ...step, seconds: 0 } : step)
        }
        expect(longest).toBeLessThanOrEqual(600 + 60)
      }),
      { numRuns: 30 },
    )
    expect(seen).toBeGreaterThan(20)
  })
})

/** Who is liquidatable, and not being liquidated. */
function overlooked({ accounts, terms, nowSeconds }: Exchange): string[] {
  return [...accounts.values()].flatMap((account) =>
    !account.isFlagged && standing(terms, account, nowSeconds).isLiquidatable ? [account.id] : [],
  )
}
