import { cut } from './decimals.ts'
import { liquidationPx, maintenance, type Tier } from './margin.ts'
import type { Account, ListedDex, Holding, Market } from './state.ts'
import type { World } from './world.ts'

/** Tables below this number are not listed: one tier with that leverage. */
const FIRST_LISTED_TABLE = 50
/** A part of all that is held, which must stay behind whatever the leverage. */
const LEAST_LEFT_BEHIND = 0.1

function tiersOf({ maxLeverage }: Account, { marginTableId, dex }: Market): readonly Tier[] {
  if (maxLeverage !== null) return [{ from: 0, leverage: maxLeverage }]
  if (marginTableId < FIRST_LISTED_TABLE) return [{ from: 0, leverage: marginTableId }]
  const table = dex.marginTables.get(marginTableId)
  if (!table) throw new Error(`${dex.name || 'main'} has no margin table ${marginTableId}`)
  return table.tiers
}

export const valueOf = ({ szi, market }: Holding) => Math.abs(szi) * market.mark
export const profitOf = (held: Holding) => Math.sign(held.szi) * (valueOf(held) - held.entryNotional)
export const isCross = ({ isolatedUsd }: Holding) => isolatedUsd === null
/** What an isolated position's bucket is worth. */
export const bucketOf = ({ isolatedUsd, szi, market }: Holding) => (isolatedUsd ?? 0) + szi * market.mark

export function marginUsed(held: Holding): number {
  return isCross(held) ? cut(valueOf(held) / held.leverage) : bucketOf(held)
}

export function maintenanceOf(account: Account, held: Holding): number {
  return cut(maintenance(valueOf(held), tiersOf(account, held.market)))
}

export function suppressedIn({ holdings }: Account, dex: ListedDex): Holding[] {
  return holdings.filter(({ market }) => market.dex === dex)
}

export function crossIn(account: Account, dex: ListedDex): Holding[] {
  return suppressedIn(account, dex).filter((held) => isCross(held) && held.szi !== 0)
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** What the cross positions of a dex and their cash are worth. */
export function crossValue(account: Account, dex: ListedDex): number {
  const worth = total(crossIn(account, dex).map(({ szi, market }) => szi * market.mark))
  return (account.crossUsd.get(dex) ?? 0) + worth
}

/** Collateral lies in spot, and all dexes that are counted in it share it. */
export const isShared = ({ mode }: Account) => mode === 'unifiedAccount' || mode === 'portfolioMargin'

export function dexesOfToken({ dexes }: World, token: number): ListedDex[] {
  return dexes.filter(({ collateral }) => collateral.token === token)
}

/** What a token's balance is in all: positions are in it where collateral is shared. */
export function spotTotal(world: World, account: Account, token: number): number {
  const free = account.spot.get(token)?.free ?? 0
  if (!isShared(account)) return free
  const inPerps = dexesOfToken(world, token).map((dex) => {
    const isolated = suppressedIn(account, dex).filter((held) => !isCross(held))
    return crossValue(account, dex) + total(isolated.map(bucketOf))
  })
  return free + total(inPerps)
}

/** What cross positions are covered by together, and what they need. */
interface Pool {
  equity: number
  needed: number
  holdings: Holding[]
}

export function poolOf(world: World, account: Account, dex: ListedDex): Pool {
  const dexes = isShared(account) ? dexesOfToken(world, dex.collateral.token) : [dex]
  const holdings = dexes.flatMap((one) => crossIn(account, one))
  const inPerps = total(dexes.map((one) => crossValue(account, one)))
  const free = isShared(account) ? (account.spot.get(dex.collateral.token)?.free ?? 0) : 0
  const needed = total(holdings.map((held) => maintenanceOf(account, held)))
  return { equity: free + inPerps, needed, holdings }
}

export function liquidationPrice(world: World, account: Account, held: Holding): number | null {
  const { szi, market } = held
  const tiers = tiersOf(account, market)
  const leg = { szi, mark: market.mark, tiers }
  const own = maintenance(valueOf(held), tiers)
  if (!isCross(held)) return liquidationPx(bucketOf(held) - own, leg)
  const { equity, needed } = poolOf(world, account, market.dex)
  return liquidationPx(equity - (needed - maintenanceOf(account, held) + own), leg)
}

/** What could be taken out of a dex. */
export function withdrawable(account: Account, dex: ListedDex): number {
  const cross = crossIn(account, dex)
  const leftBehind = LEAST_LEFT_BEHIND * total(cross.map(valueOf))
  return Math.max(0, crossValue(account, dex) - Math.max(total(cross.map(marginUsed)), leftBehind))
}

interface Summary {
  accountValue: number
  totalNtlPos: number
  totalRawUsd: number
  totalMarginUsed: number
}

export function summaryOf(account: Account, dex: ListedDex, only: 'cross' | 'all'): Summary {
  const all = suppressedIn(account, dex)
  const isolated = only === 'all' ? all.filter((held) => !isCross(held)) : []
  const counted = [...all.filter(isCross), ...isolated]
  return {
    accountValue: crossValue(account, dex) + total(isolated.map(bucketOf)),
    totalNtlPos: total(counted.map(valueOf)),
    totalRawUsd:
      (account.crossUsd.get(dex) ?? 0) + total(isolated.map(({ isolatedUsd }) => isolatedUsd ?? 0)),
    totalMarginUsed: total(counted.map(marginUsed)),
  }
}
