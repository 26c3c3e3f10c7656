import { remember } from '../../../lib/data/remember.ts'
import { errorText } from '../../../lib/text/error-text.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Filled, hasEnded, type Twap, type TwapsAnswer } from '../../../venue/record/twap.ts'
import { type Asking, VenueError } from '../../../venue/venue.ts'
import type { Wallet } from '../../../venue/wallet.ts'
import type { Info } from '../info.ts'
import type { TwapFill } from '../wire/twaps.ts'

/**
 * The venue sends the oldest fills first, and no document says how many a page: 500 and 2,000 were seen. A shorter
 * answer is the last one.
 */
const LEAST_PAGE = 500
/** A week of slices every 30 seconds is 20,160 fills, if each is one. */
const MAX_PAGES = 12
/** Wallets whose slices are remembered, so that the next question reads the new ones alone. */
const REMEMBERED = 200
/** A TWAP lasts a week at most, so an older entry that cannot be used says nothing of today. */
const LATELY_MS = 8 * 86_400_000

/** The sums of a wallet’s slices. */
interface Progress {
  /** Every slice since then is counted. */
  since: number
  /** The time of the newest slice, and the trades of that millisecond: they come again. */
  until: number
  latest: ReadonlySet<number>
  filled: ReadonlyMap<string, Filled>
}

/** A wallet's TWAPs. Only its slices say how far a running one is. */
export function createTwaps({ info, clock }: { info: Info; clock: Clock }): {
  read(wallet: Wallet, asking: Asking, withFills: boolean): Promise<TwapsAnswer>
} {
  const known = new Map<Wallet, Progress>()

  async function progress(wallet: Wallet, since: number, asking: Asking): Promise<Progress> {
    const before = known.get(wallet)
    let now = before && before.since <= since ? before : startingAt(since)
    for (let page = 0; page < MAX_PAGES; page++) {
      const { slices, sent } = await info.twapFills(wallet, now.until, asking)
      const next = withSlices(now, slices)
      const isLast = sent < LEAST_PAGE || next === now
      now = next
      remember(known, wallet, now, REMEMBERED)
      if (isLast) return now
    }
    // The next question goes on from here.
    throw new Error('it has more slices than are read at once')
  }

  return {
    async read(wallet, asking, withFills) {
      const { twaps, unusable } = await info.twaps(wallet, asking, clock.now() - LATELY_MS)
      const running = twaps.filter(({ state }) => state === 'running')
      if (!withFills || running.length === 0) return { twaps, unusable }
      const since = Math.min(...running.map(({ startedAt }) => startedAt))
      try {
        const found = await progress(wallet, since, asking)
        remember(known, wallet, without(found, twaps.filter(hasEnded)), REMEMBERED)
        const { filled } = found
        return { twaps: twaps.map((twap) => ({ ...twap, filled: filledOf(twap, filled) })), unusable }
      } catch (error) {
        if (error instanceof VenueError && error.failure.is === 'aborted') throw error
        const why = errorText(error)
        return { twaps, unusable: [...unusable, { what: 'the progress of its TWAPs', why, part: null }] }
      }
    },
  }
}

const startingAt = (since: number): Progress => ({
  ...{ since, until: since, latest: new Set(), filled: new Map() },
})

/** One that the list lacks stays: it may have begun after the list was read. */
function without(progress: Progress, ended: readonly Twap[]): Progress {
  const over = new Set(ended.map(({ id }) => id))
  return { ...progress, filled: new Map([...progress.filled].filter(([id]) => !over.has(id))) }
}

function filledOf({ id, state, filled }: Twap, all: ReadonlyMap<string, Filled>): Filled | null {
  return state === 'running' ? (all.get(id) ?? { size: 0n, notionalUsd: 0n }) : filled
}

/** Returns the very same progress without a new slice. */
function withSlices(before: Progress, slices: readonly TwapFill[]): Progress {
  const isNew = ({ at, tid }: TwapFill) =>
    at > before.until || (at === before.until && !before.latest.has(tid))
  const added = slices.filter(isNew)
  const newest = added.at(-1)
  if (newest === undefined) return before
  const filled = new Map(before.filled)
  for (const { twapId, size, notionalUsd } of added) {
    const sum = filled.get(twapId)
    filled.set(twapId, {
      size: (sum?.size ?? 0n) + size,
      notionalUsd: (sum?.notionalUsd ?? 0n) + notionalUsd,
    })
  }
  const last = added.filter(({ at }) => at === newest.at).map(({ tid }) => tid)
  const latest = new Set(newest.at === before.until ? [...before.latest, ...last] : last)
  return { ...before, until: newest.at, latest, filled }
}
