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
  onBrokenScale,
} from '../../venue/position.ts'
import { accountSource, walletSource } from '../../venue/source.ts'
import { venueField, venueOf } from '../../venue/venue-name.ts'
import { longUnread } from '../../venue/record/lacking.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Memory } from '../memory/memory.ts'
import { priceSight, symbolOf } from '../memory/markets.ts'
import { walletLabel } from '../memory/rules.ts'
import { isListed, type EvaluationContext } from '../monitors/context.ts'
import { isKnownAt } from '../outage/audience.ts'

/** An open position as a summary counts it; null is what cannot be known now. */
export interface Holding {
  key: string
  position: Position
  symbol: string
  /** `BTC long · main`. */
  name: string
  liquidates: boolean
  away: number | null
  counted: Counted | null
  fundingUsdPerDay: number | null
}

/**
 * The nearest to liquidation first, then the unknown distances, then the positions without a liquidation
 * price.
 */
export function holdings(look: EvaluationContext, wallets: readonly Wallet[], personId: number): Holding[] {
  const { memory } = look
  const all = wallets.flatMap((wallet) => {
    const label = walletLabel(memory, personId, wallet)
    return [...(memory.wallets.views.get(wallet)?.held.values() ?? [])].map(({ position }) =>
      holding(look, position, label),
    )
  })
  const rank = ({ away, liquidates }: Holding) => away ?? (liquidates ? Number.MAX_VALUE : Infinity)
  return all.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)))
}

function holding(look: EvaluationContext, position: Position, label: string): Holding {
  const { marketId, liquidationPrice, size } = position
  const symbol = symbolOf(look.memory, marketId)
  const market = present(look, marketId, position)
  const towards = side(position)
  const pnlUsd = market && unrealisedPnl(position, market.price)
  const known = market && {
    away:
      liquidationPrice === null
        ? null
        : distance(towards, toNumber(market.price), toNumber(liquidationPrice)),
    counted: pnlUsd === null ? null : { size, pnlUsd },
    fundingUsdPerDay: fundingPerDay(position, market),
  }
  const named = { key: positionKey(position), position, symbol, name: `${symbol} ${towards} · ${label}` }
  const unknown = { away: null, counted: null, fundingUsdPerDay: null }
  return { ...named, liquidates: liquidationPrice !== null, ...(known ?? unknown) }
}

/** The market as it is now: from the last answer about its dex, not stale, on the scale of the position. */
function present(
  { memory, mono, marketStaleMs }: EvaluationContext,
  marketId: string,
  position: Position,
): Market | null {
  const reading = memory.markets.readings.get(marketId)
  if (!reading || mono - reading.mono > marketStaleMs || !isListed(memory, reading)) return null
  return onBrokenScale(position, reading.value.price) ? null : reading.value
}

/** The venues of these positions, or all of them without any, whose prices are not those of now. */
export function venuesWithoutPrices(
  { memory, mono, marketStaleMs }: EvaluationContext,
  held: readonly Holding[],
): (string | undefined)[] {
  const { venues } = memory.wallets.views
  const own = new Set(held.map(({ position }) => venueOf(position.marketId, memory.run.venues)))
  return venues.filter((venue) => {
    const { marketsAt } = priceSight(memory, venue)
    const isFresh = marketsAt !== null && mono - marketsAt.mono <= marketStaleMs
    return !isFresh && (own.size === 0 || own.has(venue))
  })
}

interface FailedPart {
  wallet: Wallet
  /** Left out for the first venue. */
  venue?: string
  /** Null: no position of the wallet can be read. */
  accountId: string | null
  at: number | null
}

/** Wallets whose positions are not those of now, or those in some account are not, and when they were last read. */
export function failedParts(
  drawers: Pick<Memory, 'wallets' | 'sources'>,
  wallets: readonly Wallet[],
): FailedPart[] {
  const { views } = drawers.wallets
  const partsAt = (wallet: Wallet, venue: string | undefined): FailedPart[] => {
    const view = views.at(wallet, venue)
    if (!isKnownAt(drawers, wallet, venue)) return []
    const seen = view && view.mono > -Infinity && !drawers.sources.blind.has(walletSource(wallet, venue))
    if (!seen) return [{ wallet, ...venueField(venue), accountId: null, at: view?.at ?? null }]
    const blind = [...view.failedParts.keys()].filter((id) =>
      drawers.sources.blind.has(accountSource(wallet, id)),
    )
    return blind.map((accountId) => ({
      ...{ wallet, accountId },
      at: drawers.sources.lastSuccess.get(accountSource(wallet, accountId))?.at ?? null,
    }))
  }
  return wallets.flatMap((wallet) => views.venues.flatMap((venue) => partsAt(wallet, venue)))
}

interface UnaskedParts {
  wallet: Wallet
  parts: string[]
  /** When the first of them was last read. */
  at: number
}

/** Empty accounts that were not read for long, by wallet: a summary names them, because they may hold something. */
export function unaskedParts(
  { wallets: { views } }: Pick<Memory, 'wallets'>,
  wallets: readonly Wallet[],
  now: number,
): UnaskedParts[] {
  return wallets.flatMap((wallet): UnaskedParts[] => {
    const unread = longUnread(views.get(wallet)?.unasked ?? [], now)
    return unread === null ? [] : [{ wallet, ...unread }]
  })
}

/** How the PnL moved of the positions that were open then and are unchanged; null where there are none. */
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
