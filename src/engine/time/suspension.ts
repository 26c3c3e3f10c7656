import { type MonitorKey, monitorOf } from '../../alert/monitor.ts'
import { age } from '../../message/figure.ts'
import { item, words } from '../../message/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { Hole, SourceRow } from '../../store/snapshot.ts'
import type { Write } from '../../store/store.ts'
import { MARKETS, marketsSource } from '../../venue/source.ts'
import { shifted } from '../evaluate/step.ts'
import type { Effect, LastPrices } from '../memory/effect.ts'
import { priceSight } from '../memory/markets.ts'
import type { Memory } from '../memory/memory.ts'
import type { Recording } from '../memory/recording.ts'
import { type EvaluationContext, pricesSeenAt } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import type { Outcome } from '../monitors/turn.ts'
import { walletsLeft } from '../observe/wallet-row.ts'
import { affectedChats } from '../outage/audience.ts'

/** A wake-up this late was not held up by other work: nothing in this process ran. */
const STILL_MS = 10_000

interface Suspension {
  since: number
  until: number
  pricesAt: LastPrices
  isTold: boolean
}

/** Whether this process was stopped: by a signal, a frozen container, a machine that slept. The venue is not to blame for that. */
interface Stops {
  /** Looks, with when (monotonic) something was to happen next. */
  look(dueMono: number | null): void
  /**
   * The notices and rows of a suspension, until they are committed. To be asked when memory goes by the
   * present wall clock.
   */
  untold(): { turn: Outcome; kept(): void } | null
}

export function createStops(world: {
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'markets' | 'run'>
  clock: Clock
  emit: Emit
  /** Changes memory. */
  apply(effects: readonly Effect[]): void
  readAll(): void
}): Stops {
  const { drawers, clock, emit, apply } = world
  const stops: Suspension[] = []
  let [ranMono, ranAt, asleepMs] = [clock.monotonic(), clock.now(), clock.asleepMs()]

  /** A wall clock that was set has jumped as well: the system knows better. */
  function sleptMs(passedMs: number): number {
    // Also what is too short to be told: it must not count as sleep when the clock is set one day.
    if (Math.abs(passedMs) < JUMP_MS) return 0
    const before = asleepMs
    asleepMs = clock.asleepMs()
    return Math.max(Math.min(asleepMs - before, passedMs), 0)
  }

  return {
    look(dueMono) {
      const [mono, now, sinceMono] = [clock.monotonic(), clock.now(), ranMono]
      const passedMs = now - ranAt - (mono - sinceMono)
      ;[ranMono, ranAt] = [mono, now]
      const stillMs = dueMono === null ? 0 : mono - Math.max(dueMono, sinceMono)
      const slept = sleptMs(passedMs)
      if (stillMs < STILL_MS && slept < AWAY_MS) return
      const ms = mono - sinceMono + slept
      // By the wall clock of now, which may have been set meanwhile.
      const at = (atMono: number) => Math.round(now - slept - (mono - atMono))
      const since = at(sinceMono)
      const seconds = Math.round(ms / 1_000)
      emit({
        is: 'remark',
        where: 'loop',
        text: `nothing ran for ${seconds} s: this process was stopped or held up`,
      })
      if (stillMs >= STILL_MS) apply([{ is: 'stood-still', sinceMono, ms: mono - sinceMono }])
      // No hole between prices shows by a clock that has slept as well.
      if (slept >= AWAY_MS) apply([{ is: 'slept', since, until: now }])
      // Who was away for less is not spoken of after a start either.
      if (ms < AWAY_MS) return
      const seen = drawers.wallets.views.venues.flatMap((venue) => {
        const { marketsAt } = priceSight(drawers, venue)
        return marketsAt ? [[venue, at(marketsAt.mono)] as const] : []
      })
      const pricesAt = new Map(seen)
      stops.push({ since, until: now, pricesAt, isTold: false })
      // Others may have asked for something since it goes on, before this was found out.
      apply([{ is: 'suspended', ranMono: stillMs >= STILL_MS ? mono - stillMs : sinceMono }])
      world.readAll()
    },
    untold() {
      const [stop] = stops
      if (!stop) return null
      if (!stop.isTold) {
        const { since, until, pricesAt } = stop
        apply([{ is: 'run-resumed', since, until, pricesAt }])
      }
      stop.isTold = true
      const kept = () => {
        stops.shift()
        apply([{ is: 'suspension-kept' }])
      }
      return { turn: tell(drawers, stop), kept }
    },
  }
}

/** Once in each chat: one that cannot be kept, and is told later, is told alone. */
function tell(
  drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>,
  { since, until }: Suspension,
): Outcome {
  const {
    run: { suspensionTold },
  } = drawers
  const clock = (time: number) => ({ time, as: 'clock' }) as const
  const told = item('warning', words('suspension.title', { span: age(until - since) }), [
    words('suspension.from', { from: clock(since), until: clock(until) }),
    words('suspension.now'),
  ])
  const decide = (chatId: number): Decision[] => {
    if (suspensionTold.has(chatId)) return []
    const said = { severity: 'warning', order: until, about: MARKETS, quiet: true, alertIds: [] } as const
    const here = silent(chatId, [{ is: 'suspension-told', chatId }])
    return [{ ...here, notices: [{ ...said, alertIds: [], item: told, reason: 'notice' }] }]
  }
  const gap: Effect = { is: 'gap', gap: { chatId: null, source: null, since, until } }
  return {
    observed: suspensionTold.has(null) ? [] : [gap, { is: 'suspension-told', chatId: null }],
    decisions: [],
    reports: { chats: allChats(drawers), decide },
  }
}

/** Everybody whose rules rest on the prices of some venue; one may come twice. */
function* allChats(drawers: Pick<Memory, 'people' | 'rules' | 'wallets' | 'run'>): Generator<number> {
  for (const venue of drawers.wallets.views.venues) yield* affectedChats(drawers, marketsSource(venue))
}

/** The engine writes down that it lives at least this often, so that "while I was away" has a beginning. */
export const ALIVE_EVERY_MS = 10_000
export const PRUNE_EVERY_MS = 600_000

const DAY_MS = 86_400_000
/** History is kept for three months, the ids of inputs until no platform can hand them over again. */
const KEEP_HISTORY_MS = 90 * DAY_MS
const KEEP_INPUTS_MS = 7 * DAY_MS
/** Recordings are kept for a month, single prices as long as a week of them can be asked for. */
const KEEP_PAST_MS = { prices: 8 * DAY_MS, bars: 30 * DAY_MS, wallet: 30 * DAY_MS, dark: 30 * DAY_MS }
/** Who was away for less was restarted. */
const AWAY_MS = 60_000
/** A wall clock that is this far from where even time would have it has jumped. */
const JUMP_MS = 2_000

export function alive(look: {
  memory: Pick<Memory, 'markets' | 'monitors'>
  now: number
  mono: number
}): Write {
  const {
    markets: { holes, elsewhere },
    monitors: { pending },
  } = look.memory
  const others = [...elsewhere].flatMap(([venue, other]): Hole[] => {
    const since = pricesSeenAt(look, venue)
    return [...other.holes, ...(since === null ? [] : [{ venue, since, until: look.now }])]
  })
  const all = pending.size > 0 ? [...holes, ...others] : []
  return { is: 'alive', at: look.now, pricesAt: pricesSeenAt(look), holes: all }
}

/** The last rows of this run, with which the next run begins. */
export function atStop(look: EvaluationContext, recording: Pick<Recording, 'due'>): Effect[] {
  return [alive(look), ...walletsLeft(look.memory), ...recording.due()]
}

export function pruneAt(now: number): Write {
  const { prices, bars, wallet, dark } = KEEP_PAST_MS
  return {
    is: 'prune',
    ...{ inputsBefore: now - KEEP_INPUTS_MS, historyBefore: now - KEEP_HISTORY_MS },
    pastBefore: { prices: now - prices, bars: now - bars, wallet: now - wallet, dark: now - dark },
  }
}

/** The time in which no run of the bot was alive is one that nobody saw. */
export function awayGap(aliveAt: number | null, begunAt: number): Write[] {
  if (aliveAt === null || begunAt - aliveAt < AWAY_MS) return []
  return [{ is: 'gap', gap: { chatId: null, source: null, since: aliveAt, until: begunAt } }]
}

/** How far the wall clock has gone away from even time, and how much of that somebody has set: the rest was sleep. */
export interface ClockShift {
  byMs: number
  setMs: number
}

/** Watches the wall clock: a jump changes no interval, but the operator should know of it. */
export function createJumpWatch(clock: Clock, emit: Emit): () => ClockShift | null {
  let wallOffset = clock.now() - clock.monotonic()
  let asleepMs = clock.asleepMs()
  return () => {
    const offset = clock.now() - clock.monotonic()
    const jumpedMs = Math.round(offset - wallOffset)
    if (Math.abs(jumpedMs) < JUMP_MS) return null
    const text = `the wall clock jumped by ${jumpedMs} ms; no interval changes`
    emit({ is: 'remark', where: 'clock', text })
    wallOffset = offset
    const before = asleepMs
    asleepMs = clock.asleepMs()
    const setMs = Math.round(jumpedMs - (asleepMs - before))
    return { byMs: jumpedMs, setMs: Math.abs(setMs) < JUMP_MS ? 0 : setMs }
  }
}

/**
 * Returns how a wall clock that has jumped changes memory, and the monitors whose deadlines stay at their wall time.
 * Intervals go along with each jump. The times that people read stay where the machine has slept.
 */
export function shiftedBy(
  drawers: Pick<Memory, 'monitors' | 'sources'>,
  { byMs, setMs }: ClockShift,
): { effects: Effect[]; stays: MonitorKey[] } {
  const stays: MonitorKey[] = []
  const moved = [...drawers.monitors.states].flatMap(([key, { state, value, params }]): Effect[] => {
    const to = shifted(state, byMs)
    if (to !== state) return [{ is: 'state', row: { monitor: monitorOf(key), state: to, value, params } }]
    stays.push(key)
    return []
  })
  const told = outageRows(drawers).map((row): Effect => ({
    is: 'source',
    row: { ...row, since: row.since + setMs },
  }))
  const dark = [...drawers.sources.failingSince].map(([source, since]): Effect => ({
    is: 'dark',
    source,
    since: since + byMs,
  }))
  return { effects: [{ is: 'clock-shifted', byMs, setMs }, ...moved, ...told, ...dark], stays }
}

function outageRows({ sources: { outageNotices } }: Pick<Memory, 'sources'>): SourceRow[] {
  return [...outageNotices.groups()].flatMap((source) => [...outageNotices.of(source).values()])
}

/**
 * The moved rows for the store, a decision for each chat: a failed commit must not make other chats early or
 * late.
 */
export function movedRows(drawers: Pick<Memory, 'monitors' | 'sources'>): {
  observed: Effect[]
  decisions: Decision[]
} {
  const states = [...drawers.monitors.states].flatMap(([key, { state, value, params }]) => {
    const monitor = monitorOf(key)
    const counts = shifted(state, 1) !== state
    return counts ? [silent(monitor.chatId, [{ is: 'state', row: { monitor, state, value, params } }])] : []
  })
  return {
    observed: [...drawers.sources.failingSince].map(([source, since]): Effect => ({
      is: 'dark',
      source,
      since,
    })),
    decisions: [...states, ...outageRows(drawers).map((row) => silent(row.chatId, [{ is: 'source', row }]))],
  }
}
