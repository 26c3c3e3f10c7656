import type { Kind } from '../alert.ts'
import { feedKey } from '../feed.ts'
import type { OrdersReading } from '../reading.ts'
import { unwantedNow } from './account-feeds.ts'
import { seeAgain } from './blind.ts'
import { isUnconfirmed } from './confirming.ts'
import { leavesNoTrace } from './decision.ts'
import type { Effect } from './effect.ts'
import { failing } from './failing.ts'
import { guardsOfOwner } from './guards.ts'
import type { Look } from './look.ts'
import type { Memory } from './memory.ts'
import { hearersOfOrders } from './orders.ts'
import { NO_ORDERS } from './seen-orders.ts'
import { remembered } from './standings.ts'
import { decideAll, judgeAll } from './turn.ts'
import type { Moment, Turn } from './turn.ts'

/** An answer about an owner's orders: what rules say of them is judged again. One that does not show all of them is not. */
export function ordersTurn(
  memory: Memory,
  kinds: readonly Kind[],
  { owner, value, at, tick }: OrdersReading,
  moment: Moment,
): Turn | null {
  const before = memory.orders.get(owner) ?? NO_ORDERS
  if (hearersOfOrders(memory, owner).size === 0) return null
  if (before.listed !== null && tick <= before.listed.tick) return null
  const [broken] = value.unusable
  if (broken) {
    const feed = { is: 'orders', owner } as const
    return { learned: failing(memory, feed, `${broken.what}: ${broken.why}`, { at, tick }), decisions: [] }
  }
  const feed = feedKey({ is: 'orders', owner })
  const isMissed = memory.accountFeeds.of(owner).has(feed) || memory.dark.has(feed)
  const seen = new Set(isMissed ? [feed] : [])
  const orders = { ...before, listed: { value: value.orders, at, tick } }
  const look: Look = {
    ...{ memory, kinds, ...moment },
    ...{ views: new Map(), seen, orders: new Map([[owner, orders]]) },
  }
  const sighted = seeAgain(look, seen, remembered(memory))
  const returned = decideAll(sighted.reports)
  const guards = guardsOfOwner(look, owner).filter(
    (guard) => guard.kind.reads === 'orders' && !isUnconfirmed(memory, guard),
  )
  const all = [...returned, ...judgeAll(look, guards)]
  const told = returned.flatMap(({ effects }) => effects)
  const learned: Effect[] = [
    { is: 'orders', owner, seen: orders },
    ...all.flatMap((decision) => (leavesNoTrace(decision) ? decision.effects : [])),
    ...[...seen].map((one): Effect => ({ is: 'seen', feed: one, at, tick })),
    ...sighted.learned,
    ...unwantedNow(memory, [...seen], told),
  ]
  return { learned, decisions: all.filter((decision) => !leavesNoTrace(decision)) }
}
