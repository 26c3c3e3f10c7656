import type { Amount } from '../../../venue/amount.ts'
import { withdrawable } from '../maths/margin.ts'
import { type Account, charged } from './account.ts'
import type { Exchange } from './state.ts'
import { watch } from './watch.ts'

/** USD from outside. A debt is paid first: that part is the pool's. False for one that is being liquidated: it would be lost. */
export function deposit(exchange: Exchange, account: Account, usd: Amount): boolean {
  if (usd <= 0n || account.isFlagged) return false
  const { collateralUsd, debtUsd } = charged(account, usd)
  exchange.poolUsd += account.debtUsd - debtUsd
  exchange.depositedUsd += usd
  Object.assign(account, { collateralUsd, debtUsd })
  watch(exchange, account)
  return true
}

/** USD to outside, if the account can spare all of it. */
export function withdraw(exchange: Exchange, account: Account, usd: Amount): boolean {
  const { terms, nowSeconds } = exchange
  if (usd <= 0n || account.isFlagged || usd > withdrawable(terms, account, nowSeconds)) return false
  account.collateralUsd -= usd
  exchange.depositedUsd -= usd
  watch(exchange, account)
  return true
}
