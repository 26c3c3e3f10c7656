/** All that a venue lists in one book, by its id, also what of it cannot be used. What is delisted is not in it. */
export interface Listing {
  dex: string | null
  symbols: ReadonlyMap<string, string>
}

/** What is known of a book by its whole lists. */
export interface DexSeen {
  /** By id. What is missing stays until that is sure. */
  symbols: ReadonlyMap<string, string>
  /** How much may be missing from it that an earlier run has seen, and is gone then. */
  sureOf: 'nothing' | 'some' | 'all'
}

/** A market by its name alone: of one that is gone nothing else is left. */
export interface Listed {
  id: string
  symbol: string
}

/** What somebody was told of, by book: each a list of ids and symbols. */
export type KnownMarkets = [dex: string, markets: [id: string, symbol: string][]][]

/** What was listed and what was removed since it was looked at last. A book that was never seen is no news. */
export function listedSince(
  before: KnownMarkets,
  dexes: ReadonlyMap<string, DexSeen>,
): { known: KnownMarkets; listed: Listed[]; removed: Listed[] } {
  const known = new Map(before.map(([dex, markets]) => [dex, new Map(markets)]))
  const [listed, removed]: [Listed[], Listed[]] = [[], []]
  for (const [dex, { symbols, sureOf }] of dexes) {
    const own = known.get(dex)
    if (!own) {
      known.set(dex, new Map(symbols))
      continue
    }
    const missing = [...own.keys()].filter((id) => !symbols.has(id))
    const isSure = isMost(missing.length, own.size) ? sureOf === 'all' : sureOf !== 'nothing'
    for (const id of isSure ? missing : []) {
      removed.push({ id, symbol: own.get(id) ?? id })
      own.delete(id)
    }
    for (const [id, symbol] of symbols) {
      if (!own.has(id)) listed.push({ id, symbol })
      own.set(id, symbol)
    }
  }
  return { known: [...known].map(([dex, markets]) => [dex, [...markets]]), listed, removed }
}

/** That so many have gone at once is a venue in trouble, more often than not. */
export function isMost(missing: number, all: number): boolean {
  return missing > 1 && missing * 2 > all
}
