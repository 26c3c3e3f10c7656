import { touchOf } from './market-wire.ts'
import { orderJson } from './record-wire.ts'
import type { Account, Market, Order, OrderStatus, Side } from './state.ts'
import { trade } from './trading.ts'
import { isSpot, marketOf, spotOf, type World } from './world.ts'

/** Market orders that a trigger sends may slip so far. */
const SLIPPAGE = 0.1

export interface NewOrder {
  coin: string
  side: 'buy' | 'sell'
  /** In the base asset; a trigger without a size closes the whole position. */
  size?: number
  limit?: number
  /** A mark price; with a limit the order rests when it is triggered. */
  trigger?: { price: number; is: 'takeProfit' | 'stopLoss' }
  reduceOnly?: boolean
  tif?: 'Gtc' | 'Ioc' | 'Alo'
  cloid?: string
  children?: Omit<NewOrder, 'coin' | 'children'>[]
}

/** Rests in the book, its children beside it. */
export function place(world: World, account: Account, wanted: NewOrder, parent: Order | null = null): Order {
  const market = isSpot(wanted.coin) ? spotOf(world, wanted.coin) : marketOf(world, wanted.coin)
  if (market.delisted) throw new Error(`${market.name} is delisted: nobody can place orders there`)
  const side: Side = wanted.side === 'buy' ? 'B' : 'A'
  const { trigger, size, reduceOnly = trigger !== undefined } = wanted
  if (size === undefined && !trigger) throw new Error('an order needs a size')
  if (wanted.limit === undefined && !trigger) throw new Error('an order needs a limit or a trigger')
  const slipped = (trigger?.price ?? 0) * (side === 'B' ? 1 + SLIPPAGE : 1 - SLIPPAGE)
  const order: Order = {
    oid: world.newId(),
    market,
    side,
    limit: wanted.limit ?? slipped,
    sz: size ?? 0,
    origSz: size ?? 0,
    at: world.clock.now(),
    reduceOnly,
    trigger: trigger
      ? {
          price: trigger.price,
          above: (trigger.is === 'takeProfit') === (side === 'A'),
          is: trigger.is === 'takeProfit' ? 'Take Profit' : 'Stop',
          market: wanted.limit === undefined,
        }
      : null,
    triggered: null,
    positionTpsl: size === undefined,
    tif: trigger ? null : (wanted.tif ?? 'Gtc'),
    cloid: wanted.cloid ?? null,
    children: [],
    parent,
  }
  for (const child of wanted.children ?? []) {
    order.children.push(place(world, account, { ...child, coin: wanted.coin }, order))
  }
  account.orders.push(order)
  note(world, account, order, 'open')
  return order
}

export function cancel(world: World, account: Account, order: Order, status: OrderStatus = 'canceled'): void {
  for (const child of order.children) if (child.parent === order) cancel(world, account, child, status)
  if (!account.orders.includes(order)) return
  leave(account, order)
  note(world, account, order, status)
  if (status !== 'canceled') world.news.tell({ is: 'cancelled for him', account, order })
}

export function cancelAll(
  world: World,
  account: Account,
  where: (market: Market) => boolean,
  status: OrderStatus,
): void {
  for (const order of account.orders.filter(({ market }) => where(market))) {
    cancel(world, account, order, status)
  }
}

/** Triggers that the mark price has reached, then limits that it has. */
export function matchOrders(world: World, market: Market): void {
  for (const account of world.accounts.values()) {
    for (const order of account.orders.filter((one) => one.market === market)) {
      if (order.parent === null && account.orders.includes(order)) match(world, account, order)
    }
    tidy(world, account, market)
  }
}

function match(world: World, account: Account, order: Order): void {
  const { market, trigger, side, limit } = order
  if (trigger) {
    if (trigger.above ? market.mark < trigger.price : market.mark > trigger.price) return
    note(world, account, order, 'triggered')
    order.trigger = null
    order.tif = trigger.market ? 'FrontendMarket' : 'Gtc'
    if (trigger.market) {
      order.triggered = trigger
      const { bid, ask } = touchOf(market)
      return fill(world, account, order, side === 'B' ? ask : bid)
    }
  }
  if (side === 'B' ? market.mark <= limit : market.mark >= limit) fill(world, account, order, limit)
}

/** Somebody takes a part of a resting order, at its own price. The rest goes on waiting: the venue notes no new status. */
export function fillPart(world: World, account: Account, order: Order, size: number): void {
  if (!account.orders.includes(order) || order.trigger || order.parent)
    throw new Error(`order ${order.oid} does not rest in the book`)
  if (size <= 0 || size >= order.sz)
    throw new Error(`order ${order.oid} has ${order.sz} left: fill a part of it`)
  const { market, side, limit } = order
  trade(world, {
    ...{ market, price: limit, size: side === 'B' ? -size : size },
    taker: { account: world.house },
    maker: { account, oid: order.oid },
  })
  order.sz = Number((order.sz - size).toFixed(market.szDecimals))
  world.news.tell({ is: 'changed', account })
}

function fill(world: World, account: Account, order: Order, price: number): void {
  const { market, side } = order
  const sign = side === 'B' ? 1 : -1
  const held = account.holdings.find((one) => one.market === market)?.szi ?? 0
  const closable = Math.sign(held) === -sign ? Math.abs(held) : 0
  const wanted = order.positionTpsl ? closable : order.sz
  const size = order.reduceOnly ? Math.min(wanted, closable) : wanted
  if (size === 0) return cancel(world, account, order, 'reduceOnlyCanceled')
  const own = { account, oid: order.oid }
  const other = { account: world.house }
  const crosses = order.tif === 'FrontendMarket'
  trade(world, {
    market,
    price,
    size: crosses ? sign * size : -sign * size,
    taker: crosses ? own : other,
    maker: crosses ? other : own,
  })
  order.sz = 0
  leave(account, order)
  note(world, account, order, 'filled')
  for (const child of order.children) child.parent = null
  for (const sibling of siblings(account, order)) cancel(world, account, sibling, 'siblingFilledCanceled')
}

/** The other half of a take-profit and stop-loss pair. */
function siblings(account: Account, order: Order): Order[] {
  const family = account.history.find(({ order: json }) =>
    (json['children'] as { oid: number }[]).some(({ oid }) => oid === order.oid),
  )
  const oids = (family?.order['children'] as { oid: number }[] | undefined)?.map(({ oid }) => oid) ?? []
  return account.orders.filter(
    (one) =>
      one !== order &&
      one.market === order.market &&
      (oids.includes(one.oid) || (order.positionTpsl && one.positionTpsl)),
  )
}

/** What closes a position goes with it. */
export function tidy(world: World, account: Account, market: Market): void {
  if (account.holdings.some((held) => held.market === market)) return
  const idle = account.orders.filter(
    (one) => one.market === market && one.reduceOnly && one.trigger && one.parent === null,
  )
  for (const order of idle) cancel(world, account, order, 'reduceOnlyCanceled')
}

function leave(account: Account, order: Order): void {
  account.orders = account.orders.filter((one) => one !== order)
}

function note(world: World, account: Account, order: Order, status: OrderStatus): void {
  const entry = { order: orderJson(order), status, at: world.clock.now() }
  account.history.push(entry)
  world.news.tell({ is: 'order', account, order, entry })
}
