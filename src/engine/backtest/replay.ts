import type { AlertState } from '../../alert/alert-state.ts'
import type { LevelKind, Bounds, Verdict } from '../../alert/alert.ts'
import type { Subject } from '../../alert/subject.ts'
import { isStale, neverBetter } from '../evaluate/level.ts'
import { paused, step, tierOf, wakeAt } from '../evaluate/step.ts'
import type { Held } from './position-timeline.ts'
import { coarseStaleMs, type Course } from './price-series.ts'

/** Once that it would have fired, and the worst of its own tiers that it came to before it was over. */
interface Fired {
  at: number
  tier: number
}

/** So many prices, and so many judgements, between two looks at whether others wait. */
const AT_ONCE = 1_000

/**
 * Replays a rule over one subject, by the kind's own judgement and the engine's own steps, with hold times
 * and clear bands. The state is frozen where nothing was seen. Null where the rule could never be judged.
 * Yields now and then, so that others have their turn.
 */
export function* replay<T>(
  { times, prices, rates, coarse, dark }: Course,
  /** In the order of time; null where what is judged was there all the time. */
  held: readonly Held<T>[] | null,
  judging: {
    kind: LevelKind<unknown>
    /** The monitor's parameters: those of all rules behind it, merged. */
    params: unknown
    holdMs: number
    /** The rule's own tier where the monitor stands at this one; 0 is none. */
    own(tier: number): number
    staleMs: number
    /** As far as this: wall time. */
    until: number
    /** As it was at this place of the course; null where it could not be judged. */
    subject(place: number, now: number, held: Held<T> | null): Subject | null
  },
): Generator<void, Fired[] | null> {
  const { kind, params, holdMs, staleMs } = judging
  // An account is judged by its own figures, not by the prices of its markets.
  const isPriced = kind.on !== 'account'
  const fired: Fired[] = []
  let state: AlertState = { is: 'ok' }
  let until: Bounds | null = null
  let [judged, reached] = [false, 0]
  let [row, alerts, looks, passed] = [-1, 0, 0, 0]
  let blind = true
  let lookedAt = -Infinity

  function* look(place: number, now: number) {
    if (++looks % AT_ONCE === 0) yield
    until = null
    lookedAt = now
    const seenAt = times[place] ?? -Infinity
    // It is looked at again with the next price.
    blind = isPriced && now - seenAt > (coarse[place] ? coarseStaleMs(staleMs) : staleMs)
    const there = held?.[row] ?? null
    if (blind || (held && there?.known == null)) return
    const subject = judging.subject(place, now, there)
    const verdict = subject && kind.judge(params, subject)
    blind = verdict === null || verdict === 'unknown'
    if (subject === null || (blind && !isPriced))
      state = paused(state, { seenMs: (since) => seenMs(since, now) })
    if (subject === null || verdict === null || verdict === 'unknown') return
    judged = true
    const unseen = isStale(subject)
    const after = step(state, unseen ? neverBetter(verdict, state) : verdict, {
      now,
      holdMs,
      counts: !unseen || verdict.stay > 0,
      seenMs: (since) => seenMs(since, now),
      critical: (tier) => tier > 0 && kind.severity(params, tier) === 'critical',
      newAlertId: () => ++alerts,
      again: false,
      takenAt: () => now,
    })
    state = after.state
    until = untilOf(verdict, state, unseen)
    const tier = judging.own(tierOf(state))
    const last = fired.at(-1)
    if (tier > 0 && reached === 0) fired.push({ at: now, tier })
    else if (last) last.tier = Math.max(last.tier, tier)
    reached = tier
  }

  /** Judges the readings of the wallet, and the hold times that end, before this time. */
  function* before(place: number, time: number) {
    for (;;) {
      const read = held?.[row + 1]?.at ?? Infinity
      // Only what has to hold is over by time alone; that an alert is said again is no new one.
      const due = state.is === 'pending' && !blind ? (wakeAt(state) ?? Infinity) : Infinity
      const wake = due > lookedAt ? due : Infinity
      if (Math.min(read, wake) > time || (wake >= time && read > time)) return
      if (read <= wake) {
        row++
        until = null
        // Without its position the alert has ended.
        if (held?.[row]?.known === null) [state, reached] = [{ is: 'ok' }, 0]
      }
      // A reading at the time of a price is judged by that price.
      if (Math.min(read, wake) < time) yield* look(place, Math.min(read, wake))
    }
  }

  function seenMs(since: number, now: number): number {
    let [ms, at] = [0, since]
    while ((dark[passed]?.until ?? Infinity) <= since) passed++
    for (let index = passed; index < dark.length; index++) {
      const { since: from = now, until: to = now, noticedMs = 0 } = dark[index] ?? {}
      if (from >= now) break
      if (to <= since || Math.min(to, now) - from <= noticedMs) continue
      ms += Math.max(from - at, 0)
      at = Math.max(at, Math.min(to, now))
    }
    return ms + Math.max(now - at, 0)
  }

  for (let place = 0; place < times.length; place++) {
    const time = times[place] ?? 0
    if (place % AT_ONCE === 0) yield
    yield* before(place - 1, time)
    if (isInside(until, prices[place] ?? 0, rates[place] ?? 0) && !blind) continue
    yield* look(place, time)
  }
  // Judges the readings and the hold times since the last price.
  yield* before(times.length - 1, judging.until)
  return judged ? fired : null
}

/** As the engine arms what it has judged. */
function untilOf(verdict: Verdict, state: AlertState, unseen: boolean): Bounds | null {
  const stands = state.is !== 'pending' && !unseen
  return (
    (stands && verdict.stableWithinAt ? verdict.stableWithinAt(tierOf(state)) : verdict.stableWithin) ?? null
  )
}

function isInside(until: Bounds | null, price: number, rate: number): boolean {
  if (until === null) return false
  const { of, below = -Infinity, above = Infinity } = until
  const value = of === 'price' ? price : rate
  return value > below && value < above
}
