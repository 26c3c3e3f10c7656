import type { Clock } from '../../runtime/clock.ts'
import type { Emit, VenueCall } from '../../runtime/event.ts'
import type { Asking, Venue, VenueFailure } from '../../venue/venue.ts'
import { createAsk, mayPass } from '../http/ask.ts'
import { report } from '../http/reply.ts'
import { type HttpRequest, openTransport, type Transport } from '../http/request.ts'
import { readMarkets, readSingleMarket } from './wire/markets.ts'
import { inStates, readOrders, statusesFor } from './wire/orders.ts'
import { readPositions } from './wire/positions.ts'
import { readPreview } from './wire/preview.ts'

/** The client of the perpetuals trading data API: its five endpoints as a `Venue`. */
export function createClient(world: {
  url: string
  chainId: number
  apiKey: string | null
  clock: Clock
  emit: Emit
  random: () => number
  /** Carries the requests instead of connections to `url`. */
  transport?: Transport
}): { venue: Venue; close(): Promise<void> } {
  const { chainId, apiKey, clock, emit, random } = world
  const transport = world.transport ?? openTransport(new URL(world.url), clock)

  // Section 5 lists Content-Type and Accept for every endpoint except the list of all markets. The key is
  // sent there too: by section 4 all endpoints accept the headers, and limits count per key.
  const keyOnly = apiKey === null ? [] : ['x-api-key', apiKey]
  const json = ['content-type', 'application/json', 'accept', 'application/json', ...keyOnly]

  const askOnce = createAsk({ transport, clock, emit, random, secret: apiKey })

  const ask = <T>(
    call: VenueCall,
    request: HttpRequest,
    asking: Asking,
    read: (body: unknown) => T,
  ): Promise<T> => {
    const mayRepeat = request.method === 'POST' ? surelyUntouched : mayPass
    return askOnce({ call, request, weight: 1, mayRepeat, read }, asking)
  }

  const venue: Venue = {
    limits: { allowed: null },
    showsAccounts: false,
    orderOutcomes: null,
    closeRecords: null,
    identify: null,
    push: null,
    markets(asking) {
      const request = get('/markets', keyOnly)
      return ask('markets', request, asking, (body) => report(emit, 'markets', readMarkets(body, chainId)))
    },
    market(id, asking) {
      const request = get(`/markets/${encodeURIComponent(id)}?chainId=${chainId}`, json)
      return ask('market', request, asking, (body) => readSingleMarket(body, chainId, id))
    },
    positions(wallet, asking) {
      const request = get(`/positions/v2?owner=${wallet}&ownershipType=SuperOwner`, json)
      const read = (body: unknown) => report(emit, 'positions', readPositions(body, chainId, wallet))
      return ask('positions', request, asking, read)
    },
    orders(wallet, states, asking) {
      const wanted = statusesFor(states).join(',')
      const request = get(`/orders/v2?owner=${wallet}&ownershipType=SuperOwner&statuses=${wanted}`, json)
      return ask('orders', request, asking, (body) =>
        report(emit, 'orders', inStates(states, readOrders(body, chainId, wallet))),
      )
    },
    preview(draft, asking) {
      const { accountId, marketId, sizeDelta } = draft
      const body = JSON.stringify({ accountId, marketId, sizeDelta: sizeDelta.toString() })
      const path = `/post-trade-details?chainId=${chainId}`
      return ask('preview', { method: 'POST', path, headers: json, body }, asking, readPreview)
    },
  }
  return { venue, close: () => transport.close() }
}

function get(path: string, headers: string[]): HttpRequest {
  return { method: 'GET', path, headers, body: null }
}

/** Whether a preview may be repeated: it never left, or the venue turned it away by its limit. */
function surelyUntouched(failure: VenueFailure): boolean {
  return failure.is === 'limited' || (failure.is === 'network' && !failure.sent)
}
