import { z } from 'zod'

import type { VenueCall } from '../../runtime/event.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Order } from '../../venue/order.ts'
import type { Twap } from '../../venue/record/twap.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import { type Asking, type Identified, VenueError } from '../../venue/venue.ts'
import { type Wallet, parseWallet } from '../../venue/wallet.ts'
import { type Ask, mayPass } from '../http/ask.ts'
import { unreadable } from '../http/reply.ts'
import { whole } from '../http/shape.ts'
import { type Deposit, readDeposits, readStakes, readVaultName, type Stakes } from './balances/deposits.ts'
import { readSpotPrices, type SpotPrices } from './balances/prices.ts'
import { readSubAccounts, readSubAccounts2, type SubAccountRead } from './balances/sub-accounts.ts'
import { type Dex, type ListedDex, readListedDexes } from './wire/dexes.ts'
import { type Fill, readFills, readSliceFills } from './wire/fills.ts'
import { type DexRead, readMarkets } from './wire/markets.ts'
import { readOpenOrders, readOrderStatus, readPastOrders } from './wire/orders.ts'
import { readMode, readSpot, readTokens, type Spot, type TokenBalance } from './wire/spot.ts'
import { type DexState, readState } from './wire/state.ts'
import { type Chosen, type Level, readChosen, readDepth, readTakerFee } from './wire/trading.ts'
import { readTwapFills, readTwaps, type TwapFill } from './wire/twaps.ts'

/** The weight of a request, and how much more its answer turns out to cost. */
interface Cost<T> {
  weight: number
  more?: (answer: T) => number
}

/**
 * Weights of requests. An address may spend 1,200 a minute
 * (https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/rate-limits-and-user-limits).
 */
const LIGHT = { weight: 2 }
const USUAL = { weight: 20 }
/** A person waits for the answer. Start with the usual weight and pay the rest after the answer. */
const ROLE = { ...USUAL, more: () => 60 - USUAL.weight }
/** Lists of past orders and fills cost 1 more for each 20 elements. */
const LIST = { ...USUAL, more: ({ sent }: { sent: number }) => Math.ceil(sent / 20) }
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
  /** `ofTwaps`: the fills of TWAPs, which are not among the others. */
  fills(wallet: Wallet, since: number, asking: Asking, ofTwaps?: boolean): Promise<Fill[]>
  /** The last state of each TWAP. The venue sends all of them. Odd entries before `since` are skipped. */
  twaps(wallet: Wallet, asking: Asking, since?: number): Promise<{ twaps: Twap[]; unusable: Unusable[] }>
  /** A page of the fills of TWAPs, oldest first. They are not among the other fills. */
  twapFills(wallet: Wallet, since: number, asking: Asking): Promise<{ slices: TwapFill[]; sent: number }>
  /** A page of a list of the wallet's record, the oldest elements first. `to`: up to this time, or up to now. */
  record<T extends readonly unknown[]>(
    type: string,
    wallet: Wallet,
    span: { from: number; to: number | null },
    read: (body: unknown, wallet: Wallet) => T,
    asking: Asking,
  ): Promise<T>
  role(wallet: Wallet, asking: Asking): Promise<Identified>
  subAccounts(wallet: Wallet, call: VenueCall, asking: Asking): Promise<SubAccountRead[]>
  tokens(wallet: Wallet, asking: Asking): Promise<{ spot: Spot; tokens: TokenBalance[] }>
  spotPrices(asking: Asking): Promise<SpotPrices>
  deposits(wallet: Wallet, asking: Asking): Promise<Deposit[]>
  vaultName(vault: Wallet, asking: Asking): Promise<string | null>
  stakes(wallet: Wallet, asking: Asking): Promise<Stakes>
}

export function createInfo(ask: Ask): Info {
  const post = <T>(
    asking: Asking,
    call: VenueCall,
    cost: Cost<T>,
    read: (body: unknown) => T,
    body: Record<string, unknown>,
  ): Promise<T> => {
    const request = {
      method: 'POST' as const,
      path: '/info',
      headers: ['content-type', 'application/json', 'accept', 'application/json'],
      body: JSON.stringify(body),
    }
    return ask({ call, request, mayRepeat: mayPass, read, ...cost }, asking)
  }
  const user = (wallet: Wallet) => ({ user: wallet.toLowerCase() })
  const named = (dex: Dex) => (dex === null ? {} : { dex })

  return {
    listedDexes: (call, asking) => post(asking, call, USUAL, readListedDexes, { type: 'perpDexs' }),
    markets: (dex, call, asking) =>
      post(asking, call, USUAL, (body) => readMarkets(body, dex), {
        type: 'metaAndAssetCtxs',
        ...named(dex),
      }),
    state: (wallet, dex, call, asking) =>
      post(asking, call, LIGHT, (body) => readState(body, wallet, dex), {
        ...{ type: 'clearinghouseState', ...user(wallet), ...named(dex) },
      }),
    spot: (wallet, call, asking) =>
      post(asking, call, LIGHT, readSpot, { type: 'spotClearinghouseState', ...user(wallet) }),
    mode: (wallet, call, asking) =>
      post(asking, call, USUAL, readMode, { type: 'userAbstraction', ...user(wallet) }),
    openOrders: (wallet, dex, asking) =>
      post(asking, 'orders', USUAL, readOpenOrders, {
        ...{ type: 'frontendOpenOrders', ...user(wallet), ...named(dex) },
      }),
    pastOrders: (wallet, asking) =>
      post(asking, 'orders', LIST, readPastOrders, { type: 'historicalOrders', ...user(wallet) }),
    order: (wallet, oid, asking) =>
      post(asking, 'orders', LIGHT, readOrderStatus, { type: 'orderStatus', ...user(wallet), oid }),
    depth: (coin, asking) => post(asking, 'preview', LIGHT, readDepth, { type: 'l2Book', coin }),
    takerFee: (wallet, asking) =>
      post(asking, 'preview', USUAL, readTakerFee, { type: 'userFees', ...user(wallet) }),
    chosen: (wallet, coin, asking) =>
      post(asking, 'preview', USUAL, readChosen, { type: 'activeAssetData', ...user(wallet), coin }),
    fills: async (wallet, since, asking, ofTwaps = false) => {
      const all: Fill[] = []
      const [type, read] = ofTwaps
        ? (['userTwapSliceFillsByTime', readSliceFills] as const)
        : (['userFillsByTime', readFills] as const)
      for (let [page, startTime] = [0, since]; page < MAX_FILL_PAGES; page++) {
        const { fills, sent, until } = await post(asking, 'endings', LIST, read, {
          ...{ type, ...user(wallet), startTime, aggregateByTime: true },
        })
        all.push(...fills)
        if (sent < FILLS_PER_PAGE) return all
        startTime = until
      }
      // The newest fills are missing, so an older trade could be mistaken for the close of a position.
      throw unreadable('the wallet has traded too often since then to read all of it')
    },
    twaps: (wallet, asking, since) =>
      post(asking, 'twaps', LIST, (body) => readTwaps(body, since), { type: 'twapHistory', ...user(wallet) }),
    twapFills: (wallet, startTime, asking) =>
      post(asking, 'twaps', LIST, readTwapFills, {
        ...{ type: 'userTwapSliceFillsByTime', ...user(wallet), startTime },
      }),
    record: (type, wallet, { from, to }, read, asking) =>
      post(
        asking,
        'ledger',
        { ...USUAL, more: ({ length }) => Math.ceil(length / 20) },
        (body) => read(body, wallet),
        { type, ...user(wallet), startTime: from, ...(to !== null && { endTime: to }) },
      ),
    role: (wallet, asking) => post(asking, 'identify', ROLE, readRole, { type: 'userRole', ...user(wallet) }),
    subAccounts: async (wallet, call, asking) => {
      try {
        return await post(asking, call, USUAL, readSubAccounts2, { type: 'subAccounts2', ...user(wallet) })
      } catch (error) {
        // It may go away as it has come: undocumented. The documented one shows less.
        if (!(error instanceof VenueError) || !['refused', 'unreadable'].includes(error.failure.is))
          throw error
        return post(asking, call, USUAL, readSubAccounts, { type: 'subAccounts', ...user(wallet) })
      }
    },
    tokens: (wallet, asking) =>
      post(asking, 'balances', LIGHT, (body) => ({ spot: readSpot(body), tokens: readTokens(body) }), {
        ...{ type: 'spotClearinghouseState', ...user(wallet) },
      }),
    spotPrices: (asking) => post(asking, 'balances', USUAL, readSpotPrices, { type: 'spotMetaAndAssetCtxs' }),
    deposits: (wallet, asking) =>
      post(asking, 'balances', USUAL, readDeposits, { type: 'userVaultEquities', ...user(wallet) }),
    vaultName: (vault, asking) =>
      post(asking, 'balances', USUAL, readVaultName, {
        ...{ type: 'vaultDetails', vaultAddress: vault.toLowerCase() },
      }),
    stakes: (wallet, asking) =>
      post(asking, 'balances', USUAL, readStakes, { type: 'delegatorSummary', ...user(wallet) }),
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
