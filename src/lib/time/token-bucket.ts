/** How fast tokens come back, and how many can be saved up. */
export interface Rate {
  /** Above 0. */
  perSecond: number
  /** At once, after a rest. At least 1 where single tokens are taken. */
  burst: number
}

/**
 * Tokens at one time, before they come back. The rate is given with each call, so it may change. A bucket may owe tokens,
 * and its time may lie in the future: nothing comes back before then.
 */
export interface TokenBucket {
  readonly tokens: number
  readonly mono: number
}

/** Rounding may leave a little missing at the time that was worked out: the first step beyond it, about a nanosecond. */
const ROUNDING_MS = 2 ** -20

export function fullBucket({ burst }: Rate, mono: number): TokenBucket {
  return { tokens: burst, mono }
}

export function tokensAt({ tokens, mono: since }: TokenBucket, rate: Rate, mono: number): number {
  return Math.min(rate.burst, tokens + (Math.max(mono - since, 0) / 1_000) * rate.perSecond)
}

/** Takes tokens, also where there are fewer. A count of 0 only brings the bucket up to this time: do so before its rate changes. */
export function take(bucket: TokenBucket, rate: Rate, mono: number, count = 1): TokenBucket {
  return { tokens: tokensAt(bucket, rate, mono) - count, mono: Math.max(mono, bucket.mono) }
}

/**
 * Returns the earliest time from `mono` on at which there are so many tokens. `tokensAt` agrees: at that time, and at each
 * later one, it returns as many. Infinity if the bucket never holds so many.
 */
export function nextAt(bucket: TokenBucket, rate: Rate, mono: number, count = 1): number {
  if (count > rate.burst) return Infinity
  const missing = count - bucket.tokens
  if (missing <= 0) return mono
  let at = Math.max(mono, bucket.mono + (missing / rate.perSecond) * 1_000)
  for (let stepMs = ROUNDING_MS; tokensAt(bucket, rate, at) < count; stepMs *= 2) at += stepMs
  return at
}
