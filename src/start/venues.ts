import { emitAt } from '../runtime/event.ts'
import type { VenueLoad } from '../venue/venue-load.ts'
import type { JoinVenues, OpenedVenue, OpenVenue, Venue } from '../venue/venue.ts'
import { entry } from './environment.ts'
import { envOf } from './plugins.ts'

/** The venues of one program, as one. */
interface OpenedVenues {
  venue: OpenedVenue
  /** In the order of VENUE. */
  identities: readonly string[]
}

/** Opens the named venues. Several are joined: the first one has bare ids. */
export async function openVenues(
  names: readonly string[],
  world: Parameters<OpenVenue>[0],
): Promise<OpenedVenues> {
  const venues: { name: string; opened: OpenedVenue }[] = []
  try {
    for (const name of names) {
      const open = await entry<OpenVenue>('../venues/', name)
      const emit = names.length > 1 ? emitAt(name, world.emit) : world.emit
      venues.push({ name, opened: await open({ ...world, emit, env: envOf(world.env, name, names) }) })
    }
  } catch (error) {
    await Promise.all(venues.map(({ opened }) => opened.close()))
    throw error
  }
  const identities = venues.map(({ opened }) => opened.identity)
  const [first, ...others] = venues
  if (first && others.length === 0) return { venue: first.opened, identities }
  const join = await entry<JoinVenues>('../venues/', 'several')
  return { venue: join({ venues, clock: world.clock }), identities }
}

/** The names of the venues like this; undefined stands for the first. */
export function venuesWhere(venue: Venue, isSo: (venue: Venue) => boolean): ReadonlySet<string | undefined> {
  const parts = venue.parts ?? [{ name: '', venue }]
  return new Set(
    parts.flatMap((part, place) => (isSo(part.venue) ? [place === 0 ? undefined : part.name] : [])),
  )
}

/** How old the oldest look at a wallet is, at each venue that has one. */
export function oldestLooks(
  venueLoads: readonly VenueLoad[],
  lookMs: (venue?: string) => number | null,
): { venue: string | null; ms: number }[] {
  return venueLoads.flatMap(({ venue }, place) => {
    // The first venue has no name in the engine.
    const ms = lookMs(place === 0 ? undefined : (venue ?? undefined))
    return ms === null ? [] : [{ venue, ms }]
  })
}
