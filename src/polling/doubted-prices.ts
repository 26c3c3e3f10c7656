import { remember } from '../lib/data/remember.ts'
import type { Amount } from '../venue/amount.ts'
import type { Market } from '../venue/market.ts'
import { type MarketsAnswer, unusableMarket } from '../venue/venue.ts'

/** This many changes in a row must have come at once before a standstill is suspicious. */
const LIVELY_CHANGES = 30
/** A change that took no longer than this came at once, even if a look before it showed nothing new. */
const AT_ONCE_MS = 3_000
/** A minute without a trade happens in quiet times. Two minutes without any change of any rate do not. */
const FROZEN_AFTER_MS = 120_000
const MAX_REMEMBERED_MARKETS = 10_000
const FROZEN =
  'The venue answers, but not one figure of any market has changed for two minutes: it shows what was before.'
const FROZEN_ONE = 'unchanged for two minutes, while other markets move'

/** How lively a market, or the whole venue, has been. */
interface Course {
  lively: number
  changedMono: number
  stands: boolean
}

interface Frozen {
  /** Why the whole reading is not believed; null if it is. */
  all: string | null
  /** By id, why a market is not believed that has stood still while others moved. */
  some: ReadonlyMap<string, string>
}

/**
 * Notices a venue, or a market of it, that keeps repeating old figures: outdated prices look like those of a calm market.
 * Never suspects one that often has nothing new.
 */
export function createFrozenPrices(): (markets: readonly Market[], mono: number) => Frozen {
  const known = new Map<string, Market>()
  const courses = new Map<string, Course>()
  const venue = newCourse()
  return (markets, mono) => {
    const some = new Map<string, string>()
    let isMoved = false
    for (const market of markets) {
      const course = courses.get(market.id) ?? newCourse()
      remember(courses, market.id, course, MAX_REMEMBERED_MARKETS)
      const moves = !isSame(known.get(market.id), market)
      if (moves) remember(known, market.id, market, MAX_REMEMBERED_MARKETS)
      isMoved ||= moves
      if (isFrozen(course, moves, mono)) some.set(market.id, FROZEN_ONE)
    }
    return { all: isFrozen(venue, isMoved, mono) ? FROZEN : null, some }
  }
}

function newCourse(): Course {
  return { lively: 0, changedMono: -Infinity, stands: false }
}

/** Takes one look into the course. */
function isFrozen(course: Course, isMoved: boolean, mono: number): boolean {
  if (!isMoved) {
    course.stands = true
    return course.lively >= LIVELY_CHANGES && mono - course.changedMono >= FROZEN_AFTER_MS
  }
  course.lively = course.stands && mono - course.changedMono > AT_ONCE_MS ? 1 : course.lively + 1
  course.stands = false
  course.changedMono = mono
  return false
}

/** The answer with these markets among the unusable ones. */
export function without(answer: MarketsAnswer, doubted: ReadonlyMap<string, string>): MarketsAnswer {
  if (doubted.size === 0) return answer
  const unusable = [...doubted].map(([id, why]) => ({ what: unusableMarket(id), why, part: null }))
  return {
    ...answer,
    markets: answer.markets.filter(({ id }) => !doubted.has(id)),
    unusable: [...answer.unusable, ...unusable],
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

/** No price moves by this factor between two looks. A misplaced decimal point does. */
const JUMP_FACTOR = 8n
/** After longer than this without a look, a price may be anywhere. */
const APART_MS = 60_000
/** A new level that stays for this long is the price. */
const BELIEVED_AFTER_MS = 60_000
const JUMPED = 'its price is many times another at once'

interface Seen {
  price: Amount
  mono: number
  /** A level that is not believed yet, and since when it is shown. */
  doubted: { price: Amount; sinceMono: number } | null
}

/**
 * Notices prices that are a power of ten off. Everybody would be called liquidated by one such answer. People hear
 * of the doubt when it stays.
 */
export function createJumpedPrices(): (
  markets: readonly Market[],
  mono: number,
) => ReadonlyMap<string, string> {
  const known = new Map<string, Seen>()
  return (markets, mono) => {
    const jumped = new Map<string, string>()
    for (const { id, price } of markets) {
      const seen = looked(known.get(id), price, mono)
      remember(known, id, seen, MAX_REMEMBERED_MARKETS)
      if (seen.doubted !== null) jumped.set(id, JUMPED)
    }
    return jumped
  }
}

function looked(before: Seen | undefined, price: Amount, mono: number): Seen {
  const believed = { price, mono, doubted: null }
  const lastMono = before?.doubted ? mono : before?.mono
  if (!before || lastMono === undefined || mono - lastMono > APART_MS || !isFar(before.price, price))
    return believed
  const { doubted } = before
  if (doubted === null || isFar(doubted.price, price))
    return { ...before, doubted: { price, sinceMono: mono } }
  return mono - doubted.sinceMono >= BELIEVED_AFTER_MS ? believed : before
}

function isFar(a: Amount, b: Amount): boolean {
  return a >= b * JUMP_FACTOR || b >= a * JUMP_FACTOR
}
