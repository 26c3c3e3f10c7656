import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { Venue } from '../../venue/venue.ts'
import { createAsk } from '../http/ask.ts'
import { report, unreadable } from '../http/reply.ts'
import { openTransport } from '../http/request.ts'
import { createAccounts } from './accounts.ts'
import { createApi, isLimit } from './api.ts'
import { createMarkets } from './markets.ts'
import { createFeed } from './push/feed.ts'
import { previewOf } from './rules/preview.ts'
import { createTrades } from './trades.ts'

/**
 * Requests a minute (https://apidocs.lighter.xyz/docs/rate-limits). With a token they count by weight: 240,000 for
 * a builder, and each of ours weighs 300.
 */
const REQUESTS_A_MINUTE = 60
const WITH_TOKEN = 800

/** Lighter as a `Venue`. `markets` and `accounts` take read and pushed answers alike. */
export function createClient(world: {
  url: string
  token: string | null
  clock: Clock
  emit: Emit
  random: () => number
}): { venue: Venue; close(): Promise<void> } {
  const { url, token, clock, emit, random } = world
  const transport = openTransport(new URL(url), clock)
  const ask = createAsk({ transport, clock, emit, random, secret: token, isLimit })
  const api = createApi(ask, token)
  const markets = createMarkets({ api, clock })
  const accounts = createAccounts({ clock, markets })
  const trades = createTrades({ clock, accounts })
  const push = createFeed({
    ...{ url: `${url.replace(/^http/i, 'ws')}/stream`, clock, emit, random },
    ...{ accounts, markets, trades },
  })

  const venue: Venue = {
    limits: { allowed: { weight: token === null ? REQUESTS_A_MINUTE : WITH_TOKEN, perMs: 60_000 } },
    showsAccounts: true,
    showsOrders: false,
    async markets(asking) {
      return report(emit, 'markets', await markets.markets(asking))
    },
    market: (id, asking) => markets.market(id, 'market', asking),
    async positions(wallet, asking) {
      const askedMono = clock.monotonic()
      const read = await api.accounts(wallet, 'positions', asking)
      return report(emit, 'positions', accounts.look(wallet, read, askedMono))
    },
    orders: () => Promise.resolve({ orders: [], unusable: [], unasked: [] }),
    orderOutcomes: null,
    async preview({ wallet, accountId, marketId, sizeDelta }, asking) {
      const market = await markets.market(marketId, 'preview', asking)
      const read = await api.accounts(wallet, 'preview', asking)
      const account = read?.accounts.find(({ id }) => id === accountId)
      const crossEquity = account?.figures.crossEquity ?? null
      if (!account || crossEquity === null) throw unreadable('it has no such account')
      const stand = { crossEquity, held: account.open, market, termsOf: markets.terms }
      const preview = previewOf(stand, sizeDelta)
      if (preview === null) throw unreadable('the margin of a market is missing')
      return preview
    },
    closeRecords(wallet, since) {
      const records = trades.closeRecords(wallet, since)
      // Without any trade nothing is known of how a position ended.
      return records.length > 0
        ? Promise.resolve(records)
        : Promise.reject(unreadable('no trade of this wallet was heard since then'))
    },
    async identify(wallet, asking, isFunded) {
      if (isFunded) return { is: 'holder' }
      const read = await api.accounts(wallet, 'identify', asking)
      return { is: read === null ? 'unknown' : 'holder' }
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
