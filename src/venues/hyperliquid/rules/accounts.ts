import type { Account } from '../../../venue/account.ts'
import { type Amount, divide, multiply, toNumber } from '../../../venue/amount.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { accountOf, type Dex } from '../wire/dexes.ts'
import type { Spot } from '../wire/spot.ts'
import type { DexState } from '../wire/state.ts'

/** The token number of USDC. Each dex counts in one token, and all of them are dollars. */
const USDC_TOKEN = 0
/** At this portfolio ratio the venue takes the account over. */
const PORTFOLIO_RATIO_LIMIT = 0.95

/** A dex as it was read, with its collateral token. */
export interface Counted {
  state: DexState
  collateral: number
}

/**
 * Returns one account for each dex. With shared collateral, a dex's own equity means nothing (it may be 0
 * beside a million of spot). Each account then shows the shared total, so never add them up. Without `whole`,
 * some dex with positions is missing and the others' maintenance is unknown. `first` names the pool of a
 * token after a dex that exists even if the wallet has nothing in it.
 */
export function accountsOf(
  wallet: Wallet,
  mode: Account['mode'],
  dexes: readonly Counted[],
  spot: Spot | null,
  whole = true,
  first: (collateral: number) => Dex = (token) =>
    dexes.find(({ collateral }) => collateral === token)?.state.dex ?? null,
): Account[] {
  return dexes.map(({ state, collateral }): Account => {
    const accountId = accountOf(state.dex)
    const pools = { single: accountId, unified: accountOf(first(collateral)), portfolio: accountOf(null) }
    const account = { wallet, accountId, pool: pools[mode], mode }
    if (mode === 'single') {
      return {
        ...account,
        equityUsd: state.equity,
        maintenanceUsd: state.crossMaintenance,
        marginRatio: ratioOf(state.crossMaintenance, state.crossEquity),
        withdrawableUsd: state.withdrawable,
      }
    }
    const total = spot?.totals.get(collateral) ?? 0n
    const shared = { ...account, equityUsd: total > 0n ? total : null, withdrawableUsd: null }
    if (mode === 'unified') {
      const same = dexes.filter((other) => other.collateral === collateral)
      const isolated = isolatedOf(same)
      const needed = sum(same.map((other) => other.state.crossMaintenance))
      return {
        ...shared,
        maintenanceUsd: whole ? needed : null,
        marginRatio: spot && whole && isolated !== null ? ratioOf(needed, total - isolated) : null,
      }
    }
    const left = spot?.afterMaintenance.get(USDC_TOKEN)
    const inUsdc = spot?.totals.get(USDC_TOKEN)
    return {
      ...shared,
      // Other tokens count too, at prices that the answer does not have.
      equityUsd: spot && spot.lentAgainst.length === 0 ? shared.equityUsd : null,
      maintenanceUsd: left === undefined || inUsdc === undefined ? null : inUsdc - left,
      marginRatio:
        spot?.portfolioRatio == null ? null : toNumber(spot.portfolioRatio) / PORTFOLIO_RATIO_LIMIT,
    }
  })
}

/** The equity of a dex, its part that no price moves, and what is held in it. */
export interface Funds {
  equity: Amount
  cash: Amount
  sizes: string
}

export function fundsIn({ equity, held }: DexState): Funds {
  const worth = sum(held.map(({ position, mark }) => multiply(position.size, mark)))
  const sizes = held.map(({ position: { marketId, size } }) => `${marketId} ${size}`).join()
  return { equity, cash: equity - worth, sizes }
}

/** Whether most of the equity is gone while the positions are the same: no price has taken it. */
export function haveLeft(before: Funds, now: Funds): boolean {
  return before.sizes === now.sizes && 2n * (before.cash - now.cash) > before.equity && before.equity > 0n
}

/** The margin of isolated positions: it covers nothing else. Null if the venue does not say all of it. */
export function isolatedOf(dexes: readonly Counted[]): Amount | null {
  const held = dexes.flatMap(({ state }) => state.held)
  const isolated = held.filter(({ position }) => position.margin !== 'cross')
  const known = isolated.flatMap(({ position, marginUsed }) =>
    position.margin === null ? [] : (marginUsed ?? []),
  )
  return known.length < isolated.length ? null : sum(known)
}

export function ratioOf(maintenance: Amount, equity: Amount): number {
  if (maintenance <= 0n) return 0
  // Nothing is left to cover the positions: the ratio is at its end.
  return equity <= 0n ? 1 : toNumber(divide(maintenance, equity))
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, amount) => all + amount, 0n)
}
