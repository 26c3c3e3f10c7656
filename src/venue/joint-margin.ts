// Computes how positions with shared margin fare while several prices move at once. A liquidation price
// assumes that all other prices stay. Each one therefore says how much the same account can lose.

/** One of the positions that share a margin. */
export interface Leg {
  /** Base units; below zero is short. */
  size: number
  price: number
  /** Null: no price of this market alone ends the account. */
  liquidation: number | null
  /** The market's maintenance margin, a fraction of the notional. Null: the venue does not say. */
  share: number | null
}

/** The venue's own figures for the shared margin, USD. */
export interface Told {
  /** Equity beyond maintenance. */
  spare: number
  maintenance: number
}

/** The result of all legs together. */
export interface Stand {
  /** A price has passed its liquidation price, or the account has no headroom left. */
  isOver: boolean
  /** USD that the account can lose before it ends; null if unknown. */
  spareUsd: number | null
  /** The figure is the venue's own, not an estimate. */
  isTold: boolean
  /** USD that the account can lose at the very least. */
  leastUsd: number
  /** USD gained by each leg if its price rises by 100%. */
  perWhole: readonly number[]
  /**
   * The assumed maintenance fraction, if no liquidation price, market or account says it. Null: nothing is
   * assumed.
   */
  takenShare: number | null
  /**
   * Whether the liquidation prices agree on one margin. If not, the legs do not share it, or were not all
   * read at once.
   */
  isOne: boolean
}

/** The assumed maintenance fraction if nothing says it: half of the initial margin at a leverage of 50. */
const USUAL_SHARE = 0.01
/** The largest rise to examine if the account's headroom is unknown. */
const HIGHEST = 10
/** No market has a higher maintenance fraction. */
const MOST_SHARE = 0.2
/**
 * Liquidation prices of one margin agree up to this factor. It covers maintenance fractions, and price moves
 * since the read.
 */
const SAME_WITHIN = 2
/**
 * The account's figures and its liquidation prices must be of about the same moment: their headroom agrees up
 * to this factor.
 */
const TOLD_WITHIN = 1.5

export function standOf(legs: readonly Leg[], told: Told | null): Stand {
  // Without maintenance, a leg's loss up to its liquidation price is the account's headroom.
  const bare = legs.map(({ size, price, liquidation }) =>
    liquidation === null ? null : size * (price - liquidation),
  )
  const known = bare.filter((usd) => usd !== null)
  const fits = (usd: number) => told !== null && ratio(usd, told.spare) <= TOLD_WITHIN
  const isTold = told !== null && known.every(fits)
  const fromAccount = isTold ? shareTold(legs, bare, told) : null
  const taken = fromAccount ?? shareSeen(legs, bare)
  const shareOf = (leg: Leg) => fromAccount ?? leg.share ?? taken
  const spares = legs.flatMap((leg, at) => {
    const usd = bare[at] ?? null
    return usd === null ? [] : [usd * (1 - Math.sign(leg.size) * shareOf(leg))]
  })
  const wholeOf = (leg: Leg) => (leg.size - Math.abs(leg.size) * shareOf(leg)) * leg.price
  const leastUsd = Math.max(
    0,
    ...legs.map((leg, at) => (bare[at] === null && leg.size > 0 ? wholeOf(leg) : 0)),
  )
  const isTaken = fromAccount === null && legs.some(({ share }, at) => share === null && bare[at] === null)
  const seenUsd = spares.length === 0 ? null : Math.max(Math.min(...spares), leastUsd)
  const spareUsd = isTold ? told.spare : seenUsd
  const isOver = known.some((usd) => usd <= 0) || (spareUsd !== null && spareUsd <= 0)
  return {
    isOver,
    spareUsd: isOver ? 0 : spareUsd,
    isTold,
    leastUsd,
    perWhole: legs.map((leg) =>
      leg.liquidation === null || spareUsd === null
        ? wholeOf(leg)
        : (spareUsd * leg.price) / (leg.price - leg.liquidation),
    ),
    takenShare: isTaken ? taken : null,
    isOne: isOver || known.length < 2 || ratio(Math.max(...known), Math.min(...known)) <= SAME_WITHIN,
  }
}

/**
 * Returns the share of these moves (fractions of each leg's price; 1 is all of them) at which the account
 * ends. Above 1 the account survives them. Infinity: never, or not within them if nothing says more. Null:
 * unknown.
 */
export function endsAfter(stand: Stand, moves: readonly number[]): number | null {
  if (stand.isOver) return 0
  const gains = stand.perWhole.map((usd, at) => usd * (moves[at] ?? 0))
  const lost = -gains.reduce((sum, usd) => sum + usd, 0)
  if (lost <= 0) return Infinity
  if (stand.spareUsd !== null) return stand.spareUsd / lost
  // One leg alone never ends the account, at any price.
  const isAlone = gains.filter((usd) => usd !== 0).length === 1
  return isAlone || lost <= stand.leastUsd ? Infinity : null
}

/**
 * Returns the smallest common move of all prices that ends the account; null if none does. `movable` is 1 for
 * a price that can move, else 0.
 */
export function commonEnd(
  stand: Stand,
  movable: readonly number[],
): { move: number | null; isKnown: boolean } {
  const ends = [-1, HIGHEST].map((to) => {
    const all = movable.map((one) => to * one)
    return { to, after: endsAfter(stand, all) }
  })
  const found = ends.flatMap(({ to, after }) =>
    after === null || after === Infinity || (to < 0 && after >= 1) ? [] : [to * after],
  )
  const [move = null] = found.toSorted((a, b) => Math.abs(a) - Math.abs(b))
  return { move, isKnown: ends.every(({ after }) => after !== null) }
}

/**
 * Derives the maintenance fraction of legs without a liquidation price from the account's total maintenance.
 */
function shareTold(legs: readonly Leg[], bare: readonly (number | null)[], told: Told): number | null {
  let [owed, without] = [told.maintenance, 0]
  for (const [at, { size, price }] of legs.entries()) {
    const usd = bare[at] ?? null
    if (usd === null) without += Math.abs(size) * price
    else owed -= size * price * (1 - told.spare / usd)
  }
  return without === 0 ? null : clamped(owed / without)
}

/** The liquidation prices of a long and a short differ by twice the maintenance fraction. */
function shareSeen(legs: readonly Leg[], bare: readonly (number | null)[]): number {
  const of = (sign: number) =>
    legs.flatMap(({ size }, at) => (Math.sign(size) === sign ? (bare[at] ?? []) : []))
  const [longs, shorts] = [of(1), of(-1)]
  if (longs.length === 0 || shorts.length === 0) return USUAL_SHARE
  const [long, short] = [mean(longs), mean(shorts)]
  return long + short > 0 ? clamped((long - short) / (long + short)) : USUAL_SHARE
}

function clamped(share: number): number {
  return Math.min(Math.max(share, 0), MOST_SHARE)
}

function ratio(a: number, b: number): number {
  return a > 0 && b > 0 ? Math.max(a / b, b / a) : Infinity
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
