import type { Rule } from '../../alert/alert.ts'
import { marketsSource, type SourceKey, sourceKey, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { walletsOfRule, rulesOverWallet } from '../monitors/monitors.ts'
import { affectedChats } from './audience.ts'

/**
 * Which chats have yet to hear of an outage. Where every chat knows, none is looked at until something
 * changes.
 */
export interface PendingNotices {
  /**
   * Adds the chats that may have to hear because of this effect. Returns the sources whose outage they are to
   * hear of.
   */
  note(effect: Effect): SourceKey[]
  /** Whether every chat that a source concerns has heard of its outage. */
  isSettled(source: SourceKey): boolean
  /** The only chats that may have yet to hear; null where it may be any. */
  among(source: SourceKey): number[] | null
}

export function createPendingNotices(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'sources' | 'run'>,
): PendingNotices {
  /** Sources whose outage every chat knew at the last check, with the chats that may have joined since. */
  const settled = new Map<SourceKey, Set<number>>()
  const { venues } = drawers.wallets.views

  const hasHeard = (source: SourceKey) => (chatId: number) =>
    drawers.sources.outageNotices.of(source).has(chatId)

  function joins(source: SourceKey, chatId: number): SourceKey[] {
    const joined = settled.get(source)
    if (!joined || hasHeard(source)(chatId)) return []
    joined.add(chatId)
    return [source]
  }

  function byRule(rule: Rule): SourceKey[] {
    const named = rule.market ? joins(sourceKey({ is: 'market', marketId: rule.market.id }), rule.chatId) : []
    const of = walletsOfRule(drawers, rule).flatMap((wallet) => byWallet(wallet, [rule.chatId]))
    return [...venues.flatMap((venue) => joins(marketsSource(venue), rule.chatId)), ...named, ...of]
  }

  function byWallet(wallet: Wallet, chatIds: readonly number[]): SourceKey[] {
    const held = [...(drawers.wallets.views.get(wallet)?.held.values() ?? [])]
    const sources = [
      ...venues.map((venue) => walletSource(wallet, venue)),
      ...drawers.sources.accountSources.of(wallet).keys(),
      ...held.map(({ position: { marketId } }) => sourceKey({ is: 'market', marketId })),
    ]
    return sources.flatMap((source) => chatIds.flatMap((chatId) => joins(source, chatId)))
  }

  return {
    note(effect) {
      if (effect.is === 'recovered' || effect.is === 'unwanted') settled.delete(effect.source)
      if (settled.size === 0) return []
      if (effect.is === 'rule') return byRule(effect.rule)
      if (effect.is === 'watch') {
        const { wallet, personId } = effect.watch
        const chats = [...drawers.rules.rulesOf.of(personId).values()].map(({ chatId }) => chatId)
        return byWallet(wallet, chats)
      }
      if (effect.is === 'chat') {
        const { id } = effect.chat
        return [...drawers.rules.rulesIn.of(id).values()].flatMap(byRule)
      }
      if (effect.is === 'person') {
        const home = effect.person.defaultChat
        return home === null ? [] : venues.flatMap((venue) => joins(marketsSource(venue), home))
      }
      if (effect.is !== 'view') return []
      const { wallet } = effect.view
      return byWallet(
        wallet,
        rulesOverWallet(drawers, wallet).map(({ chatId }) => chatId),
      )
    },
    isSettled(source) {
      if (!drawers.sources.blind.has(source)) return false
      const joined = settled.get(source)
      if (joined && [...joined].every(hasHeard(source))) joined.clear()
      if (joined) return joined.size === 0
      for (const chatId of affectedChats(drawers, source)) if (!hasHeard(source)(chatId)) return false
      settled.set(source, new Set())
      return true
    },
    among: (source) => (settled.has(source) ? [...(settled.get(source) ?? [])] : null),
  }
}
