import type { Status } from '../perps-data/wire/orders.ts'
import type { HoldingSpec } from './catalogue.ts'
import { CHAIN_ID } from './wire/figures.ts'
import { fixed } from './wire.ts'
import type { Holding } from './holding.ts'

/** The open upper end of a price range: 2^255 − 1. */
const OPEN_END = { text: (2n ** 255n - 1n).toString(), number: 5.78960446186581e58 }
/** The size that stands for the whole position: 2^127 − 2. */
const WHOLE = (2n ** 127n - 2n).toString()
const OPEN_LOWER = { text: '1', number: 1e-18 }
const SLIPPAGE = 0.05
const THIRTY_DAYS = 30 * 86_400

type End = { text: string; number: number }

/** The limit orders that an owner left: one resting far below, one that has run out, one under way. */
const RESTING: readonly { status: Status; at: number; share: number; hoursBefore: number }[] = [
  { status: 'LimitSubmitted', at: 0.7, share: 0.5, hoursBefore: 30 },
  { status: 'Expired', at: 0.6, share: 0.25, hoursBefore: 900 },
  { status: 'Committed', at: 0.75, share: 0.1, hoursBefore: 5 },
]

/** All order records of an owner's holdings. `unix` turns market seconds since the start into unix seconds. */
export function orderRecords(holdings: readonly Holding[], unix: (seconds: number) => number) {
  const active = holdings.map((holding) => takeProfitRecord(holding, unix)).filter((order) => order !== null)
  const first = holdings[0]
  if (!first) return active
  const resting = RESTING.map(({ status, at, share, hoursBefore }, index) => {
    const limit = round(first.market.spec.basePrice * at)
    return record(first.spec, first.market.spec.id, {
      orderId: 7_000 + index,
      status,
      size: fixed(round(Math.abs(first.spec.size) * share)),
      priceRange: range(OPEN_LOWER, end(limit), limit * (1 + SLIPPAGE)),
      tpPriceRange: unset(),
      placedUnix: unix(-hoursBefore * 3600),
      expiresUnix: status === 'Expired' ? unix(-hoursBefore * 1800) : null,
    })
  })
  return [...resting, ...active]
}

/** The take-profit of an open position; an active one says `LimitExecuted`. Null when there is none. */
export function takeProfitRecord({ spec, market, open }: Holding, unix: (seconds: number) => number) {
  if (!open || spec.takeProfitAt === null) return null
  const trigger = round(market.spec.basePrice * spec.takeProfitAt)
  const [long, sign] = [open.size > 0, Math.sign(open.size)]
  const [lower, upper] = long
    ? [end(trigger), { text: OPEN_END.text, number: OPEN_END.number }]
    : [OPEN_LOWER, end(trigger)]
  return record(spec, market.spec.id, {
    orderId: 8_000 + Number(market.spec.id),
    status: 'LimitExecuted',
    size: long ? WHOLE : `-${WHOLE}`,
    priceRange: unset(),
    tpPriceRange: range(lower, upper, trigger * (1 - sign * SLIPPAGE)),
    placedUnix: unix(open.openedAt),
    expiresUnix: null,
  })
}

function record(
  spec: HoldingSpec,
  marketId: string,
  order: {
    orderId: number
    status: Status
    size: string
    priceRange: ReturnType<typeof range>
    tpPriceRange: ReturnType<typeof range>
    placedUnix: number
    /** Null for the usual thirty days. */
    expiresUnix: number | null
  },
) {
  const guards = order.status === 'LimitExecuted'
  const placedUnix = Math.floor(order.placedUnix)
  return {
    orderType: 'Limit',
    user: spec.owner,
    accountId: spec.accountId,
    marketId,
    chainId: CHAIN_ID,
    size: order.size,
    signature: null,
    expiry: Math.floor(order.expiresUnix ?? placedUnix + THIRTY_DAYS) * 1000,
    priceRange: order.priceRange,
    tpPriceRange: order.tpPriceRange,
    slPriceRange: unset(),
    status: order.status,
    orderId: order.orderId,
    onchain: false,
    hasLimitOrder: !guards,
    hasTpSlOrder: guards,
    tpSlExecutionType: null,
    limitOrderExecutionDetails: null,
    tpslOrderExecutionDetails: null,
    submissionTxDetails: null,
    updateTxDetails: null,
    timestamp: placedUnix * 1000,
  }
}

function range(lower: End, upper: End, acceptable: number) {
  const acceptableNum = round(acceptable)
  return {
    priceA: lower.text,
    priceB: upper.text,
    acceptablePrice: fixed(acceptableNum),
    priceANum: lower.number,
    priceBNum: upper.number,
    acceptablePriceNum: acceptableNum,
  }
}

function unset() {
  return range({ text: '0', number: 0 }, { text: '0', number: 0 }, 0)
}

function end(price: number): End {
  return { text: fixed(price), number: price }
}

function round(value: number): number {
  return Number(value.toPrecision(8))
}
