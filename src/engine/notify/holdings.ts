import type { Counted } from '../../people/digest.ts'
import { toNumber } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import {
  distance,
  fundingPerDay,
  type Position,
  positionKey,
  side,
  unrealisedPnl,
} from '../../venue/position.ts'
import { accountFeed, feedKey } from '../../venue/source.ts'
import { onBrokenScale } from '../../venue/venue.ts'
import type { Owner } from '../../venue/wallet.ts'
import { type Memory, symbolOf, walletLabel } from '../memory/memory.ts'
import { isListed, type Look } from '../monitors/context.ts'

/** An open position as a summary counts it; null is what cannot be known now. */
export interface Holding {
  key: string
  /** `BTC long · main`. */
  name: string
  liquidates: boolean
  away: number | null
  counted: Counted | null
  fundingUsdPerDay: number | null
}

/** The nearest to liquidation first; then those of which it is unknown, those that none threatens last. */
export function holdings(look: Look, owners: readonly Owner[], personId: number): Holding[] {
  const { memory } = look
  const all = owners.flatMap((owner) => {
    const wallet = walletLabel(memory, personId, owner)
    return [...(memory.owners.get(owner)?.held.values() ?? [])].map(({ position }) =>
      holding(look, position, wallet),
    )
  })
  const rank = ({ away, liquidates }: Holding) => away ?? (liquidates ? Number.MAX_VALUE : Infinity)
  return all.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)))
}

function holding(look: Look, position: Position, wallet: string): Holding {
  const { marketId, liquidationPrice, size } = position
  const symbol = symbolOf(look.memory, marketId)
  const market = present(look, marketId, position)
  const towards = side(position)
  const known = market && {
    away:
      liquidationPrice === null
        ? null
        : distance(towards, toNumber(market.price), toNumber(liquidationPrice)),
    counted: { size, pnlUsd: unrealisedPnl(position, market.price) },
    fundingUsdPerDay: fundingPerDay(position, market.price, market.fundingRatePerDay),
  }
  const named = { key: positionKey(position), name: `${symbol} ${towards} · ${wallet}` }
  const unknown = { away: null, counted: null, fundingUsdPerDay: null }
  return { ...named, liquidates: liquidationPrice !== null, ...(known ?? unknown) }
}

/** The market as it is now: of the last answer about its book, not stale, on the scale of the position. */
function present(
  { memory, tick, marketStaleMs }: Look,
  marketId: string,
  { entryPrice }: Position,
): Market | null {
  const reading = memory.markets.get(marketId)
  if (!reading || tick - reading.tick > marketStaleMs || !isListed(memory, reading)) return null
  return onBrokenScale(entryPrice, reading.value.price) ? null : reading.value
}

export function pricesAreFresh({ memory: { marketsAt }, tick, marketStaleMs }: Look): boolean {
  return marketsAt !== null && tick - marketsAt.tick <= marketStaleMs
}

interface Unread {
  owner: Owner
  /** Null: none of them can be. */
  accountId: string | null
  at: number | null
}

/** Wallets whose positions are not those of now, or those in some account are not, and when they were last read. */
export function unread(memory: Memory, owners: readonly Owner[]): Unread[] {
  return owners.flatMap((owner): Unread[] => {
    const view = memory.owners.get(owner)
    const seen = view && view.tick > -Infinity && !memory.blind.has(feedKey({ is: 'owner', owner }))
    if (!seen) return [{ owner, accountId: null, at: view?.at ?? null }]
    const blind = [...view.unread.keys()].filter((id) => memory.blind.has(accountFeed(owner, id)))
    return blind.map((accountId) => ({
      ...{ owner, accountId },
      at: memory.sight.get(accountFeed(owner, accountId))?.at ?? null,
    }))
  })
}

/** How the PnL of what was open then and is unchanged has moved; null where nothing is. */
export function movedSince(
  held: readonly Holding[],
  open: Record<string, Counted>,
): { usd: number; of: number } | null {
  const same = held.flatMap(({ key, counted }) => {
    const was = open[key]
    return counted && was?.size === counted.size ? [counted.pnlUsd - was.pnlUsd] : []
  })
  return same.length === 0 ? null : { usd: same.reduce((sum, one) => sum + one, 0), of: same.length }
}
