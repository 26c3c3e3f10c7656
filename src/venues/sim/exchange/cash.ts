import type { Amount } from '../../../venue/amount.ts'
import { withdrawable } from '../maths/margin.ts'
import { type Account, charged } from './account.ts'
import type { Exchange } from './state.ts'
import { watch } from './watch.ts'

/**
 * Pays USD in. Any debt is paid first, to the pool. Returns false during a liquidation, which would take the
 * money.
 */
export function deposit(exchange: Exchange, account: Account, usd: Amount): boolean {
  if (usd <= 0n || account.isFlagged) return false
  const { collateralUsd, debtUsd } = charged(account, usd)
  exchange.poolUsd += account.debtUsd - debtUsd
  exchange.depositedUsd += usd
  Object.assign(account, { collateralUsd, debtUsd })
  watch(exchange, account)
  return true
}

/** Pays USD out. Returns false if the account cannot spare all of it. */
export function withdraw(exchange: Exchange, account: Account, usd: Amount): boolean {
  const { terms, nowSeconds } = exchange
  if (usd <= 0n || account.isFlagged || usd > withdrawable(terms, account, nowSeconds)) return false
  account.collateralUsd -= usd
  exchange.depositedUsd -= usd
  watch(exchange, account)
  return true
}
