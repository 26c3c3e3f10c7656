/**
 * All markets that a venue lists in one dex, by id, unusable ones included. Delisted markets are left out.
 */
export interface Listing {
  dex: string | null
  symbols: ReadonlyMap<string, string>
}

/** The known markets of a dex, from its complete lists. */
export interface DexSeen {
  /** By id. A missing market stays until its removal is certain. */
  symbols: ReadonlyMap<string, string>
  /** How many markets of an earlier run may be missing and count as removed. */
  sureOf: 'nothing' | 'some' | 'all'
}

/** A market by its name alone: a removed market leaves nothing else. */
export interface Listed {
  id: string
  symbol: string
}

/** The markets that somebody was told about, by dex. */
export type KnownMarkets = [dex: string, markets: [id: string, symbol: string][]][]

/** Returns the markets listed and removed since the last look. A dex seen for the first time is no news. */
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

/** So many missing markets at once mean, more often than not, that the venue is in trouble. */
export function isMost(missing: number, all: number): boolean {
  return missing > 1 && missing * 2 > all
}
