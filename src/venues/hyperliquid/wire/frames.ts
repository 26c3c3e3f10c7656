import { z } from 'zod'

import { parseJson } from '../../http/reply.ts'
import { whole } from '../../http/shape.ts'

/** One message of the socket. */
export type Frame =
  /** By dex name: one context for each place of its list. */
  | { is: 'markets'; dexes: [string, unknown[]][] }
  /** The wallet's account in each dex. The address is in lower case. */
  | { is: 'states'; user: string; states: [string, unknown][] }
  | { is: 'spot'; user: string; spot: unknown }
  /** A subscription has begun or ended. */
  | { is: 'response'; method: string; type: string; user: string | null }
  | { is: 'error'; text: string }
  /** A pong, a greeting or an unknown channel. */
  | { is: 'other' }

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket: the first text of a socket is
 * no JSON.
 */
const GREETING = 'Websocket connection established.'

const frame = z.object({ channel: z.string(), data: z.unknown() })
const pairs = <T extends z.ZodType>(value: T) => z.array(z.tuple([z.string(), value]))
const markets = z.object({ ctxs: pairs(z.array(z.unknown())) })
const states = z.object({ user: z.string(), clearinghouseStates: pairs(z.unknown()) })
const spot = z.object({ user: z.string(), spotState: z.unknown() })
const response = z.object({
  method: z.string(),
  subscription: z.object({ type: z.string(), user: z.string().optional() }),
})

/** Reads one text of the socket. Throws a VenueError for anything that the documents do not show. */
export function readFrame(text: string): Frame {
  if (text === GREETING) return { is: 'other' }
  const { channel, data } = whole(frame, parseJson(text), 'a frame')
  switch (channel) {
    case 'allDexsAssetCtxs':
      return { is: 'markets', dexes: whole(markets, data, 'the markets').ctxs }
    case 'allDexsClearinghouseState': {
      const { user, clearinghouseStates } = whole(states, data, 'the accounts')
      return { is: 'states', user: user.toLowerCase(), states: clearinghouseStates }
    }
    case 'spotState': {
      const read = whole(spot, data, 'the balances')
      return { is: 'spot', user: read.user.toLowerCase(), spot: read.spotState }
    }
    case 'subscriptionResponse': {
      const { method, subscription } = whole(response, data, 'the response')
      const user = subscription.user?.toLowerCase() ?? null
      return { is: 'response', method, type: subscription.type, user }
    }
    case 'error':
      return { is: 'error', text: whole(z.string(), data, 'the error') }
    default:
      return { is: 'other' }
  }
}
