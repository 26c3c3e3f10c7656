import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { Order } from '../../venue/order.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import type { Identified, Venue } from '../../venue/venue.ts'
import { createAsk } from '../http/ask.ts'
import { report } from '../http/reply.ts'
import { openTransport } from '../http/request.ts'
import { createBalances } from './balances/balances.ts'
import { createClosingOrders } from './closing-orders.ts'
import { PUBLIC_WEIGHT } from './config.ts'
import { createFeed } from './feed.ts'
import { createInfo } from './info.ts'
import { createDexes } from './markets.ts'
import { createPreview } from './preview.ts'
import { createLedger } from './record/ledger.ts'
import { createTwaps } from './record/twaps.ts'
import { closeRecordsOf, reductionsOf } from './rules/close-records.ts'
import { createTrades } from './trades.ts'
import { createWallets } from './wallets.ts'
import { accountOf } from './wire/dexes.ts'

/** Hyperliquid as a `Venue`. `dexes` and `wallets` take polled and pushed answers in the same shapes. */
export function createClient(world: {
  url: string
  /** Left out: as much as the public API allows. */
  weightPerMinute?: number
  clock: Clock
  emit: Emit
  random: () => number
}): {
  venue: Venue
  close(): Promise<void>
} {
  const { clock, emit, random } = world
  const transport = openTransport(new URL(world.url), clock)
  const info = createInfo(createAsk({ transport, clock, emit, random, secret: null }))
  const closingOrders = createClosingOrders(info)
  const dexes = createDexes({ info, clock })
  const url = `${world.url.replace(/^http/i, 'ws')}/ws`
  const trades = createTrades({
    ...{ url, clock, random },
    markets: () => dexes.tradable(),
    traded(user, coin, at) {
      ledger.traded(user)
      return wallets.traded(user, coin, at)
    },
  })
  const wallets = createWallets({
    ...{ info, dexes, clock },
    heardSince: (dex) => trades.heardSince(dex),
    behind: (wallet) => trades.again(wallet),
  })
  const push = createFeed({ ...world, url, dexes, wallets, trades })
  const twaps = createTwaps({ info, clock })
  const balances = createBalances({ info, dexes, wallets, clock })
  const preview = createPreview({ info, dexes, wallets, clock })
  const ledger = createLedger({ info, clock, heardSince: () => trades.allHeardSince() })

  const venue: Venue = {
    limits: { allowed: { weight: world.weightPerMinute ?? PUBLIC_WEIGHT, perMs: 60_000 } },
    showsAccounts: true,
    async markets(asking, needed) {
      return report(emit, 'markets', await dexes.markets(asking, needed))
    },
    async market(id, asking) {
      return (await dexes.market(id, 'market', asking)).market
    },
    async positions(wallet, asking) {
      return report(emit, 'positions', await wallets.positions(wallet, asking))
    },
    async orders(wallet, states, asking) {
      const wants = (state: Order['state']) =>
        states.length === 0 || (state !== null && states.includes(state))
      const held = wants('open') ? wallets.heldDexes(wallet) : []
      const past = states.length === 0 || states.some((state) => OVER.has(state))
      const [over, ...open] = await Promise.all([
        past ? info.pastOrders(wallet, asking) : NOTHING,
        ...held.map((dex) => info.openOrders(wallet, dex, asking)),
      ])
      const listed = open.flatMap(({ orders }) => orders)
      const known = new Set(listed.map(({ id }) => id))
      const read = new Set<string | null>(held.map(accountOf))
      // For a dex that was just read, its list of open orders decides. For the others the order's last status
      // does.
      const ended = over.orders.filter(
        ({ id, state, accountId }) => !known.has(id) && !(state === 'open' && read.has(accountId)),
      )
      return report(emit, 'orders', {
        orders: [...listed, ...ended].filter(({ state }) => wants(state)),
        unusable: [over, ...open].flatMap(({ unusable }) => unusable),
        // Reading an empty dex weighs as much as all of one's own. Its orders may be in the list of past
        // orders.
        unasked: wants('open') ? wallets.emptyDexes(wallet).map(accountOf) : [],
      })
    },
    async orderOutcomes(wallet, ids, asking) {
      const numbers = ids.map(Number).filter((id) => Number.isSafeInteger(id))
      // Single reads weigh less than the list only for a few orders.
      if (numbers.length > MAX_SINGLE_ORDER_READS) {
        const wanted = new Set(ids)
        const past = await info.pastOrders(wallet, asking)
        return report(emit, 'orders', {
          ...past,
          orders: past.orders.filter(({ id }) => wanted.has(id)),
          unasked: [],
        })
      }
      const found = await Promise.all(numbers.map((id) => info.order(wallet, id, asking)))
      return report(emit, 'orders', {
        orders: found.flatMap(({ orders }) => orders),
        unusable: found.flatMap(({ unusable }) => unusable),
        unasked: [],
      })
    },
    preview,
    async closeRecords(wallet, since, asking, withTwaps = false) {
      const [own, sliced] = await Promise.all([
        info.fills(wallet, since, asking),
        withTwaps ? info.fills(wallet, since, asking, true) : [],
      ])
      const fills = [...own, ...sliced].toSorted((a, b) => a.time - b.time)
      const orderOf = await closingOrders.of(wallet, fills, asking)
      return [...closeRecordsOf(fills, wallet, orderOf), ...reductionsOf(fills, wallet, orderOf)]
    },
    async twaps(wallet, asking, withFills) {
      return report(emit, 'twaps', await twaps.read(wallet, asking, withFills))
    },
    async ledger(wallet, asked, asking) {
      return report(emit, 'ledger', await ledger.read(wallet, asked, asking))
    },
    async identify(wallet, asking, isFunded) {
      // Only a holder has some. Without them the role tells, which weighs more.
      const found = await info.subAccounts(wallet, 'identify', asking).catch(() => null)
      const subAccounts = (found ?? []).map(({ wallet: own, name, positions }) => ({
        wallet: own,
        name,
        holds: positions > 0,
      }))
      if (subAccounts.length > 0) return { is: 'holder', subAccounts }
      const who: Identified = isFunded ? { is: 'holder' } : await info.role(wallet, asking)
      return who.is === 'holder' && found === null ? { ...who, isPartial: true } : who
    },
    async balances(wallet, asking) {
      return report(emit, 'balances', await balances(wallet, asking))
    },
    push,
  }
  return {
    venue,
    async close() {
      await push.stop()
      await transport.close()
    },
  }
}

/** The most orders that are read one by one. */
const MAX_SINGLE_ORDER_READS = 30

const OVER: ReadonlySet<Order['state']> = new Set(['triggered', 'filled', 'cancelled', 'rejected'])
const NOTHING: { orders: Order[]; unusable: Unusable[] } = { orders: [], unusable: [] }
