import { contextOf, contextsOf } from './market-wire.ts'
import { fillJson, orderJson } from './record-wire.ts'
import { allClearinghouseStates, clearinghouseState, spotClearinghouseState } from './state-wire.ts'
import type { Account, ListedDex } from './state.ts'
import { accountOf, addressIn, findMarket, type World } from './world.ts'

const MOST_SNAPSHOT_FILLS = 2_000

/** What a connection asked to be told. */
export interface Subscription {
  /** As the venue says it back: defaults added, addresses in lower case, what it does not know left out. */
  echo: Readonly<Record<string, unknown>>
  type: string
  /** Lower case; null when it is about markets. */
  user: string | null
  dex: string | null
  coin: string | null
  /** How often it is told what is so, though nothing happened; null when only happenings are told. */
  everyMs: number | null
  /** The frame that says what is so now; null when there is nothing but happenings. */
  state(): { channel: string; data: unknown } | null
}

type Read = (said: Record<string, unknown>, world: World) => Subscription | 'malformed' | 'unknown coin'

/** The state of accounts comes about so often (facts); of a held coin about each second. */
const ACCOUNT_MS = 5_000
const CONTEXT_MS = 1_000

/** Those that this stand-in knows; `webData2` and `allDexsOrderUpdates` are no more or never were. */
const READERS: Readonly<Record<string, Read>> = {
  allDexsAssetCtxs: (_said, world) =>
    market('allDexsAssetCtxs', null, () => ({
      ctxs: world.dexes.map((dex) => [dex.name, contextsOf(world, dex)]),
    })),
  activeAssetCtx: ({ coin }, world) => {
    if (typeof coin !== 'string') return 'malformed'
    const found = findMarket(world, coin)
    if (!found) return 'unknown coin'
    return market('activeAssetCtx', coin, () => ({ coin, ctx: contextOf(found) }))
  },
  trades: ({ coin }, world) => {
    if (typeof coin !== 'string') return 'malformed'
    if (!findMarket(world, coin)) return 'unknown coin'
    return { ...market('trades', coin, () => []), everyMs: null, state: () => null }
  },
  allDexsClearinghouseState: (said, world) =>
    user('allDexsClearinghouseState', said, world, ACCOUNT_MS, (account) => ({
      user: account.address,
      clearinghouseStates: allClearinghouseStates(world, account),
    })),
  clearinghouseState: (said, world) =>
    inDex('clearinghouseState', said, world, ACCOUNT_MS, (account, dex) => ({
      dex: dex.name,
      user: account.address,
      clearinghouseState: clearinghouseState(world, account, dex),
    })),
  spotState: (said, world) =>
    user('spotState', said, world, null, (account) => ({
      user: account.address,
      spotState: spotClearinghouseState(world, account),
    })),
  openOrders: (said, world) =>
    inDex('openOrders', said, world, null, (account, dex) => ({
      dex: dex.name,
      user: account.address,
      orders: account.orders.filter(({ market }) => market.dex === dex).map(orderJson),
    })),
  userFills: (said, world) => {
    const { aggregateByTime = false } = said
    if (typeof aggregateByTime !== 'boolean') return 'malformed'
    const subscription = user('userFills', said, world, null, ({ address, fills }) => ({
      isSnapshot: true,
      user: address,
      fills: fills
        .filter(({ twapId }) => twapId === null)
        .slice(-MOST_SNAPSHOT_FILLS)
        .toReversed()
        .map(fillJson),
    }))
    if (typeof subscription === 'string') return subscription
    return { ...subscription, echo: { ...subscription.echo, aggregateByTime } }
  },
  userEvents: (said, world) => user('userEvents', said, world, null, null),
  orderUpdates: (said, world) => user('orderUpdates', said, world, null, null),
}

export function readSubscription(said: unknown, world: World): Subscription | 'malformed' | 'unknown coin' {
  if (typeof said !== 'object' || said === null || !('type' in said)) return 'malformed'
  const { type } = said
  const read = typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type] : undefined
  return read?.({ ...said }, world) ?? 'malformed'
}

/** The same subscription has the same key, in whatever order it was said. */
export function keyOf({ echo }: Subscription): string {
  return JSON.stringify(Object.entries(echo).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Only prices of its coin matter to it, or all. */
function market(type: string, coin: string | null, data: () => unknown): Subscription {
  const echo = coin === null ? { type } : { type, coin }
  const state = () => ({ channel: type, data: data() })
  return { echo, type, user: null, dex: null, coin, everyMs: CONTEXT_MS, state }
}

function user(
  type: string,
  said: Record<string, unknown>,
  world: World,
  everyMs: number | null,
  data: ((account: Account) => unknown) | null,
): Subscription | 'malformed' {
  const address = addressIn(said['user'])
  if (address === null) return 'malformed'
  const state = () => data && { channel: type, data: data(accountOf(world, address)) }
  return { echo: { type, user: address }, type, user: address, dex: null, coin: null, everyMs, state }
}

function inDex(
  type: string,
  said: Record<string, unknown>,
  world: World,
  everyMs: number | null,
  data: (account: Account, dex: ListedDex) => unknown,
): Subscription | 'malformed' {
  const { dex: name = '' } = said
  const dex = world.dexes.find((one) => one.name === name)
  if (!dex) return 'malformed'
  const subscription = user(type, said, world, everyMs, (account) => data(account, dex))
  if (typeof subscription === 'string') return subscription
  return { ...subscription, echo: { ...subscription.echo, dex: dex.name }, dex: dex.name }
}
