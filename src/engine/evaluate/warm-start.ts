import type { Owner } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Look } from '../monitors/context.ts'
import { rememberedDistance } from '../observe/read-demand.ts'
import { judgedUnread } from './judge.ts'

/** Wallets whose guards are found at once: it takes some milliseconds. */
const AT_ONCE = 100

/** Those of whom only an earlier run has read anything, the one nearest to its end last: it is taken out first. */
export function recalledOwners(memory: Memory): Owner[] {
  const distances = [...memory.owners.keys()].map((owner) => ({
    owner,
    distance: rememberedDistance(memory, owner),
  }))
  return distances.sort((a, b) => b.distance - a.distance).map(({ owner }) => owner)
}

/**
 * Takes some of them: from now on their positions are judged by the price, as they were last known, until they are read.
 * Whoever was read meanwhile is judged by that.
 */
export function recalled(look: Look, owners: Owner[]): Effect[] {
  const some = owners.splice(-AT_ONCE).toReversed()
  const unread = some.filter((owner) => look.memory.owners.get(owner)?.tick === -Infinity)
  return unread.flatMap((owner) => judgedUnread(look, owner))
}
