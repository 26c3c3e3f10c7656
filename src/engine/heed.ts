import type { Heed } from '../state.ts'
import type { Reason } from '../reason.ts'

const MINUTE_MS = 60_000
/** What is critical is said again after 1, 2, 4, 8 … minutes, and then as often as this, until somebody heeds it. */
const RING_AT_MOST_MS = 30 * MINUTE_MS
/** Who has not heeded it by then will not be woken by one more. */
const RING_FOR_MS = 12 * 60 * MINUTE_MS

interface Now {
  now: number
  /** All that rings in its chat is said again now, for it or another one is due. */
  again: boolean
}

/** Of an alert that was just said aloud. */
export function unheard(critical: boolean, now: number): Heed {
  return { is: 'none', since: now, times: 0, ringAt: critical ? now + pauseMs(0) : null }
}

/** What time makes of it while the tier stays: why it is said once more, or null. */
export function heeded(
  heed: Heed,
  critical: boolean,
  { now, again }: Now,
): { heed: Heed; reason: Reason | null } {
  switch (heed.is) {
    case 'unheeded':
      return { heed, reason: null }
    case 'none':
      return critical ? rung(heed, { now, again }) : { heed: { ...heed, ringAt: null }, reason: null }
    case 'acknowledged':
    case 'snoozed': {
      return now >= heed.until ? { heed: unheard(critical, now), reason: 'reminded' } : { heed, reason: null }
    }
    default:
      throw new Error(`no such heed: ${String(heed)}`)
  }
}

function rung(
  before: Extract<Heed, { is: 'none' }>,
  { now, again }: Now,
): { heed: Heed; reason: Reason | null } {
  // What a changed rule makes critical rings from now on, however long ago it was said.
  const begun = before.ringAt === null ? { since: now, ringAt: now + pauseMs(before.times) } : {}
  const heed = { ...before, ...begun }
  // It is said with the others of its chat, when one of them is due: not when a reading happens to come.
  if (!again) return { heed, reason: null }
  if (now - heed.since >= RING_FOR_MS) return { heed: { is: 'unheeded' }, reason: 'unheeded' }
  const times = heed.times + 1
  return { heed: { ...heed, times, ringAt: now + pauseMs(times) }, reason: 'repeated' }
}

function pauseMs(times: number): number {
  return Math.min(MINUTE_MS * 2 ** times, RING_AT_MOST_MS)
}
