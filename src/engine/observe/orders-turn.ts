import type { Kind } from '../../alert/alert.ts'
import type { OrdersReading } from '../../venue/reading.ts'
import { feedKey } from '../../venue/source.ts'
import { isUnconfirmed } from '../evaluate/confirmation.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { NO_ORDERS } from '../memory/wallet-view.ts'
import type { Look } from '../monitors/context.ts'
import { leavesNoTrace } from '../monitors/decision.ts'
import { guardsOfOwner } from '../monitors/monitors.ts'
import { hearersOfOrders } from '../monitors/subject-inputs.ts'
import { decideAll, judgeAll, type Moment, type Turn } from '../monitors/turn.ts'
import { unwantedNow } from '../outage/account-sources.ts'
import { remembered } from '../outage/last-known.ts'
import { seeAgain } from '../outage/outage-notices.ts'
import { failing } from '../outage/sources.ts'

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
