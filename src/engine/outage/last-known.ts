import { percentAway } from '../../message/figure.ts'
import { type Text, text } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { distance, fromLiquidation, type Position, positionKey, side } from '../../venue/position.ts'
import type { Feed } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { ownersOfRule } from '../monitors/monitors.ts'

/** Positions named in one report: more would not fit an item. */
export const NAMED = 3

/** What was seen at one time: by a new reading, or before it. */
export interface Fresh {
  market(id: string): Market | undefined
  /** Those that it shows. */
  positions(owner: Owner): Iterable<Position>
}

interface Standing {
  key: string
  name: string
  distance: number
}

/** The wallets that a chat's rules speak of. */
export function ownersIn(memory: Memory, chatId: number): Set<Owner> {
  return new Set([...memory.rulesIn.of(chatId).values()].flatMap((rule) => ownersOfRule(memory, rule)))
}

/** What was last known of the chat's positions that rest on these feeds. */
export function lastSeen(memory: Memory, feeds: readonly Feed[], chatId: number): Text[] {
  const all = standings(memory, feeds, chatId, remembered(memory))
  const named = all
    .slice(0, NAMED)
    .map(({ name, distance }) => text`last seen: ${name} ${fromLiquidation(distance)}`)
  return all.length > NAMED ? [...named, `and ${all.length - NAMED} more`] : named
}

/** How they stand now against that. */
export function comparison(
  memory: Memory,
  feeds: readonly Feed[],
  chatId: number,
  seen: { before: Fresh; fresh: Fresh },
): Text[] {
  const before = new Map(standings(memory, feeds, chatId, seen.before).map((one) => [one.key, one.distance]))
  const all = standings(memory, feeds, chatId, seen.fresh)
  const named = all.slice(0, NAMED).map(({ key, name, distance }) => {
    const was = before.get(key)
    return text`${name} ${fromLiquidation(distance)}${was === undefined || was <= 0 ? '' : text` (was ${percentAway(was)})`}`
  })
  return all.length > NAMED ? [...named, `and ${all.length - NAMED} more`] : named
}

/** The chat's positions that rest on the feeds, nearest to liquidation first. */
function standings(memory: Memory, feeds: readonly Feed[], chatId: number, fresh: Fresh): Standing[] {
  const all: Standing[] = []
  for (const owner of ownersIn(memory, chatId)) {
    if (!feeds.some((feed) => !('owner' in feed) || feed.owner === owner)) continue
    for (const position of fresh.positions(owner)) {
      if (!feeds.some((feed) => restsOn(position, feed))) continue
      const market = fresh.market(position.marketId)
      if (!market || position.liquidationPrice === null) continue
      const towards = side(position)
      all.push({
        key: positionKey(position),
        name: `${market.symbol} ${towards}`,
        distance: distance(towards, toNumber(market.price), toNumber(position.liquidationPrice)),
      })
    }
  }
  return all.sort((a, b) => a.distance - b.distance)
}

function restsOn(position: Position, feed: Feed): boolean {
  if (feed.is === 'markets') return true
  if (feed.is === 'market') return position.marketId === feed.marketId
  // They are seen without it.
  if (feed.is === 'margin' || feed.is === 'orders') return false
  return position.owner === feed.owner && (feed.is === 'owner' || position.accountId === feed.accountId)
}

/** What memory has. */
export function remembered(memory: Memory): Fresh {
  return {
    market: (id) => memory.markets.get(id)?.value,
    positions: (owner) =>
      [...(memory.owners.get(owner)?.held.values() ?? [])].map(({ position }) => position),
  }
}
