import type { Amount } from '../../amount.ts'
import type { Market } from '../../market.ts'

/** A price that is another by this factor, from one second to the next. */
const FACTOR = 2n

/**
 * Whether names have rather changed places than prices: figures come without names, and their number may stay the same.
 * One market may do that by itself, two at once hardly; and in a crash, in which many do, the price of the day before stays.
 */
export function isShuffled(before: readonly Market[], after: readonly Market[]): boolean {
  const known = new Map(before.map((market) => [market.id, market]))
  const odd = after.filter((market) => {
    const was = known.get(market.id)
    if (was === undefined || !isAnother(was.price, market.price)) return false
    const [then, now] = [was.price24hAgo, market.price24hAgo]
    return then === null || now === null || isAnother(then, now)
  })
  return odd.length > 1
}

function isAnother(before: Amount, after: Amount): boolean {
  return after >= before * FACTOR || before >= after * FACTOR
}
