import { type Wallet, parseWallet } from '../../../venue/wallet.ts'
import type { Mood, Swing } from './path.ts'

/** One invented market, with the proportions of a real one. */
export interface MarketSpec {
  id: string
  symbol: string
  /** USD, before any swing. */
  basePrice: number
  skewScale: number
  maxSize: number
  maxValueUsd: number
  /** Base asset. 0 in a market with a skew puts all open interest on one side. */
  openInterest: number
  makerFee: number
  takerFee: number
  trades24h: number
  volume24hUsd: number
  mood: Mood
  swing: Swing
}

/** A position of one of the venue's own wallets, also for opening it again. */
export interface HoldingSpec {
  wallet: Wallet
  symbol: string
  /** Base asset; < 0 is short. */
  size: number
  /** Its liquidation price, as a fraction of the market's base price. */
  liquidationAt: number
  /** Its first entry price, as a fraction of the base price. */
  enteredAt: number
  reopens: boolean
  /** As a fraction of the base price; null without a take profit. */
  takeProfitAt: number | null
}

const major = { maxVelocity: 9 }
const minor = { maxVelocity: 24 }
const fees = { makerFee: 0.0005, takerFee: 0.0008 }
const ethFees = { makerFee: 0.0002, takerFee: 0.0005 }
const small = { maxValueUsd: 107_000, ...fees }

/**
 * 45 market hours are four and a half real minutes at the demo's 600-fold speed. The four lively markets
 * start a quarter of a period apart.
 */
const lively = (squeezes: 'longs' | 'shorts', startsAt: number): Swing => ({
  periodHours: 45,
  startsAt,
  squeezes,
})
const quiet = (startsAt: number): Swing => ({ periodHours: 200, startsAt, squeezes: 'nobody' })

function mood(
  speed: { maxVelocity: number },
  centrePerDay: number,
  swingPerDay: number,
  periodHours: number,
  startsAt = 0,
): Mood {
  return { ...speed, centrePerDay, swingPerDay, periodHours, startsAt }
}

/* oxfmt-ignore */
export const MARKETS: readonly MarketSpec[] = [
  { id: '100', symbol: 'ETH', basePrice: 2635, skewScale: 100_000, maxSize: 975, maxValueUsd: 2_440_000, openInterest: 118, ...ethFees, trades24h: 199, volume24hUsd: 1452988.25, mood: mood(major, 0.0001, 0.0006, 90, 3.05), swing: lively('longs', 0.3) },
  { id: '1000', symbol: 'PNUT', basePrice: 0.291, skewScale: 20_000_000, maxSize: 444_000, openInterest: 0, ...small, trades24h: 0, volume24hUsd: 0, mood: mood(minor, -0.00104, 0, 100), swing: quiet(0.1) },
  { id: '1300', symbol: 'DOGE', basePrice: 0.193, skewScale: 500_000_000, maxSize: 596_000, openInterest: 210_000, ...small, trades24h: 6, volume24hUsd: 5120.5, mood: mood(minor, 0.0003, 0.0007, 130, 4), swing: lively('shorts', 0.05) },
  { id: '1500', symbol: 'XRP', basePrice: 2.315, skewScale: 60_000_000, maxSize: 49_000, openInterest: 0, ...small, trades24h: 3, volume24hUsd: 2879.32, mood: mood(minor, -0.0012, 0.0006, 150, 1), swing: quiet(0.7) },
  { id: '1700', symbol: 'AVAX', basePrice: 21.7, skewScale: 1_500_000, maxSize: 5_490, openInterest: 900, ...small, trades24h: 5, volume24hUsd: 4190.45, mood: mood(minor, 0.0008, 0.0003, 170, 2), swing: quiet(0.3) },
  { id: '1900', symbol: 'LINK', basePrice: 14.25, skewScale: 3_000_000, maxSize: 7_900, openInterest: 2_100, ...small, trades24h: 3, volume24hUsd: 2178.06, mood: mood(minor, 0.0005, 0.0004, 190, 3), swing: quiet(0.5) },
  { id: '200', symbol: 'BTC', basePrice: 104_800, skewScale: 7_500, maxSize: 23.4, maxValueUsd: 2_440_000, openInterest: 7.5, ...fees, trades24h: 68, volume24hUsd: 224733.22, mood: mood(major, -0.0003, 0.0002, 240, 5), swing: lively('shorts', 0.55) },
  { id: '300', symbol: 'Sol', basePrice: 159, skewScale: 1_000_000, maxSize: 8_170, maxValueUsd: 1_220_000, openInterest: 640, ...fees, trades24h: 19, volume24hUsd: 35915.85, mood: mood(major, 0.0004, 0.0009, 160, 0.5), swing: lively('longs', 0.8) },
  { id: '3700', symbol: 'ARB', basePrice: 0.363, skewScale: 50_000_000, maxSize: 321_000, openInterest: 64_000, ...small, trades24h: 2, volume24hUsd: 1203.75, mood: mood(minor, 0.0006, 0.0002, 210, 1.5), swing: quiet(0.2) },
  { id: '400', symbol: 'PEPE', basePrice: 0.0000104, skewScale: 4e12, maxSize: 9.65e9, openInterest: 2.86e9, ...small, trades24h: 5, volume24hUsd: 2269.94, mood: mood(minor, 0.00125, 0.0005, 140, 0), swing: quiet(0.9) },
]

/** Invents the terms of a replayed market that is not in the list, sized by its price. */
export function otherMarket(symbol: string, basePrice: number): MarketSpec {
  const unit = Number((100_000 / basePrice).toPrecision(2))
  return {
    id: '9000',
    symbol,
    basePrice,
    skewScale: unit * 1_000,
    maxSize: unit * 10,
    maxValueUsd: 1_000_000,
    openInterest: unit * 4,
    ...fees,
    trades24h: 12,
    volume24hUsd: 12_500.5,
    mood: mood(minor, 0.0002, 0.0003, 90),
    swing: quiet(0),
  }
}

export const DEMO_WALLETS: readonly Wallet[] = [1, 2, 3].map((digit) => {
  const parse = parseWallet(`0x51ab1e${String(digit).padStart(34, '0')}`)
  if (!parse.ok) throw new Error(parse.why)
  return parse.wallet
})

/** 39 digits, as on the real venue: a double would not hold them. */
export const accountOf = (index: number) => (FIRST_ACCOUNT + BigInt(index)).toString()

const FIRST_ACCOUNT = 170141183460469231731687303715884105001n
