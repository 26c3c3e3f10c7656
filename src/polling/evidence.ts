import type { Order } from '../order.ts'
import type { Owner } from '../owner.ts'
import type { Asking, Ending, Venue } from '../venue.ts'

/** What is read along with positions when one of them is missing. */
interface Evidence {
  orders: Order[] | null
  endings: Ending[] | null
}

export const NO_EVIDENCE: Evidence = { orders: null, endings: null }

/** A missing position is told without it when it cannot be had. */
export async function readEvidence(
  venue: Venue,
  owner: Owner,
  since: number | null,
  asking: () => Asking,
): Promise<Evidence> {
  const [orders, endings] = await Promise.allSettled([
    venue.orders(owner, [], asking()),
    since === null ? null : (venue.endings?.(owner, since, asking()) ?? null),
  ])
  return {
    orders: orders.status === 'fulfilled' ? orders.value.orders : null,
    endings: endings.status === 'fulfilled' ? endings.value : null,
  }
}
