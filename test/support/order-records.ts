import { NOON } from './clock.ts'

/** USD per unit, or units, as the venue writes them. */
const fixed = (value: number) => (BigInt(Math.round(value * 1e6)) * 10n ** 12n).toString()

const OPEN_UPPER = (2n ** 255n - 1n).toString()
const UNSET = { priceA: '0', priceB: '0', acceptablePrice: '0' }

const RECORD = {
  orderType: 'Limit',
  accountId: '1',
  marketId: '200',
  chainId: 8008,
  priceRange: UNSET,
  tpPriceRange: UNSET,
  slPriceRange: UNSET,
  hasLimitOrder: true,
  hasTpSlOrder: false,
}

/** An order of two hundred, as a venue of the perps data API lists it: without a limit one at the market. */
export function orderRecord(given: { orderId: number; size: number; limit?: number; status: string }) {
  const { orderId, size, limit, status } = given
  const range = limit === undefined ? UNSET : limitRange(limit, size > 0)
  return {
    ...RECORD,
    orderId,
    status,
    size: fixed(size),
    priceRange: range,
    timestamp: NOON - 600_000 + orderId * 10_000,
  }
}

function limitRange(limit: number, buys: boolean) {
  return buys
    ? { priceA: '1', priceB: fixed(limit), acceptablePrice: fixed(limit) }
    : { priceA: fixed(limit), priceB: OPEN_UPPER, acceptablePrice: fixed(limit) }
}

/** What guards the whole of a long position there. */
export function monitorRecord(given: { orderId: number; takeProfit?: number; stopLoss?: number }) {
  const { orderId, takeProfit, stopLoss } = given
  return {
    ...RECORD,
    ...{
      orderId,
      status: 'LimitExecuted',
      size: (2n ** 127n - 2n).toString(),
      timestamp: NOON - 600_000 + orderId * 10_000,
    },
    ...{ hasLimitOrder: false, hasTpSlOrder: true },
    tpPriceRange:
      takeProfit === undefined
        ? UNSET
        : { priceA: fixed(takeProfit), priceB: OPEN_UPPER, acceptablePrice: '0' },
    slPriceRange:
      stopLoss === undefined ? UNSET : { priceA: '1', priceB: fixed(stopLoss), acceptablePrice: '0' },
  }
}
