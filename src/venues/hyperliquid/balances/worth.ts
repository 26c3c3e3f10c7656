import type { Account } from '../../../venue/account.ts'
import { type Amount, multiply } from '../../../venue/amount.ts'
import type { SpotBalance, Staking, SubAccountBalance } from '../../../venue/record/balances.ts'
import type { FailedPart } from '../../../venue/record/lacking.ts'
import { accountOf, type Dex } from '../wire/dexes.ts'
import type { Spot, TokenBalance } from '../wire/spot.ts'
import type { Stakes } from './deposits.ts'
import type { SpotPrices } from './prices.ts'
import type { SubAccountRead } from './sub-accounts.ts'

/** How a wallet's tokens count. */
interface Counting {
  /** Null: not known yet. */
  mode: Account['mode'] | null
  /** All dexes in their order, the main one first. */
  listed: readonly Dex[]
  /** The collateral token of a dex; null while that is not known. */
  collateralOf(dex: Dex): number | null
  prices: SpotPrices
}

const NO_MODE = 'how the account counts its collateral is not known yet'

/** A wallet's tokens in USD. Without the account's mode, they may or may not be in the equity of its positions. */
export function spotOf(
  { spot, tokens }: { spot: Spot; tokens: readonly TokenBalance[] },
  counting: Counting,
): { spot: SpotBalance[]; failed: FailedPart[] } {
  const { mode, prices } = counting
  if (mode === null) return { spot: [], failed: ['perps', 'spot'].map((part) => ({ part, why: NO_MODE })) }
  const found = tokens.map((one) => ({ one, pool: poolOf(one.token, mode, spot, counting) }))
  return {
    spot: found.flatMap(({ one, pool }) =>
      pool === undefined ? [] : [{ token: one.name, amount: one.total, usd: usdOf(one, prices), pool }],
    ),
    failed: found.some(({ pool }) => pool === undefined)
      ? [{ part: 'spot', why: 'which tokens are collateral is not known yet' }]
      : [],
  }
}

/** The pool of accounts that a token is collateral of; undefined while that is not known of every dex. */
function poolOf(
  token: number | null,
  mode: Account['mode'],
  { lentAgainst }: Spot,
  { listed, collateralOf }: Counting,
): string | null | undefined {
  if (mode === 'single' || token === null) return null
  const first = listed.find((dex) => collateralOf(dex) === token)
  if (mode === 'portfolio' && (first !== undefined || lentAgainst.includes(token))) return accountOf(null)
  if (first !== undefined) return accountOf(first)
  return listed.every((dex) => collateralOf(dex) !== null) ? null : undefined
}

function usdOf({ token, total }: TokenBalance, { usd }: SpotPrices): Amount | null {
  if (token === 0) return total
  const price = token === null ? undefined : usd.get(token)
  return price === undefined ? null : multiply(total, price)
}

/** Null: nothing is staked. */
export function stakingOf({ staked, leaving }: Stakes, { usd, hype }: SpotPrices): Staking | null {
  if (staked + leaving === 0n) return null
  const price = hype === null ? undefined : usd.get(hype)
  return {
    ...{ token: 'HYPE', staked, leaving },
    usd: price === undefined ? null : multiply(staked + leaving, price),
  }
}

/** Where spot is the collateral, it has the equity of the perpetuals already. */
export function subAccountOf(
  { wallet, name, positions, money }: SubAccountRead,
  prices: SpotPrices,
): SubAccountBalance {
  if (money === null) return { wallet, name, positions, equityUsd: null, unpriced: [] }
  const valued = money.tokens.map((one) => ({ name: one.name, usd: usdOf(one, prices) }))
  const spot = valued.reduce((sum, { usd }) => sum + (usd ?? 0n), 0n)
  return {
    ...{ wallet, name, positions, equityUsd: (money.mode === 'single' ? money.perps : 0n) + spot },
    unpriced: valued.flatMap((one) => (one.usd === null ? [one.name] : [])),
  }
}
