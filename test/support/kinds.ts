import { inWords } from '../../src/message/message.ts'
import type { Kind, Bounds } from '../../src/alert/alert.ts'
import type { Subject } from '../../src/alert/subject.ts'
import { alertCommand } from '../../src/commands/alerts/alert.ts'
import { parseArguments } from '../../src/dialog/parse/arguments.ts'
import { tokens } from '../../src/dialog/parse/phrases.ts'
import { fromJson, toJson } from '../../src/lib/text/json.ts'
import type { Item } from '../../src/message/message.ts'
import { toNumber } from '../../src/venue/amount.ts'
import type { ClosedPosition } from '../../src/venue/closed-position.ts'
import { positionKey } from '../../src/venue/position.ts'
import { vocabulary } from '../dialog/world.ts'
import { NOON } from './clock.ts'
import {
  accountAt,
  aMarket,
  anAccount,
  anOrder,
  aTwap,
  aPosition,
  aWatch,
  exact,
  holding,
  listing,
  rateOf,
  seenAt,
} from './fixtures.ts'

// What tests know of a kind follows from its declaration, so that a new one needs no word in any of them.

const follows = () => [aWatch({ label: 'whale', as: 'followed' })]

/** What `/alert` sets for somebody who types this: the kind's parameters, and its scope if one is named. */
export function set(kind: Kind, line: string): { params: Record<string, unknown>; scope: string[] } {
  const [form] = alertCommand([kind]).forms
  const read = form && parseArguments(form, tokens(line).slice(1), vocabulary({ follows }))
  if (!read?.ok) throw new Error(`“/alert ${line}” is not understood: ${read ? inWords(read.why) : ''}`)
  const { market, wallet, label, ...params } = read.args as Record<string, unknown>
  const scope = Object.entries({ market, wallet, label }).flatMap(([name, one]) =>
    one === undefined ? [] : [name],
  )
  return { params, scope }
}

/** Parameters that people give it: those of its example, and those that `/watch` arms. */
export function paramsOf(kind: Kind): unknown[] {
  const armed = kind.armedByWatch === null ? [] : [kind.armedByWatch]
  return [...armed, set(kind, kind.example).params]
}

const DAY_MS = 86_400_000

/** How the words of a life are filled. */
export interface Names {
  symbol: string
  label: string
  /** A size, an entry, a price and a liquidation price. */
  figure: string
  statuses: string[]
}

/** What a thing of each sort goes through, reading by reading. */
function lives({ symbol, label, figure, statuses }: Names): Record<Subject['is'], Subject[]> {
  const amount = exact(figure)
  const price = toNumber(amount)
  const market = aMarket({ symbol, price: amount })
  const position = aPosition({ size: amount, entryPrice: amount, liquidationPrice: amount })
  const long = NOON - 4e10
  const seen = { awaySince: NOON - 500 * 86_400_000, marketAt: long, positionAt: long, label }
  const held = Array.from({ length: 20 }, () => ({ position, label }))
  const gone: ClosedPosition = {
    key: positionKey(position),
    position,
    symbol,
    lastSeenAt: long,
    awaySince: seen.awaySince,
    cause: 'probably liquidated',
    ending: null,
    takerFee: exact('0.0005'),
    lastPrice: price,
    lastDistance: 0.1,
    worstPrice: price,
    orders: statuses.map((status) => anOrder({ state: 'filled', venueStatus: status })),
  }
  const moved = (times: number) => ({
    low: { price: price / times, at: long },
    high: { price: price * times, at: long },
    darkMs: 4e10,
  })
  /** On its way to zero, which it reaches in an hour. */
  const turning = (perDay: string) =>
    Array.from({ length: 60 }, (_, n) => ({
      rate: Number(perDay) * (2 - n / 60),
      at: NOON - (60 - n) * 60_000,
    }))
  const rate = (perDay: string, positions = held) =>
    rateOf(perDay, [], {
      ...{ ...seen, positions, samples: { range: () => moved(1.5), rates: () => turning(perDay) } },
      market: { ...market, fundingRatePerDay: exact(perDay), fundingVelocityPerDay: exact(perDay) * -24n },
    })
  const order = anOrder({ size: amount, limit: { lower: null, upper: amount, acceptable: amount } })
  const monitor = anOrder({
    ...{ id: 'guard', state: 'open', isProtective: true, size: amount, createdAt: long },
    stopLoss: { lower: null, upper: amount, acceptable: null },
  })
  const venueStatus = statuses[0] ?? null
  // An order that is pending for long, and then one that came and went between two looks.
  const ordered = [
    [order, monitor],
    [order, monitor],
    [order, monitor],
    [
      { ...order, state: 'filled' as const, venueStatus },
      { ...order, id: 'late', createdAt: long },
    ],
    [{ ...order, id: 'late', state: 'expired' as const, venueStatus, createdAt: long }],
  ]
  const twap = aTwap({ size: amount, priceLimit: amount, startedAt: long, marketId: position.marketId })
  const filled = { size: amount, notionalUsd: amount }
  // One that starts and fails, and then many that came and went between two looks.
  const sliced = [
    [],
    [twap],
    [{ ...twap, state: 'failed' as const, why: venueStatus, filled }],
    Array.from({ length: 12 }, (_, n) => ({ ...twap, id: `${n}-`, state: 'finished' as const, filled })),
    [{ ...twap, id: 'last', state: 'stopped' as const, size: -amount, filled }],
  ]
  const wallets = (sizes: bigint[], place: number, ended: ClosedPosition[] = []) =>
    holding(
      sizes.map((size) => ({ ...position, size })),
      {
        ...{ ...seen, gone: ended, market: () => market, symbol: () => symbol },
        // What comes soon after something else may be told together with it.
        ...{
          positionAt: long + place * DAY_MS,
          ordersAt: long + place * DAY_MS,
          orders: ordered[place] ?? [],
          twaps: { all: sliced[place] ?? [], at: long + place * DAY_MS },
        },
      },
    )
  return {
    position: [0.5, 1, 1.5].map((times) => seenAt(price * times, position, { ...seen, market })),
    market: [rate('0.0123'), rate('-0.0123'), rate('0.0123'), rate('-0.0123', [])],
    account: [0.2, 0.6, 1].map((marginRatio) =>
      accountAt(marginRatio, {
        ...{ awaySince: seen.awaySince, accountAt: long, name: label },
        positions: held.map((one) => ({ position: one.position, symbol, price: amount })),
        account: anAccount({ marginRatio, maintenanceUsd: amount, equityUsd: amount }),
      }),
    ),
    venue: [[symbol], [symbol, 'NEW'], ['NEW'], [...many(symbol), 'NEW'], ['NEW']].map((symbols) => {
      const dexes = new Map([['', { symbols: new Map(symbols.map((s) => [s, s])), sureOf: 'all' } as const]])
      return listing([], { ...seen, marketsAt: long, dexes, market: () => market, held: () => held })
    }),
    wallet: [
      wallets([], 0),
      wallets([amount], 1),
      wallets([1n], 2),
      wallets([2n * amount], 3),
      wallets([], 4, [gone]),
    ],
  }
}

function many(symbol: string): string[] {
  return Array.from({ length: 40 }, (_, n) => `${symbol}${n}`)
}

/** Everything that the kind says in such a life. */
export function sayings(kind: Kind, names: Names): Item[] {
  const life = lives(names)[kind.on]
  return paramsOf(kind).flatMap((params) =>
    kind.is === 'event' ? happened(kind, params, life) : passed(kind, params, life),
  )
}

function happened(kind: Extract<Kind, { is: 'event' }>, params: unknown, life: Subject[]): Item[] {
  let memo: unknown
  return life.flatMap((subject) => {
    const detected = kind.detect(params, memo, subject)
    // What the next run reads back has been through the store.
    memo = fromJson(toJson(detected.state))
    return detected.occurrences.map((occurrence) => kind.tell(params, occurrence, subject))
  })
}

/** Every step up and down between as many tiers as any kind may have. */
function passed(kind: Extract<Kind, { is: 'level' }>, params: unknown, life: Subject[]): Item[] {
  const tiers = [0, 1, 2, 3, 4]
  const steps = tiers.flatMap((from) => tiers.flatMap((to) => (from === to ? [] : [{ from, to }])))
  return life.flatMap((subject) =>
    steps.map((step) =>
      kind.tell(
        params,
        { ...step, reason: 'worse', value: 0.123, at: NOON, alertId: 1, reminders: 0 },
        subject,
      ),
    ),
  )
}

/** The subject at the end of such a walk of its price, or of its market's funding rate. */
export function along(on: Subject['is'], of: Bounds['of'], here: number, walk: readonly number[]): Subject {
  if (on !== 'position' && on !== 'market') throw new Error('a wallet, an account or the venue has no price')
  const isPrice = of === 'price'
  const market = aMarket({
    price: exact((isPrice ? here : 2_500).toFixed(18)),
    fundingRatePerDay: exact((isPrice ? 0.0005 : here).toFixed(18)),
  })
  const price = isPrice ? here : 2_500
  if (on === 'position') return seenAt(price, aPosition(), { market, orders: [], ordersAt: NOON })
  const seen = (one: number) => ({ price: one, at: NOON })
  const range = () => ({
    low: seen(isPrice ? Math.min(...walk) : price),
    high: seen(isPrice ? Math.max(...walk) : price),
    darkMs: 0,
  })
  const fundingRate = isPrice ? 0.0005 : here
  return rateOf('0.0005', [aPosition()], { market, price, fundingRate, samples: { range, rates: () => [] } })
}
