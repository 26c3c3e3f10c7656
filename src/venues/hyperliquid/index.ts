import type { OpenVenue } from '../../venue/venue.ts'
import { baseOf } from '../http/address.ts'
import { createClient } from './client.ts'
import { schema } from './config.ts'

/** Opens Hyperliquid, which lets anybody read anybody's positions. Sends no request by itself. */
export default (async ({ env, clock, emit, random }) => {
  const { HYPERLIQUID_URL, VENUE_URL, HYPERLIQUID_WEIGHT_PER_MINUTE: weight } = schema.parse(env)
  const place = baseOf(HYPERLIQUID_URL ?? VENUE_URL)
  const client = createClient({ url: place, weightPerMinute: weight, clock, emit, random })
  return {
    venue: client.venue,
    simulated: false,
    identity: `hyperliquid ${place}`,
    introduction: [],
    endsBot: false,
    close: () => client.close(),
  }
}) satisfies OpenVenue
