import { toNumber } from '../../../amount.ts'
import type { Amount } from '../../../amount.ts'
import { positionIn } from './account.ts'
import type { Account } from './account.ts'
import { armTrigger, end, expire, hasEnded, remove } from './book.ts'
import { guard, reachedOf } from './guards.ts'
import type { Happening } from './happening.ts'
import { recordFunding } from './market.ts'
import type { Market } from './market.ts'
import type { Guard, LimitOrder, MarketOrder, Order, Trigger } from './order.ts'
import { settle } from './settle.ts'
import type { Exchange } from './state.ts'
import { quote } from './trade.ts'
import type { Draft } from './trade.ts'

/** What a trader wants. */
export type Ask = {
  accountId: string
  marketId: string
  /** Base units, > 0 buys. */
  sizeDelta: Amount
  takeProfit: Trigger | null
  stopLoss: Trigger | null
} & ({ is: 'market'; acceptablePrice: Amount } | { is: 'limit'; price: Amount; expiresAtSeconds: number })

/** Why the venue does not even take it. An account may have one market order under way, and is not heard while it is liquidated. */
export type Rejection =
  | 'unknown-account'
  | 'unknown-market'
  | 'zero-size'
  | 'no-price'
  | 'flagged'
  | 'pending'
  | 'no-position'
  | 'too-late'

export function submit(exchange: Exchange, ask: Ask): Order | Rejection {
  const account = exchange.accounts.get(ask.accountId)
  const market = exchange.markets.get(ask.marketId)
  if (!account) return 'unknown-account'
  if (!market) return 'unknown-market'
  if (ask.sizeDelta === 0n) return 'zero-size'
  if (account.isFlagged) return 'flagged'
  return ask.is === 'market'
    ? submitMarket(exchange, account, ask)
    : submitLimit(exchange, account, market, ask)
}

function submitMarket(exchange: Exchange, account: Account, ask: Ask & { is: 'market' }): Order | Rejection {
  if (account.orders.some((order) => order.is === 'market' && !hasEnded(order))) return 'pending'
  const order: MarketOrder = { ...ask, ...placed(exchange), status: 'Created', expiresAtSeconds: null }
  account.orders.push(order)
  exchange.due.set(order, exchange.nowSeconds + exchange.terms.commitDelaySeconds)
  return order
}

function submitLimit(
  exchange: Exchange,
  account: Account,
  market: Market,
  ask: Ask & { is: 'limit' },
): Order | Rejection {
  if (ask.price <= 0n) return 'no-price'
  if (ask.expiresAtSeconds <= exchange.nowSeconds) return 'too-late'
  const isTaker = hasCome(market, ask)
  const order: LimitOrder = { ...ask, ...placed(exchange), isTaker, status: 'LimitSubmitted' }
  account.orders.push(order)
  armTrigger(exchange, order, ask.sizeDelta > 0n ? 'falls' : 'rises', ask.price)
  exchange.due.set(order, ask.expiresAtSeconds)
  return order
}

function placed(exchange: Exchange) {
  const id = exchange.nextOrderId++
  return { id, placedAtSeconds: exchange.nowSeconds, changedAtSeconds: null, slots: [] }
}

/** Takes back what is under way or rests; null where there is no such order. */
export function cancel(exchange: Exchange, accountId: string, orderId: number): Happening | null {
  const account = exchange.accounts.get(accountId)
  const order = account?.orders.find(({ id }) => id === orderId)
  if (!account || !order || order.is === 'guard' || hasEnded(order)) return null
  return expire(exchange, account, order, 'cancelled')
}

/** The take profit and the stop loss of a position from now on; null takes them away. One that has come already closes it at once. */
export function setGuard(
  exchange: Exchange,
  ask: { accountId: string; marketId: string; takeProfit: Trigger | null; stopLoss: Trigger | null },
): Guard | null | Rejection {
  const account = exchange.accounts.get(ask.accountId)
  const market = exchange.markets.get(ask.marketId)
  if (!account) return 'unknown-account'
  if (!market) return 'unknown-market'
  if (account.isFlagged) return 'flagged'
  const position = positionIn(account, market)
  return position ? guard(exchange, account, position, ask) : 'no-position'
}

/** What is due by now: orders come onto the chain, are settled, or have waited for too long. */
export function settleDue(exchange: Exchange): Happening[] {
  const { due, nowSeconds } = exchange
  const told: Happening[] = []
  for (let first = due.peek(); first && first.priority <= nowSeconds; first = due.peek()) {
    const order = first.key
    due.delete(order)
    const account = exchange.accounts.get(order.accountId)
    const market = exchange.markets.get(order.marketId)
    if (!account || !market || order.is === 'guard') continue
    if (order.is === 'limit') told.push(expire(exchange, account, order, 'time'))
    else if (order.status === 'Created') told.push(commit(exchange, account, market, order))
    else told.push(...settleMarket(exchange, account, market, order))
  }
  return told
}

function commit(exchange: Exchange, account: Account, market: Market, order: MarketOrder): Happening {
  const { nowSeconds, terms } = exchange
  recordFunding(market, nowSeconds)
  const { refusal } = quote(exchange, draftOf(account, market, order))
  if (refusal !== null) return expire(exchange, account, order, refusal)
  order.status = 'Committed'
  order.changedAtSeconds = nowSeconds
  order.expiresAtSeconds = nowSeconds + terms.settlementDelaySeconds + terms.settlementWindowSeconds
  exchange.due.set(order, nowSeconds + terms.settlementDelaySeconds)
  return { is: 'committed', accountId: account.id, order }
}

/** Tried in each second of its window, until it can be done. */
function settleMarket(exchange: Exchange, account: Account, market: Market, order: MarketOrder): Happening[] {
  const { nowSeconds } = exchange
  const settled = settle(exchange, order, draftOf(account, market, order))
  if (typeof settled !== 'string') {
    remove(exchange, account, order)
    return [settled]
  }
  if (nowSeconds >= (order.expiresAtSeconds ?? nowSeconds)) return [expire(exchange, account, order, settled)]
  exchange.due.set(order, nowSeconds + 1)
  return []
}

function draftOf(account: Account, market: Market, order: MarketOrder): Draft {
  const { sizeDelta, acceptablePrice } = order
  return { account, market, sizeDelta, limit: null, acceptablePrice }
}

/** Fills the limit orders and closes the guarded positions to which the index has come. */
export function fillReached(exchange: Exchange): Happening[] {
  const reached = [...exchange.markets.values()].flatMap((market) =>
    exchange.triggers
      .reached(market.terms.id, toNumber(market.indexPrice))
      .map((order) => ({ market, order })),
  )
  return reached.flatMap(({ market, order }) => {
    const account = exchange.accounts.get(order.accountId)
    if (!account || order.is === 'market') return []
    return order.is === 'limit'
      ? fillLimit(exchange, account, market, order)
      : closeGuarded(exchange, account, market, order)
  })
}

function fillLimit(exchange: Exchange, account: Account, market: Market, order: LimitOrder): Happening[] {
  if (order.status !== 'LimitSubmitted' || !hasCome(market, order)) return []
  const { sizeDelta, price, isTaker } = order
  const draft = { account, market, sizeDelta, limit: { price, isTaker }, acceptablePrice: null }
  const settled = settle(exchange, order, draft)
  if (typeof settled === 'string') return [expire(exchange, account, order, settled)]
  end(exchange, account, order, 'LimitExecuted')
  return [settled]
}

/** One that cannot be closed now stays armed: beyond its acceptable price a stop waits for a better one. */
function closeGuarded(exchange: Exchange, account: Account, market: Market, order: Guard): Happening[] {
  const position = positionIn(account, market)
  if (position?.guard !== order) return []
  const by = reachedOf(position)
  if (by === null) return []
  const acceptablePrice = (by === 'stop-loss' ? order.stopLoss : order.takeProfit)?.acceptablePrice ?? null
  const draft = { account, market, sizeDelta: -position.size, limit: null, acceptablePrice }
  const settled = settle(exchange, order, draft)
  if (typeof settled === 'string') return []
  return [{ is: 'triggered', accountId: account.id, marketId: market.terms.id, order, by }, settled]
}

/** Whether the index is where a limit order fills. */
function hasCome(
  { indexPrice }: Market,
  { sizeDelta, price }: { sizeDelta: Amount; price: Amount },
): boolean {
  return sizeDelta > 0n ? indexPrice <= price : indexPrice >= price
}
