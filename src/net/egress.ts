import { lookup, Resolver } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'

import type * as Undici from 'undici'

import { errorText } from '../lib/text/error-text.ts'
import { type Clock, within } from '../runtime/clock.ts'
import type { Asked, Egress, EgressAnswer } from '../runtime/egress.ts'
import { isPublicAddress } from './public-address.ts'

/** A single file: the main module also loads `fetch`, WebSockets and caches, which makes each start slower. */
const Client = createRequire(import.meta.url)('undici/lib/dispatcher/client.js') as typeof Undici.Client

/** The machine looks names up without a limit of its own. */
const RESOLVE_LIMIT_MS = 5_000
/** Only cleans up. A caller that gives up earlier gets its answer at once. */
const CONNECT_CLEANUP_MS = 30_000

/** Resolver errors for names that do not exist (`ENODATA`: the name has no address). */
const UNKNOWN: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

const USUAL_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Sends requests to addresses that people name. Each request has its own connection and resolves its name once, so that
 * the checked address is the one that is connected to.
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

  /** Returns the addresses that a connection may go to. */
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
      // A name with a public and a private address is a typical attack.
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

  /** Refuses what the text of the address alone reveals. */
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
  /** Requests to this address are not allowed. */
  | { is: 'refused'; why: string }
  /** It is not known where that is, or not now. */
  | { is: 'unknown'; why: string }

/** URLs omit the usual port; entries of allowed hosts may include it. */
function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port === '' ? USUAL_PORTS[protocol] : port}`
}

function unknownText({ hostname }: URL, error: unknown): string {
  if (!(error instanceof Error)) return `${hostname} could not be looked up`
  return 'code' in error && UNKNOWN.has(error.code)
    ? `${hostname} cannot be found`
    : `${hostname} could not be looked up: ${error.message}`
}

/** Longest answer that is read. Longer ones contain nothing that we need. */
const LONGEST_BODY = 64 * 1024
/** Time limit for the rest of an answer after its start. Some servers never end one. */
const WORDS_WITHIN_MS = 2_000

/** One request on a connection that ends with it. */
async function asked(
  client: Undici.Client,
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
        : // The status line is the answer. The rest is only words.
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

/** A date as RFC 9110 (5.6.7) defines it. `Date.parse` would make a year out of almost anything else. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds, by some with a fraction, or a date (RFC 9110, 10.2.3). */
function waitMs(header: string | string[] | undefined, now: number): number | null {
  if (typeof header !== 'string') return null
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000
  return HTTP_DATE.test(header) ? Math.max(Date.parse(header) - now, 0) : null
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0])
  return errorText(error)
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
 * The machine's resolver, which includes the hosts file. Only for names that the operator allows: libuv does just two
 * of these lookups at a time, so a slow name server of somebody else's name would block the venue's.
 */
const byMachine: Resolve = (host) => lookup(host, { all: true })

/** Queries name servers without blocking other lookups. `servers` defaults to the machine's. */
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
