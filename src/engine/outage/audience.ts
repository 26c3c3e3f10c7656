import type { Rule } from '../../alert/alert.ts'
import { type SourceKey, sourceOf } from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfFollowed } from '../memory/rules.ts'
import { coversWallet, walletsOfRule, rulesOverWallet } from '../monitors/monitors.ts'
import { orderRecipients } from '../monitors/subject-inputs.ts'
import { marginRecipients } from './account-sources.ts'

/**
 * Chats with a rule that rests on the source, one or more times; for the venue itself also the operator's own
 * chat. Nobody is told of an outage for a wallet that they only follow.
 */
export function* affectedChats(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>,
  key: SourceKey,
): Generator<number> {
  const source = sourceOf(key)
  if (source.is === 'markets') {
    for (const chatId of drawers.rules.rulesIn.groups())
      if (hasRuleAt(drawers, chatId, source.venue)) yield chatId
    const home = homeOf(drawers)
    if (home !== null) yield home
  } else if (source.is === 'market') {
    const { marketId } = source
    for (const rule of drawers.rules.rulesOn.of(marketId).values())
      if (!isOfFollowed(drawers, rule)) yield rule.chatId
    for (const wallet of drawers.wallets.walletsByMarket.of(marketId))
      for (const { market, chatId } of alarmingRules(drawers, wallet))
        if (market === null || market.id === marketId) yield chatId
  } else if (source.is === 'margin') yield* marginRecipients(drawers, source.wallet)
  else if (source.is === 'orders') yield* orderRecipients(drawers, source.wallet, source.of)
  else {
    const there = source.is === 'account' ? marketsIn(drawers, source.wallet, source.accountId) : null
    for (const { market, chatId } of alarmingRules(drawers, source.wallet))
      if (there === null || market === null || there.has(market.id)) yield chatId
  }
}

/** Whether a chat is one of those. */
export function isAffected(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>,
  key: SourceKey,
  chatId: number,
): boolean {
  if (!drawers.people.chats.has(chatId)) return false
  const source = sourceOf(key)
  if (source.is === 'markets') return hasRuleAt(drawers, chatId, source.venue) || homeOf(drawers) === chatId
  const rules = alarmingIn(drawers, chatId)
  if (source.is === 'market') {
    const { marketId } = source
    const holds = (wallet: Wallet) => marketsIn(drawers, wallet).has(marketId)
    return rules.some((rule) =>
      rule.market ? rule.market.id === marketId : walletsOfRule(drawers, rule).some(holds),
    )
  }
  if (source.is === 'margin') return marginRecipients(drawers, source.wallet).has(chatId)
  if (source.is === 'orders') return orderRecipients(drawers, source.wallet, source.of).has(chatId)
  const there = source.is === 'account' ? marketsIn(drawers, source.wallet, source.accountId) : null
  return rules.some(
    (rule) =>
      (there === null || rule.market === null || there.has(rule.market.id)) &&
      coversWallet(drawers, rule, source.wallet),
  )
}

function alarmingRules(drawers: Pick<Memory, 'people' | 'rules'>, wallet: Wallet): Rule[] {
  return rulesOverWallet(drawers, wallet).filter((rule) => !isOfFollowed(drawers, rule))
}

function alarmingIn(drawers: Pick<Memory, 'rules'>, chatId: number): Rule[] {
  return [...drawers.rules.rulesIn.valuesOf(chatId)].filter((rule) => !isOfFollowed(drawers, rule))
}

/** Whether a rule of the chat may rest on the prices of this venue. */
function hasRuleAt(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>,
  chatId: number,
  venue: string | undefined,
): boolean {
  const { venues } = drawers.run
  const rules = alarmingIn(drawers, chatId)
  if (venues.length === 0) return rules.length > 0
  return rules.some((rule) => {
    if (rule.market !== null) return venueOf(rule.market.id, venues) === venue
    const wallets = walletsOfRule(drawers, rule)
    return wallets.length === 0 || wallets.some((wallet) => isKnownAt(drawers, wallet, venue))
  })
}

/**
 * Whether a wallet may hold something at a venue. Each may at the first, unless that one says that it does not know the
 * wallet. Another venue must have shown it before.
 */
export function isKnownAt(
  { wallets: { views } }: Pick<Memory, 'wallets'>,
  wallet: Wallet,
  venue: string | undefined,
): boolean {
  if (views.venues.length === 1) return true
  const isOf = (one: string | undefined) => {
    const view = views.at(wallet, one)
    return view !== undefined && (!view.isUnknown || view.held.size > 0)
  }
  if (venue !== undefined) return isOf(venue)
  return (
    isOf(undefined) ||
    !views.venues.some((one) => one !== undefined && isOf(one)) ||
    !views.at(wallet, undefined)
  )
}

function homeOf({ people: { chats, persons, operatorId } }: Pick<Memory, 'people'>): number | null {
  return chats.get(persons.get(operatorId ?? 0)?.defaultChat ?? 0)?.id ?? null
}

/** Where a wallet has positions, or has some in one of its accounts. */
function marketsIn(
  { wallets: { views: wallets } }: Pick<Memory, 'wallets'>,
  wallet: Wallet,
  accountId?: string,
): Set<string> {
  const held = [...(wallets.get(wallet)?.held.values() ?? [])]
  const own = held.filter(({ position }) => position.accountId === (accountId ?? position.accountId))
  return new Set(own.map(({ position }) => position.marketId))
}
