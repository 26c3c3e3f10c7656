import type { Heed } from '../alert/alert-state.ts'
import type { Vitals } from '../alert/stats.ts'
import { type Feed, feedOf } from '../venue/source.ts'
import type { Memory } from './memory/memory.ts'

/** What of the bot's standing the engine knows. It grows with what is wrong, not with what is watched. */
export function vitalsOf(memory: Memory): Omit<Vitals, 'oldestWalletMs' | 'supply'> {
  const blind: Record<Feed['is'], number> = {
    markets: 0,
    market: 0,
    owner: 0,
    account: 0,
    margin: 0,
    orders: 0,
  }
  for (const feed of memory.blind.keys()) blind[feedOf(feed).is]++
  const brokenChats = new Map<string, number>()
  for (const id of memory.broken) {
    const platform = memory.chats.get(id)?.address.platform ?? ''
    brokenChats.set(platform, (brokenChats.get(platform) ?? 0) + 1)
  }
  return {
    people: memory.persons.size,
    chats: memory.chats.size,
    wallets: memory.watches.size,
    rules: memory.rules.size,
    blind,
    brokenChats,
    unacknowledged: unacknowledged(memory),
  }
}

/** Only what is critical is said again until somebody answers, and gives up at last. */
function unacknowledged({ states }: Memory): number {
  let found = 0
  for (const { state } of states.values()) if (state.is === 'firing' && isUnheeded(state.heed)) found++
  return found
}

function isUnheeded(heed: Heed): boolean {
  return heed.is === 'unheeded' || (heed.is === 'none' && heed.ringAt !== null)
}
