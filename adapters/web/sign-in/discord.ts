import { createHash, randomBytes } from 'node:crypto'

import { z } from 'zod'

import { remember } from '../../../src/lib/data/remember.ts'
import { createPerMinute } from '../../../src/lib/time/per-minute.ts'
import { jsonOrNull } from '../../../src/lib/text/json.ts'
import { type Clock, within } from '../../../src/runtime/clock.ts'
import type { Egress } from '../../../src/runtime/egress.ts'
import type { Emit } from '../../../src/runtime/event.ts'

/** An application of Discord; `api` has no slash at its end. The secret goes to that address alone. */
export interface DiscordApp {
  id: string
  secret: string
  api: string
}

/** People who leave for Discord in a minute. More would push out those who are there. */
const TRIPS_A_MINUTE = 60
/** How long somebody may take on Discord's page. */
const TRIP_MS = 10 * 60_000
const MOST_TRIPS = 1_000
const ASK_MS = 10_000
/** Discord's codes are short; longer ones are none. */
const CODE = /^[\w-]{1,200}$/

/** Signing in by OAuth 2 with PKCE (https://docs.discord.com/developers/topics/oauth2, RFC 7636). */
export interface DiscordTrips {
  /** Whether one more may leave now; it counts. */
  allows(): boolean
  /** Where to send the browser, and the secret that it must bring back in a cookie. */
  begin(): { url: string; state: string }
  /** The user of Discord who came back; null where anything does not fit. A trip ends once. */
  end(
    state: string | null,
    query: URLSearchParams,
    signal: AbortSignal,
  ): Promise<{ user: string; name: string | null } | null>
  livesMs: number
}

const TOKEN = z.object({ access_token: z.string().min(1).max(500), token_type: z.literal('Bearer') })
const USER = z.object({
  id: z.string().regex(/^\d{5,20}$/),
  bot: z.boolean().optional(),
  username: z.string().optional(),
  global_name: z.string().nullish(),
})

/** `redirect`: our address to which Discord sends people back. */
export function createDiscordTrips(
  { id, secret, api }: DiscordApp,
  world: { redirect: string; clock: Clock; egress: Egress; emit: Emit },
): DiscordTrips {
  const { redirect, clock } = world
  const egress = world.egress.allowing([new URL(api).origin])
  const leaving = createPerMinute(TRIPS_A_MINUTE)
  const trips = new Map<string, { verifier: string; untilMono: number }>()

  const ask = async (path: string, asked: Parameters<Egress['ask']>[1], signal: AbortSignal) => {
    const lost = (why: string) => ({ is: 'lost', maybeDone: true, why }) as const
    const reached = await within(clock, ASK_MS, signal, (limit) =>
      egress.ask(new URL(`${api}${path}`), asked, limit),
    ).catch((error: unknown) => lost(error instanceof Error ? error.message : 'given up'))
    if (reached.is === 'answered' && reached.status === 200 && reached.isWhole)
      return jsonOrNull(reached.body)
    const how = reached.is === 'answered' ? `answered ${reached.status}` : `did not answer: ${reached.why}`
    world.emit({ is: 'trouble', where: 'web', why: `signing in by Discord failed: ${path} ${how}` })
    return null
  }

  return {
    livesMs: TRIP_MS,
    allows: () => leaving.allows('everybody', clock.monotonic()),
    begin() {
      const [state, verifier] = [randomBytes(32), randomBytes(32)].map((one) => one.toString('base64url'))
      if (state === undefined || verifier === undefined) throw new Error('two secrets are made')
      remember(trips, state, { verifier, untilMono: clock.monotonic() + TRIP_MS }, MOST_TRIPS)
      const query = new URLSearchParams({
        ...{ response_type: 'code', client_id: id, scope: 'identify', redirect_uri: redirect, state },
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      return { url: `${new URL(api).origin}/oauth2/authorize?${query.toString()}`, state }
    },
    async end(state, query, signal) {
      const trip = state !== null && query.get('state') === state ? trips.get(state) : undefined
      if (state === null || trip === undefined) return null
      trips.delete(state)
      const code = query.get('code') ?? ''
      if (clock.monotonic() >= trip.untilMono || !CODE.test(code)) return null
      const form = new URLSearchParams({
        ...{ grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: trip.verifier },
        ...{ client_id: id, client_secret: secret },
      })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const token = TOKEN.safeParse(
        await ask('/oauth2/token', { method: 'POST', headers, body: form.toString() }, signal),
      )
      if (!token.success) return null
      const authorization = `Bearer ${token.data.access_token}`
      const user = USER.safeParse(
        await ask('/users/@me', { method: 'GET', headers: { authorization }, body: null }, signal),
      )
      if (!user.success || user.data.bot === true) return null
      const { id: known, global_name: chosen, username = null } = user.data
      return { user: known, name: chosen ?? username }
    },
  }
}
