import { z } from 'zod'

import type { Clock } from '../../../runtime/clock.ts'
import { type Amount, multiply, ONE } from '../../../venue/amount.ts'
import type { Asking } from '../../../venue/venue.ts'
import { figure, whole } from '../../http/shape.ts'

/** Prices of tokens in USD, by their number. A token that is not here has no known price. */
export interface SpotPrices {
  usd: ReadonlyMap<number, Amount>
  /** The number of HYPE, which differs from one net to another; null if it is not listed. */
  hype: number | null
}

/** Everybody’s balances are shown at the same prices for this long. */
const FRESH_MS = 60_000
/** The token in which dollars are counted. */
const USDC = 0
/** The staked token (https://hyperliquid.gitbook.io/hyperliquid-docs/hypercore/staking). */
const STAKED = 'HYPE'

const meta = z.object({
  universe: z.array(
    z.object({
      tokens: z.tuple([z.number().int(), z.number().int()]),
      name: z.string(),
      index: z.number().int(),
    }),
  ),
  tokens: z.array(z.object({ name: z.string(), index: z.number().int() })),
})

const context = z.object({ coin: z.string().nullish(), markPx: figure, midPx: figure.nullish() })
const schema = z.tuple([meta, z.array(z.unknown())])

/**
 * Reads the answer of `spotMetaAndAssetCtxs`. The contexts are more than the pairs, and in another order: each names its
 * pair (https://github.com/hyperliquid-dex/hyperliquid-python-sdk/issues/308). Without a name its place is the pair's index.
 */
export function readSpotPrices(body: unknown): SpotPrices {
  const [{ universe, tokens }, contexts] = whole(schema, body, 'the prices of spot')
  const named = new Map<string, Amount>()
  for (const [place, sent] of contexts.entries()) {
    const read = context.safeParse(sent)
    if (!read.success || read.data.markPx <= 0n) continue
    const name = read.data.coin ?? universe.find(({ index }) => index === place)?.name
    // Without buyers or without sellers the mark is any price of long ago.
    if (name !== undefined && read.data.midPx != null) named.set(name, read.data.markPx)
  }
  const usd = new Map<number, Amount>([[USDC, ONE]])
  const quoted = (isDirect: boolean) => {
    for (const { tokens: pair, name } of universe) {
      const [base, quote] = pair
      const [mark, dollars] = [named.get(name), usd.get(quote)]
      if (mark === undefined || dollars === undefined || usd.has(base)) continue
      if ((quote === USDC) === isDirect) usd.set(base, multiply(mark, dollars))
    }
  }
  quoted(true)
  quoted(false)
  return { usd, hype: tokens.find(({ name }) => name === STAKED)?.index ?? null }
}

/** Reads prices at most once a minute, for all who ask. */
export function createSpotPrices(
  clock: Clock,
  read: (asking: Asking) => Promise<SpotPrices>,
): (asking: Asking) => Promise<SpotPrices> {
  let last: { prices: SpotPrices; mono: number } | null = null
  let flight: Promise<SpotPrices> | null = null
  return async (asking) => {
    if (last && clock.monotonic() - last.mono < FRESH_MS) return last.prices
    // If the one who asked first gives up, the next one asks again.
    const before = await flight?.catch(() => null)
    if (before) return before
    const mono = clock.monotonic()
    flight = read(asking)
    try {
      const prices = await flight
      last = { prices, mono }
      return prices
    } finally {
      flight = null
    }
  }
}
