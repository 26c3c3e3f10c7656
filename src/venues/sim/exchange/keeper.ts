import { type Amount, toNumber } from '../../../venue/amount.ts'
import { liquidationReward } from '../maths/liquidation.ts'
import { gainedBy, keeperWork, rewardOf, standing } from '../maths/margin.ts'
import { hold, pay, reward } from '../maths/settle.ts'
import type { Account, Position } from './account.ts'
import { expireAll } from './book.ts'
import { dropProtectiveOrder } from './protective-orders.ts'
import type { VenueEvent } from './venue-events.ts'
import { liquidationRoom, recordFunding, recordLiquidation } from './market.ts'
import type { Exchange } from './state.ts'
import { watch } from './watch.ts'

/**
 * Liquidates accounts. It looks at the flagged ones, at those whose watched price was reached, and at some of
 * the round.
 */
export function patrol(exchange: Exchange, sinceSeconds: number): VenueEvent[] {
  const events = [...exchange.flagged].flatMap((account) => further(exchange, account))
  const looked = new Set<Account>()
  for (const { terms, indexPrice } of exchange.markets.values())
    for (const account of exchange.watch.reached(terms.id, toNumber(indexPrice))) looked.add(account)
  for (const account of round(exchange, sinceSeconds)) looked.add(account)
  for (const account of looked) events.push(...judge(exchange, account))
  return events
}

/** The next accounts of the round, which comes to every account within `roundSeconds`. */
function round({ round, terms, nowSeconds }: Exchange, sinceSeconds: number): Account[] {
  const { accounts } = round
  round.owed += (accounts.length * (nowSeconds - sinceSeconds)) / terms.roundSeconds
  const count = Math.min(Math.floor(round.owed), accounts.length)
  round.owed = count === accounts.length ? 0 : round.owed - count
  const from = round.next
  round.next = accounts.length === 0 ? 0 : (from + count) % accounts.length
  const ahead = accounts.slice(from, from + count)
  return [...ahead, ...accounts.slice(0, count - ahead.length)]
}

function judge(exchange: Exchange, account: Account): VenueEvent[] {
  if (account.isFlagged || account.positions.length === 0) return []
  const now = standing(exchange.terms, account, exchange.nowSeconds)
  if (now.isLiquidatable) return flag(exchange, account)
  watch(exchange, account, now)
  return []
}

/** Takes the account's collateral, debt and orders at once. The reward is paid from the collateral. */
function flag(exchange: Exchange, account: Account): VenueEvent[] {
  const { collateralUsd: seizedUsd, debtUsd: forgivenUsd, id: accountId } = account
  const expired = expireAll(exchange, account, 'liquidated', null)
  const rewardUsd = rewardOf(
    exchange.terms,
    seizedUsd,
    account.positions.map((held) => ({ ...keeperWork(held), windows: 1n })),
  )
  pay(exchange, account, { collateralUsd: 0n, debtUsd: 0n })
  reward(exchange, rewardUsd)
  account.isFlagged = true
  exchange.flagged.add(account)
  for (const position of account.positions) dropProtectiveOrder(exchange, account, position)
  const liquidated = liquidate(exchange, account)
  return [{ is: 'flagged', accountId, seizedUsd, forgivenUsd, rewardUsd }, ...expired, ...liquidated]
}

/** Liquidates as much as a later window allows, and pays the reward of that window. */
function further(exchange: Exchange, account: Account): VenueEvent[] {
  const liquidated = liquidate(exchange, account)
  const { terms } = exchange
  const work = { flagReward: 0n, executionCostWei: terms.liquidateExecutionCost, seizedCollateralUsd: 0n }
  if (liquidated.length > 0) reward(exchange, liquidationReward({ ...terms, ...work }))
  return liquidated
}

/**
 * Closes as much of each position as its market's window allows, at the index price. The pool takes the gain
 * or the loss.
 */
function liquidate(exchange: Exchange, account: Account): VenueEvent[] {
  const events = [...account.positions].flatMap((position) => liquidatePosition(exchange, account, position))
  if (account.positions.length === 0) {
    account.isFlagged = false
    exchange.flagged.delete(account)
  }
  return events
}

function liquidatePosition(exchange: Exchange, account: Account, position: Position): VenueEvent[] {
  const { nowSeconds } = exchange
  const { market, size } = position
  const most: Amount = liquidationRoom(market, size, nowSeconds)
  if (most === 0n) return []
  recordFunding(market, nowSeconds)
  recordLiquidation(market, most, nowSeconds)
  const price = market.indexPrice
  const { priceUsd: pnlUsd, fundingUsd } = gainedBy(position, price, nowSeconds)
  const gone = size > 0n ? most : -most
  const left = size - gone
  const now = {
    ...{ size: left, latestInteractionPrice: price, fundingValue: market.fundingValue },
    realisedPnlUsd: position.realisedPnlUsd + pnlUsd,
    realisedFundingUsd: position.realisedFundingUsd + fundingUsd,
  }
  hold(exchange, account, market, left === 0n ? null : { ...position, ...now })
  const place = { accountId: account.id, marketId: market.terms.id }
  return [{ is: 'liquidated', ...place, size: gone, left, price, pnlUsd, fundingUsd }]
}
