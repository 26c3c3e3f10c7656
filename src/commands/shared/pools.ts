import type { Account } from '../../venue/account.ts'
import { toNumber } from '../../venue/amount.ts'
import { type Stand, standOf, type Told } from '../../venue/joint-margin.ts'
import { MAIN_DEX, type Market } from '../../venue/market.ts'
import { type Position, side } from '../../venue/position.ts'
import { doubt, type PositionsAnswer } from '../../venue/venue.ts'
import { venueNameOf, venueOfPart } from '../../venue/venue-name.ts'
import { accountMark, isNumbered } from '../../venue/wallet.ts'
import { marketOf, type ShownPosition } from './position-lines.ts'
import { accountPlace } from './venues/by-venue.ts'

/** Positions that share a margin, so that they are liquidated together. */
export interface Pool {
  /** `ETH long · main` for one position; `main` for more, and `main · xyz` in a wallet with several pools. */
  name: string
  /** The first of its markets. */
  marketId: string
  legs: readonly PricedPosition[]
  /** Positions without a known price. */
  unpriced: readonly ShownPosition[]
  stand: Stand
  /** The answer shows everything in this pool. */
  isWhole: boolean
  /** True if Perch assumes that the positions share their margin, because the venue has not said. */
  isAssumed: boolean
}

export interface PricedPosition {
  position: Position
  market: Market
  price: number
}

/** Groups the positions of a wallet by the margin that they share. `venues` are the names of several venues. */
export function poolsOf(
  wallet: string,
  answer: PositionsAnswer,
  held: readonly ShownPosition[],
  venues: readonly string[] = [],
): Pool[] {
  const groups = new Map<string, ShownPosition[]>()
  for (const one of held) {
    const key = poolKey(one.position, answer)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  const all = [...groups.values()]
  const names = named(wallet, all, venues)
  return all.flatMap((group, at) => {
    const [first] = group
    return first ? [poolOf(names[at] ?? wallet, answer, group, first, venues)] : []
  })
}

function poolKey({ margin, accountId, marketId, size }: Position, { accounts }: PositionsAnswer): string {
  if (margin === 'isolated') return JSON.stringify([accountId, marketId, size > 0n])
  return JSON.stringify([accounts.find((one) => one.accountId === accountId)?.pool ?? accountId])
}

function poolOf(
  name: string,
  answer: PositionsAnswer,
  group: readonly ShownPosition[],
  { position: first }: ShownPosition,
  venues: readonly string[],
): Pool {
  const legs = group.flatMap((one): PricedPosition[] => {
    const market = marketOf(one)
    return market ? [{ position: one.position, market, price: toNumber(market.price) }] : []
  })
  const account = answer.accounts.find(({ accountId }) => accountId === first.accountId)
  const told = first.margin === 'isolated' ? null : toldOf(account)
  const lines = legs.map(({ position: { size, liquidationPrice }, market: { maintenanceRatio }, price }) => ({
    size: toNumber(size),
    price,
    liquidation: liquidationPrice === null ? null : toNumber(liquidationPrice),
    share: maintenanceRatio === null ? null : toNumber(maintenanceRatio),
  }))
  return {
    name,
    marketId: first.marketId,
    legs,
    unpriced: group.filter((one) => !marketOf(one)),
    stand: finite(standOf(lines, told)),
    isWhole: isWhole(answer, new Set(group.map(({ position }) => position.accountId)), account, venues),
    isAssumed: group.length > 1 && group.some(({ position }) => position.margin === null),
  }
}

/**
 * At the liquidation price a slope is infinite, which JSON cannot carry. The slopes of a liquidated pool are never
 * used.
 */
function finite(stand: Stand): Stand {
  return stand.isOver ? { ...stand, perWhole: stand.perWhole.map(() => 0) } : stand
}

/** How the venue measures a portfolio is not public, so its liquidation prices say more than its account figures. */
function toldOf(account: Account | undefined): Told | null {
  if (!account || account.mode === 'portfolio') return null
  const { maintenanceUsd, marginRatio } = account
  if (maintenanceUsd === null || marginRatio === null || marginRatio <= 0) return null
  const maintenance = toNumber(maintenanceUsd)
  return maintenance > 0 ? { spare: maintenance / marginRatio - maintenance, maintenance } : null
}

function isWhole(
  answer: PositionsAnswer,
  ids: ReadonlySet<string>,
  account: Account | undefined,
  venues: readonly string[],
): boolean {
  // Accounts that share margin may include one that was not read.
  const mayShare = account !== undefined && account.mode !== 'single'
  const there = new Set([...ids].map((id) => venueNameOf(id, venues)))
  const isThere = (part: string) => venues.length === 0 || there.has(venueOfPart(part, venues))
  const shares = (part: string | null) =>
    part === null || ids.has(part) || (isThere(part) && (mayShare || venues.includes(part)))
  return (
    doubt(answer) === null && ![...answer.failedParts, ...answer.unusable].some(({ part }) => shares(part))
  )
}

/**
 * `BTC short · demo` for one position, else `demo · xyz` or `demo …105001`. In a wallet with pools at several
 * venues, `demo · lighter`.
 */
function nameOf(wallet: string, group: readonly ShownPosition[], venues: readonly string[]): string {
  const [first, ...others] = group
  if (!first) return wallet
  const { position, symbol } = first
  if (others.length === 0) return `${symbol} ${side(position)} · ${wallet}`
  if (venues.length > 0) return `${wallet} · ${accountPlace(position.accountId, venues)}`
  if (isNumbered(position.accountId)) return `${wallet} ${accountMark(position.accountId)}`
  return position.accountId === MAIN_DEX ? wallet : `${wallet} · ${position.accountId}`
}

/** Adds the account to names that would be the same. */
function named(wallet: string, groups: readonly ShownPosition[][], venues: readonly string[]): string[] {
  const [only, ...others] = groups
  if (only && others.length === 0) return [only.length === 1 ? nameOf(wallet, only, []) : wallet]
  const held = new Set(
    groups.flatMap(([first]) => (first ? venueNameOf(first.position.accountId, venues) : [])),
  )
  const names = groups.map((group) => nameOf(wallet, group, held.size > 1 ? venues : []))
  return names.map((name, at) => {
    const isAlone = names.filter((other) => other === name).length === 1
    const account = groups[at]?.[0]?.position.accountId ?? ''
    return isAlone || name.endsWith(accountMark(account)) ? name : `${name} ${accountMark(account)}`
  })
}
