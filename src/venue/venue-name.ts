/** The names of the venues of a program, the first one first. Its ids stay bare. */
export type VenueNames = readonly string[]

/** Stands between the name of a venue after the first and an id of it: `lighter/1`. */
const BEHIND_NAME = '/'

/**
 * Returns the venue of a market, account or pool id; undefined for the first venue, whose ids stay bare.
 * `venues` are the names after the first.
 */
export function venueOf(id: string, venues: readonly string[]): string | undefined {
  return venues.find((name) => id.startsWith(name + BEHIND_NAME))
}

/** Returns the id in the whole of several venues. */
export function idAt(venue: string, id: string): string {
  return venue + BEHIND_NAME + id
}

/** Returns the id at its venue. */
export function idWithin(venue: string, id: string): string {
  return id.slice(venue.length + BEHIND_NAME.length)
}

/** Returns the id without the name of a venue before it: `7` for `lighter/7`. */
export function bareId(id: string): string {
  return id.slice(id.lastIndexOf(BEHIND_NAME) + 1)
}

/** Returns the field that names a venue; none for the first. */
export function venueField(venue: string | undefined): { venue?: string } {
  return venue === undefined ? {} : { venue }
}

/** Returns the name of the venue of an id. `all` are the names of all venues, the first one first. */
export function venueNameOf(id: string, [first = '', ...others]: readonly string[]): string {
  return venueOf(id, others) ?? first
}

/** Returns the venue of a part of an answer: of an account, or of a whole venue by its name. */
export function venueOfPart(part: string, all: readonly string[]): string {
  return all.includes(part) ? part : venueNameOf(part, all)
}

/** Stands between the name of a venue or a dex and a symbol: `lighter:ETH`. */
const BEFORE_SYMBOL = ':'

/** Names a market of the first venue in full, as those of the others are named: `hyperliquid:ETH`. */
export function symbolAt(venue: string, symbol: string): string {
  return venue + BEFORE_SYMBOL + symbol
}

/**
 * Returns the name of the venue of a dex; null is the main dex of the first venue. The main dex of a later one has its
 * name, and an inner dex has it before a colon.
 */
export function venueNameOfDex(dex: string | null, [first = '', ...others]: readonly string[]): string {
  return others.find((name) => dex === name || dex?.startsWith(name + BEFORE_SYMBOL)) ?? first
}

/** Returns the symbol behind the name of this venue, without regard to case; null for any other word. */
export function symbolWithin(venue: string, word: string): string | null {
  const name = venue + BEFORE_SYMBOL
  return word.toLowerCase().startsWith(name.toLowerCase()) ? word.slice(name.length) : null
}
