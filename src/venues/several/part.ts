import { words } from '../../message/message.ts'
import { idWithin, venueOf } from '../../venue/venue-name.ts'
import {
  type MarketsAnswer,
  type PositionsAnswer,
  type Push,
  type Venue,
  VenueError,
} from '../../venue/venue.ts'
import { bareMarkets, barePositions, looksForeign } from './bare.ts'
import { closeRecordAt, draftWithin, marketAt, marketsAt, ordersAt, positionsAt } from './ids.ts'
import type { Onlooker } from './onlooker.ts'
import { recordsAt } from './records.ts'

/** How the ids of a venue are called in the whole. */
interface Names {
  /** Whether this id of the whole is one of this venue. */
  isOwn(id: string): boolean
  within(id: string): string
  markets(answer: MarketsAnswer): MarketsAnswer
  positions(answer: PositionsAnswer): PositionsAnswer
}

/** The first venue: its ids stay bare. */
export function firstPart(venue: Venue, others: readonly string[], onlooker: Onlooker): Venue {
  const names: Names = {
    isOwn: (id) => !looksForeign(id, others),
    within: (id) => id,
    markets: (answer) => bareMarkets(others, answer),
    positions: (answer) => barePositions(others, answer),
  }
  const { orderOutcomes } = venue
  return {
    ...partOf(venue, names, onlooker),
    async market(id, asking) {
      if (!names.isOwn(id)) throw noMarket(id)
      return venue.market(id, asking)
    },
    orderOutcomes:
      orderOutcomes &&
      (async (wallet, ids, asking) => orderOutcomes(wallet, ids.filter(names.isOwn), asking)),
    async preview(draft, asking) {
      if (!names.isOwn(draft.accountId)) throw noAccount()
      return venue.preview(draft, asking)
    },
  }
}

/** A venue after the first, under its name. */
export function namedPart(name: string, venue: Venue, onlooker: Onlooker): Venue {
  const { orderOutcomes, closeRecords } = venue
  const names: Names = {
    isOwn: (id) => venueOf(id, [name]) === name,
    within: (id) => idWithin(name, id),
    markets: (answer) => marketsAt(name, answer),
    positions: (answer) => positionsAt(name, answer),
  }
  return {
    ...partOf(venue, names, onlooker),
    ...recordsAt(name, venue),
    async market(id, asking) {
      if (!names.isOwn(id)) throw noMarket(id)
      return marketAt(name, await venue.market(idWithin(name, id), asking))
    },
    orders: async (wallet, states, asking) => ordersAt(name, await venue.orders(wallet, states, asking)),
    orderOutcomes:
      orderOutcomes &&
      (async (wallet, ids, asking) => {
        const own = ids.filter(names.isOwn).map(names.within)
        return ordersAt(name, await orderOutcomes(wallet, own, asking))
      }),
    async preview(draft, asking) {
      if (!names.isOwn(draft.accountId)) throw noAccount()
      return venue.preview(draftWithin(name, draft), asking)
    },
    closeRecords:
      closeRecords &&
      (async (wallet, since, asking, withTwaps) => {
        const records = await closeRecords(wallet, since, asking, withTwaps)
        return records.map((record) => closeRecordAt(name, record))
      }),
  }
}

/** The common half of the first venue and of one under a name. */
function partOf(venue: Venue, names: Names, onlooker: Onlooker): Venue {
  const { identify, push } = venue
  const needed = (ids: readonly string[]) => ids.filter(names.isOwn).map(names.within)
  return {
    ...venue,
    markets: async (asking, ids) => names.markets(await venue.markets(asking, needed(ids))),
    async positions(wallet, asking) {
      const answer = names.positions(await venue.positions(wallet, asking))
      return onlooker.answered(wallet, answer, asking)
    },
    identify:
      identify &&
      (async (wallet, asking, isFunded) => {
        const answer = await identify(wallet, asking, isFunded)
        onlooker.identified(wallet, answer)
        return answer
      }),
    push: push && pushOf(push, names, needed, onlooker),
  }
}

function pushOf(
  push: Push,
  names: Names,
  needed: (ids: readonly string[]) => string[],
  onlooker: Onlooker,
): Push {
  return {
    ...push,
    start: (hear) =>
      push.start({
        ...hear,
        needed: () => needed(hear.needed()),
        markets: (answer, whole) => hear.markets(names.markets(answer), whole),
        wallet(wallet, answer, whole) {
          hear.wallet(wallet, onlooker.told(wallet, names.positions(answer)), whole)
        },
      }),
  }
}

function noMarket(id: string): VenueError {
  return new VenueError(
    { is: 'unreadable', why: 'it has no such market' },
    words('cause.no-market', { market: id.slice(0, 40) }),
  )
}

/** No account of another venue can hold this market. */
function noAccount(): VenueError {
  return new VenueError({ is: 'unreadable', why: 'it has no such account' }, words('preview.no-account'))
}
