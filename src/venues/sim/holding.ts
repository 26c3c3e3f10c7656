import type { HoldingSpec, MarketSpec } from './catalogue.ts'
import type { FundingState } from './funding.ts'
import type { Isolated } from './isolated.ts'
import type { Replay } from './replay.ts'
import type { Trading } from './trading.ts'

/** A market of the simulated venue, as it is at one market time. */
export interface MarketState {
  key: number
  spec: MarketSpec
  /** Null unless this market's price is recorded. */
  replay: Replay | null
  /** USD, with the factor. */
  price: number
  /** The lowest and the highest price of the last step: with a recording it may hold many of them. */
  low: number
  high: number
  /** A lasting shift of the whole path, set through the control door. */
  factor: number
  noise: number
  funding: FundingState
  trading: Trading
}

export interface Holding {
  /** Tells the holdings apart, for what is drawn by chance. */
  key: number
  spec: HoldingSpec
  market: MarketState
  /** Null while it is liquidated. */
  open: OpenHolding | null
  liquidations: number
  /** Market seconds; Infinity when it stays closed. */
  reopensAt: number
}

export interface OpenHolding extends Isolated {
  liquidationPrice: number | null
  /** Market seconds since the start; negative before it. */
  openedAt: number
  /** Positive was received. */
  fundingUsd: number
}
