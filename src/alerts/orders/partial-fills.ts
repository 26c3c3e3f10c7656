import { type Amount, magnitude } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import { type FollowedOrders, followOrders } from './ended.ts'

/** The state of the kind that tells of fills. */
export interface FollowedFills extends FollowedOrders {
  /** By id: orders that were filled in part. An earlier version has none. */
  told?: Record<string, KnownPart>
}

interface KnownPart {
  /** How much of it people know, unsigned base units. */
  size: string
  /** When they were told (wall time); null if it was so when the order was first seen. */
  at: number | null
}

/** After news of a part, further parts of the same order wait this long, unless the order ends. */
const GATHER_MS = 60_000

/** Finds the orders that were filled, and those with a newly filled part. */
export function followFills(
  before: FollowedFills | undefined,
  all: readonly Order[],
  at: number,
): { now: FollowedFills; filled: Order[]; parts: Order[] } {
  const { now, ended, isNews } = followOrders(before, all, at)
  const told: Record<string, KnownPart> = {}
  const parts: Order[] = []
  for (const order of all) {
    if (!(order.id in now.waiting)) continue
    const known = before?.told?.[order.id]
    const done = filledSize(order)
    // Earlier parts of an order that was there before the first read are no news.
    if (known === undefined && !isNews(order)) {
      if (order.doneSize !== undefined) told[order.id] = { size: String(order.doneSize), at: null }
    } else if (done > sizeOf(known) && !isRecent(known, at)) {
      parts.push(order)
      told[order.id] = { size: String(done), at }
    } else if (known) told[order.id] = known
  }
  // A list may lack an order for a while.
  for (const [id, since] of Object.entries(now.waiting))
    if (since !== null && before?.told?.[id]) told[id] = before.told[id]
  const filled = ended.filter(({ state }) => state === 'filled')
  const cutShort = ended.filter(
    (order) => order.state !== 'filled' && filledSize(order) > sizeOf(before?.told?.[order.id]),
  )
  const rest = Object.keys(told).length === 0 ? {} : { told }
  return { now: { ...now, ...rest }, filled, parts: [...parts, ...cutShort] }
}

/** How much of it was traded, by the venue's record. */
function filledSize({ fills }: Order): Amount {
  return fills ? magnitude(fills.size) : 0n
}

function sizeOf(part: KnownPart | undefined): Amount {
  return BigInt(part?.size ?? '0')
}

/** A clock that was set back must not keep news waiting. */
function isRecent(part: KnownPart | undefined, at: number): boolean {
  return part !== undefined && part.at !== null && part.at <= at && at - part.at < GATHER_MS
}
