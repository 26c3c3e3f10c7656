import { fromNumber, magnitude } from '../../amount.ts'
import type { Amount } from '../../amount.ts'
import type { MarketSpec } from './catalogue.ts'
import { hashed } from './random.ts'

const DAY_SECONDS = 86_400

/** What trades have done to one market: nothing of its open interest, skew or counts moves without one. */
export interface Trading {
  /** Base asset that the wallets of this venue hold more than at its start, by side: exact, as their positions are. */
  longs: Amount
  shorts: Amount
  /** The same of all others, as fractions of the usual open interest. */
  others: { longs: number; shorts: number }
  /** Of the last day, the oldest first. */
  recent: Trade[]
}

interface Trade {
  /** Market seconds. */
  at: number
  usd: number
}

/** Of the usual open interest: how far the others' trades push a side beside what moves the skew. */
const OTHERS_SHARE = 0.05

/** A day like the one before it. */
export function startTrading({ trades24h, volume24hUsd }: MarketSpec): Trading {
  const recent = Array.from({ length: trades24h }, (_, place) => ({
    at: ((place + 0.5) / trades24h - 1) * DAY_SECONDS,
    usd: volume24hUsd / trades24h,
  }))
  return { longs: 0n, shorts: 0n, others: { longs: 0, shorts: 0 }, recent }
}

/** Whether somebody else trades in this step: as often as the market says of its day. */
export function othersTrade(
  spec: MarketSpec,
  trading: Trading,
  seed: number,
  { key, step, stepSeconds }: { key: number; step: number; stepSeconds: number },
): boolean {
  if (hashed(seed, key, step, 5) >= (spec.trades24h * stepSeconds) / DAY_SECONDS) return false
  const side = hashed(seed, key, step, 6) < 0.5 ? 'longs' : 'shorts'
  trading.others[side] = OTHERS_SHARE * hashed(seed, key, step, 7)
  const usual = spec.trades24h === 0 ? 0 : spec.volume24hUsd / spec.trades24h
  note(trading, (step + 1) * stepSeconds, 2 * usual * hashed(seed, key, step, 8))
  return true
}

/** A wallet of this venue holds another size than before. */
export function walletTrades(
  trading: Trading,
  before: number,
  after: number,
  { seconds, price }: { seconds: number; price: number },
): void {
  const [from, to] = [exact(before), exact(after)]
  const moved = (side: (size: Amount) => boolean) =>
    (side(to) ? magnitude(to) : 0n) - (side(from) ? magnitude(from) : 0n)
  trading.longs += moved((size) => size > 0n)
  trading.shorts += moved((size) => size < 0n)
  note(trading, seconds, Math.abs(after - before) * price)
}

export function forgetOld({ recent }: Trading, seconds: number): void {
  for (let first = recent[0]; first && first.at <= seconds - DAY_SECONDS; first = recent[0]) recent.shift()
}

export function volumeUsd({ recent }: Trading): number {
  return Number(recent.reduce((sum, { usd }) => sum + usd, 0).toFixed(2))
}

/** Base asset, signed. */
export function skewOf(spec: MarketSpec, { longs, shorts, others }: Trading, skewRatio: number): number {
  const theirs = (others.longs - others.shorts) * spec.openInterest
  return skewRatio * spec.skewScale + theirs + Number(longs - shorts) / 1e18
}

/** By side, base asset. The usual interest is shared, and the skew comes on top of one side. */
export function openInterest(spec: MarketSpec, { longs, shorts, others }: Trading, skewRatio: number) {
  const skew = skewRatio * spec.skewScale
  const of = (share: number, more: number) =>
    exact(spec.openInterest * (SIDE_SHARE + share) + Math.max(more, 0))
  return {
    longs: atLeastNone(of(others.longs, skew) + longs),
    shorts: atLeastNone(of(others.shorts, -skew) + shorts),
  }
}

/** Of the usual open interest; the skew comes on top of one side. */
const SIDE_SHARE = 0.45

function note({ recent }: Trading, at: number, usd: number): void {
  recent.push({ at, usd })
}

function exact(value: number): Amount {
  return fromNumber(value) ?? 0n
}

function atLeastNone(amount: Amount): Amount {
  return amount < 0n ? 0n : amount
}
