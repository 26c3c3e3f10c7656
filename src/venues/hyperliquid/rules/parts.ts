import type { Clock } from '../../../runtime/clock.ts'
import { type Asking, type FailedPart, VenueError } from '../../../venue/venue.ts'

/** The part that stands for those whose names we do not know yet. */
export const BUILDERS = 'builders’ books'

/** One answer is made of several: of those that failed the name and why. Fails itself when none came, or we gave up. */
export function partsWithoutAnswer(
  names: readonly string[],
  parts: readonly PromiseSettledResult<unknown>[],
): FailedPart[] {
  const failed = parts.flatMap((part, place) =>
    part.status === 'rejected' ? [{ name: names[place] ?? '', part, why: part.reason as unknown }] : [],
  )
  const calledOff = failed.find(({ why }) => !(why instanceof VenueError) || why.failure.is === 'aborted')
  const none =
    failed.length === parts.length ? (failed.find(({ why }) => !isQueued(why)) ?? failed[0]) : undefined
  const fatal = calledOff ?? none
  if (fatal) throw fatal.why
  return failed.map(({ name, part, why }) => ({
    part: name,
    why: whyOf(part),
    ...(isQueued(why) && { queued: true }),
  }))
}

/** Nothing was asked: our own requests had no turn. */
export function isQueued(why: unknown): boolean {
  return why instanceof VenueError && why.failure.is === 'queued'
}

export function whyOf({ reason }: PromiseRejectedResult): string {
  return reason instanceof Error ? reason.message : String(reason)
}

/** Of several requests one after the other, each has what is left of the time of all. */
export function inTime(clock: Clock, asking: Asking): () => Asking {
  const deadline = clock.monotonic() + asking.limitMs
  return () => ({ ...asking, limitMs: Math.max(0, deadline - clock.monotonic()) })
}
