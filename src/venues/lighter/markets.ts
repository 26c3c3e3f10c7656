import type { Clock } from '../../runtime/clock.ts'
import type { VenueCall } from '../../runtime/event.ts'
import { words } from '../../message/message.ts'
import type { Amount } from '../../venue/amount.ts'
import type { Market } from '../../venue/market.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import { type Asking, type MarketsAnswer, unusableMarket, VenueError } from '../../venue/venue.ts'
import { leaveOut, unreadable } from '../http/reply.ts'
import type { Api } from './api.ts'
import type { Listed, ListRead } from './wire/markets.ts'
import type { Day } from './wire/read.ts'
import type { Stat } from './wire/stats.ts'

/** While frames come, what they leave out has not changed. After this long without one, nobody knows. */
const FRESH_MS = 10_000
/** Serves one market from the last read for this long: reading one costs as much as reading all. */
const ONE_FRESH_MS = 5_000
/** The list changes with each new market. Meanwhile the push says everything about prices. */
const LIST_EVERY_MS = 600_000
/** Rates of the next hour move slowly, and are pushed with the prices. */
const RATES_EVERY_MS = 600_000
/** Funding is settled on the hour. */
const FUNDING_EVERY_MS = 3_600_000

/** The memory of the markets: the list as it was last read, and the figures that were pushed since. */
export interface Markets {
  /** Reads the list, and now and then the funding rates. */
  markets(asking: Asking): Promise<MarketsAnswer>
  market(id: string, call: VenueCall, asking: Asking): Promise<Market>
  /**
   * Takes a frame of `market_stats/all`: the first of a subscription (`isWhole`), or what has changed since.
   * Returns all pushed markets. `whole`: it has every needed one, and no poll could add anything.
   */
  tell(
    stats: readonly Stat[],
    isWhole: boolean,
    needed: readonly string[],
  ): { answer: MarketsAnswer; whole: boolean }
  /** The subscription is over, so what it said is no longer so. */
  cut(): void
  /** The market's terms; null until the list was read. */
  terms(id: string): Pick<Listed, 'maintenance' | 'initial' | 'takerFee' | 'isActive'> | null
  /** The last known mark price; null if there is none. */
  mark(id: string): Mark | null
}

/** A mark price, and when it was so (monotonic). */
interface Mark {
  price: Amount
  mono: number
}

export function createMarkets({ api, clock }: { api: Api; clock: Clock }): Markets {
  let list: { read: ListRead; byId: ReadonlyMap<string, Listed>; mono: number } | null = null
  let rates: { perHour: ReadonlyMap<string, Amount>; mono: number } | null = null
  /** The figures that the present subscription has sent. */
  const stats = new Map<string, Stat>()
  let toldMono = -Infinity
  /** Pushed markets that the list lacked when it was read: reading it again would not help. */
  let unlisted: ReadonlySet<string> = new Set()
  const marks = new Map<string, Mark>()

  const isFresh = () => clock.monotonic() - toldMono <= FRESH_MS
  const freshStat = (id: string) => (isFresh() ? (stats.get(id) ?? null) : null)

  /** The pushed rate goes before: it is the newer one, and of the coming payment. */
  function rateOf(id: string): Amount | null {
    return freshStat(id)?.ratePerHour ?? rates?.perHour.get(id) ?? null
  }

  async function read(call: VenueCall, asking: Asking): Promise<ListRead> {
    const areDue = rates === null || clock.monotonic() - rates.mono >= RATES_EVERY_MS
    const [listed, rated] = await Promise.allSettled([
      api.list(call, asking),
      areDue && !isFresh() ? api.rates(call, asking) : null,
    ])
    // Without the rates the prices still count: a market whose rate is unknown is left out and named.
    if (rated.status === 'fulfilled' && rated.value) {
      rates = { perHour: rated.value, mono: clock.monotonic() }
    }
    if (listed.status === 'rejected') throw listed.reason
    const byId = new Map(listed.value.listed.map((each) => [each.id, each]))
    list = { read: listed.value, byId, mono: clock.monotonic() }
    unlisted = new Set([...stats.keys()].filter((id) => !byId.has(id)))
    for (const { id, mark } of listed.value.listed) {
      if (mark !== null) marks.set(id, { price: mark, mono: clock.monotonic() })
    }
    return listed.value
  }

  function answerOf({ listed, unusable }: ListRead, markOf: (each: Listed) => Price | null): MarketsAnswer {
    const answer: MarketsAnswer = { markets: [], unusable: [...unusable], failedParts: [] }
    for (const each of listed) {
      // Nothing is paid any more in a market that takes no orders.
      const found = marketOf(each, markOf(each), rateOf(each.id) ?? (each.isActive ? null : 0n))
      if (typeof found !== 'string') answer.markets.push(found)
      // A market that takes no orders any more may have neither.
      else if (each.isActive) leaveOut(answer.unusable, unusableOf(each.id, found))
    }
    return answer
  }

  /** The mark of the list itself, or a fresh one that was pushed: older lists have none. */
  function readPrice(listed: Listed): Price | null {
    return pricedBy(listed) ?? freshStat(listed.id)
  }

  return {
    async markets(asking) {
      const found = await read('markets', asking)
      const answer = answerOf(found, readPrice)
      if (answer.unusable.length > 0 && answer.markets.every(({ delisted }) => delisted)) {
        const isPriced = found.listed.some((each) => each.isActive && readPrice(each) !== null)
        throw unreadable(
          `it names no ${isPriced ? 'funding rates' : 'mark prices'}, and none were pushed yet`,
        )
      }
      const isComplete = found.unusable.length === 0
      const symbols = new Map(found.listed.flatMap((each) => (each.isActive ? [[each.id, each.symbol]] : [])))
      return isComplete ? { ...answer, listings: [{ dex: null, symbols }] } : answer
    },
    async market(id, call, asking) {
      const known = list && clock.monotonic() - list.mono <= ONE_FRESH_MS ? list.read : null
      const { listed, unusable } = known ?? (await read(call, asking))
      const answer = answerOf({ listed: listed.filter((each) => each.id === id), unusable: [] }, readPrice)
      const [market] = answer.markets
      if (market) return market
      const [why] = [...answer.unusable, ...unusable.filter(({ what }) => what === unusableMarket(id))]
      throw new VenueError(
        { is: 'unreadable', why: why?.why ?? 'it has no such market' },
        why
          ? words('cause.unusable', { why: why.why })
          : words('cause.no-market', { market: id.slice(0, 40) }),
      )
    },
    tell(told, isWhole, needed) {
      if (isWhole) stats.clear()
      for (const stat of told) {
        stats.set(stat.id, stat)
      }
      toldMono = clock.monotonic()
      const known = list
      if (known === null) return { answer: { markets: [], unusable: [], failedParts: [] }, whole: false }
      const listed = known.read.listed.filter(({ id, isActive }) => stats.has(id) || !isActive)
      const answer = answerOf({ listed, unusable: [] }, (one) => stats.get(one.id) ?? pricedBy(one))
      const isMissed = needed.some((id) => known.byId.get(id)?.isActive === true && !stats.has(id))
      const isNew = [...stats.keys()].some((id) => !known.byId.has(id) && !unlisted.has(id))
      const isOld = clock.monotonic() - known.mono >= LIST_EVERY_MS
      return { answer, whole: !isMissed && !isNew && !isOld }
    },
    cut() {
      stats.clear()
      toldMono = -Infinity
    },
    terms: (id) => list?.byId.get(id) ?? null,
    mark(id) {
      const stat = stats.get(id)
      const read = marks.get(id) ?? null
      return stat && toldMono >= (read?.mono ?? -Infinity) ? { price: stat.mark, mono: toldMono } : read
    },
  }
}

interface Price extends Day {
  mark: Amount
  index: Amount | null
}

function pricedBy({ mark, ...figures }: Listed): Price | null {
  return mark === null ? null : { ...figures, mark }
}

/** Returns the market, or why it cannot be used. */
function marketOf(listed: Listed, price: Price | null, perHour: Amount | null): Market | string {
  if (price === null) return 'its mark price is not known yet'
  if (perHour === null) return 'its funding rate is not known yet'
  return {
    id: listed.id,
    symbol: listed.symbol,
    price: price.mark,
    priceName: 'mark',
    fundingRatePerDay: perHour * 24n,
    fundingVelocityPerDay: null,
    otherPrice: price.index,
    // https://docs.lighter.xyz/trading/funding: the payment is the size times the index price.
    ...(price.index !== null && { fundingPrice: price.index }),
    delisted: !listed.isActive,
    isolatedOnly: false,
    dex: null,
    accountId: null,
    fundingEveryMs: FUNDING_EVERY_MS,
    price24hAgo: price.price24hAgo ?? listed.price24hAgo,
    skew: null,
    openInterest: listed.openInterest,
    longOpenInterest: null,
    shortOpenInterest: null,
    maxOpenInterest: null,
    maxOpenInterestUsd: null,
    liquidityLongUsd: null,
    liquidityShortUsd: null,
    makerFee: listed.makerFee,
    takerFee: listed.takerFee,
    maintenanceRatio: listed.maintenance,
    trades24h: listed.trades24h,
    volume24hUsd: price.volume24hUsd ?? listed.volume24hUsd,
  }
}

function unusableOf(id: string, why: string): Unusable {
  return { what: unusableMarket(id), why, part: null }
}
