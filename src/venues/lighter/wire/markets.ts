import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import type { Unusable } from '../../../venue/record/lacking.ts'
import { unusableMarket } from '../../../venue/venue.ts'
import { leaveOut } from '../../http/reply.ts'
import { coin, one, whole } from '../../http/shape.ts'
import {
  amount,
  daily,
  type Day,
  dayOf,
  fraction,
  id,
  integer,
  isPerp,
  ofPercent,
  optional,
  positive,
} from './read.ts'

/** A market's terms and its figures of the day. Fractions are of the notional. */
export interface Listed extends Day {
  id: string
  symbol: string
  isActive: boolean
  /** Newer answers have it, older ones do not. */
  mark: Amount | null
  index: Amount | null
  maintenance: Amount
  /** For a position whose leverage the trader has not chosen. */
  initial: Amount
  takerFee: Amount | null
  makerFee: Amount | null
  openInterest: Amount | null
  trades24h: number | null
}

export interface ListRead {
  listed: Listed[]
  unusable: Unusable[]
}

const envelope = z.object({ order_book_details: z.array(z.unknown()) })

const element = z.object({
  market_id: id,
  symbol: coin,
  status: z.string(),
  maintenance_margin_fraction: fraction,
  default_initial_margin_fraction: fraction,
  mark_price: optional,
  index_price: optional,
  taker_fee: optional,
  maker_fee: optional,
  open_interest: optional,
  ...daily,
  daily_trades_count: integer.nullish().catch(null),
})

/** The word of a market that takes no orders any more. A word that we do not know must not silence a warning. */
const INACTIVE = 'inactive'

const spot = z.union([
  z.object({ market_id: id.refine((market) => !isPerp(market)) }),
  z.object({ market_type: z.string().refine((type) => type !== 'perp') }),
])

/** Reads the answer of `orderBookDetails`, without spot markets. */
export function readList(body: unknown): ListRead {
  const { order_book_details: sent } = whole(envelope, body, 'the markets')
  const listed = new Map<string, Listed>()
  const unusable: Unusable[] = []
  for (const [place, each] of sent.entries()) {
    if (spot.safeParse(each).success) continue
    const parsed = one(element, each)
    if (parsed.is === 'read' && !listed.has(parsed.value.market_id)) {
      listed.set(parsed.value.market_id, listedOf(parsed.value))
      continue
    }
    const name = z.object({ market_id: id }).safeParse(each)
    const what = unusableMarket(name.success ? name.data.market_id : `${place + 1} of ${sent.length}`)
    leaveOut(unusable, { what, why: parsed.is === 'read' ? 'it is listed twice' : parsed.why, part: null })
  }
  return { listed: [...listed.values()], unusable }
}

function listedOf(sent: z.output<typeof element>): Listed {
  return {
    id: sent.market_id,
    symbol: sent.symbol,
    isActive: sent.status !== INACTIVE,
    mark: positive(sent.mark_price),
    index: positive(sent.index_price),
    maintenance: sent.maintenance_margin_fraction,
    initial: sent.default_initial_margin_fraction,
    takerFee: feeOf(sent.taker_fee),
    makerFee: feeOf(sent.maker_fee),
    openInterest: sent.open_interest ?? null,
    ...dayOf(sent),
    trades24h: sent.daily_trades_count ?? null,
  }
}

/** A fee in per cent: a liquidation fee of 1% is written `1.0000`. */
function feeOf(percent: Amount | null | undefined): Amount | null {
  return percent === null || percent === undefined ? null : ofPercent(percent)
}

const rates = z.object({ funding_rates: z.array(z.unknown()) })
const rate = z.object({ market_id: id, exchange: z.literal('lighter'), rate: amount })

/** The venue names rates of eight hours, as fractions, and settles every hour. */
const RATE_HOURS = 8n

/** Reads `funding-rates`, which lists other exchanges too: hourly fractions by market id. */
export function readRates(body: unknown): Map<string, Amount> {
  const { funding_rates: sent } = whole(rates, body, 'the funding rates')
  return new Map(
    sent.flatMap((each): [string, Amount][] => {
      const parsed = rate.safeParse(each)
      return parsed.success ? [[parsed.data.market_id, parsed.data.rate / RATE_HOURS]] : []
    }),
  )
}
