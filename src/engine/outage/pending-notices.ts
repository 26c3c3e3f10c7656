import type { Rule } from '../../alert/alert.ts'
import { type FeedKey, feedKey, MARKETS } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { ownersOfRule, rulesOverOwner } from '../monitors/monitors.ts'
import { concerned } from './audience.ts'

/** Who has yet to hear that a feed cannot be seen. Where everybody knows, nobody is looked at until something changes. */
export interface Untold {
  /** Whoever may be one of them because of this. Returns the feeds of which they are to hear. */
  note(effect: Effect): FeedKey[]
  /** Whether all that a feed concerns have heard of it. */
  isSettled(feed: FeedKey): boolean
  /** The only chats that may have yet to hear; null where it may be any. */
  among(feed: FeedKey): number[] | null
}

export function createUntold(memory: Memory): Untold {
  /** Feeds of which everybody knew when they were last gone through, and who may have joined since. */
  const settled = new Map<FeedKey, Set<number>>()

  const hasHeard = (feed: FeedKey) => (chatId: number) => memory.told.of(feed).has(chatId)

  function joins(feed: FeedKey, chatId: number): FeedKey[] {
    const joined = settled.get(feed)
    if (!joined || hasHeard(feed)(chatId)) return []
    joined.add(chatId)
    return [feed]
  }

  function byRule(rule: Rule): FeedKey[] {
    const named = rule.market ? joins(feedKey({ is: 'market', marketId: rule.market.id }), rule.chatId) : []
    const of = ownersOfRule(memory, rule).flatMap((owner) => byOwner(owner, [rule.chatId]))
    return [...joins(MARKETS, rule.chatId), ...named, ...of]
  }

  function byOwner(owner: Owner, chatIds: readonly number[]): FeedKey[] {
    const held = [...(memory.owners.get(owner)?.held.values() ?? [])]
    const feeds = [
      feedKey({ is: 'owner', owner }),
      ...memory.accountFeeds.of(owner).keys(),
      ...held.map(({ position: { marketId } }) => feedKey({ is: 'market', marketId })),
    ]
    return feeds.flatMap((feed) => chatIds.flatMap((chatId) => joins(feed, chatId)))
  }

  return {
    note(effect) {
      if (effect.is === 'sighted' || effect.is === 'unwanted') settled.delete(effect.feed)
      if (settled.size === 0) return []
      if (effect.is === 'rule') return byRule(effect.rule)
      if (effect.is === 'watch') {
        const { owner, personId } = effect.watch
        const chats = [...memory.rulesOf.of(personId).values()].map(({ chatId }) => chatId)
        return byOwner(owner, chats)
      }
      if (effect.is === 'chat') {
        const { id } = effect.chat
        return [...memory.rulesIn.of(id).values()].flatMap(byRule)
      }
      if (effect.is === 'person')
        return effect.person.defaultChat === null ? [] : joins(MARKETS, effect.person.defaultChat)
      if (effect.is !== 'view') return []
      const { owner } = effect.view
      return byOwner(
        owner,
        rulesOverOwner(memory, owner).map(({ chatId }) => chatId),
      )
    },
    isSettled(feed) {
      if (!memory.blind.has(feed)) return false
      const joined = settled.get(feed)
      if (joined && [...joined].every(hasHeard(feed))) joined.clear()
      if (joined) return joined.size === 0
      for (const chatId of concerned(memory, feed)) if (!hasHeard(feed)(chatId)) return false
      settled.set(feed, new Set())
      return true
    },
    among: (feed) => (settled.has(feed) ? [...(settled.get(feed) ?? [])] : null),
  }
}
