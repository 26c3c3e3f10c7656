import { type Amount, magnitude, multiply } from '../../../venue/amount.ts'
import type { Figures } from '../wire/accounts.ts'
import type { Held } from '../wire/positions.ts'
import {
  crossLiquidation,
  gainOf,
  isolatedLiquidation,
  isWithin,
  maintenanceOfAll,
  type Margined,
  ratioOf,
} from './margin.ts'

/** A position of an account as we keep it. */
interface Standing {
  held: Held
  /** The mark price up to which its gains are counted in the account's equity. */
  mark: Amount
  /** Our own liquidation price when the venue's was sent, if both agreed; else null. */
  own: Amount | null
}

/** An account as we keep it: the venue's figures, carried on with the marks since they were sent. */
export interface Tally {
  standings: Map<string, Standing>
  equity: Amount | null
  crossEquity: Amount | null
  /** The venue's cross maintenance margin, and our own sum at that moment. */
  maintenance: { sent: Amount; own: Amount | null } | null
  available: Amount | null
}

/** Figures of the market by id; null: not known. */
type FractionOf = (marketId: string) => Amount | null

/** Our own liquidation price counts if it was this near to the venue's when that was sent. */
const AGREES_WITHIN = 10n ** 16n
/** A smaller change of our own sum is rounding. */
const UNCHANGED_WITHIN = 10n ** 9n
/** The venue rounds the value of a position to 10^-6 USD. */
const ROUNDED_USD = 2n * 10n ** 12n

/** Carries the account's equity on to these marks. */
export function carryOn(tally: Tally, markOf: (marketId: string) => Amount | null): void {
  for (const [marketId, standing] of tally.standings) {
    const now = markOf(marketId)
    if (now !== null) carryTo(tally, standing, now)
  }
}

function carryTo(tally: Tally, standing: Standing, now: Amount): void {
  const { held, mark } = standing
  const gain = gainOf(held.size, mark, now)
  if (isRounding(gain)) return
  standing.mark = now
  tally.available = null
  if (tally.equity !== null) tally.equity += gain
  if (held.margin !== 'isolated' && tally.crossEquity !== null) tally.crossEquity += gain
}

function isRounding(usd: Amount): boolean {
  return magnitude(usd) <= ROUNDED_USD
}

/**
 * Sets a position as the venue has just sent it. A trade changes no equity but by its fee, and moves collateral
 * between the account and an isolated position.
 */
export function setPosition(tally: Tally, held: Held): void {
  const before = tally.standings.get(held.marketId)
  if (before) carryTo(tally, before, held.mark)
  const standing = { held, mark: before && isSame(before.held, held) ? before.mark : held.mark, own: null }
  moveCollateral(tally, before, standing)
  tally.standings.set(held.marketId, standing)
}

export function drop(tally: Tally, marketId: string): void {
  moveCollateral(tally, tally.standings.get(marketId), undefined)
  tally.standings.delete(marketId)
}

function isSame(a: Held, b: Held): boolean {
  return a.size === b.size && a.margin === b.margin && a.allocated === b.allocated
}

function moveCollateral(tally: Tally, before: Standing | undefined, after: Standing | undefined): void {
  if (before && after && isSame(before.held, after.held)) return
  tally.available = null
  // The margin that the venue named was that of other positions, and we cannot tell by how much.
  if (tally.maintenance?.own === null) tally.maintenance = null
  if (tally.crossEquity === null) return
  if (before?.held.margin === 'isolated') tally.crossEquity += isolatedEquity(before)
  if (after?.held.margin === 'isolated') tally.crossEquity -= isolatedEquity(after)
}

/** Sets the account's figures as the venue has just sent them. They are so at the marks of now. */
export function setFigures(tally: Tally, figures: Figures, fractionOf: FractionOf): void {
  tally.equity = unlessRounded(tally.equity, figures.equity)
  tally.crossEquity = unlessRounded(tally.crossEquity, figures.crossEquity)
  tally.available = figures.available
  const sent = figures.crossMaintenance
  if (sent === null) return
  const pool = poolOf(tally, fractionOf)
  tally.maintenance = { sent, own: pool && maintenanceOfAll(pool.held) }
}

/** One answer writes all digits and another one six of them: that is no change. */
function unlessRounded(known: Amount | null, sent: Amount | null): Amount | null {
  if (sent === null) return known
  return known !== null && isRounding(known - sent) ? known : sent
}

/** The equity that covers an isolated position: its collateral and its gains. */
function isolatedEquity({ held, mark }: Standing): Amount {
  const unrealised =
    held.unrealised ?? (held.entryPrice === null ? 0n : multiply(held.size, held.mark - held.entryPrice))
  return held.allocated + unrealised + gainOf(held.size, held.mark, mark)
}

/** Compares our own liquidation prices with those that the venue has just sent. */
export function compareOwn(tally: Tally, marketIds: Iterable<string>, fractionOf: FractionOf): void {
  for (const marketId of marketIds) {
    const standing = tally.standings.get(marketId)
    if (!standing) continue
    const sent = standing.held.liquidationPrice
    const own = ownLiquidation(tally, standing, fractionOf)
    standing.own = sent !== null && own !== null && isWithin(own, sent, AGREES_WITHIN) ? own : null
  }
}

/**
 * The liquidation price now: the venue's, moved by as much as our own has moved since. The venue does not send it
 * again when another position of the account gains or loses.
 */
export function liquidationNow(tally: Tally, standing: Standing, fractionOf: FractionOf): Amount | null {
  const { held, own } = standing
  if (own === null || held.liquidationPrice === null) return held.liquidationPrice
  const now = ownLiquidation(tally, standing, fractionOf)
  // No price of this market alone is left, or a figure is missing.
  if (now === null) return poolOf(tally, fractionOf) === null ? held.liquidationPrice : null
  if (isWithin(now, own, UNCHANGED_WITHIN)) return held.liquidationPrice
  const moved = held.liquidationPrice + now - own
  return moved > 0n ? moved : null
}

function ownLiquidation(tally: Tally, standing: Standing, fractionOf: FractionOf): Amount | null {
  const { held } = standing
  if (held.margin === 'isolated') {
    const maintenance = fractionOf(held.marketId)
    if (maintenance === null) return null
    const { size } = held
    return isolatedLiquidation({ size, mark: standing.mark, maintenance }, isolatedEquity(standing))
  }
  const pool = poolOf(tally, fractionOf)
  const own = pool?.held.find(({ marketId }) => marketId === held.marketId)
  return pool && own ? crossLiquidation(own, pool) : null
}

/** A cross position and its market. */
interface Member extends Margined {
  marketId: string
}

/** The cross positions and what covers them; null if any figure is missing. */
function poolOf(tally: Tally, fractionOf: FractionOf): { equity: Amount; held: Member[] } | null {
  if (tally.crossEquity === null) return null
  const held: Member[] = []
  for (const { held: each, mark } of tally.standings.values()) {
    if (each.margin === 'isolated') continue
    const maintenance = fractionOf(each.marketId)
    if (maintenance === null) return null
    held.push({ marketId: each.marketId, size: each.size, mark, maintenance })
  }
  return { equity: tally.crossEquity, held }
}

/** The cross maintenance margin and the margin ratio now; null if they cannot be told. */
export function marginNow(
  tally: Tally,
  fractionOf: FractionOf,
): { maintenance: Amount | null; ratio: number | null } {
  const maintenance = maintenanceNow(tally, fractionOf)
  const { crossEquity } = tally
  const ratio = maintenance === null || crossEquity === null ? null : ratioOf(maintenance, crossEquity)
  return { maintenance, ratio }
}

function maintenanceNow(tally: Tally, fractionOf: FractionOf): Amount | null {
  const pool = poolOf(tally, fractionOf)
  const told = tally.maintenance
  if (pool === null) return told?.sent ?? null
  // Without positions the sums may leave a rounding error.
  if (pool.held.length === 0) return 0n
  const own = maintenanceOfAll(pool.held)
  if (told === null) return own
  return told.own === null ? told.sent : told.sent + own - told.own
}
