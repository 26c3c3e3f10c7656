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
