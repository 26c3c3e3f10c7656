import { type Item, item, text, type Text } from '../../../message/message.ts'
import { MAIN_DEX } from '../../../venue/market.ts'
import { idWithin, symbolAt, venueNameOf, venueOf } from '../../../venue/venue-name.ts'

/** Entries of one venue, under its name. */
interface OfVenue<T> {
  venue: string
  entries: readonly T[]
}

/**
 * Groups entries by venue, in their order: the venue of the first entry comes first. Empty if all are of one venue, or
 * if there is only one.
 */
export function byVenue<T>(
  entries: readonly T[],
  marketOf: (entry: T) => string,
  venues: readonly string[],
): OfVenue<T>[] {
  if (venues.length === 0) return []
  const groups = Map.groupBy(entries, (entry) => venueNameOf(marketOf(entry), venues))
  return groups.size < 2 ? [] : [...groups].map(([venue, of]) => ({ venue, entries: of }))
}

/** `lighter: 2 positions · PnL +$40`, over the entries of that venue. */
function venueItem(venue: string, sum: Text | null): Item {
  return item('plain', sum === null ? venue : text`${venue}: ${sum}`)
}

/** The items of a page, each venue's below its heading. Without groups, the items alone. */
export function underHeadings<T>(
  page: readonly T[],
  groups: readonly OfVenue<T>[],
  itemOf: (entry: T) => Item,
  sumOf: (entries: readonly T[]) => Text | null,
): Item[] {
  if (groups.length === 0) return page.map(itemOf)
  return groups.flatMap(({ venue, entries }) => {
    const shown = page.filter((one) => entries.includes(one))
    return shown.length === 0 ? [] : [venueItem(venue, sumOf(entries)), ...shown.map(itemOf)]
  })
}

/**
 * The place of an account, for a wallet with accounts at several venues: `lighter`, also for a numbered account. An inner
 * dex is `xyz` at the first venue, and `hyperliquid:xyz` at a later one.
 */
export function accountPlace(accountId: string, [first = '', ...others]: readonly string[]): string {
  const venue = venueOf(accountId, others)
  const within = venue === undefined ? accountId : idWithin(venue, accountId)
  if (within === MAIN_DEX || /^\d+$/.test(within)) return venue ?? first
  return venue === undefined ? within : symbolAt(venue, within)
}
