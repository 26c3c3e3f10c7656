import type { Market } from '../../market.ts'

/** A price that is another by this factor, from one second to the next. */
const FACTOR = 2n

/**
 * Whether names have rather changed places than prices: figures come without names, and their number may stay the same.
 * One market may do that by itself, two at once hardly.
 */
export function isShuffled(before: readonly Market[], after: readonly Market[]): boolean {
  const known = new Map(before.map(({ id, price }) => [id, price]))
  const odd = after.filter(({ id, price }) => {
    const was = known.get(id)
    return was !== undefined && (price >= was * FACTOR || was >= price * FACTOR)
  })
  return odd.length > 1
}
