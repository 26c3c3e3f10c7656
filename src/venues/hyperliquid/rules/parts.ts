import { errorText } from '../../../lib/text/error-text.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { FailedPart } from '../../../venue/record/lacking.ts'
import { type Asking, VenueError } from '../../../venue/venue.ts'

/** Stands for the builders' dexes while their names are unknown. */
export const BUILDERS = 'builders’ books'

/**
 * One answer consists of several requests: returns the failed ones with their reasons. Throws if all failed,
 * or if the caller gave up. With `mayAllFail`, the rest of the answer is known
 * from elsewhere.
 */
export function partsWithoutAnswer(
  names: readonly string[],
  parts: readonly PromiseSettledResult<unknown>[],
  mayAllFail = false,
): FailedPart[] {
  const failed = parts.flatMap((part, place) =>
    part.status === 'rejected' ? [{ name: names[place] ?? '', why: part.reason as unknown }] : [],
  )
  const calledOff = failed.find(({ why }) => !(why instanceof VenueError) || why.failure.is === 'aborted')
  const none =
    failed.length === parts.length && !mayAllFail
      ? (failed.find(({ why }) => !isQueued(why)) ?? failed[0])
      : undefined
  const fatal = calledOff ?? none
  if (fatal) throw fatal.why
  return failed.map(({ name, why }) => ({
    part: name,
    why: errorText(why),
    ...(isQueued(why) && { queued: true }),
  }))
}

/** The request was never sent: our own budget had no turn for it. */
export function isQueued(why: unknown): boolean {
  return why instanceof VenueError && why.failure.is === 'queued'
}

/** Consecutive requests share one time limit: each gets the time that is left. */
export function inTime(clock: Clock, asking: Asking): () => Asking {
  const deadline = clock.monotonic() + asking.limitMs
  return () => ({ ...asking, limitMs: Math.max(0, deadline - clock.monotonic()) })
}
