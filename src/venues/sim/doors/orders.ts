import { good, type HttpAnswer, refusal } from '../endpoints/endpoint.ts'
import { type Account, positionIn } from '../exchange/account.ts'
import type { Market } from '../exchange/market.ts'
import type { Order, Trigger } from '../exchange/order.ts'
import { type Ask, cancel, type Rejection, setProtectiveOrder, submit } from '../exchange/submit.ts'
import { orderRecord } from '../wire/order.ts'
import { OPEN_UPPER, usualAcceptable } from '../wire/range.ts'
import {
  accountId,
  accountOf,
  amount,
  type Door,
  door,
  fields,
  marketOf,
  type Stage,
  symbol,
  eventsJson,
  whole,
} from './door.ts'

const WHY: Record<Rejection, string> = {
  'unknown-account': 'There is no such account: POST /_sim/account opens one.',
  'unknown-market': 'There is no such market.',
  'zero-size': 'An order of 0 does nothing: give another size.',
  'no-price': 'The price of a limit order is above 0.',
  flagged: 'The account is being liquidated: wait until it is over.',
  pending: 'The account has a market order under way: let time go by until it is settled.',
  'no-position': 'The account holds nothing in this market.',
  'too-late': 'The order would have ended before it came.',
}

const price = (name: string) => amount(name, 'above 0').optional()
const triggerFields = { takeProfit: price('takeProfit'), stopLoss: price('stopLoss') }
const place = { accountId, symbol }
/** The usual life of a limit order. */
const THIRTY_DAYS_S = 30 * 86_400
const LONGEST_S = 3_650 * 86_400
const EXPIRES = `expiresInSeconds is at most ${LONGEST_S}, ten years`

const EXAMPLE = { accountId: '170141183460469231731687303715884105001', symbol: 'ETH' }

export const orders: readonly Door[] = [
  door({
    ...{ method: 'POST', path: '/_sim/order', example: { ...EXAMPLE, size: '-0.5' } },
    body: fields({
      ...{ ...place, size: amount('size'), ...triggerFields },
      ...{ limitPrice: price('limitPrice'), acceptablePrice: price('acceptablePrice') },
      expiresInSeconds: whole('expiresInSeconds').max(LONGEST_S, EXPIRES).optional(),
    }),
    does: 'the trader’s order of so many base units, below 0 sells; with `limitPrice` a limit order (and `expiresInSeconds`), with `takeProfit` and `stopLoss` for the position that it leads to',
    open(stage, asked) {
      return at(stage, asked, (account, market) => {
        const leadsTo = (positionIn(account, market)?.size ?? 0n) + asked.size
        const triggers = triggersOf(asked, leadsTo > 0n)
        const order = { accountId: account.id, marketId: market.terms.id, sizeDelta: asked.size, ...triggers }
        if (asked.limitPrice === undefined) return ordered(stage, account, order, asked.acceptablePrice)
        const expiresAtSeconds = stage.exchange.nowSeconds + (asked.expiresInSeconds ?? THIRTY_DAYS_S)
        return taken(stage, account, { is: 'limit', ...order, price: asked.limitPrice, expiresAtSeconds })
      })
    },
  }),
  door({
    ...{ method: 'POST', path: '/_sim/resize', body: fields({ ...place, size: amount('size') }) },
    example: { ...EXAMPLE, size: '20' },
    does: 'the trader’s order that brings the position to this size; 0 closes it',
    open: (stage, asked) => at(stage, asked, (account, market) => resize(stage, account, market, asked.size)),
  }),
  door({
    ...{ method: 'POST', path: '/_sim/close', body: fields(place), example: EXAMPLE },
    does: 'the trader’s order that closes the position',
    open: (stage, asked) => at(stage, asked, (account, market) => resize(stage, account, market, 0n)),
  }),
  door({
    ...{ method: 'POST', path: '/_sim/guard', body: fields({ ...place, ...triggerFields }) },
    example: { ...EXAMPLE, takeProfit: 3_200, stopLoss: 2_400 },
    does: 'the take profit and the stop loss of the position from now on; without either it has none',
    open(stage, asked) {
      return at(stage, asked, (account, market) => {
        const long = (positionIn(account, market)?.size ?? 0n) > 0n
        const ask = { accountId: account.id, marketId: market.terms.id, ...triggersOf(asked, long) }
        const protectiveOrder = setProtectiveOrder(stage.exchange, ask)
        return typeof protectiveOrder === 'string'
          ? refusal(409, WHY[protectiveOrder])
          : answered(stage, account, protectiveOrder)
      })
    },
  }),
  door({
    ...{ method: 'DELETE', path: '/_sim/order', body: fields({ accountId, orderId: whole('orderId') }) },
    example: { accountId: EXAMPLE.accountId, orderId: 3 },
    does: 'takes an order back that is under way or rests',
    open(stage, asked) {
      const happened = cancel(stage.exchange, asked.accountId, asked.orderId)
      return happened
        ? good({ happened: eventsJson([happened]) })
        : refusal(404, `Account ${asked.accountId} has no order ${asked.orderId} under way.`)
    },
  }),
]

function at(
  stage: Stage,
  asked: { accountId: string; symbol: string },
  then: (account: Account, market: Market) => HttpAnswer,
): HttpAnswer {
  const market = marketOf(stage, asked.symbol)
  if ('status' in market) return market
  const account = accountOf(stage, asked.accountId)
  return 'status' in account ? account : then(account, market)
}

function resize(stage: Stage, account: Account, market: Market, size: bigint): HttpAnswer {
  const sizeDelta = size - (positionIn(account, market)?.size ?? 0n)
  const place = { accountId: account.id, marketId: market.terms.id, sizeDelta }
  return ordered(stage, account, { ...place, takeProfit: null, stopLoss: null }, undefined)
}

/** Places a market order. */
function ordered(
  stage: Stage,
  account: Account,
  order: Omit<Ask & { is: 'market' }, 'is' | 'acceptablePrice'>,
  acceptable: bigint | undefined,
): HttpAnswer {
  const any = order.sizeDelta > 0n ? OPEN_UPPER : 1n
  return taken(stage, account, { is: 'market', ...order, acceptablePrice: acceptable ?? any })
}

function taken(stage: Stage, account: Account, ask: Ask): HttpAnswer {
  const order = submit(stage.exchange, ask)
  return typeof order === 'string' ? refusal(409, WHY[order]) : answered(stage, account, order)
}

function answered({ exchange, unix }: Stage, account: Account, order: Order | null): HttpAnswer {
  return good({ order: order && orderRecord(account, order, exchange.terms, unix) })
}

function triggersOf(
  asked: { takeProfit?: bigint | undefined; stopLoss?: bigint | undefined },
  long: boolean,
) {
  const trigger = (price: bigint | undefined): Trigger | null =>
    price === undefined ? null : { price, acceptablePrice: usualAcceptable(price, !long) }
  return { takeProfit: trigger(asked.takeProfit), stopLoss: trigger(asked.stopLoss) }
}
