import type { Account } from '../../../venue/account.ts'
import { type Amount, divide, toNumber } from '../../../venue/amount.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import { accountOf, type Dex } from '../wire/dexes.ts'
import type { Spot } from '../wire/spot.ts'
import type { DexState } from '../wire/state.ts'

/** The venue's own dollars. A book counts in one token, and all of those are dollars. */
const USDC = 0
/** At this share of itself the venue takes a portfolio account over. */
const PORTFOLIO_END = 0.95

/** A book as it was read, with the token that it counts in. */
export interface Counted {
  state: DexState
  collateral: number
}

/**
 * The accounts beside the positions, one for each book. Where collateral lies outside of the books their own equity says
 * nothing (it may be 0 beside a million), and all accounts share what there is: it is said of each, never to be added. Unless
 * the books are all of those in which something is held (`whole`), what the others need is not known. `first` is the book that
 * is named for all that count in a token: one that is there whatever the wallet holds.
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
      const needed = sum(same.map((other) => other.state.crossMaintenance))
      return {
        ...shared,
        maintenanceUsd: whole ? needed : null,
        marginRatio: spot && whole ? ratioOf(needed, total - isolatedOf(same)) : null,
      }
    }
    const left = spot?.afterMaintenance.get(USDC)
    const inUsdc = spot?.totals.get(USDC)
    return {
      ...shared,
      // Other tokens count as well, at prices that the answer does not have.
      equityUsd: spot && spot.lentAgainst.length === 0 ? shared.equityUsd : null,
      maintenanceUsd: left === undefined || inUsdc === undefined ? null : inUsdc - left,
      marginRatio: spot?.portfolioRatio == null ? null : toNumber(spot.portfolioRatio) / PORTFOLIO_END,
    }
  })
}

/** What lies in the buckets of isolated positions: it covers nothing else. */
export function isolatedOf(dexes: readonly Counted[]): Amount {
  return sum(
    dexes.flatMap(({ state }) =>
      state.held.filter(({ position }) => position.margin === 'isolated').map(({ marginUsed }) => marginUsed),
    ),
  )
}

/** Maintenance over equity. */
export function ratioOf(maintenance: Amount, equity: Amount): number {
  if (maintenance <= 0n) return 0
  // Nothing is left to cover it: it is at its end.
  return equity <= 0n ? 1 : toNumber(divide(maintenance, equity))
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((all, amount) => all + amount, 0n)
}
