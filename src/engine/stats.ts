import type { Acknowledgement } from '../alert/alert-state.ts'
import type { Stats } from '../alert/stats.ts'
import { type Source, sourceOf } from '../venue/source.ts'
import type { Memory } from './memory/memory.ts'

/** The figures that the engine knows. Their cost grows with the failures, not with the number of wallets. */
export function statsOf(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'sources'>,
): Omit<Stats, 'oldestWallets' | 'venueLoads'> {
  const blind: Record<Source['is'], number> = {
    markets: 0,
    market: 0,
    wallet: 0,
    account: 0,
    margin: 0,
    orders: 0,
  }
  for (const source of drawers.sources.blind.keys()) blind[sourceOf(source).is]++
  const brokenChats = new Map<string, number>()
  for (const id of drawers.people.broken) {
    const platform = drawers.people.chats.get(id)?.address.platform ?? ''
    brokenChats.set(platform, (brokenChats.get(platform) ?? 0) + 1)
  }
  return {
    people: drawers.people.persons.size,
    chats: drawers.people.chats.size,
    wallets: drawers.rules.watches.size,
    rules: drawers.rules.all.size,
    blind,
    brokenChats,
    unacknowledged: unacknowledged(drawers),
  }
}

/** Only what is critical is said again until somebody answers, and gives up at last. */
function unacknowledged({ monitors: { states } }: Pick<Memory, 'monitors'>): number {
  let found = 0
  for (const { state } of states.values())
    if (state.is === 'firing' && isGivenUp(state.acknowledgement)) found++
  return found
}

function isGivenUp(acknowledgement: Acknowledgement): boolean {
  return (
    acknowledgement.is === 'given-up' ||
    (acknowledgement.is === 'waiting' && acknowledgement.remindAt !== null)
  )
}
