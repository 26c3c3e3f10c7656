/** What the stand-in remembers. Money is USD in doubles, rounded to the millionth after each change, as Lighter counts it. */
export interface Market {
  id: number
  symbol: string
  kind: 'perp' | 'spot'
  status: string
  sizeDecimals: number
  priceDecimals: number
  /** Fractions in 1/10,000 of the value: `maintenance` 120 is 1.2 %. */
  margins: { initial: number; least: number; maintenance: number; closeOut: number }
  mark: number
  index: number
  last: number
  dayBefore: number
  openInterest: number
  dayVolume: number
  /** The rate of an hour in per cent, positive when longs pay. */
  funding: number
  payments: { at: number; rate: number; value: number }[]
}

export interface Position {
  market: Market
  /** Signed; zero for one that was closed, which stays listed. */
  size: number
  /** 1 or −1; it outlives the close. */
  sign: number
  /** What was paid for it, unsigned: the entry price is printed from this. */
  entryQuote: number
  /** The share of the value that its owner chose: 0.05 is a leverage of 20. */
  initialMargin: number
  isolated: boolean
  /** What an isolated one has of its own. */
  allocated: number
  realized: number
  fundingPaid: number
}

export interface Account {
  /** EIP-55. */
  address: string
  index: number
  isSub: boolean
  /** What was set apart for isolated positions is no part of it. */
  collateral: number
  positions: Map<Market, Position>
  /** Oldest first. */
  trades: Trade[]
  payments: Payment[]
}

export interface Trade {
  id: number
  kind: TradeKind
  market: Market
  size: number
  price: number
  askIndex: number
  bidIndex: number
  isMakerAsk: boolean
  at: number
  /** What each side held before it; null for the house, whose position nobody counts. */
  taker: Before
  maker: Before | null
}

export interface Before {
  /** Signed. */
  size: number
  entryQuote: number
  initialMargin: number
  signChanged: boolean
}

/** As docs.allium.so has them (raw trades of Lighter); a test rewrites them to be sure of other words. */
export type TradeKind = 'trade' | 'liquidation' | 'deleverage'

export interface Payment {
  id: number
  market: Market
  /** Positive when the account received it. */
  usd: number
  rate: number
  size: number
  at: number
}

/** What happens at the venue, as it happens. */
export type Event =
  | { is: 'moved'; markets: readonly Market[] }
  | {
      is: 'changed'
      account: Account
      /** Whose positions are told; none where only the collateral has changed. */
      markets: readonly Market[]
      trades: readonly Trade[]
      payments: readonly Payment[]
    }
