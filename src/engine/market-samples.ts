import type { MarketSamples } from '../judged.ts'
import { seenMs, wallAt } from './look.ts'
import type { Look } from './look.ts'

/** What this run has seen of a market, for whoever asks: most kinds do not. */
export function samplesOf(look: Look, marketId: string): MarketSamples {
  const { memory, now, tick } = look
  return {
    rates: (ms) =>
      memory.rates
        .of(marketId)
        .filter((one) => one.tick >= tick - ms)
        .map((one) => ({ rate: one.rate, at: wallAt(look, one.tick) })),
    range(ms) {
      const range = memory.samples.range(marketId, tick - ms)
      if (range === null) return null
      const { low, high, knownTick } = range
      const known = wallAt(look, knownTick)
      return {
        low: { price: low.price, at: wallAt(look, low.tick) },
        high: { price: high.price, at: wallAt(look, high.tick) },
        darkMs: Math.max(ms - (known >= now ? 0 : seenMs(look, marketId, known)), 0),
      }
    },
  }
}
