import { fullBucket, take, type TokenBucket, tokensAt } from '../../../lib/time/token-bucket.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { accounts } from '../doors/accounts.ts'
import type { Door, Stage } from '../doors/door.ts'
import { createFaults } from '../doors/fault.ts'
import { faults } from '../doors/faults.ts'
import { funding } from '../doors/funding.ts'
import { listing } from '../doors/listing.ts'
import { orders } from '../doors/orders.ts'
import { price, prices } from '../doors/price.ts'
import { state } from '../doors/state.ts'
import { time } from '../doors/time.ts'
import { type HttpAnswer, refusal, type Served } from '../endpoints/endpoint.ts'
import type { Playback } from '../play/playback.ts'
import type { MarketTime } from '../play/market-time.ts'
import { answer, type Asked, description } from './api.ts'
import { listen } from './server.ts'

/** Serves a venue on loopback. Moves its market time on before every answer. */
export async function host(
  options: { port: number; control: boolean; perSecond: number | null; speed: number },
  clock: Clock,
  { playback, time }: { playback: Playback; time: MarketTime },
): Promise<{ url: string; close(): Promise<void> }> {
  const startMono = clock.monotonic()
  const faults = createFaults()
  const limit = options.perSecond === null ? null : createLimit(options.perSecond)
  const stage: Stage = {
    ...{ exchange: playback.exchange, unix: time.unix, faults },
    release: () => server.release(),
    pass: time.pass,
    setPrices: playback.setPrices,
    listed: playback.listed,
    about: () => ({ speed: options.speed, ...playback.about() }),
  }
  const doors = options.control ? (asked: Parameters<typeof openDoor>[1]) => openDoor(stage, asked) : null
  const server = await listen(
    options.port,
    clock,
    (asked) => {
      time.moveOn(clock.monotonic() - startMono)
      if (playback.isOut() && !isControl(asked.path))
        return refusal(503, 'The simulated venue plays an outage')
      return serve({ limit, doors, url: server.url }, stage, asked, clock.monotonic())
    },
    (path) => (isControl(path) ? null : faults.take(path)),
  )
  return server
}

/**
 * Answers any request. Control doors come first, without a limit. The API has a limit for each client, by its
 * key or else its IP address.
 */
function serve(
  { limit, doors, url }: { limit: Limit | null; doors: ((asked: Asked) => HttpAnswer) | null; url: string },
  venue: Served,
  asked: Asked,
  mono: number,
): HttpAnswer {
  if (isControl(asked.path)) return doors?.(asked) ?? refusal(404, `No such path: ${asked.path}`)
  const who = asked.key === null ? `address ${asked.from}` : `key ${asked.key}`
  if (limit && !limit.takes(who, mono))
    return refusal(429, 'Too many requests: wait a moment, then ask again')
  return asked.path === '/openapi.json' ? description(asked, url) : answer(venue, asked)
}

function isControl(path: string): boolean {
  return path === '/_sim' || path.startsWith('/_sim/')
}

export const doors: readonly Door[] = [
  ...[state, price, prices, funding, time],
  ...[...orders, ...accounts, ...listing, ...faults],
]

/** Runs a control door. They exist only with SIM_CONTROL=1. */
function openDoor(stage: Stage, { method, path, body }: Asked): HttpAnswer {
  const door = doors.find((one) => one.method === method && one.path === path)
  if (door) return door.open(stage, body)
  return refusal(404, `The control doors are ${doors.map((one) => `${one.method} ${one.path}`).join(', ')}`)
}

/** Limits the requests of each client: a rate per second, and a burst of the same size after a rest. */
interface Limit {
  /** Counts a request if it may be answered now; returns whether it may. */
  takes(who: string, mono: number): boolean
}

/** Forgets rested clients at this number, or at twice the number that the last time left. */
const REMEMBERED_CLIENTS = 10_000

export function createLimit(perSecond: number): Limit {
  const rate = { perSecond, burst: Math.max(1, perSecond) }
  const accounts = new Map<string, TokenBucket>()
  let crowded = REMEMBERED_CLIENTS
  const forget = (mono: number) => {
    for (const [who, bucket] of accounts) if (tokensAt(bucket, rate, mono) >= rate.burst) accounts.delete(who)
    crowded = Math.max(REMEMBERED_CLIENTS, accounts.size * 2)
  }
  return {
    takes(who, mono) {
      const bucket = accounts.get(who) ?? fullBucket(rate, mono)
      const taken = tokensAt(bucket, rate, mono) >= 1
      accounts.set(who, taken ? take(bucket, rate, mono) : bucket)
      if (accounts.size > crowded) forget(mono)
      return taken
    },
  }
}
