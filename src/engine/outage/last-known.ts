import { percentAway } from '../../message/figure.ts'
import { type Text, text, words } from '../../message/message.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import { distance, fromLiquidation, type Position, positionKey, side } from '../../venue/position.ts'
import type { Source } from '../../venue/source.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfFollowed } from '../memory/rules.ts'
import { venueOfSource } from '../memory/sources.ts'
import { walletsOfRule } from '../monitors/monitors.ts'

/** Positions named in one report: more would not fit an item. */
export const NAMED = 3

/** The markets and positions at one time: by a new reading, or before it. */
export interface Fresh {
  market(id: string): Market | undefined
  /** Those that it shows. */
  positions(wallet: Wallet): Iterable<Position>
}

interface Standing {
  key: string
  name: string
  distance: number
}

/** The wallets that a chat's rules guard. Those that are only followed there are not among them. */
export function walletsIn(drawers: Pick<Memory, 'people' | 'rules'>, chatId: number): Set<Wallet> {
  return new Set(
    [...drawers.rules.rulesIn.valuesOf(chatId)].flatMap((rule) =>
      isOfFollowed(drawers, rule) ? [] : walletsOfRule(drawers, rule),
    ),
  )
}

/** The last known distances of the chat's positions that rest on these sources. */
export function lastSeen(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'markets' | 'run'>,
  sources: readonly Source[],
  chatId: number,
): Text[] {
  const all = standings(drawers, sources, chatId, asLastKnown(drawers))
  const named = all
    .slice(0, NAMED)
    .map(({ name, distance }) => words('outage.last-seen', { name, distance: fromLiquidation(distance) }))
  return all.length > NAMED ? [...named, words('outage.more', { more: all.length - NAMED })] : named
}

/** How they stand now against that. */
export function comparison(
  drawers: Pick<Memory, 'people' | 'rules' | 'run'>,
  sources: readonly Source[],
  chatId: number,
  seen: { before: Fresh; fresh: Fresh },
): Text[] {
  const before = new Map(
    standings(drawers, sources, chatId, seen.before).map((one) => [one.key, one.distance]),
  )
  const all = standings(drawers, sources, chatId, seen.fresh)
  const named = all.slice(0, NAMED).map(({ key, name, distance }) => {
    const was = before.get(key)
    return was === undefined || was <= 0
      ? text`${name} ${fromLiquidation(distance)}`
      : words('outage.was', { name, distance: fromLiquidation(distance), before: percentAway(was) })
  })
  return all.length > NAMED ? [...named, words('outage.more', { more: all.length - NAMED })] : named
}

/** The chat's positions that rest on the sources, nearest to liquidation first. */
function standings(
  drawers: Pick<Memory, 'people' | 'rules' | 'run'>,
  sources: readonly Source[],
  chatId: number,
  fresh: Fresh,
): Standing[] {
  const all: Standing[] = []
  for (const wallet of walletsIn(drawers, chatId)) {
    if (!sources.some((source) => !('wallet' in source) || source.wallet === wallet)) continue
    for (const position of fresh.positions(wallet)) {
      if (!sources.some((source) => restsOn(position, source, drawers.run.venues))) continue
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

function restsOn(position: Position, source: Source, venues: readonly string[]): boolean {
  const isThere = venueOfSource(source, venues) === venueOf(position.accountId, venues)
  if (source.is === 'markets') return isThere
  if (source.is === 'market') return position.marketId === source.marketId
  // They are seen without it.
  if (source.is === 'margin' || source.is === 'orders') return false
  return (
    position.wallet === source.wallet &&
    isThere &&
    (source.is === 'wallet' || position.accountId === source.accountId)
  )
}

/** The markets and positions that memory has. */
export function asLastKnown(drawers: Pick<Memory, 'wallets' | 'markets'>): Fresh {
  return {
    market: (id) => drawers.markets.readings.get(id)?.value,
    positions: (wallet) =>
      [...(drawers.wallets.views.get(wallet)?.held.values() ?? [])].map(({ position }) => position),
  }
}
