import type { OpenVenue } from '../../venue/venue.ts'
import { createClient } from '../perps-data/client.ts'
import { schema } from './config.ts'
import { play } from './play.ts'
import { CHAIN_ID } from './wire/figures.ts'

/** Opens the simulated venue: its server listens on loopback, and the client of the real API reads it. */
export default (async ({ env, clock, emit, random }) => {
  const parsed = schema.safeParse(env)
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join(' '))
  const options = parsed.data
  const playing = await play({ ...options, port: options.port ?? 0 }, clock, emit)
  const client = createClient({ url: playing.url, chainId: CHAIN_ID, apiKey: null, clock, emit, random })
  return {
    venue: client.venue,
    simulated: true,
    // Without port and seed, so that a restarted venue counts as the same one.
    identity: `sim chain ${CHAIN_ID}`,
    introduction: [
      'This is the simulated venue: play money on this machine, no network.',
      playing.plays,
      `Try: /watch ${playing.wallets[0]} demo`,
    ],
    endsBot: options.once,
    async close() {
      await client.close()
      await playing.close()
    },
  }
}) satisfies OpenVenue
