import { decimal } from './decimals.ts'
import type { Event } from './news.ts'
import { basicOrderJson, fillJson, fundingJson, tradeJson } from './record-wire.ts'
import type { Subscription } from './subscriptions.ts'
import { sliceJson } from './twap-wire.ts'

interface Frame {
  channel: string
  data: unknown
}

/** What a happening is to a subscription: a frame of its own, what is so now, or nothing. */
export function framesOf(event: Event, subscription: Subscription): Frame[] {
  const { type, user, coin, dex } = subscription
  const now = () => {
    const frame = subscription.state()
    return frame ? [frame] : []
  }
  if (event.is === 'moved') {
    if (type === 'allDexsAssetCtxs') return now()
    return type === 'activeAssetCtx' && event.markets.some(({ name }) => name === coin) ? now() : []
  }
  if (event.is === 'trade') {
    const { fill, buyer, seller } = event
    return type === 'trades' && fill.market.name === coin
      ? [{ channel: 'trades', data: [tradeJson(fill, [buyer.address, seller.address])] }]
      : []
  }
  const concerned = event.account.address === user
  switch (type) {
    case 'userFills':
      return concerned && event.is === 'fill' && event.fill.twapId === null
        ? [{ channel: 'userFills', data: { user, fills: [fillJson(event.fill)] } }]
        : []
    case 'userEvents':
      return userEvents(event, user)
    case 'orderUpdates': {
      if (!concerned || event.is !== 'order') return []
      const { order, entry } = event
      const update = { order: basicOrderJson(order), status: entry.status, statusTimestamp: entry.at }
      return [{ channel: 'orderUpdates', data: [update] }]
    }
    case 'openOrders':
      return concerned && event.is === 'order' && event.order.market.dex.name === dex ? now() : []
    case 'spotState':
      return concerned && (event.is === 'fill' || event.is === 'changed') ? now() : []
    default:
      return []
  }
}

/** None of them says whose it is, but a liquidation, which both sides hear of. */
function userEvents(event: Exclude<Event, { is: 'moved' | 'trade' }>, user: string | null): Frame[] {
  const say = (data: unknown) => [{ channel: 'user', data }]
  if (event.is === 'liquidated') {
    const { account, by, id, notional, value } = event
    if (account.address !== user && by.address !== user) return []
    return say({
      liquidation: {
        lid: id,
        liquidator: by.address,
        liquidated_user: account.address,
        liquidated_ntl_pos: decimal(notional, 6),
        liquidated_account_value: decimal(value, 6),
      },
    })
  }
  if (event.account.address !== user) return []
  switch (event.is) {
    case 'fill':
      return event.fill.twapId === null
        ? say({ fills: [fillJson(event.fill)] })
        : say({ twapSliceFills: [sliceJson(event.fill)] })
    case 'paid':
      return say({ funding: { time: event.payment.at, ...fundingJson(event.payment) } })
    case 'cancelled for him':
      return say({ nonUserCancel: [{ coin: event.order.market.name, oid: event.order.oid }] })
    case 'changed':
    case 'order':
      return []
  }
}
