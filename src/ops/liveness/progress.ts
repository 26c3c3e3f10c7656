import { ageText } from '../../lib/text/format.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Event, Events } from '../../runtime/event.ts'
import type { Standing } from '../../runtime/standing.ts'
import { marketStaleMs } from '../../venue/source.ts'

/** The engine ends a turn at least every 10 s, if only to say that it is there. */
const TURN_LIMIT_MS = 60_000
/** From prices that are fresh until they are judged: very many at once may take some seconds. */
const JUDGED_LIMIT_MS = 60_000
/** How long the market poller may do nothing, in addition to three of its periods. */
const POLLER_GRACE_MS = 30_000

/** A standby that is further behind than this could not take over soon. */
const BEHIND_LIMIT_MS = 60_000
/** A standby says how it stands several times a second, and a leader with the longest lease (300 s) every 100 s. */
const STANDING_LIMIT_MS = 180_000

export interface Report extends Partial<Pick<Standing, 'role' | 'leader' | 'epoch' | 'behindSeconds'>> {
  /** The engine or the market poller does nothing any more: only a new start mends that. */
  stuck: boolean
  /** The process works. A venue that cannot be reached is no reason to restart it. */
  healthy: boolean
  /**
   * Warnings would go out now: the venue is visible, alerts are judged and stored, all platforms are reachable, and the
   * process is not ending.
   */
  ready: boolean
  /** No market reading that is fresh enough to judge by. */
  blind: boolean
  /** Null: never yet. */
  turnAgeMs: number | null
  marketAgeMs: number | null
  /** Since the market poller last came to an end with a request, good or bad. */
  marketPollAgeMs: number | null
  /** Since the start. */
  turnsFailed: number
  says: string[]
}

/** Infers from events whether the engine and the market poller make progress. */
export function watchProgress({
  events,
  clock,
  marketPollMs,
}: {
  events: Events
  clock: Clock
  marketPollMs: number
}): { report(): Report; stop(): void } {
  /** When this process started, or began to lead. */
  let since = clock.monotonic()
  const pollerLimitMs = 3 * marketPollMs + POLLER_GRACE_MS
  const blindMs = marketStaleMs(marketPollMs)
  let turned: number | null = null
  let polled: number | null = null
  let marketsRead: number | null = null
  /** When prices were last judged, and what came of it was kept. */
  let judged: number | null = null
  let unkept: string | null = null
  /** By who commits: since when a commit has waited. */
  const waiting = new Map<string, number>()
  let turnsFailed = 0
  const unreachable = new Map<string, { why: string; since: number }>()
  const reached = new Set<string>()
  const held = new Map<string, string>()
  /** Platforms that were asked for. */
  let platforms: readonly string[] = []
  let stands: (Standing & { mono: number }) | null = null
  let phase: 'starting' | 'running' | 'stopping' = 'starting'

  const hear = (event: Event) => {
    if (event.is === 'turn') {
      turned = clock.monotonic()
      if (event.of === 'markets' && marketsRead !== null) judged = clock.monotonic()
    }
    if (event.is === 'turn-failed') turnsFailed += 1
    if (event.is === 'store') unkept = event.why
    if (event.is === 'store-waits') waiting.set(event.of, clock.monotonic() - event.ms)
    if (event.is === 'commit') waiting.delete(event.of)
    if (event.is === 'markets-read') marketsRead = event.mono
    if (event.is === 'markets-read' || event.is === 'markets-failed') polled = clock.monotonic()
    if (event.is === 'started') platforms = event.adapters
    if (event.is === 'started' && phase === 'starting') phase = 'running'
    if (event.is === 'stopping') phase = 'stopping'
    if (event.is === 'platform') heard(event)
    if (event.is === 'standing') {
      if (isLeading(event.role) && !(stands && isLeading(stands.role))) since = clock.monotonic()
      stands = { ...event, mono: clock.monotonic() }
    }
    if (event.is === 'held') {
      if (event.why === null) held.delete(event.platform)
      else held.set(event.platform, event.why)
    }
  }
  const heard = ({ platform, why }: Extract<Event, { is: 'platform' }>) => {
    if (why === null) reached.add(platform)
    if (why === null) unreachable.delete(platform)
    else unreachable.set(platform, { why, since: unreachable.get(platform)?.since ?? clock.monotonic() })
  }
  const ageOf = (mono: number | null) => (mono === null ? null : Math.round(clock.monotonic() - mono))

  return {
    stop: events.listen(hear),
    report() {
      if (stands !== null && !isLeading(stands.role)) return standbyReport(stands, phase, turnsFailed, clock)
      const [turnAgeMs, marketAgeMs, marketPollAgeMs] = [ageOf(turned), ageOf(marketsRead), ageOf(polled)]
      const says: string[] = []
      const idleMs = clock.monotonic() - (turned ?? since)
      if (idleMs > TURN_LIMIT_MS) says.push(`The engine has done nothing for ${ageText(idleMs)}.`)
      const unpolledMs = clock.monotonic() - (polled ?? since)
      if (unpolledMs > pollerLimitMs)
        says.push(`The market poller has done nothing for ${ageText(unpolledMs)}.`)
      const unheardMs = stands === null ? 0 : clock.monotonic() - stands.mono
      if (unheardMs > STANDING_LIMIT_MS) says.push(`The lease was not looked at for ${ageText(unheardMs)}.`)
      const stuck = says.length > 0
      if (stands?.role === 'suspended') says.push(`Nothing can be sent: ${stands.why ?? NO_LEASE}`)
      if (unkept !== null) says.push(`Nothing can be kept: ${unkept}`)
      else if (waiting.size > 0) {
        const waitedMs = clock.monotonic() - Math.min(...waiting.values())
        says.push(`The database has kept nothing for ${ageText(waitedMs)}: another program may hold it.`)
      }
      const healthy = says.length === 0

      const blind = marketAgeMs === null || marketAgeMs > blindMs
      if (marketAgeMs === null) says.push('No prices have been read yet.')
      else if (blind) says.push(`The last prices are ${ageText(marketAgeMs)} old.`)
      // Turns of other sources go on if those of the prices fail.
      const unjudgedMs = clock.monotonic() - (judged ?? since)
      const unjudged = !blind && unjudgedMs > blindMs + JUDGED_LIMIT_MS
      if (unjudged) says.push(`Prices are read, and have not been judged for ${ageText(unjudgedMs)}.`)
      if (phase === 'starting') says.push('The bot is starting.')
      if (phase === 'stopping') says.push('The bot is stopping.')
      for (const [platform, { why, since: at }] of unreachable) {
        says.push(`${platform} has been out of reach for ${ageText(clock.monotonic() - at)}: ${why}`)
      }
      for (const [platform, why] of held) says.push(`${platform} takes no messages: ${why}`)
      const missing = platforms.filter((name) => !reached.has(name) && !unreachable.has(name))
      for (const platform of missing) says.push(`${platform} has not been reached yet.`)
      const reachable = unreachable.size + missing.length + held.size === 0
      const judges = judged !== null && !unjudged
      const ready = phase === 'running' && judges && healthy && !blind && reachable
      const ages = { turnAgeMs, marketAgeMs, marketPollAgeMs }
      return { ...placeOf(stands), stuck, healthy, ready, blind, ...ages, turnsFailed, says }
    },
  }
}

const NO_LEASE = 'the lease could not be renewed'

function isLeading(role: Standing['role']): boolean {
  return role === 'leader' || role === 'suspended'
}

/** Left out where one process has the store to itself. */
function placeOf(stands: Standing | null) {
  if (stands === null) return {}
  const { role, leader, epoch, behindSeconds } = stands
  return { role, leader, epoch, behindSeconds }
}

/** A standby is ready if it could take over: it reads no venue and reaches nobody. */
function standbyReport(
  stands: Standing & { mono: number },
  phase: 'starting' | 'running' | 'stopping',
  turnsFailed: number,
  clock: Clock,
): Report {
  const unheardMs = clock.monotonic() - stands.mono
  const behindMs = stands.behindSeconds * 1_000
  const says: string[] = []
  const stuck = unheardMs > STANDING_LIMIT_MS
  if (stuck) says.push(`The journal was not looked at for ${ageText(unheardMs)}.`)
  if (stands.role === 'waiting') says.push(`This standby cannot follow: ${stands.why ?? 'nobody says why'}`)
  else if (behindMs > BEHIND_LIMIT_MS) says.push(`This standby is ${ageText(behindMs)} behind.`)
  const healthy = says.length === 0
  if (phase === 'stopping') says.push('The standby is stopping.')
  return {
    ...placeOf(stands),
    ...{ stuck, healthy, ready: healthy && phase !== 'stopping', blind: true, turnsFailed, says },
    ...{ turnAgeMs: null, marketAgeMs: null, marketPollAgeMs: null },
  }
}
