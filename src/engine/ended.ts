import { magnitude } from '../amount.ts'
import type { Amount } from '../amount.ts'
import { side } from '../position.ts'
import type { Position } from '../position.ts'
import type { OwnerReading } from '../reading.ts'
import type { Ending } from '../venue.ts'

/** So far apart may the venue's clock and ours be. */
export const CLOCKS_APART_MS = 60_000
/** A position that is missing for longer is gone without anybody having been asked how it ended. */
const UNASKED_MS = 30_000

/** A position as it was last seen. */
interface Seen {
  position: Position
  seenAt: number
}

/**
 * Its end by the venue's record: not of another position, nor from before it was last seen. Where trades of it brought it
 * down to what was last seen, they are none of that end.
 */
export function endingOf({ position, seenAt }: Seen, endings: readonly Ending[] | null): Ending | null {
  let last: Ending | null = null
  for (const ending of endings ?? []) {
    if (!isOf(ending, position) || ending.at < seenAt - CLOCKS_APART_MS) continue
    if (last === null || ending.at >= last.at) last = ending
  }
  return last && ofWhatWasLeft(last, magnitude(position.size))
}

function ofWhatWasLeft({ later = [], ...ending }: Ending, left: Amount): Ending {
  return { ...ending, ...later.find(({ size }) => size === left) }
}

function isOf({ accountId, marketId, side: towards }: Ending, position: Position): boolean {
  return accountId === position.accountId && marketId === position.marketId && towards === side(position)
}

/**
 * Whether a complete answer that lacks what is missing says that it is gone: one beside which nobody asked how it ended
 * leaves that to the next.
 */
export function decides(missingSince: number | null, { tick, inPassing }: OwnerReading): boolean {
  if (missingSince === null || tick <= missingSince) return false
  return !inPassing || tick - missingSince > UNASKED_MS
}

/** Whether the venue's record may follow: it was read, and shows no end of what is gone. It is asked once more. */
export function lacksItsEnd(held: Seen & { endSought: boolean }, { endings }: OwnerReading): boolean {
  return endings !== null && !held.endSought && endingOf(held, endings) === null
}
