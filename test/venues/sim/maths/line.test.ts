import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { recordFunding } from '../../../../src/venues/sim/exchange/market.ts'
import { lineOf } from '../../../../src/venues/sim/maths/line.ts'
import { standing } from '../../../../src/venues/sim/maths/margin.ts'
import { steps, take, walkable } from '../../../support/exchange-walk.ts'

test('a liquidation price is where its account turns liquidatable, to the last digit', () => {
  let found = 0
  fc.assert(
    fc.property(steps, (steps) => {
      const exchange = walkable()
      for (const step of steps) take(exchange, step)
      for (const market of exchange.markets.values()) recordFunding(market, exchange.nowSeconds)
      for (const account of exchange.accounts.values()) {
        for (const held of account.positions) {
          const line = lineOf(exchange.terms, account, held, exchange.nowSeconds)
          const { market, size } = held
          const now = market.indexPrice
          const isLost = (price: bigint) => {
            market.indexPrice = price
            return standing(exchange.terms, account, exchange.nowSeconds).isLiquidatable
          }
          if (line === null) expect(isLost(now)).toBe(isLost(1n))
          else {
            found++
            expect(isLost(line)).toBe(true)
            expect(isLost(line + (size > 0n ? 1n : -1n))).toBe(false)
          }
          market.indexPrice = now
        }
      }
    }),
  )
  expect(found).toBeGreaterThan(100)
})
