import { z } from 'zod'

import type { VenueCall } from '../../runtime/event.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import type { Asking, Identified, Unusable } from '../../venue/venue.ts'
import { type Wallet, parseWallet } from '../../venue/wallet.ts'
import { type Ask, mayPass } from '../http/ask.ts'
import { unreadable } from '../http/refusal.ts'
import { type Dex, type ListedDex, readListedDexes } from './wire/dexes.ts'
import { type Fill, readFills } from './wire/fills.ts'
import { type DexRead, readMarkets } from './wire/markets.ts'
import { readOpenOrders, readOrderStatus, readPastOrders } from './wire/orders.ts'
import { whole } from './wire/read.ts'
import { readMode, readSpot, type Spot } from './wire/spot.ts'
import { type DexState, readState } from './wire/state.ts'
import { type Chosen, type Level, readChosen, readDepth, readTakerFee } from './wire/trading.ts'

/**
 * Weights of requests. An address may spend 1,200 a minute
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits).
 */
const LIGHT_WEIGHT = 2
const USUAL_WEIGHT = 20
const ROLE_WEIGHT = 60
/** Lists of past orders and fills cost 1 more for each 20 elements. */
const ELEMENTS_PER_WEIGHT = 20
/**
 * The venue sends the oldest fills first, this many a page
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint).
 */
const FILLS_PER_PAGE = 2_000
const MAX_FILL_PAGES = 3

interface OrdersRead {
  orders: Order[]
  unusable: Unusable[]
}

/** Our requests, each with its weight. They share one path; the body says which one it is. */
export interface Info {
  listedDexes(call: VenueCall, asking: Asking): Promise<ListedDex[]>
  markets(dex: Dex, call: VenueCall, asking: Asking): Promise<DexRead>
  state(wallet: Wallet, dex: Dex, call: VenueCall, asking: Asking): Promise<DexState>
  spot(wallet: Wallet, call: VenueCall, asking: Asking): Promise<Spot>
  mode(wallet: Wallet, call: VenueCall, asking: Asking): Promise<'single' | 'unified' | 'portfolio'>
  openOrders(wallet: Wallet, dex: Dex, asking: Asking): Promise<OrdersRead>
  pastOrders(wallet: Wallet, asking: Asking): Promise<OrdersRead>
  order(wallet: Wallet, id: number, asking: Asking): Promise<OrdersRead>
  depth(coin: string, asking: Asking): Promise<{ bids: Level[]; asks: Level[] }>
  takerFee(wallet: Wallet, asking: Asking): Promise<{ rate: Amount; discount: Amount }>
  chosen(wallet: Wallet, coin: string, asking: Asking): Promise<Chosen>
  fills(wallet: Wallet, since: number, asking: Asking): Promise<Fill[]>
  role(wallet: Wallet, asking: Asking): Promise<Identified>
}

export function createInfo(ask: Ask): Info {
  interface Wanted<T> {
    call: VenueCall
    body: Record<string, unknown>
    weight: number
    read: (body: unknown) => T
    more?: (answer: T) => number
  }
  const post = <T>({ call, body, ...rest }: Wanted<T>, asking: Asking): Promise<T> => {
    const request = {
      method: 'POST' as const,
      path: '/info',
      headers: ['content-type', 'application/json', 'accept', 'application/json'],
      body: JSON.stringify(body),
    }
    return ask({ call, request, mayRepeat: mayPass, ...rest }, asking)
  }
  const user = (wallet: Wallet) => ({ user: wallet.toLowerCase() })
  const named = (dex: Dex) => (dex === null ? {} : { dex })
  const inTwenties = (sent: number) => Math.ceil(sent / ELEMENTS_PER_WEIGHT)

  return {
    listedDexes: (call, asking) =>
      post({ call, body: { type: 'perpDexs' }, weight: USUAL_WEIGHT, read: readListedDexes }, asking),
    markets: (dex, call, asking) =>
      post(
        {
          call,
          body: { type: 'metaAndAssetCtxs', ...named(dex) },
          weight: USUAL_WEIGHT,
          read: (body) => readMarkets(body, dex),
        },
        asking,
      ),
    state: (wallet, dex, call, asking) =>
      post(
        {
          call,
          body: { type: 'clearinghouseState', ...user(wallet), ...named(dex) },
          weight: LIGHT_WEIGHT,
          read: (body) => readState(body, wallet, dex),
        },
        asking,
      ),
    spot: (wallet, call, asking) =>
      post(
        {
          call,
          body: { type: 'spotClearinghouseState', ...user(wallet) },
          weight: LIGHT_WEIGHT,
          read: readSpot,
        },
        asking,
      ),
    mode: (wallet, call, asking) =>
      post(
        { call, body: { type: 'userAbstraction', ...user(wallet) }, weight: USUAL_WEIGHT, read: readMode },
        asking,
      ),
    openOrders: (wallet, dex, asking) =>
      post(
        {
          call: 'orders',
          body: { type: 'frontendOpenOrders', ...user(wallet), ...named(dex) },
          weight: USUAL_WEIGHT,
          read: readOpenOrders,
        },
        asking,
      ),
    pastOrders: (wallet, asking) =>
      post(
        {
          call: 'orders',
          body: { type: 'historicalOrders', ...user(wallet) },
          weight: USUAL_WEIGHT,
          read: readPastOrders,
          more: ({ sent }) => inTwenties(sent),
        },
        asking,
      ),
    order: (wallet, oid, asking) =>
      post(
        {
          call: 'orders',
          body: { type: 'orderStatus', ...user(wallet), oid },
          weight: LIGHT_WEIGHT,
          read: readOrderStatus,
        },
        asking,
      ),
    depth: (coin, asking) =>
      post(
        { call: 'preview', body: { type: 'l2Book', coin }, weight: LIGHT_WEIGHT, read: readDepth },
        asking,
      ),
    takerFee: (wallet, asking) =>
      post(
        {
          call: 'preview',
          body: { type: 'userFees', ...user(wallet) },
          weight: USUAL_WEIGHT,
          read: readTakerFee,
        },
        asking,
      ),
    chosen: (wallet, coin, asking) =>
      post(
        {
          call: 'preview',
          body: { type: 'activeAssetData', ...user(wallet), coin },
          weight: USUAL_WEIGHT,
          read: readChosen,
        },
        asking,
      ),
    fills: async (wallet, since, asking) => {
      const all: Fill[] = []
      for (let [page, startTime] = [0, since]; page < MAX_FILL_PAGES; page++) {
        const body = { type: 'userFillsByTime', ...user(wallet), startTime, aggregateByTime: true }
        const more = ({ sent }: { sent: number }) => inTwenties(sent)
        const { fills, sent, until } = await post(
          { call: 'endings', body, weight: USUAL_WEIGHT, read: readFills, more },
          asking,
        )
        all.push(...fills)
        if (sent < FILLS_PER_PAGE) return all
        startTime = until
      }
      // The newest fills are missing, so an older trade could be mistaken for the close of a position.
      throw unreadable('the wallet has traded too often since then to read all of it')
    },
    role: (wallet, asking) =>
      post(
        {
          call: 'identify',
          body: { type: 'userRole', ...user(wallet) },
          // A person waits for this answer. Start with the usual weight and pay the rest after the answer.
          weight: USUAL_WEIGHT,
          read: readRole,
          more: () => ROLE_WEIGHT - USUAL_WEIGHT,
        },
        asking,
      ),
  }
}

const schema = z.union([
  z.object({ role: z.enum(['user', 'vault', 'subAccount', 'missing']) }),
  z.object({ role: z.literal('agent'), data: z.object({ user: z.string() }) }),
])

/** Reads the answer of `userRole`. Vaults and sub-accounts hold positions as any wallet does. */
export function readRole(body: unknown): Identified {
  const read = whole(schema, body, 'the role')
  if (read.role === 'missing') return { is: 'unknown' }
  if (read.role !== 'agent') return { is: 'holder' }
  const parsed = parseWallet(read.data.user)
  if (!parsed.ok) throw unreadable('the wallet that this one signs for is no address')
  return { is: 'agent', of: parsed.wallet }
}
