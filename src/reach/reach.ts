import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { Client } from 'undici'

import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { isPublicAddress } from '../lib/ip.ts'
import type { Reach } from '../reach.ts'
import { asked } from './request.ts'

export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>

/** A name is looked up by the machine, which has no limit of its own. */
const RESOLVE_LIMIT_MS = 5_000
/** Only tidies up: who gives up earlier is told at once. */
const CONNECT_CLEANUP_MS = 30_000

/** An address of the operator's own network, or of none. */
class Refused extends Error {}

/**
 * Asks addresses that people name. Each request has a connection of its own, and its name is resolved once: what is
 * checked is what the connection goes to, whatever the name says a moment later.
 */
export function createReach(world: {
  clock: Clock
  /** `host` at any port, `host:port`, or `https://host:port`, in lower case. */
  allowed: readonly string[]
  resolve?: Resolve
}): Reach {
  const { clock, allowed, resolve = (host: string) => lookup(host, { all: true }) } = world
  const isAllowed = ({ origin, host, hostname }: URL) =>
    [origin, host, hostname].some((one) => allowed.includes(one))

  async function checked(url: URL): Promise<readonly { address: string; family: number }[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const family = isIP(host)
    const found = family === 0 ? await resolve(host) : [{ address: host, family }]
    if (found.length === 0) throw new Refused(`${url.hostname} has no address`)
    // One that is public beside one that is not is how somebody tries to get in.
    if (!isAllowed(url) && !found.every(({ address }) => isPublicAddress(address)))
      throw new Refused(`${url.hostname} is in a private network`)
    return found
  }

  /** What can be said without asking anybody. */
  function malformed(url: URL): string | null {
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowed(url))) return 'it is not https'
    if (url.username !== '' || url.password !== '') return 'it has a user name or a password in it'
    return null
  }

  return {
    async refusal(url, signal) {
      const why = malformed(url)
      if (why !== null) return why
      try {
        await within(clock, RESOLVE_LIMIT_MS, signal, () => checked(url))
        return null
      } catch (error) {
        return error instanceof Refused ? error.message : `${url.hostname} cannot be found`
      }
    },
    async ask(url, what, signal) {
      const refused = malformed(url)
      if (refused !== null) return { is: 'refused', why: refused }
      if (signal.aborted) return { is: 'lost', maybeDone: false, why: 'given up before it began' }
      try {
        const [first, ...more] = await within(clock, RESOLVE_LIMIT_MS, signal, () => checked(url))
        const addresses = [...(first ? [first] : []), ...more]
        const client = new Client(url.origin, {
          pipelining: 0,
          allowH2: false,
          headersTimeout: 0,
          bodyTimeout: 0,
          connect: {
            timeout: CONNECT_CLEANUP_MS,
            lookup: (_host, { all }, found) =>
              all === true
                ? found(null, [...addresses])
                : found(null, first?.address ?? '', first?.family ?? 4),
          },
        })
        return await asked(client, url, what, { signal, now: () => clock.now() })
      } catch (error) {
        if (error instanceof Refused) return { is: 'refused', why: error.message }
        return { is: 'lost', maybeDone: false, why: `${url.hostname} cannot be found` }
      }
    },
    allowing: (hosts) =>
      createReach({ ...world, allowed: [...allowed, ...hosts.map((host) => host.toLowerCase())] }),
  }
}
