import { type DexSeen, isMost, type Listing } from '../../venue/listing.ts'

/** What the venue lists, book by book, as its whole lists have shown it. */
export interface ListedMarkets {
  /** Whether the list has changed what is known. An older one changes nothing. */
  take(listing: Listing, mono: number): boolean
  /** What was told of it may not have been kept: the next list of each book is as if it had changed something. */
  doubt(): void
  /** By the name of the book, which is empty for the venue's own. */
  dexes(): ReadonlyMap<string, DexSeen>
}

/** For so long whole lists must lack a market, two of them at least; and if they lack most of a book, so long. */
const GONE_MS = 60_000
const MOST_GONE_MS = 600_000

interface Dex extends DexSeen {
  symbols: Map<string, string>
  /** Since when each of them is missing. */
  missing: Map<string, number>
  firstMono: number
  lastMono: number
  doubted: boolean
}

export function createListedMarkets(): ListedMarkets {
  const dexes = new Map<string, Dex>()
  return {
    take({ dex, symbols }, mono) {
      const known = dexes.get(dex ?? '')
      // A list of nothing is no list: no venue takes all of its markets away at a stroke.
      if (symbols.size === 0) return false
      if (known) return mono > known.lastMono && renew(known, symbols, mono)
      const fresh = { symbols: new Map(symbols), missing: new Map(), firstMono: mono, lastMono: mono }
      dexes.set(dex ?? '', { ...fresh, sureOf: 'nothing', doubted: false })
      return true
    },
    doubt() {
      for (const dex of dexes.values()) dex.doubted = true
    },
    dexes: () => dexes,
  }
}

function renew(dex: Dex, listed: ReadonlyMap<string, string>, mono: number): boolean {
  const { symbols, missing } = dex
  dex.lastMono = mono
  let changed = dex.doubted
  dex.doubted = false
  for (const [id, symbol] of listed) {
    missing.delete(id)
    changed ||= !symbols.has(id)
    symbols.set(id, symbol)
  }
  for (const id of symbols.keys()) if (!listed.has(id) && !missing.has(id)) missing.set(id, mono)
  const goneMs = isMost(missing.size, symbols.size) ? MOST_GONE_MS : GONE_MS
  for (const [id, since] of missing) {
    if (mono - since < goneMs) continue
    missing.delete(id)
    symbols.delete(id)
    changed = true
  }
  const sureOf = sure(mono - dex.firstMono)
  changed ||= sureOf !== dex.sureOf
  dex.sureOf = sureOf
  return changed
}

function sure(ms: number): DexSeen['sureOf'] {
  if (ms < GONE_MS) return 'nothing'
  return ms < MOST_GONE_MS ? 'some' : 'all'
}
