import { decimal } from './decimals.ts'
import type { Fill, LedgerRow, Order, OrderEntry, Payment } from './state.ts'

/** Orders, fills and payments as the venue writes them. */
type Json = Record<string, unknown>

export function orderJson(order: Order): Json {
  const { market, side, limit, sz, oid, at, triggered, children, positionTpsl, reduceOnly, origSz, tif } =
    order
  const trigger = triggered ?? order.trigger
  const toward = trigger?.above ? 'above' : 'below'
  return {
    coin: market.name,
    side,
    limitPx: decimal(limit),
    sz: decimal(sz),
    oid,
    timestamp: at,
    triggerCondition: triggered
      ? 'Triggered'
      : trigger
        ? `Price ${toward} ${Number(decimal(trigger.price))}`
        : 'N/A',
    isTrigger: trigger !== null,
    triggerPx: decimal(trigger?.price ?? 0),
    children: children.map(orderJson),
    isPositionTpsl: positionTpsl,
    reduceOnly,
    orderType: typeOf(order),
    origSz: decimal(origSz),
    tif,
    cloid: order.cloid,
  }
}

function typeOf({ triggered, tif, ...order }: Order): string {
  const trigger = triggered ?? order.trigger
  if (trigger) return `${trigger.is} ${trigger.market ? 'Market' : 'Limit'}`
  return tif === 'FrontendMarket' ? 'Market' : 'Limit'
}

/** What `openOrders` and `orderUpdates` say of an order: no triggers. */
export function basicOrderJson({ market, side, limit, sz, oid, at, origSz, cloid }: Order): Json {
  return {
    coin: market.name,
    side,
    limitPx: decimal(limit),
    sz: decimal(sz),
    oid,
    timestamp: at,
    origSz: decimal(origSz),
    ...(cloid === null ? {} : { cloid }),
  }
}

export function entryJson({ order, status, at }: OrderEntry): Json {
  return { order, status, statusTimestamp: at }
}

export function fillJson(fill: Fill): Json {
  const { market, liquidation } = fill
  return {
    coin: market.name,
    px: decimal(fill.price),
    sz: decimal(fill.sz),
    side: fill.side,
    time: fill.at,
    startPosition: decimal(fill.startPosition),
    dir: fill.dir,
    closedPnl: decimal(fill.closedPnl),
    hash: fill.hash,
    oid: fill.oid,
    crossed: fill.crossed,
    fee: decimal(fill.fee),
    tid: fill.tid,
    ...(liquidation
      ? {
          liquidation: {
            liquidatedUser: liquidation.liquidatedUser,
            markPx: decimal(liquidation.mark),
            method: liquidation.method,
          },
        }
      : {}),
    feeToken: market.dex.collateral.coin,
    twapId: null,
  }
}

/** What anybody hears of a trade: both sides are named, the buyer first. */
export function tradeJson({ market, price, sz, side, at, hash, tid }: Fill, users: [string, string]): Json {
  return {
    ...{ coin: market.name, side, px: decimal(price), sz: decimal(sz) },
    ...{ hash, time: at, tid, users },
  }
}

/** One sample an hour is written as none, since payments are hourly. */
export function fundingJson({ market, usd, szi, rate }: Payment): Json {
  return {
    coin: market.name,
    usdc: decimal(usd),
    szi: decimal(szi),
    fundingRate: decimal(rate),
    nSamples: null,
  }
}

export function ledgerJson({ at, hash, delta }: LedgerRow): Json {
  return { time: at, hash, delta }
}

export function paymentJson(payment: Payment): Json {
  return { time: payment.at, hash: payment.hash, delta: { type: 'funding', ...fundingJson(payment) } }
}
