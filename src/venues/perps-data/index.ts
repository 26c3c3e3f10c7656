import type { OpenVenue } from '../../venue/venue.ts'
import { baseOf } from '../http/address.ts'
import { createClient } from './client.ts'
import { schema } from './config.ts'

/** Opens the venue at VENUE_URL. Sends no request before somebody asks. */
export default (async ({ env, clock, emit, random }) => {
  const { VENUE_URL, VENUE_CHAIN_ID, VENUE_API_KEY } = schema.parse(env)
  const place = baseOf(VENUE_URL)
  const client = createClient({
    url: place,
    chainId: VENUE_CHAIN_ID,
    apiKey: VENUE_API_KEY ?? null,
    clock,
    emit,
    random,
  })
  return {
    venue: client.venue,
    simulated: false,
    identity: `perps-data ${place} chain ${VENUE_CHAIN_ID}`,
    introduction: [],
    endsBot: false,
    close: () => client.close(),
  }
}) satisfies OpenVenue
