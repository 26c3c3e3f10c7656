import type { OpenVenue } from '../../venue/venue.ts'
import { createClient } from './client.ts'
import { schema, urlOf } from './config.ts'

/** Opens Lighter, which lets anybody read anybody's positions. Sends no request by itself. */
export default (async ({ env, clock, emit, random }) => {
  const settings = schema.parse(env)
  const place = urlOf(settings)
  const token = settings.LIGHTER_TOKEN ?? null
  const client = createClient({ url: place, token, clock, emit, random })
  return {
    venue: client.venue,
    simulated: false,
    identity: `lighter ${place}`,
    introduction: [],
    endsBot: false,
    close: () => client.close(),
  }
}) satisfies OpenVenue
