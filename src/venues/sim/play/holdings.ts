import { type Amount, fromNumber, magnitude, multiply, toNumber } from '../../../venue/amount.ts'
import type { Held } from '../exchange/account.ts'
import type { AccountStart, PositionStart } from '../exchange/exchange.ts'
import type { Market } from '../exchange/market.ts'
import type { Lane } from './lane.ts'
import { bell, type Draws, uniform } from './random.ts'

// The positions of the many other wallets, spread as on venues that show all positions. Most are small and a
// few very large, most wallets have one or two, and few are within some per cent of liquidation.

/** The fixed habits of one wallet. */
export interface Habits {
  readonly markets: readonly Market[]
  /** USD of a usual position. */
  readonly usualUsd: number
  /** USD of positions for each USD of collateral. */
  readonly leverage: number
}

const MAX_MARKETS_PER_WALLET = 5
/**
 * Medians, with the deviations of their logarithms: between wallets, and between the positions of one
 * (`each`).
 */
const USUAL_USD = { median: 1_500, spread: 1.5, each: 0.6 }
const LEVERAGE = { median: 4, spread: 0.8, least: 1, most: 25 }
/** The largest position, as a share of the largest size of one side. */
const LARGEST_SHARE = 0.05
/** USD of extra collateral: enough to pay for the liquidation of the smallest position. */
const EXTRA_COLLATERAL_USD = 5
const LONG_SHARE = 0.55
/** The chance of an open position in each market but the first, which always has one. */
const OPEN_AT_START_SHARE = 0.75
const HELD_FOR_DAYS = 4
/** How far a price moves in a day, as a logarithm. */
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

/**
 * Invents positions of the last days at earlier prices. Their gains and losses count as part of the
 * collateral.
 */
export function startOf(
  habits: Habits,
  nowSeconds: number,
  draws: Draws,
): Pick<AccountStart, 'collateralUsd' | 'positions'> {
  let [heldUsd, gainedUsd] = [0, 0]
  const positions = habits.markets.flatMap((market, number): PositionStart[] => {
    if (number > 0 && uniform(draws) >= OPEN_AT_START_SHARE) return []
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
  const wantedUsd = heldUsd / habits.leverage + EXTRA_COLLATERAL_USD * positions.length
  return { collateralUsd: cents(Math.max(wantedUsd - gainedUsd, EXTRA_COLLATERAL_USD)), positions }
}

/** Base units, > 0 is long. */
export function sizeToOpen(habits: Habits, market: Market, draws: Draws): Amount {
  const size = typedSize(habits, market, draws)
  return uniform(draws) < LONG_SHARE ? size : -size
}

/** Base units with three digits, as a person types them. */
export function typedSize({ usualUsd }: Habits, { terms, indexPrice }: Market, draws: Draws): Amount {
  const usd = usualUsd * Math.exp(USUAL_USD.each * bell(draws))
  const most = LARGEST_SHARE * toNumber(terms.maxMarketSize)
  return digits(Math.min(usd / toNumber(indexPrice), most), 3)
}

/** USD of margin that the wallet wants for these positions and the new size. */
export function marginWanted(
  { leverage }: Habits,
  held: readonly Held[],
  market: Market,
  more: Amount,
): Amount {
  const usd = held.reduce((sum, one) => sum + valueOf(one.market, one.size), valueOf(market, more))
  return cents(toNumber(usd) / leverage + EXTRA_COLLATERAL_USD * (held.length + 1))
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

/** Picks a few markets, more often those with many trades. About half of all wallets have one. */
function chosen(lanes: readonly Lane[], draws: Draws): Market[] {
  const left = [...lanes]
  const many = Math.min(1 + Math.floor(MAX_MARKETS_PER_WALLET * uniform(draws) ** 2), lanes.length)
  return Array.from({ length: many }, () => {
    const weights = left.map(({ spec }) => Math.sqrt(spec.trades24h))
    let draw = uniform(draws) * weights.reduce((sum, one) => sum + one, 0)
    const found = weights.findIndex((weight) => (draw -= weight) < 0)
    return left.splice(found < 0 ? left.length - 1 : found, 1)
  })
    .flat()
    .map(({ market }) => market)
}
