import { type Amount, fromNumber, magnitude, multiply, toNumber } from '../../../venue/amount.ts'
import type { Held } from '../exchange/account.ts'
import type { AccountStart, PositionStart } from '../exchange/exchange.ts'
import type { Market } from '../exchange/market.ts'
import type { Lane } from './lane.ts'
import { bell, type Draws, uniform } from './random.ts'

// What the many wallets hold that are nobody's here. It is spread as on venues where everybody's positions can be seen: most are
// small and a few are very large, most wallets have one or two, and few of them are within some per cent of their end.

/** Of one wallet, whatever it does. */
export interface Habits {
  readonly markets: readonly Market[]
  /** USD of a position. */
  readonly usualUsd: number
  /** USD that it holds for each that it has. */
  readonly leverage: number
}

const MARKETS_AT_MOST = 5
/** Medians, and the deviations of their logarithms: of wallets, and of the positions of one of them. */
const USUAL_USD = { median: 1_500, spread: 1.5, each: 0.6 }
const LEVERAGE = { median: 4, spread: 0.8, least: 1, most: 25 }
/** Of all that one side of a market may hold. */
const LARGEST_SHARE = 0.05
/** USD that a position has beside: what the smallest one needs so that its liquidation could be paid for. */
const BESIDE_USD = 5
const LONGS = 0.55
/** Its first market, and each of the others. */
const OPEN_AT_FIRST = 0.75
const HELD_FOR_DAYS = 4
/** How far a price goes in a day, as a logarithm. */
const MOVES_IN_A_DAY = 0.035
const DAY_SECONDS = 86_400

export function habitsOf(lanes: readonly Lane[], draws: Draws): Habits {
  const { least, most, median, spread } = LEVERAGE
  return {
    markets: chosen(lanes, draws),
    usualUsd: USUAL_USD.median * Math.exp(USUAL_USD.spread * bell(draws)),
    leverage: Math.min(most, Math.max(least, median * Math.exp(spread * bell(draws)))),
  }
}

/** Positions that were opened in the last days, at the prices of then; what they have gained or lost is part of what it has now. */
export function startOf(
  habits: Habits,
  nowSeconds: number,
  draws: Draws,
): Pick<AccountStart, 'collateralUsd' | 'positions'> {
  let [heldUsd, gainedUsd] = [0, 0]
  const positions = habits.markets.flatMap((market, number): PositionStart[] => {
    if (number > 0 && uniform(draws) >= OPEN_AT_FIRST) return []
    const size = sizeToOpen(habits, market, draws)
    const days = -HELD_FOR_DAYS * Math.log(1 - uniform(draws))
    const moved = Math.exp(MOVES_IN_A_DAY * Math.sqrt(days) * bell(draws))
    const price = toNumber(market.indexPrice)
    heldUsd += Math.abs(toNumber(size)) * price
    gainedUsd += toNumber(size) * price * (1 - moved)
    const entryPrice = digits(price * moved, 10)
    const enteredAtSeconds = nowSeconds - Math.ceil(days * DAY_SECONDS)
    return [{ marketId: market.terms.id, size, entryPrice, enteredAtSeconds }]
  })
  const wantedUsd = heldUsd / habits.leverage + BESIDE_USD * positions.length
  return { collateralUsd: cents(Math.max(wantedUsd - gainedUsd, BESIDE_USD)), positions }
}

/** Base units, > 0 is long: what it opens there. */
export function sizeToOpen(habits: Habits, market: Market, draws: Draws): Amount {
  const size = typedSize(habits, market, draws)
  return uniform(draws) < LONGS ? size : -size
}

/** Base units, as somebody types them: with three digits. */
export function typedSize({ usualUsd }: Habits, { terms, indexPrice }: Market, draws: Draws): Amount {
  const usd = usualUsd * Math.exp(USUAL_USD.each * bell(draws))
  const most = LARGEST_SHARE * toNumber(terms.maxMarketSize)
  return digits(Math.min(usd / toNumber(indexPrice), most), 3)
}

/** USD that such a wallet wants to have when it holds these and so much more. */
export function marginWanted(
  { leverage }: Habits,
  held: readonly Held[],
  market: Market,
  more: Amount,
): Amount {
  const usd = held.reduce((sum, one) => sum + valueOf(one.market, one.size), valueOf(market, more))
  return cents(toNumber(usd) / leverage + BESIDE_USD * (held.length + 1))
}

export function digits(value: number, many: number): Amount {
  return fromNumber(Number(value.toPrecision(many))) ?? 0n
}

function valueOf({ indexPrice }: Market, size: Amount): Amount {
  return multiply(magnitude(size), indexPrice)
}

function cents(usd: number): Amount {
  return BigInt(Math.round(usd * 100)) * 10n ** 16n
}

/** Its own few markets, those where most happens more often: one for about half of all wallets. */
function chosen(lanes: readonly Lane[], draws: Draws): Market[] {
  const left = [...lanes]
  const many = Math.min(1 + Math.floor(MARKETS_AT_MOST * uniform(draws) ** 2), lanes.length)
  return Array.from({ length: many }, () => {
    const weights = left.map(({ spec }) => Math.sqrt(spec.trades24h))
    let draw = uniform(draws) * weights.reduce((sum, one) => sum + one, 0)
    const found = weights.findIndex((weight) => (draw -= weight) < 0)
    return left.splice(found < 0 ? left.length - 1 : found, 1)
  })
    .flat()
    .map(({ market }) => market)
}
