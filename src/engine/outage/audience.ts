import { type FeedKey, feedOf } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { coversOwner, ownersOfRule, rulesOverOwner } from '../monitors/monitors.ts'
import { hearersOfOrders } from '../monitors/subject-inputs.ts'
import { hearersOfMargin } from './account-sources.ts'

/** Chats with a rule that rests on the feed, one or more times; for the venue itself also the operator's own chat. */
export function* concerned(memory: Memory, key: FeedKey): Generator<number> {
  const feed = feedOf(key)
  if (feed.is === 'markets') {
    yield* memory.rulesIn.groups()
    const home = homeOf(memory)
    if (home !== null) yield home
  } else if (feed.is === 'market') {
    const { marketId } = feed
    for (const { chatId } of memory.rulesOn.of(marketId).values()) yield chatId
    for (const owner of memory.holders.of(marketId))
      for (const { market, chatId } of rulesOverOwner(memory, owner))
        if (market === null || market.id === marketId) yield chatId
  } else if (feed.is === 'margin') yield* hearersOfMargin(memory, feed.owner)
  else if (feed.is === 'orders') yield* hearersOfOrders(memory, feed.owner)
  else {
    const there = feed.is === 'account' ? marketsIn(memory, feed.owner, feed.accountId) : null
    for (const { market, chatId } of rulesOverOwner(memory, feed.owner))
      if (there === null || market === null || there.has(market.id)) yield chatId
  }
}

/** Whether a chat is one of those. */
export function hears(memory: Memory, key: FeedKey, chatId: number): boolean {
  if (!memory.chats.has(chatId)) return false
  const feed = feedOf(key)
  if (feed.is === 'markets') return memory.rulesIn.of(chatId).size > 0 || homeOf(memory) === chatId
  const rules = [...memory.rulesIn.of(chatId).values()]
  if (feed.is === 'market') {
    const { marketId } = feed
    const holds = (owner: Owner) => marketsIn(memory, owner).has(marketId)
    return rules.some((rule) =>
      rule.market ? rule.market.id === marketId : ownersOfRule(memory, rule).some(holds),
    )
  }
  if (feed.is === 'margin') return hearersOfMargin(memory, feed.owner).has(chatId)
  if (feed.is === 'orders') return hearersOfOrders(memory, feed.owner).has(chatId)
  const there = feed.is === 'account' ? marketsIn(memory, feed.owner, feed.accountId) : null
  return rules.some(
    (rule) =>
      (there === null || rule.market === null || there.has(rule.market.id)) &&
      coversOwner(memory, rule, feed.owner),
  )
}

function homeOf({ chats, persons, operatorId }: Memory): number | null {
  return chats.get(persons.get(operatorId ?? 0)?.defaultChat ?? 0)?.id ?? null
}

/** Where a wallet has positions, or has some in one of its accounts. */
function marketsIn({ owners }: Memory, owner: Owner, accountId?: string): Set<string> {
  const held = [...(owners.get(owner)?.held.values() ?? [])]
  const own = held.filter(({ position }) => position.accountId === (accountId ?? position.accountId))
  return new Set(own.map(({ position }) => position.marketId))
}
