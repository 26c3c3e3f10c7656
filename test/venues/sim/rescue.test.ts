import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { reduceOptionsOf, ERROR_OF_ESTIMATE, marginFor, realisedPnl } from '../../../src/alert/deleverage.ts'
import { type Amount, formatDecimal, magnitude, ONE, toNumber } from '../../../src/venue/amount.ts'
import { distance, type Position, side } from '../../../src/venue/position.ts'
import { type Account, charged } from '../../../src/venues/sim/exchange/account.ts'
import type { Exchange } from '../../../src/venues/sim/exchange/state.ts'
import { lineOf } from '../../../src/venues/sim/maths/line.ts'
import { traderWallet } from '../../../src/venues/sim/play/traders.ts'
import { steps, take, walkable } from '../../support/exchange-walk.ts'
import { units } from '../../support/exchange.ts'
import { aMarket } from '../../support/fixtures.ts'
import { type Hosted, hosted } from '../../support/hosted.ts'
import { ASKING } from '../../support/sim.ts'
import { budget } from '../../support/seed.ts'

const POSITIONS = budget(300, 120)

/** Every position that is held there, as the client reads it, with its account. */
async function positionsOf({ exchange, venue }: Hosted): Promise<{ account: Account; position: Position }[]> {
  const read = [...exchange.accounts.values()].map(async (account) => {
    const { positions } = await venue.positions(account.wallet, ASKING)
    return positions.map((position) => ({ account, position }))
  })
  return (await Promise.all(read)).flat()
}

const holding = (account: Account, { marketId }: Position) =>
  account.positions.find(({ market }) => market.terms.id === marketId)

test('what closing a part of a position would do is what it then does, to the last digit', async () => {
  const done = { positions: 0, compared: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(steps, async (walk) => {
      if (done.positions >= POSITIONS) return
      const exchange = walkable({ wallet: traderWallet })
      for (const step of walk) take(exchange, step)
      await using venue = await hosted(exchange)
      for (const { account, position } of await positionsOf(venue)) {
        const before = done.compared
        // A quarter of it, then half of what is left, then the rest: closing one changes the others of its account.
        let left = await heldThere(venue, position)
        for (const share of [ONE / 4n, ONE / 2n, ONE])
          left = left && (await compareClosing(venue, account, left, share, done))
        if (done.compared > before) done.positions += 1
      }
    }),
    { numRuns: 200 },
  )
  expect(done.positions).toBeGreaterThanOrEqual(POSITIONS)
  expect(done.compared).toBeGreaterThan(3 * done.refused)
})

async function heldThere(
  { venue }: Hosted,
  { wallet: owner, marketId }: Position,
): Promise<Position | undefined> {
  const { positions } = await venue.positions(owner, ASKING)
  return positions.find((one) => one.marketId === marketId)
}

/** What the preview says of closing this share of it, and what becomes of it: what is left then. */
async function compareClosing(
  hosted: Hosted,
  account: Account,
  position: Position,
  share: Amount,
  done: { compared: number; refused: number },
): Promise<Position | undefined> {
  const { venue, send, control } = hosted
  const held = holding(account, position)
  const closing = reduceOptionsOf(position).find((one) => one.share === share)
  if (!held || !closing) return position
  const [before, already] = [shownPnl(held), held.realisedPnlUsd]
  const { accountId, sizeDelta } = closing.draft
  const preview = await venue.preview(closing.draft, ASKING)
  const symbol = held.market.terms.symbol
  await send('POST', '/_sim/order', { accountId, symbol, size: formatDecimal(sizeDelta) })
  const { happened } = await control('POST', 'advance', { ms: 0 })
  const settled = happened.find(({ is }: { is: string }) => is === 'settled')
  if (!settled) {
    expect(preview.feasible).toBe(false)
    done.refused += 1
    return position
  }
  const left = holding(account, position)
  const after = left ? await heldThere(hosted, position) : undefined
  expect({
    feasible: true,
    left: left?.size ?? 0n,
    fees: units(settled.feesUsd),
    line: after?.liquidationPrice ?? 'none',
  }).toEqual({
    feasible: preview.feasible,
    left: position.size + sizeDelta,
    fees: preview.totalFeesUsd,
    line: preview.liquidationPrice,
  })
  // The venue cuts off a digit for the part, and one for what is left.
  const realised = (left ? shownPnl(left) : already + units(settled.pnlUsd)) - before
  const difference = realised - (realisedPnl(position, closing, preview.fillPrice ?? 0n) ?? 0n)
  expect(magnitude(difference)).toBeLessThanOrEqual(2n)
  done.compared += 1
  return after
}

/** USD that its fills have gained over its entry price, as the venue counts it. */
function shownPnl(held: NonNullable<ReturnType<typeof holding>>): Amount {
  return held.realisedPnlUsd + (held.size * (held.avgEntryPrice - held.latestInteractionPrice)) / ONE
}

test('the margin that would bring a position away from liquidation is within the five percent that are said', () => {
  let compared = 0
  fc.assert(
    fc.property(steps, (walk) => {
      if (compared >= POSITIONS) return
      const exchange = walkable({ wallet: traderWallet })
      for (const step of walk) take(exchange, step)
      for (const account of exchange.accounts.values()) compared += compareMargins(exchange, account)
    }),
    { numRuns: 300 },
  )
  expect(compared).toBeGreaterThanOrEqual(POSITIONS)
})

/** USD: of less the words claim no error. */
const LEAST_MARGIN = 20

function compareMargins(exchange: Exchange, account: Account): number {
  let compared = 0
  for (const held of account.positions) {
    const price = held.market.indexPrice
    const awayWith = (usd: number): number => {
      const credited = charged(account, units(usd.toFixed(18)))
      const line = lineOf(exchange.terms, { ...account, ...credited }, held, exchange.nowSeconds)
      return line === null ? Infinity : distance(side(held), toNumber(price), toNumber(line))
    }
    const liquidationPrice = lineOf(exchange.terms, account, held, exchange.nowSeconds)
    const [position, market] = [{ size: held.size, liquidationPrice } as Position, aMarket({ price })]
    for (const aim of [0.1, 0.2]) {
      const margin = marginFor(position, market, aim)
      if (margin === null || margin < LEAST_MARGIN) continue
      const about = `${held.market.terms.symbol} ${formatDecimal(held.size)} with ${formatDecimal(account.collateralUsd)}`
      expect(awayWith(margin / (1 - ERROR_OF_ESTIMATE)), about).toBeGreaterThanOrEqual(aim)
      expect(awayWith(margin / (1 + ERROR_OF_ESTIMATE)), about).toBeLessThanOrEqual(aim)
      compared += 1
    }
  }
  return compared
}
