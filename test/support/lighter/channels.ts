import type { Refusal } from './limits.ts'
import type { Account, Event, Market } from './state.ts'
import type { Writing } from './text.ts'
import { type Json, paymentJson, positionJson, statsJson, tradeJson, userStatsJson } from './wire.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000
/** So many of the latest trades and payments come with the whole (not seen). */
const LATEST = 50
/** Those that need a token (facts), which the stand-in gives nobody. */
const PRIVATE =
  /^(?:account_all_positions|account_market|account_all_orders|account_all_trades|notification|account_tx)\//

/** A channel that anybody may subscribe to. */
type Channel =
  | { is: 'account_all'; account: Account }
  | { is: 'user_stats'; account: Account }
  | { is: 'market_stats'; market: Market | 'all' }

export interface Channels {
  /** The whole of a channel, as it comes on subscribing, or why there is none. */
  whole(channel: string): string | Refusal
  /** What an event makes of the channels that somebody follows: a frame of each, written once. */
  frames(event: Event, isFollowed: (channel: string) => boolean): [channel: string, text: string][]
  /** An account's stats as they are now. */
  stats(account: Account): [channel: string, text: string]
}

export function createChannels(world: World, writing: Writing, isOlder: () => boolean): Channels {
  const write = (verb: 'subscribed' | 'update', kind: string, of: string, said: Json) =>
    writing.write(kind, of, { type: `${verb}/${kind}`, channel: `${kind}:${of}`, ...said })
  const age = () => (isOlder() ? 'older' : 'newer')

  const positionsOf = (account: Account, markets: Iterable<Market>) =>
    Object.fromEntries(
      [...markets].flatMap((market) => {
        const held = account.positions.get(market)
        return held ? [[market.id, positionJson(account, held, age())]] : []
      }),
    )
  const wholeAccount = (account: Account) =>
    write('subscribed', 'account_all', String(account.index), {
      account: account.index,
      assets: {},
      funding_histories: byMarket(account.payments.slice(-LATEST), paymentJson),
      positions: positionsOf(account, account.positions.keys()),
      shares: [],
      trades: byMarket(account.trades.slice(-LATEST), tradeJson),
    })
  /** Only what has changed: another position's liquidation price may have, and is not told. */
  const changedAccount = ({ account, markets, trades, payments }: Extract<Event, { is: 'changed' }>) =>
    write('update', 'account_all', String(account.index), {
      account: account.index,
      funding_histories: byMarket(payments, paymentJson),
      positions: positionsOf(account, markets),
      trades: byMarket(trades, tradeJson),
    })
  const stats = (account: Account, verb: 'subscribed' | 'update') =>
    write(verb, 'user_stats', String(account.index), { stats: userStatsJson(account) })
  const markets = (verb: 'subscribed' | 'update', of: string, those: readonly Market[], one: boolean) => {
    const settled = Math.floor(world.clock.now() / HOUR_MS) * HOUR_MS
    const all = those.map((market) => [market.id, statsJson(market, settled)] as const)
    return write(verb, 'market_stats', of, {
      market_stats: one ? (all[0]?.[1] ?? {}) : Object.fromEntries(all),
    })
  }
  const read = (channel: string): Channel | Refusal => {
    const [kind = '', of = ''] = channel.split('/')
    // Its code is not seen.
    if (PRIVATE.test(channel)) return { code: 20_013, message: 'invalid auth' }
    if (kind === 'market_stats') {
      const market = of === 'all' ? of : world.markets.find(({ id }) => String(id) === of)
      if (market) return { is: kind, market }
    }
    if (kind !== 'account_all' && kind !== 'user_stats') return { code: 30_005, message: 'invalid channel' }
    const account = world.accounts.get(Number(of))
    // Not seen: which frame an unknown account has.
    return account ? { is: kind, account } : { code: 21_100, message: 'account not found' }
  }
  return {
    whole(channel) {
      const found = read(channel)
      if ('code' in found) return found
      if (found.is === 'account_all') return wholeAccount(found.account)
      if (found.is === 'user_stats') return stats(found.account, 'subscribed')
      return found.market === 'all'
        ? markets('subscribed', 'all', world.markets.filter(isActive), false)
        : markets('subscribed', String(found.market.id), [found.market], true)
    },
    frames(event, isFollowed) {
      const frames: [string, string][] = []
      const tell = (channel: string, write: () => string) => {
        if (isFollowed(channel)) frames.push([channel, write()])
      }
      if (event.is === 'moved') {
        const moved = event.markets.filter(isActive)
        if (moved.length > 0) tell('market_stats/all', () => markets('update', 'all', moved, false))
        for (const one of moved) {
          tell(`market_stats/${one.id}`, () => markets('update', String(one.id), [one], true))
        }
        return frames
      }
      const { account, markets: changed, payments } = event
      if (changed.length > 0 || payments.length > 0) {
        tell(`account_all/${account.index}`, () => changedAccount(event))
      }
      tell(`user_stats/${account.index}`, () => stats(account, 'update'))
      return frames
    },
    stats: (account) => [`user_stats/${account.index}`, stats(account, 'update')],
  }
}

const isActive = ({ status }: Market) => status === 'active'

function byMarket<T extends { market: Market }>(
  all: readonly T[],
  write: (one: T) => Json,
): Record<string, Json[]> {
  const grouped = Map.groupBy(all, ({ market }) => String(market.id))
  return Object.fromEntries([...grouped].map(([id, those]) => [id, those.map(write)]))
}
