import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { rememberedDistance } from '../observe/read-demand.ts'
import { judgedUnread } from './judge.ts'

/** Wallets whose guards are found at once: it takes some milliseconds. */
const AT_ONCE = 100

/** Those of whom only an earlier run has read anything, the one nearest to its end last: it is taken out first. */
export function recalledWallets(drawers: Pick<Memory, 'monitors' | 'wallets' | 'markets' | 'run'>): Wallet[] {
  const distances = [...drawers.wallets.views.keys()].map((wallet) => ({
    wallet,
    distance: rememberedDistance(drawers, wallet),
  }))
  return distances.sort((a, b) => b.distance - a.distance).map(({ wallet }) => wallet)
}

/**
 * Takes some of them: from now on their positions are judged by the price, as they were last known, until they are read.
 * Whoever was read meanwhile is judged by that.
 */
export function restored(look: EvaluationContext, wallets: Wallet[]): Effect[] {
  const some = wallets.splice(-AT_ONCE).toReversed()
  const failedParts = some.filter((wallet) => look.memory.wallets.views.get(wallet)?.mono === -Infinity)
  return failedParts.flatMap((wallet) => judgedUnread(look, wallet))
}
