import { findKind } from '../alert.ts'
import type { Kind, Rule } from '../alert.ts'
import { toNumber } from '../amount.ts'
import { feedKey } from '../feed.ts'
import type { FeedKey } from '../feed.ts'
import type { Owner } from '../owner.ts'
import type { Position } from '../position.ts'
import type { OwnerReading } from '../reading.ts'
import { subjectOfPosition } from '../subject.ts'
import type { SubjectId } from '../subject.ts'
import { doubt, onBrokenScale } from '../venue.ts'
import type { Effect } from './effect.ts'
import { rulesOverOwner } from './guards.ts'
import type { Memory } from './memory.ts'
import type { SeenPosition } from './owner-view.ts'
import { isOff } from './owner-row.ts'

/**
 * What an answer leads to that shows a wallet just as the last one did, while everything about it is quiet: it is known to be
 * so from now on, and nothing is judged. Null for any other. Most answers are such, and to judge one costs ten times as much.
 *
 * Nothing can come of such an answer: no guard of it stands or has to hold, each says by itself which figures of its market
 * would change it, and the markets' own turns look for those; what happened between two looks is nothing.
 */
export function unmoved(memory: Memory, kinds: readonly Kind[], reading: OwnerReading): Effect[] | null {
  const { owner, value, at, tick } = reading
  const feed = feedKey({ is: 'owner', owner })
  const isSame =
    isPlain(reading) &&
    isQuiet(memory, owner, feed) &&
    memory.owners.isAsRead(reading, (position, kept) => isKept(memory, position, kept)) &&
    areArmed(memory, kinds, owner, value.positions)
  return isSame
    ? [
        { is: 'same', reading },
        { is: 'seen', feed, at, tick },
      ]
    : null
}

/** It shows everything, and no figures beside the positions. */
function isPlain({ value }: OwnerReading): boolean {
  const { accounts, unusable, unread } = value
  return accounts.length + unusable.length + unread.length === 0 && doubt(value) === null
}

/** Nobody waits for this answer, and nobody is to hear that there is one. */
function isQuiet(memory: Memory, owner: Owner, feed: FeedKey): boolean {
  return (
    memory.watches.has(owner) &&
    !memory.statesOf.has(owner) &&
    memory.unconfirmed.size === 0 &&
    !memory.blind.has(feed) &&
    !memory.dark.has(feed) &&
    !memory.told.has(feed) &&
    !memory.accountFeeds.has(owner)
  )
}

/** Its market is there to judge it by, and what a start would find of it is right. */
function isKept(memory: Memory, position: Position, kept: SeenPosition['kept']): boolean {
  const market = memory.markets.get(position.marketId)?.value
  if (!market || market.delisted || onBrokenScale(position.entryPrice, market.price)) return false
  return !isOff(kept, position, { symbol: market.symbol, price: toNumber(market.price) })
}

/** All that its rules judge was judged, and says what will change it; and nothing is left of rules that are gone. */
function areArmed(
  memory: Memory,
  kinds: readonly Kind[],
  owner: Owner,
  positions: readonly Position[],
): boolean {
  const { guards, watchlist } = memory
  const slots = new Set<number>()
  /** What is judged without any market rests; what is judged by one has bounds, unless nothing there can change it. */
  const isArmed = (rule: Rule, subject: SubjectId, mayLackBounds: boolean) => {
    const { chatId, kind, identity } = rule
    const slot = guards.slotOf({ chatId, kind, identity, subject })
    if (slot < 0) return false
    if (subject.is !== 'market') slots.add(slot)
    if (subject.is === 'owner') return guards.rests(slot)
    const bounds = watchlist.boundsOf(slot)
    return bounds !== null && (bounds > 0 || mayLackBounds)
  }
  const areAllArmed = rulesOverOwner(memory, owner).every((rule) => {
    const on = findKind(kinds, rule.kind)?.on
    if (on === undefined || (on === 'market' && rule.owner === null)) return true
    if (on === 'account') return false
    if (on === 'owner') return isArmed(rule, { is: on, owner }, true)
    return positions.every((position) => {
      const { marketId, liquidationPrice } = position
      if (rule.market !== null && rule.market.id !== marketId) return true
      return on === 'market'
        ? isArmed(rule, { is: on, marketId }, false)
        : isArmed(rule, subjectOfPosition(position), liquidationPrice === null)
    })
  })
  return areAllArmed && slots.size === guards.slotsOf(owner).length
}
