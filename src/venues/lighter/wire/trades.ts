import { z } from 'zod'

import { type Amount, divide, magnitude, ONE } from '../../../venue/amount.ts'
import { amount, optional, id, integer, isPerp, positive } from './read.ts'

/** One trade as an account saw it. */
export interface Trade {
  /** Trades of a later moment have a higher one. */
  id: number
  marketId: string
  side: 'buy' | 'sell'
  /** Unsigned base units. */
  size: Amount
  price: Amount
  /** The venue's own word: `trade`, `liquidation`, `deleverage`, `market-settlement`. */
  kind: string
  /** Whether the account's order had waited for the other one; null: not said. */
  isMaker: boolean | null
  /** Unix milliseconds. */
  at: number
  /** The account's position before. Null: not said. */
  before: Before | null
  /** The result of this trade, if the venue says it. */
  realised: Amount | null
  /** A fraction of the notional; null: not said. */
  fee: Amount | null
}

interface Before {
  /** Below zero is short. Above zero may be either: it is not documented that sizes are signed. */
  size: Amount
  /** The trade ended the position or changed its side. */
  turned: boolean
  entryPrice: Amount | null
}

const element = z.object({
  trade_id: integer.refine((number) => number >= 0),
  type: z.string(),
  market_id: id,
  size: amount.refine((size) => size > 0n),
  price: amount.refine((price) => price > 0n),
  ask_account_id: id,
  bid_account_id: id,
  is_maker_ask: z.boolean().nullish().catch(null),
  timestamp: integer.refine((time) => time > 0),
  ask_account_pnl: optional,
  bid_account_pnl: optional,
})

/** The same four fields for the taker and the maker. The venue leaves out zeros, empty texts and false. */
const own = z.object({
  fee: optional,
  before: optional,
  quote: optional,
  turned: z.boolean().nullish().catch(null),
})

/** The most trades of one frame that are read. */
const MAX_TRADES = 2_000
/** From here on a time is in milliseconds. Old examples of the documentation have seconds. */
const MILLISECONDS_FROM = 1e11

/**
 * Reads the trades of an account: a list, or lists by market id. Leaves out what cannot be read, trades of others
 * and spot: trades only say how a position ended, never what is open.
 */
export function readTrades(sent: unknown, account: string): Trade[] {
  const lists: unknown[] = Array.isArray(sent) ? [sent] : Object.values(fieldsOf(sent))
  return lists
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : [list]))
    .slice(0, MAX_TRADES)
    .flatMap((each) => readTrade(each, account) ?? [])
}

function readTrade(each: unknown, account: string): Trade | null {
  const parsed = element.safeParse(each)
  if (!parsed.success || !isPerp(parsed.data.market_id)) return null
  const sent = parsed.data
  const isAsk = sent.ask_account_id === account
  // A trade of an account with itself changes nothing.
  if (isAsk === (sent.bid_account_id === account)) return null
  const isMaker = typeof sent.is_maker_ask === 'boolean' ? sent.is_maker_ask === isAsk : null
  return {
    id: sent.trade_id,
    marketId: sent.market_id,
    side: isAsk ? 'sell' : 'buy',
    size: sent.size,
    price: sent.price,
    kind: sent.type,
    isMaker,
    at: sent.timestamp < MILLISECONDS_FROM ? sent.timestamp * 1_000 : sent.timestamp,
    ...ownOf(fieldsOf(each), isMaker),
    realised: (isAsk ? sent.ask_account_pnl : sent.bid_account_pnl) ?? null,
  }
}

/** Fees are whole numbers of millionths. */
function ownOf(fields: Record<string, unknown>, isMaker: boolean | null): Pick<Trade, 'before' | 'fee'> {
  if (isMaker === null) return { before: null, fee: null }
  const who = isMaker ? 'maker' : 'taker'
  const { fee, before, quote, turned } = own.parse({
    fee: fields[`${who}_fee`],
    before: fields[`${who}_position_size_before`],
    quote: fields[`${who}_entry_quote_before`],
    turned: fields[`${who}_position_sign_changed`],
  })
  const paid = (fee ?? 0n) / 1_000_000n
  if (before === null || before === undefined) return { before: null, fee: paid }
  const entry = positive(quote && magnitude(quote))
  return {
    fee: paid < ONE ? paid : null,
    before: {
      size: before,
      turned: turned === true,
      entryPrice: entry === null || before === 0n ? null : divide(entry, magnitude(before)),
    },
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
