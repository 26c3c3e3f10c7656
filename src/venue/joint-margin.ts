// How positions of one margin stand together while several prices move at once. A liquidation price says where its account
// ends while all other prices stay, so that each of them says the same of the account: how much it has to spare.

/** One of the positions that share a margin. */
export interface Leg {
  /** Base units, below zero is short. */
  size: number
  price: number
  /** Null: no price of this market alone ends the account. */
  liquidation: number | null
  /** What its market asks for maintenance, a fraction of what is held; null: the venue does not say. */
  share: number | null
}

/** What the venue itself says of what is shared, USD. */
export interface Told {
  /** Equity beyond maintenance. */
  spare: number
  maintenance: number
}

/** What follows from it all. */
export interface Stand {
  /** A price is past its liquidation price already, or nothing is left to spare. */
  isOver: boolean
  /** USD that may be lost before the account ends; null where nothing tells how much. */
  spareUsd: number | null
  /** That is what the venue says, and no estimate. */
  isTold: boolean
  /** It may lose this much at the very least. */
  leastUsd: number
  /** USD that it has more to spare, by leg, for each whole by which the price rises. */
  perWhole: readonly number[]
  /** What is taken to be asked for where no liquidation price, no market and no account tells; null: nothing is taken. */
  takenShare: number | null
  /** Whether its liquidation prices tell of one margin: else it is not shared, or not all was seen at once. */
  isOne: boolean
}

/** What a market is taken to ask for maintenance where nothing tells: half of the initial margin at a leverage of 50. */
const USUAL_SHARE = 0.01
/** Where nothing tells what an account can spare, no rise is looked at beyond this. */
const HIGHEST = 10
/** No market asks for more. */
const MOST_SHARE = 0.2
/** Liquidation prices of one margin agree within what their markets ask for, and what the prices moved since they were read. */
const SAME_WITHIN = 2
/** The account's own figures and its liquidation prices are of one moment, or nearly. */
const TOLD_WITHIN = 1.5

export function standOf(legs: readonly Leg[], told: Told | null): Stand {
  // Without what is asked for maintenance, what a leg may lose until its line is what the account has to spare.
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
 * After how much of these moves (fractions of each leg's price; 1 is all of them) the account ends: above 1 it outlasts them,
 * Infinity is never, or not within them where nothing tells of more. Null where nothing tells at all.
 */
export function endsAfter(stand: Stand, moves: readonly number[]): number | null {
  if (stand.isOver) return 0
  const gains = stand.perWhole.map((usd, at) => usd * (moves[at] ?? 0))
  const lost = -gains.reduce((sum, usd) => sum + usd, 0)
  if (lost <= 0) return Infinity
  if (stand.spareUsd !== null) return stand.spareUsd / lost
  // Each leg alone ends nothing, wherever its price goes.
  const isAlone = gains.filter((usd) => usd !== 0).length === 1
  return isAlone || lost <= stand.leastUsd ? Infinity : null
}

/** The smallest move of all prices that can move (1; 0 for a leg whose price cannot) that ends the account; null: none does. */
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

/** What the account owes for maintenance in all says what the legs without a line are asked for. */
function shareTold(legs: readonly Leg[], bare: readonly (number | null)[], told: Told): number | null {
  let [owed, without] = [told.maintenance, 0]
  for (const [at, { size, price }] of legs.entries()) {
    const usd = bare[at] ?? null
    if (usd === null) without += Math.abs(size) * price
    else owed -= size * price * (1 - told.spare / usd)
  }
  return without === 0 ? null : clamped(owed / without)
}

/** A long's line and a short's are apart by twice what is asked for. */
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
