import type { Account } from '../../venue/account.ts'
import type { Listing } from '../../venue/listing.ts'
import { MAIN_DEX, type Market } from '../../venue/market.ts'
import type { Order, OrderDraft } from '../../venue/order.ts'
import type { Position } from '../../venue/position.ts'
import { idAt, idWithin, symbolAt } from '../../venue/venue-name.ts'
import {
  type CloseRecord,
  type MarketsAnswer,
  type OrdersAnswer,
  OTHER_ACCOUNTS,
  type PositionsAnswer,
  unusableMarket,
} from '../../venue/venue.ts'

// The names that a venue after the first has in the whole. `venue` is always the name of that venue.

/** The main dex has the venue's own name. */
function dexAt(venue: string, dex: string | null): string {
  return dex === null || dex === MAIN_DEX ? venue : symbolAt(venue, dex)
}

export function marketAt(venue: string, market: Market): Market {
  return {
    ...market,
    id: idAt(venue, market.id),
    symbol: symbolAt(venue, market.symbol),
    dex: dexAt(venue, market.dex),
    accountId: market.accountId === null ? null : idAt(venue, market.accountId),
  }
}

function positionAt(venue: string, position: Position): Position {
  return {
    ...position,
    accountId: idAt(venue, position.accountId),
    marketId: idAt(venue, position.marketId),
  }
}

function accountAt(venue: string, account: Account): Account {
  return { ...account, accountId: idAt(venue, account.accountId), pool: idAt(venue, account.pool) }
}

function orderAt(venue: string, order: Order): Order {
  return {
    ...order,
    id: idAt(venue, order.id),
    accountId: order.accountId === null ? null : idAt(venue, order.accountId),
    marketId: order.marketId === null ? null : idAt(venue, order.marketId),
    ...(order.after !== undefined && { after: idAt(venue, order.after) }),
  }
}

export function closeRecordAt(venue: string, record: CloseRecord): CloseRecord {
  return {
    ...record,
    accountId: idAt(venue, record.accountId),
    marketId: idAt(venue, record.marketId),
  }
}

/** Returns the draft as its venue knows it. */
export function draftWithin(venue: string, draft: OrderDraft): OrderDraft {
  return {
    ...draft,
    accountId: idWithin(venue, draft.accountId),
    marketId: idWithin(venue, draft.marketId),
  }
}

function listingAt(venue: string, { dex, symbols }: Listing): Listing {
  const named = [...symbols].map(([id, symbol]) => [idAt(venue, id), symbolAt(venue, symbol)] as const)
  return { dex: dexAt(venue, dex), symbols: new Map(named) }
}

export function marketsAt(venue: string, answer: MarketsAnswer): MarketsAnswer {
  const { markets, unusable, failedParts, listings } = answer
  return {
    ...answer,
    markets: markets.map((market) => marketAt(venue, market)),
    unusable: unusable.map((one) => ({
      ...one,
      what: unusableAt(venue, one.what),
      part: dexAt(venue, one.part),
    })),
    failedParts: failedParts.map((one) => ({ ...one, part: dexAt(venue, one.part) })),
    ...(listings && { listings: listings.map((one) => listingAt(venue, one)) }),
  }
}

export function positionsAt(venue: string, answer: PositionsAnswer): PositionsAnswer {
  const { positions, accounts, unusable, failedParts, unasked, protectiveOrders } = answer
  return {
    ...answer,
    positions: positions.map((position) => positionAt(venue, position)),
    accounts: accounts.map((account) => accountAt(venue, account)),
    unusable: unusable.map((one) => ({ ...one, part: one.part === null ? null : idAt(venue, one.part) })),
    failedParts: failedParts.map((one) => ({ ...one, part: accountPartAt(venue, one.part) })),
    ...(unasked && { unasked: unasked.map((one) => ({ ...one, part: idAt(venue, one.part) })) }),
    ...(protectiveOrders && { protectiveOrders: protectiveOrders.map((one) => orderAt(venue, one)) }),
  }
}

export function ordersAt(venue: string, { orders, unusable, unasked }: OrdersAnswer): OrdersAnswer {
  return {
    orders: orders.map((order) => orderAt(venue, order)),
    unusable: unusable.map((one) => ({ ...one, part: one.part === null ? null : idAt(venue, one.part) })),
    unasked: unasked.map((account) => idAt(venue, account)),
  }
}

/** An answer of one venue speaks of that venue alone, so its other accounts keep their word. */
function accountPartAt(venue: string, part: string): string {
  return part === OTHER_ACCOUNTS ? part : idAt(venue, part)
}

const MARKET = unusableMarket('')

/** The engine finds the market by these words. */
function unusableAt(venue: string, what: string): string {
  return what.startsWith(MARKET) ? unusableMarket(idAt(venue, what.slice(MARKET.length))) : what
}
