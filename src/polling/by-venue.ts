import { venueOf } from '../venue/venue-name.ts'
import { doubt, type MarketsAnswer, type PositionsAnswer, unusableMarket } from '../venue/venue.ts'

/** The names of the venues of a program, the first one first. Its ids stay bare. */
export type VenueNames = readonly string[]

/**
 * The positions that one venue gave to an answer of all. Null if it gave none, or if they are in doubt as a whole: then
 * a failed part has its name.
 */
export function positionsAt(all: PositionsAnswer, name: string, names: VenueNames): PositionsAnswer | null {
  if (doubt(all) !== null || all.failedParts.some(({ part }) => part === name)) return null
  const owns = ownerOf(name, names)
  const ofPart = ({ part }: { part: string | null }) => part !== null && owns(part)
  return {
    ...all,
    positions: all.positions.filter(({ accountId }) => owns(accountId)),
    accounts: all.accounts.filter(({ accountId }) => owns(accountId)),
    unusable: all.unusable.filter(ofPart),
    failedParts: all.failedParts.filter((one) => ofPart(one) && !names.includes(one.part)),
    ...(all.unasked && { unasked: all.unasked.filter(ofPart) }),
    ...(all.protectiveOrders && {
      protectiveOrders: all.protectiveOrders.filter(({ marketId }) => marketId !== null && owns(marketId)),
    }),
    totalCount: null,
  }
}

/** The markets that one venue gave to an answer of all. Null if it gave none. */
export function marketsAt(all: MarketsAnswer, name: string, names: VenueNames): MarketsAnswer | null {
  const owns = ownerOf(name, names)
  const ofDex = dexOwnerOf(name, names)
  const markets = all.markets.filter(({ id }) => owns(id))
  const failedParts = all.failedParts.filter(({ part }) => ofDex(part))
  if (markets.length === 0 && failedParts.length > 0) return null
  const listings = all.listings?.filter(({ dex }) => ofDex(dex))
  return {
    markets,
    unusable: all.unusable.filter(({ what, part }) =>
      what.startsWith(NAMED) ? owns(what.slice(NAMED.length)) : ofDex(part),
    ),
    failedParts,
    ...(listings && { listings }),
  }
}

/** The name of the venue of an id; empty if the program has one venue. */
export function nameOf(id: string, [first = '', ...later]: VenueNames): string {
  return venueOf(id, later) ?? first
}

const NAMED = unusableMarket('')

/** Whether an id is of this venue. */
function ownerOf(name: string, names: VenueNames): (id: string) => boolean {
  return (id) => nameOf(id, names) === name
}

/** Whether a dex is of this venue. The main dex of a later venue has its name, an inner one has it before a colon. */
function dexOwnerOf(name: string, names: VenueNames): (dex: string | null) => boolean {
  const [first, ...later] = names
  const venueOfDex = (dex: string) => later.find((one) => dex === one || dex.startsWith(`${one}:`)) ?? first
  return (dex) => (dex === null ? name === first : venueOfDex(dex) === name)
}
