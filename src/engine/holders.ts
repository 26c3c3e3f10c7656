import type { Memory } from './memory.ts'
import type { OwnerView } from './owner-view.ts'

/** The view in place of the one before, and who holds a position where by it. */
export function putView(memory: Memory, view: OwnerView): void {
  const { owner } = view
  const before = marketsOf(memory.owners.get(owner)?.held)
  const after = marketsOf(view.held)
  for (const marketId of before) if (!after.has(marketId)) memory.holders.drop(marketId, owner)
  for (const marketId of after) if (!before.has(marketId)) memory.holders.put(marketId, owner, true)
  memory.owners.put(view)
}

function marketsOf(held: OwnerView['held'] = new Map()): Set<string> {
  const markets = new Set<string>()
  for (const { position } of held.values()) markets.add(position.marketId)
  return markets
}
