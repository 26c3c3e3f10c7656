import { isIP } from 'node:net'

import { Client } from 'undici'

import { within } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { isPublicAddress } from '../lib/ip.ts'
import type { Reach } from '../reach.ts'
import { asked } from './request.ts'
import { byMachine, byServers } from './resolve.ts'
import type { Found, Resolve } from './resolve.ts'

/** The machine looks names up without a limit of its own. */
const RESOLVE_LIMIT_MS = 5_000
/** Only tidies up: who gives up earlier is told at once. */
const CONNECT_CLEANUP_MS = 30_000

/** What a resolver says of a name that nobody has (`ENODATA`: it has no address). */
const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

const USUAL_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

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
  const { clock, allowed } = world
  const isAllowed = (url: URL) =>
    [url.origin, url.hostname, withPort(url)].some((one) => allowed.includes(one))
  const resolveWorld = world.resolve ?? byServers()
  const resolveOwn = world.resolve ?? byMachine

  /** Where a connection may go. */
  async function placesOf(url: URL, signal: AbortSignal): Promise<Places> {
    const refused = malformed(url)
    if (refused !== null) return { is: 'refused', why: refused }
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const family = isIP(host)
    const resolve = isAllowed(url) ? resolveOwn : resolveWorld
    try {
      const found =
        family === 0
          ? await within(clock, RESOLVE_LIMIT_MS, signal, (limit) => resolve(host, limit))
          : [{ address: host, family }]
      const [first] = found
      if (!first) return { is: 'unknown', why: `${url.hostname} has no address` }
      // One that is public beside one that is not is how somebody tries to get in.
      return isAllowed(url) || found.every(({ address }) => isPublicAddress(address))
        ? { is: 'known', found, first }
        : {
            is: 'refused',
            why: `${url.hostname} is in a private network, and ALLOWED_HOSTS does not name it`,
          }
    } catch (error) {
      return { is: 'unknown', why: unknownText(url, error) }
    }
  }

  /** What can be said without asking anybody. */
  function malformed(url: URL): string | null {
    if (url.protocol === 'http:' && !isAllowed(url))
      return `it is not https, and ALLOWED_HOSTS does not name ${url.hostname}`
    if (!/^https?:$/.test(url.protocol)) return 'it is not https'
    if (url.username !== '' || url.password !== '') return 'it has a user name or a password in it'
    return null
  }

  return {
    async refusal(url, signal) {
      const places = await placesOf(url, signal)
      return places.is === 'known' ? null : places.why
    },
    async ask(url, what, signal) {
      const places = await placesOf(url, signal)
      if (places.is === 'refused') return { is: 'refused', why: places.why }
      if (places.is === 'unknown') return { is: 'lost', maybeDone: false, why: places.why }
      if (signal.aborted) return { is: 'lost', maybeDone: false, why: 'given up before it began' }
      const { found, first } = places
      const client = new Client(url.origin, {
        pipelining: 0,
        allowH2: false,
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: {
          timeout: CONNECT_CLEANUP_MS,
          lookup: (_host, { all }, answer) =>
            all === true ? answer(null, [...found]) : answer(null, first.address, first.family),
        },
      })
      return asked(client, url, what, { signal, clock })
    },
    allowing: (hosts) =>
      createReach({ ...world, allowed: [...allowed, ...hosts.map((host) => host.toLowerCase())] }),
  }
}

type Places =
  | { is: 'known'; found: readonly Found[]; first: Found }
  /** Nobody may be asked there. */
  | { is: 'refused'; why: string }
  /** It is not known where that is, or not now. */
  | { is: 'unknown'; why: string }

/** Addresses leave the usual port out, and whoever allows a host may not. */
function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === '' ? USUAL_PORTS[protocol] : port}`
}

function unknownText({ hostname }: URL, error: unknown): string {
  if (!(error instanceof Error)) return `${hostname} could not be looked up`
  return 'code' in error && UNKNOWN.has(error.code)
    ? `${hostname} cannot be found`
    : `${hostname} could not be looked up: ${error.message}`
}
