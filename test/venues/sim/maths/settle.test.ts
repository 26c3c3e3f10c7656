import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { magnitude } from '../../../../src/venue/amount.ts'
import { advance } from '../../../../src/venues/sim/exchange/exchange.ts'
import type { VenueEvent } from '../../../../src/venues/sim/exchange/venue-events.ts'
import type { Exchange } from '../../../../src/venues/sim/exchange/state.ts'
import { submit } from '../../../../src/venues/sim/exchange/submit.ts'
import {
  type Draft,
  lineAfter,
  type Quote,
  quote,
  standingAfter,
} from '../../../../src/venues/sim/exchange/trade.ts'
import { lineOf } from '../../../../src/venues/sim/maths/line.ts'
import { standing } from '../../../../src/venues/sim/maths/margin.ts'
import { draftOf, size, steps, take, walkable, where, who } from '../../../support/exchange-walk.ts'
import { ANY_PRICE } from '../../../support/exchange.ts'

test('a preview is what is done then, to the last digit: fill, fees, collateral, margins, liquidation price', () => {
  const seen = { settled: 0, refused: 0 }
  fc.assert(
    fc.property(
      steps,
      fc.array(fc.tuple(who, where, size), { minLength: 10, maxLength: 10 }),
      (steps, drafts) => {
        const exchange = walkable()
        for (const [index, step] of steps.entries()) {
          take(exchange, step)
          const draft = draftOf(exchange, ...(drafts[index] ?? [0, 0, 0]))
          if (index >= drafts.length || draft.sizeDelta === 0n) continue
          seen[previewAndDo(exchange, draft)]++
        }
      },
    ),
  )
  expect(seen.settled).toBeGreaterThan(300)
  expect(seen.refused).toBeGreaterThan(10)
})

test('the largest order that is taken leaves the initial margin of all that is held, but for four last digits', () => {
  let seen = 0
  fc.assert(
    fc.property(steps, who, where, fc.boolean(), (steps, who, where, buys) => {
      const exchange = walkable()
      for (const step of steps) take(exchange, step)
      const asked = largest(exchange, draftOf(exchange, who, where, buys ? 4 : -4))
      if (!asked) return
      seen++
      const { availableMargin, initialMargin } = standingAfter(exchange, asked)
      expect(availableMargin - initialMargin).toBeGreaterThanOrEqual(-4n)
    }),
  )
  expect(seen).toBeGreaterThan(10)
})

test('who opens and closes at once has paid the fees, and not one last digit more', () => {
  let seen = 0
  fc.assert(
    fc.property(steps, who, where, size, (steps, who, where, size) => {
      const exchange = walkable()
      for (const step of steps) take(exchange, step)
      const draft = draftOf(exchange, who, where, size)
      const { account, market, sizeDelta } = draft
      if (account.positions.some((held) => held.market === market)) return
      const before = account.collateralUsd - account.debtUsd
      const told = [sizeDelta, -sizeDelta].flatMap((sizeDelta) => order(exchange, { ...draft, sizeDelta }))
      const fees = told.flatMap((one) => (one.is === 'settled' ? [one.feesUsd] : []))
      if (fees.length < 2) return
      seen++
      expect(account.collateralUsd - account.debtUsd).toBe(before - (fees[0] ?? 0n) - (fees[1] ?? 0n))
    }),
  )
  expect(seen).toBeGreaterThan(10)
})

/** The largest part of a draft that its account can carry; null where it can carry all of it, or none. */
function largest(exchange: Exchange, draft: Draft): Quote | null {
  let [taken, refused] = [0n, magnitude(draft.sizeDelta)]
  let asked: Quote | null = null
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n
    const half = quote(exchange, { ...draft, sizeDelta: draft.sizeDelta > 0n ? middle : -middle })
    if (half.refusal === null) [asked, taken] = [half, middle]
    else refused = middle
  }
  return asked?.position && refused < magnitude(draft.sizeDelta) ? asked : null
}

function order(exchange: Exchange, { account, market, sizeDelta }: Draft): VenueEvent[] {
  submit(exchange, {
    ...{ is: 'market', accountId: account.id, marketId: market.terms.id, sizeDelta },
    acceptablePrice: sizeDelta > 0n ? ANY_PRICE.buy : ANY_PRICE.sell,
    ...{ takeProfit: null, stopLoss: null },
  })
  return advance(exchange, exchange.nowSeconds, [])
}

function previewAndDo(exchange: Exchange, draft: Draft): 'settled' | 'refused' {
  const { account, market } = draft
  const asked = quote(exchange, draft)
  const [expected, line] = [standingAfter(exchange, asked), lineAfter(exchange, asked)]
  const told = order(exchange, draft)
  if (account.isFlagged || told.some((one) => one.is === 'flagged' && one.accountId === account.id))
    return 'refused'
  const expired = told.find((one) => one.is === 'expired')
  expect(expired?.why ?? null).toBe(asked.refusal)
  if (expired) return 'refused'
  expect(told.find((one) => one.is === 'settled')).toMatchObject({
    ...{ fillPrice: asked.fillPrice, feesUsd: asked.orderFeeUsd + asked.settlementRewardUsd },
    ...{ pnlUsd: asked.pnlUsd, fundingUsd: asked.fundingUsd, size: asked.position?.size ?? 0n },
  })
  expect(account).toMatchObject(asked.balance)
  const held = account.positions.find((position) => position.market === market)
  if (asked.position === null) expect(held).toBeUndefined()
  else
    expect({ ...held, protectiveOrder: null, slot: null }).toEqual({
      ...asked.position,
      protectiveOrder: null,
      slot: null,
    })
  expect(standing(exchange.terms, account, exchange.nowSeconds)).toEqual(expected)
  if (held) expect(lineOf(exchange.terms, account, held, exchange.nowSeconds)).toBe(line)
  return 'settled'
}
