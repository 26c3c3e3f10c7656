import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

import { Client } from 'undici'

import { type Clock, within } from '../runtime/clock.ts'
import type { Asked, Egress, EgressAnswer } from '../runtime/egress.ts'
import { isPublicAddress } from './public-address.ts'

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
export function createEgress(world: {
  clock: Clock
  /** `host` at any port, `host:port`, or `https://host:port`, in lower case. */
  allowed: readonly string[]
  resolve?: Resolve
}): Egress {
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
      createEgress({ ...world, allowed: [...allowed, ...hosts.map((host) => host.toLowerCase())] }),
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

/** Of an answer: whoever sends more says nothing that is wanted. */
const LONGEST_BODY = 64 * 1024
/** What has begun to answer has so long to end it: some leave an answer open for ever. */
const WORDS_WITHIN_MS = 2_000

/** One request on a connection that ends with it. */
async function asked(
  client: Client,
  url: URL,
  { method, headers, body }: Asked,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<EgressAnswer> {
  const ended = Promise.withResolvers<EgressAnswer>()
  // Until undici begins to write the request, it cannot have reached anybody.
  let begun = false
  let status: number | null = null
  let retryAfterMs: number | null = null
  let text = ''
  const decoder = new TextDecoder()
  const over = (why: string, isWhole = false) =>
    ended.resolve(
      status === null
        ? { is: 'lost', maybeDone: begun, why }
        : // It has said what it thinks of the request; the rest is words.
          { is: 'answered', status, body: text, isWhole, retryAfterMs },
    )
  let stopWaiting = () => {}
  const giveUp = () => over(reasonOf(signal.reason))
  signal.addEventListener('abort', giveUp, { once: true })
  client.dispatch(
    { path: `${url.pathname}${url.search}`, method, headers, body },
    {
      onRequestStart: () => void (begun = true),
      onResponseStart(_controller, statusCode, received) {
        // "Processing" and the like come before an answer, and are none.
        if (statusCode < 200) return
        status = statusCode
        retryAfterMs = waitMs(received['retry-after'], clock.now())
        stopWaiting = clock.wakeAt(clock.monotonic() + WORDS_WITHIN_MS, () => over('its answer has no end'))
      },
      onResponseData(_controller, chunk) {
        text += decoder.decode(chunk, { stream: true })
        if (text.length > LONGEST_BODY) over('its answer has no end')
      },
      onResponseEnd: () => over('it has ended', true),
      onResponseError: (_controller, error) => over(reasonOf(error)),
    },
  )
  try {
    return await ended.promise
  } finally {
    stopWaiting()
    signal.removeEventListener('abort', giveUp)
    client.destroy().catch(() => {})
  }
}

/** A date as RFC 9110 (5.6.7) wants it: of anything else `Date.parse` makes a year of its own. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds, by some with a fraction, or a date (RFC 9110, 10.2.3). */
function waitMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000
  return HTTP_DATE.test(header) ? Math.max(Date.parse(header) - now, 0) : null
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

interface Found {
  address: string
  family: number
}

/** The addresses behind a name; rejects with the resolver's error, also when it is given up. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly Found[]>

/** Each name server is asked twice, the second time with more patience. */
const ASKED = { timeout: 1_000, tries: 2 }

/**
 * By the machine, as every program on it: its hosts file counts. For names of the operator alone, because libuv does
 * only two of these lookups at a time (its limit for slow work): others' names whose server never answers would keep the
 * venue's waiting.
 */
const byMachine: Resolve = (host) => lookup(host, { all: true })

/** By asking name servers, which keeps nobody else waiting; `servers` are the machine's where they are left out. */
export function byServers(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver(ASKED)
    if (servers) resolver.setServers(servers)
    const giveUp = () => resolver.cancel()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
      return [...foundBy(v4, 4), ...foundBy(v6, 6)]
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }
}

function foundBy(asked: PromiseSettledResult<string[]>, family: number): Found[] {
  return asked.status === 'fulfilled' ? asked.value.map((address) => ({ address, family })) : []
}
