import { remember } from '../lib/data/remember.ts'
import type { Amount } from '../venue/amount.ts'
import type { Market } from '../venue/market.ts'

/** No price moves by this factor between two looks. A misplaced decimal point does. */
const JUMP_FACTOR = 8n
/** After longer than this without a look, a price may be anywhere. */
const APART_MS = 60_000
/** A new level that stays for this long is the price. */
const BELIEVED_AFTER_MS = 60_000
const JUMPED = 'its price is many times another at once'
const MAX_REMEMBERED_MARKETS = 10_000

interface Seen {
  price: Amount
  mono: number
  /** A level that is not believed yet, and since when it is shown. */
  doubted: { price: Amount; sinceMono: number } | null
}

/**
 * Notices prices that are a power of ten off. Everybody would be called liquidated by one such answer. People hear
 * of the doubt when it stays.
 */
export function createJumpedPrices(): (
  markets: readonly Market[],
  mono: number,
) => ReadonlyMap<string, string> {
  const known = new Map<string, Seen>()
  return (markets, mono) => {
    const jumped = new Map<string, string>()
    for (const { id, price } of markets) {
      const seen = looked(known.get(id), price, mono)
      remember(known, id, seen, MAX_REMEMBERED_MARKETS)
      if (seen.doubted !== null) jumped.set(id, JUMPED)
    }
    return jumped
  }
}

function looked(before: Seen | undefined, price: Amount, mono: number): Seen {
  const believed = { price, mono, doubted: null }
  const lastMono = before?.doubted ? mono : before?.mono
  if (!before || lastMono === undefined || mono - lastMono > APART_MS || !isFar(before.price, price))
    return believed
  const { doubted } = before
  if (doubted === null || isFar(doubted.price, price))
    return { ...before, doubted: { price, sinceMono: mono } }
  return mono - doubted.sinceMono >= BELIEVED_AFTER_MS ? believed : before
}

function isFar(a: Amount, b: Amount): boolean {
  return a >= b * JUMP_FACTOR || b >= a * JUMP_FACTOR
}
