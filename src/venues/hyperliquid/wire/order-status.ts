import type { Order, OrderReason, OrderState } from '../../../venue/order.ts'

/**
 * The statuses of orders that the venue ended by itself, and why
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint#query-order-status-by-oid-or-cloid).
 * Public clients know three more: `internalCancel`, `minTradeSpotNtlRejected` and `outcomeSettledCanceled`.
 */
const REASONS: ReadonlyMap<string, OrderReason> = new Map([
  ['marginCanceled', 'margin'],
  ['vaultWithdrawalCanceled', 'vault'],
  ['openInterestCapCanceled', 'cap'],
  ['selfTradeCanceled', 'self-trade'],
  ['reduceOnlyCanceled', 'reduce-only'],
  ['siblingFilledCanceled', 'sibling'],
  ['delistedCanceled', 'delisted'],
  ['liquidatedCanceled', 'liquidated'],
  ['outcomeSettledCanceled', 'settled'],
  ['scheduledCancel', 'scheduled'],
  ['internalCancel', 'venue'],
  ['tickRejected', 'tick'],
  ['minTradeNtlRejected', 'minimum'],
  ['minTradeSpotNtlRejected', 'minimum'],
  ['perpMarginRejected', 'margin'],
  ['reduceOnlyRejected', 'reduce-only'],
  ['badAloPxRejected', 'post-only'],
  ['iocCancelRejected', 'unmatched'],
  ['badTriggerPxRejected', 'trigger'],
  ['marketOrderNoLiquidityRejected', 'liquidity'],
  ['positionIncreaseAtOpenInterestCapRejected', 'cap'],
  ['positionFlipAtOpenInterestCapRejected', 'cap'],
  ['tooAggressiveAtOpenInterestCapRejected', 'cap-price'],
  ['openInterestIncreaseRejected', 'cap'],
  ['insufficientSpotBalanceRejected', 'balance'],
  ['oracleRejected', 'oracle'],
  ['perpMaxPositionRejected', 'max-position'],
])

/** The venue has many statuses for a cancelled or rejected order, with the same endings. */
export function stateOf(status: string): OrderState | null {
  if (status === 'open' || status === 'triggered' || status === 'filled') return status
  if (/cancel(l?ed)?$/i.test(status)) return 'cancelled'
  return /rejected$/i.test(status) ? 'rejected' : null
}

/** Returns why the venue ended an order. A status that is not in the table keeps its own words: `dustRejected` is `dust`. */
export function reasonOf(status: string): Pick<Order, 'reason' | 'note'> {
  const reason = REASONS.get(status)
  if (reason !== undefined) return { reason }
  const name = /^([a-z]\w*?)(?:cancell?ed|cancel|rejected)$/i.exec(status)?.[1]
  return name === undefined ? {} : { note: name.replaceAll(/[A-Z]/g, (sign) => ` ${sign.toLowerCase()}`) }
}
