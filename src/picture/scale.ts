import type { Sample } from './line.ts'
import type { Style } from './style.ts'
import type { Plot } from './plot.ts'

/** Where prices stand in a chart, in the units of `Style`. Zero is the top. */
export interface Scale {
  /** A twelfth of the size of labels: strokes and distances are multiples of it. */
  unit: number
  /** Below it stand the times. */
  bottom: number
  /** Half the height of a tag. */
  tagHalf: number
  y: (price: number) => number
  /** Is the line of liquidation inside the frame? */
  isNear: boolean
  /** The line of liquidation, or the edge behind which it lies; null where there is none. */
  liquidation: number | null
  /** Liquidation lies above for a short. */
  isDangerAbove: boolean
}

/** Beyond this distance the line of liquidation would press everything else flat. */
const NEAR = 0.35
/** A calm hour must not look like a crash: the least that a frame spans, as a fraction of the price. */
const LEAST_SPANS = { usual: 0.012, far: 0.1 }
/** Amounts below a cent are not told apart. */
const LEAST_AMOUNT = 0.01
/** How much of the frame lies beyond liquidation, at least. */
const DANGER = 0.15
const TIMES_HEIGHT = 21
const TAG_HEIGHT = 1.62

/** `samples`: those of `samplesOf`. */
export function scaleOf(plot: Plot, samples: readonly Sample[], { sizes, height }: Style): Scale {
  const unit = sizes.label / 12
  const bottom = height - TIMES_HEIGHT * unit
  const tagHalf = (sizes.tag * TAG_HEIGHT) / 2
  const isDangerAbove = plot.side === 'short'
  const { low, high, isNear } = rangeOf(plot, samples)

  const isDangerLast = isNear && plot.liquidation === (isDangerAbove ? high : low)
  const danger = isDangerLast ? Math.max(tagHalf, bottom * DANGER) : tagHalf
  const above = isDangerAbove ? danger : tagHalf
  const perUnit = (bottom - tagHalf - danger) / (high - low)
  const y = (price: number) => Math.min(Math.max(above + (high - price) * perUnit, 0), bottom)

  const edge = isDangerAbove ? 0 : bottom
  const liquidation = plot.liquidation === null ? null : isNear ? y(plot.liquidation) : edge
  return { unit, bottom, tagHalf, y, isNear, liquidation, isDangerAbove }
}

function rangeOf(
  { side, liquidation, entry, zero }: Plot,
  samples: readonly Sample[],
): { low: number; high: number; isNear: boolean } {
  const prices = samples.map(({ price }) => price)
  const now = prices.at(-1) ?? liquidation ?? (zero ? 0 : 1)
  const shown = [now, ...prices, ...(entry ? [entry.price] : [])]
  let [low, high] = [Math.min(...shown), Math.max(...shown)]
  if (zero) {
    ;[low, high] = [Math.min(low, 0), Math.max(high, 0)]
    const room = Math.max(Math.max(zero.leastSpan, LEAST_AMOUNT) - (high - low), 0) / 2
    return { low: low - room, high: high + room, isNear: false }
  }

  const isNear = isInside({ side, liquidation }, now, { low, high })
  if (isNear && liquidation !== null) [low, high] = [Math.min(low, liquidation), Math.max(high, liquidation)]
  const lacking = Math.max(leastSpan(now, liquidation !== null && !isNear) - (high - low), 0)
  // Near liquidation all of the room is on the safe side: the line keeps its place beside the danger.
  const above = lacking * (isNear ? Number(side === 'long') : 0.5)
  return { low: low + above - lacking, high: high + above, isNear }
}

/** Whether liquidation stands inside the frame: past it, or near it, or among these prices. */
export function isInside(
  { side, liquidation }: Pick<Plot, 'side' | 'liquidation'>,
  price: number,
  { low, high }: { low: number; high: number },
): boolean {
  if (liquidation === null) return false
  const away = side === 'long' ? price - liquidation : liquidation - price
  return away <= NEAR * price || (liquidation >= low && liquidation <= high)
}

/** The least that a frame spans, as a price. `isFar`: there is a liquidation, and it stands outside of the frame. */
export function leastSpan(price: number, isFar: boolean): number {
  return Math.abs(price) * (isFar ? LEAST_SPANS.far : LEAST_SPANS.usual)
}
