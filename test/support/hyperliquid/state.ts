import type { Outside } from './outside.ts'

/** What the stand-in remembers. */
export interface ListedDex {
  /** Empty for the main one. */
  name: string
  fullName: string
  deployer: string
  oracleUpdater: string | null
  feeRecipient: string | null
  /** What its values are counted in. */
  collateral: { token: number; coin: string }
  marginTables: Map<number, { description: string; tiers: { from: number; leverage: number }[] }>
  /** Delisted ones keep their place. */
  markets: Market[]
}

export interface Market {
  dex: ListedDex
  name: string
  szDecimals: number
  maxLeverage: number
  marginTableId: number
  strictIsolated: boolean
  delisted: boolean
  /** What else `universe` says of a market of a builder dex. */
  more: Record<string, unknown>
  mark: number
  oracle: number
  prevDay: number
  /** The fraction of an hour, positive when longs pay. */
  fundingRate: number
  premium: number
  openInterest: number
  dayNotional: number
  dayVolume: number
  /** Since when the oracle has been at this price: a delisting settles at an average. */
  oracles: { at: number; price: number }[]
  payments: { rate: number; premium: number; at: number }[]
}

export interface Holding {
  market: Market
  /** Signed. */
  szi: number
  /** What was paid for it, unsigned: the entry price is printed from this. */
  entryNotional: number
  leverage: number
  /** USD in its own bucket, the price of the position taken off; null when cross. */
  isolatedUsd: number | null
  /** Positive when the user paid. */
  funding: { allTime: number; sinceOpen: number; sinceChange: number }
}

export type Mode = 'default' | 'disabled' | 'dexAbstraction' | 'unifiedAccount' | 'portfolioMargin'
export type Role =
  | { role: 'missing' | 'user' | 'vault' }
  | { role: 'agent'; data: { user: string } }
  | { role: 'subAccount'; data: { master: string } }

export interface Account {
  /** Lower case. */
  address: string
  mode: Mode
  role: Role
  /** By dex: what crosses share, the price of their positions taken off. */
  crossUsd: Map<ListedDex, number>
  holdings: Holding[]
  /** Tokens that no position takes up, by token. */
  spot: Map<number, { coin: string; free: number; entryNotional: number }>
  outside: Outside
  leverages: Map<Market, { value: number; isolated: boolean }>
  /** Maintenance by this leverage and without tiers, as vaults of the venue have it; null for the market's. */
  maxLeverage: number | null
  fees: { taker: number; maker: number }
  orders: Order[]
  /** Newest last. */
  history: OrderEntry[]
  fills: Fill[]
  payments: Payment[]
  /** Those that wait for their trigger or run. */
  twaps: Twap[]
  /** One for each change of a TWAP's status, newest last. */
  twapEntries: TwapEntry[]
  /** Newest last: whatever moved money and is neither a fill nor funding. */
  ledger: LedgerRow[]
  /** Monotonic: until then a liquidation takes whole positions. */
  wholeUntil: number
}

export type Side = 'B' | 'A'

export interface Order {
  oid: number
  market: Market
  side: Side
  limit: number
  /** What is left of it. */
  sz: number
  origSz: number
  at: number
  reduceOnly: boolean
  trigger: { price: number; above: boolean; is: 'Take Profit' | 'Stop'; market: boolean } | null
  /** The trigger that has sent it as a market order. The venue goes on naming it. */
  triggered: Order['trigger']
  /** Closes the whole position, however large. */
  positionTpsl: boolean
  tif: 'Gtc' | 'Ioc' | 'Alo' | 'FrontendMarket' | null
  cloid: string | null
  children: Order[]
  /** Waits until this one is filled. */
  parent: Order | null
}

/** https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint#query-order-status-by-oid-or-cloid */
export type OrderStatus =
  | ('open' | 'filled' | 'canceled' | 'triggered' | 'rejected')
  | ('marginCanceled' | 'vaultWithdrawalCanceled' | 'openInterestCapCanceled' | 'selfTradeCanceled')
  | ('reduceOnlyCanceled' | 'siblingFilledCanceled' | 'delistedCanceled' | 'liquidatedCanceled')
  | ('scheduledCancel' | 'internalCancel')
  | ('tickRejected' | 'minTradeNtlRejected' | 'perpMarginRejected' | 'reduceOnlyRejected')
  | ('badAloPxRejected' | 'iocCancelRejected' | 'badTriggerPxRejected' | 'marketOrderNoLiquidityRejected')
  | ('positionIncreaseAtOpenInterestCapRejected' | 'positionFlipAtOpenInterestCapRejected')
  | ('tooAggressiveAtOpenInterestCapRejected' | 'openInterestIncreaseRejected')
  | ('insufficientSpotBalanceRejected' | 'oracleRejected' | 'perpMaxPositionRejected')

export interface OrderEntry {
  /** The order as it was then, as JSON: on a cancel its size stays at what was left. */
  order: Record<string, unknown>
  status: OrderStatus
  at: number
}

export interface Liquidation {
  liquidatedUser: string
  mark: number
  method: 'market' | 'backstop'
}

export interface Fill {
  market: Market
  price: number
  sz: number
  side: Side
  at: number
  startPosition: number
  dir: string
  closedPnl: number
  hash: string
  oid: number
  crossed: boolean
  fee: number
  tid: number
  liquidation: Liquidation | null
  /** The TWAP that it is a slice of; such a fill is not among the others. */
  twapId: number | null
}

export interface Twap {
  id: number
  market: Market
  side: Side
  sz: number
  executedSz: number
  executedNtl: number
  minutes: number
  reduceOnly: boolean
  randomize: boolean
  at: number
  trigger: { px: number; above: boolean } | null
  /** The mark price at which it is stopped: a most for a buyer, a least for a seller. */
  stopPx: number | null
  /** Wall time of its activation; null while it waits for its trigger. */
  runsSince: number | null
  /** Slices so far, filled or not. */
  sent: number
  /** Nobody takes the other side: its slices stay unfilled. A test may turn this at any time. */
  starves: boolean
}

export type TwapStatus = 'waitingForTrigger' | 'activated' | 'finished' | 'terminated' | 'stopped' | 'error'

export interface TwapEntry {
  /** The TWAP as it was at this change, as JSON. */
  state: Record<string, unknown>
  status: { status: TwapStatus; description?: string }
  at: number
  id: number
}

export interface LedgerRow {
  at: number
  hash: string
  /** As the venue writes it. */
  delta: { type: string; [field: string]: unknown }
}

export interface Payment {
  market: Market
  /** Positive when the account received it. */
  usd: number
  szi: number
  rate: number
  at: number
  hash: string
}
