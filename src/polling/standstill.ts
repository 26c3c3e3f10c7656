import type { Market } from '../market.ts'

/** So many looks one after the other must each have shown something new, or standing still means nothing. */
const LIVELY_LOOKS = 30
/** A minute without a single trade is quiet, two without any change of any rate are not. */
const STANDS_MS = 120_000
const STANDS =
  'The venue answers, but not one figure of any market has changed for two minutes: it shows what was before.'

/**
 * Notices a venue that goes on answering with what it has answered before: prices that are not of now look like those of
 * a calm market. One that often has nothing new is never suspected.
 */
export function createStandstill(): (markets: readonly Market[], tick: number) => string | null {
  const known = new Map<string, Market>()
  let lively = 0
  let stands = false
  let changedTick = -Infinity
  return (markets, tick) => {
    const moved = markets.filter((market) => !isSame(known.get(market.id), market))
    for (const market of moved) known.set(market.id, market)
    if (moved.length > 0) {
      lively = stands ? 1 : lively + 1
      stands = false
      changedTick = tick
      return null
    }
    stands = true
    return lively >= LIVELY_LOOKS && tick - changedTick >= STANDS_MS ? STANDS : null
  }
}

function isSame(before: Market | undefined, now: Market): boolean {
  return (
    before !== undefined &&
    before.price === now.price &&
    before.fundingRatePerDay === now.fundingRatePerDay &&
    before.otherPrice === now.otherPrice &&
    before.openInterest === now.openInterest &&
    before.volume24hUsd === now.volume24hUsd
  )
}
