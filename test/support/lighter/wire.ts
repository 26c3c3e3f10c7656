import { crossOf, liquidationPrice, money, profitOf, totalOf, valueOf } from './figures.ts'
import type { Account, Before, Market, Payment, Position, Trade, TradeKind } from './state.ts'

export type Json = Record<string, unknown>

/** As older bodies are: without the requirements of an account and the funding of a position. */
type Age = 'newer' | 'older'

/** Money of six decimals, as it is written nearly everywhere. */
const usd = (value: number) => value.toFixed(6)
/** A double as it is, artefacts included: `15298.072264000002`, and `0` for nothing. */
const raw = (value: number) => String(value)

/** An account without its positions, as `accountsByL1Address` has it. */
export function subAccountJson(account: Account): Json {
  const { index, isSub, address, collateral, trades } = account
  const { equity, initial } = crossOf(account)
  return {
    code: 0,
    account_type: isSub ? 1 : 0,
    index,
    l1_address: address,
    cancel_all_time: 0,
    total_order_count: 0,
    total_isolated_order_count: 0,
    pending_order_count: 0,
    available_balance: usd(Math.max(0, equity - initial)),
    // As recorded: 0 for one that was never used.
    status: collateral === 0 && trades.length === 0 ? 0 : 1,
    collateral: usd(collateral),
  }
}

/** `activeOnly` leaves out closed positions (not seen). */
export function accountJson(account: Account, age: Age, activeOnly = false): Json {
  const listed = [...account.positions.values()].filter(({ size }) => size !== 0 || !activeOnly)
  const { equity, initial, maintenance } = crossOf(account)
  const requirements = {
    cross_initial_margin_requirement: usd(initial),
    cross_maintenance_margin_requirement: usd(maintenance),
  }
  return {
    ...subAccountJson(account),
    account_index: account.index,
    ...{ name: '', description: '', can_invite: true, referral_points_percentage: '' },
    positions: listed.map((held) => positionJson(account, held, age)),
    assets: [],
    total_asset_value: raw(totalOf(account)),
    cross_asset_value: raw(equity),
    ...(age === 'newer' ? requirements : {}),
    shares: [],
  }
}

export function positionJson(account: Account, held: Position, age: Age): Json {
  const { market, size, sign, entryQuote, initialMargin, isolated, allocated, realized, fundingPaid } = held
  // Left out while nothing was paid. Whether the positive sign is what was paid is unsure.
  const newer = {
    ...(fundingPaid === 0 ? {} : { total_funding_paid_out: usd(fundingPaid) }),
    total_discount: usd(0),
  }
  return {
    market_id: market.id,
    symbol: market.symbol,
    initial_margin_fraction: (initialMargin * 100).toFixed(2),
    open_order_count: 0,
    pending_order_count: 0,
    position_tied_order_count: 0,
    // Of a closed one: not seen.
    sign,
    position: Math.abs(size).toFixed(market.sizeDecimals),
    avg_entry_price: (size === 0 ? 0 : entryQuote / Math.abs(size)).toFixed(market.priceDecimals),
    position_value: usd(valueOf(held)),
    unrealized_pnl: usd(profitOf(held)),
    realized_pnl: usd(realized),
    liquidation_price: raw(liquidationPrice(account, held) ?? 0),
    margin_mode: isolated ? 1 : 0,
    allocated_margin: usd(allocated),
    ...(age === 'newer' ? newer : {}),
  }
}

/** Keys of what is nothing are left out (nautilus_lighter). Fees are none here. */
export function tradeJson({ id, kind, market, size, price, ...trade }: Trade): Json {
  return {
    trade_id: id,
    type: kind satisfies TradeKind,
    market_id: market.id,
    size: size.toFixed(market.sizeDecimals),
    price: price.toFixed(market.priceDecimals),
    usd_amount: usd(size * price),
    ask_account_id: trade.askIndex,
    bid_account_id: trade.bidIndex,
    is_maker_ask: trade.isMakerAsk,
    timestamp: trade.at,
    // Microseconds.
    transaction_time: trade.at * 1_000,
    ...beforeJson('taker', trade.taker, market),
    ...(trade.maker ? beforeJson('maker', trade.maker, market) : {}),
  }
}

function beforeJson(side: string, before: Before, { sizeDecimals }: Market): Json {
  const { size, entryQuote, initialMargin, signChanged } = before
  const held = {
    [`${side}_position_size_before`]: size.toFixed(sizeDecimals),
    [`${side}_entry_quote_before`]: usd(entryQuote),
  }
  return {
    ...(size === 0 ? {} : held),
    [`${side}_initial_margin_fraction_before`]: Math.round(initialMargin * 10_000),
    ...(signChanged ? { [`${side}_position_sign_changed`]: true } : {}),
  }
}

/** The unit of its time is not seen: seconds, as in `fundings`. */
export function paymentJson({ id, market, usd: received, rate, size, at }: Payment): Json {
  return {
    timestamp: Math.floor(at / 1_000),
    market_id: market.id,
    funding_id: id,
    change: usd(received),
    rate: String(rate),
    position_size: Math.abs(size).toFixed(market.sizeDecimals),
    position_side: size > 0 ? 'long' : 'short',
  }
}

/** Newer bodies carry the prices of the mark and the index as well (one public client reads them there). */
export function marketJson(market: Market, age: Age): Json {
  const { id, symbol, kind, status, sizeDecimals, priceDecimals, margins, last } = market
  return {
    ...{ symbol, market_id: id },
    // Not seen in a body: newer ones tell spot apart by it.
    ...(kind === 'spot' ? { market_type: 'spot' } : {}),
    ...{ status, taker_fee: '0.0000', maker_fee: '0.0000', liquidation_fee: '1.0000' },
    min_base_amount: (10 ** -sizeDecimals * 50).toFixed(4),
    min_quote_amount: '10.000000',
    order_quote_limit: '',
    ...{ supported_size_decimals: sizeDecimals, supported_price_decimals: priceDecimals },
    supported_quote_decimals: 6,
    ...{ size_decimals: sizeDecimals, price_decimals: priceDecimals, quote_multiplier: 1 },
    default_initial_margin_fraction: margins.initial,
    min_initial_margin_fraction: margins.least,
    maintenance_margin_fraction: margins.maintenance,
    closeout_margin_fraction: margins.closeOut,
    last_trade_price: last,
    daily_trades_count: 1_197_349,
    ...dailyJson(market),
    open_interest: market.openInterest,
    ...(age === 'newer' ? pricesJson(market) : {}),
    daily_chart: {},
    market_config: {
      ...{ market_margin_mode: 0, insurance_fund_account_index: 281_474_976_710_655, liquidation_mode: 0 },
      ...{ force_reduce_only: false, trading_hours: '' },
    },
  }
}

/**
 * In `market_stats` most figures are texts, and those of the day are numbers. Rates are in per cent of an hour, the coming
 * one and the last settled one; `fundingAt` is when that was (nautilus_lighter, df-lighter-core).
 */
export function statsJson(market: Market, fundingAt: number): Json {
  const { id, openInterest, last, funding, payments, priceDecimals, sizeDecimals } = market
  return {
    market_id: id,
    ...pricesJson(market),
    open_interest: openInterest.toFixed(sizeDecimals),
    last_trade_price: last.toFixed(priceDecimals),
    current_funding_rate: funding.toFixed(4),
    funding_rate: (payments.at(-1)?.rate ?? funding).toFixed(4),
    funding_timestamp: fundingAt,
    ...dailyJson(market),
  }
}

function pricesJson({ index, mark, priceDecimals }: Market): Json {
  return { index_price: index.toFixed(priceDecimals), mark_price: mark.toFixed(priceDecimals) }
}

function dailyJson({ last, dayBefore, dayVolume }: Market): Json {
  return {
    daily_base_token_volume: dayVolume,
    daily_quote_token_volume: dayVolume * last,
    daily_price_low: Math.min(last, dayBefore),
    daily_price_high: Math.max(last, dayBefore),
    daily_price_change: (last / dayBefore - 1) * 100,
  }
}

/** Nobody has recorded a frame: the keys are documented, and the sums are ours. */
export function userStatsJson(account: Account): Json {
  const { held, equity, initial } = crossOf(account)
  const open = [...account.positions.values()].filter(({ size }) => size !== 0)
  const all = {
    initial: open.reduce((sum, one) => sum + valueOf(one) * one.initialMargin, 0),
    value: open.reduce((sum, one) => sum + valueOf(one), 0),
  }
  const set = open.reduce((sum, one) => sum + one.allocated, 0)
  const cross = held.reduce((sum, one) => sum + valueOf(one), 0)
  const total = totalOf(account)
  return {
    ...split(money(account.collateral + set), total, all.initial, all.value),
    cross_stats: split(account.collateral, equity, initial, cross),
    total_stats: split(money(account.collateral + set), total, all.initial, all.value),
  }
}

function split(collateral: number, worth: number, initial: number, value: number): Json {
  const available = Math.max(0, worth - initial)
  return {
    collateral: usd(collateral),
    portfolio_value: usd(worth),
    leverage: (worth > 0 ? value / worth : 0).toFixed(2),
    available_balance: usd(available),
    margin_usage: (worth > 0 ? (initial / worth) * 100 : 0).toFixed(2),
    // At five per cent of margin.
    buying_power: usd(available * 20),
  }
}
