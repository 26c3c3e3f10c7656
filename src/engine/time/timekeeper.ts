import { chatOf, type MonitorKey, monitorKey, monitorOf } from '../../alert/monitor.ts'
import type { DigestAhead } from '../../people/digest.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { ReadNow } from '../../venue/reading.ts'
import { MARKETS, marketsSource, type SourceKey, sourceOf, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { confirmed } from '../evaluate/confirmation.ts'
import { ringingWith } from '../evaluate/reminders.ts'
import { wakeAt } from '../evaluate/step.ts'
import { restored } from '../evaluate/judge.ts'
import { type Deadline, type Deadlines, SAME_MS } from './deadlines.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { monitorNamed } from '../monitors/monitors.ts'
import type { Outcome } from '../monitors/turn.ts'
import { unkept } from '../notify/digests/ahead.ts'
import { endSessions, isOfSession } from '../changes/sessions.ts'
import { endHandovers, isAgreed } from '../notify/handovers.ts'
import { summarize } from '../notify/suppressed-summary.ts'
import { chatOfQuietEffect, quietPeriodEnd } from '../notify/suppression.ts'
import { isKnownAt } from '../outage/audience.ts'
import { createMissed } from '../outage/missed-by-run.ts'
import { createSourceDeadlines } from './source-deadlines.ts'
import { recalledWallets } from '../observe/read-demand.ts'
import { sourcesOf, patienceMs, type PollPeriods, startWatching } from '../outage/sources.ts'
import { createDeadlineSetter } from './arming.ts'
import {
  alive,
  ALIVE_EVERY_MS,
  awayGap,
  type ClockShift,
  createJumpWatch,
  movedRows,
  PRUNE_EVERY_MS,
  pruneAt,
  shiftedBy,
} from './suspension.ts'

/** A source that is seen this soon after a start was not dark. */
const DARK_AFTER_MS = 1_000

/** When very many have held for long enough, or fail, others have their turn between so many of them. */
const MOST_AT_ONCE = { monitors: 200, sources: 200 }
/** The records of so many wallets are compressed and kept in some milliseconds. */
const PIECES_AT_ONCE = 200

/** Keeps the deadlines: what is looked after when nothing is read, nobody speaks and only time passes. */
interface Timekeeper {
  start(): void
  /** Moves the deadlines that a turn affects. */
  after(turn: Outcome): void
  /**
   * The rows to store after a jump of the wall clock, and the call for when they are committed; null without
   * a jump.
   */
  jumped(): { turn: Outcome; kept(): void } | null
  /** The turns that are due, each decided when its time has come: one turn may make another superfluous. */
  due(): (() => Outcome)[]
  /** Chats whose daily or weekly summary was among it: it needs what the store knows. */
  digests(): DigestDue[]
  next(): number | null
}

type DigestDue = Pick<DigestAhead, 'chatId' | 'which'>
type Other = Exclude<Deadline, { is: 'monitor' | 'source' }>
/** The turn that each deadline starts when it is due. */
type Turns = { [Is in Other['is']]: (deadline: Extract<Other, { is: Is }>) => Outcome }

export function createTimekeeper(world: {
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'recording' | 'run'
  >
  deadlines: Deadlines
  clock: Clock
  emit: Emit
  /** Changes memory. */
  apply(effects: readonly Effect[]): void
  periods: PollPeriods
  look(): EvaluationContext
  readNow: ReadNow
}): Timekeeper {
  const { drawers, deadlines, clock, emit, apply, periods } = world
  const jumped = createJumpWatch(clock, emit)
  const arm = createDeadlineSetter({ memory: drawers, deadlines, clock, periods })
  const sources = createSourceDeadlines({ memory: drawers, deadlines, clock, periods })
  /** A venue that the runs before this one did not see either is told once it has been tried, or after the usual patience. */
  const hopeUntil = new Map<SourceKey, number>()
  const missed = createMissed(drawers, clock)
  let isNoted = false
  let begunWall = 0
  let begunMono = 0
  const summaries: DigestDue[] = []
  /** Prices of these venues were not seen yet in this run: what can wait does, for as long as that is likely to take. */
  const unseen = new Set(drawers.wallets.views.venues.map(marketsSource))
  /** Whose positions only an earlier run has read, and who are not judged by these yet. */
  let recall: Wallet[] = []
  /** The wall clock has jumped, and the store does not have all the times that this moves. */
  let unwritten = false
  const present = () => ({ at: clock.now(), mono: clock.monotonic() })
  const nothing = (): Outcome => ({ observed: [], decisions: [] })

  const turns: Turns = {
    rest({ chatId }) {
      arm.rest(chatId, clock.monotonic() + periods.marketPollMs)
      return { observed: [], decisions: [summarize(world.look(), chatId)] }
    },
    confirm({ chatId }) {
      const decisions = confirmed(world.look(), chatId)
      // A failed commit is tried again, but not all the time.
      if (decisions.length > 0)
        deadlines.set({ is: 'confirm', chatId }, clock.monotonic() + periods.marketPollMs)
      return { observed: [], decisions }
    },
    parked() {
      sources.rest()
      return nothing()
    },
    wallets() {
      sources.wallets()
      return nothing()
    },
    handover() {
      arm.handover(clock.monotonic() + periods.marketPollMs)
      return endHandovers(world.look())
    },
    session() {
      arm.session(clock.monotonic() + periods.marketPollMs)
      return endSessions(world.look())
    },
    digest({ chatId }) {
      // While it cannot be kept it is tried again.
      arm.digest(chatId)
      summaries.push({ chatId, which: 'daily' })
      return nothing()
    },
    weekly({ chatId }) {
      arm.digest(chatId)
      summaries.push({ chatId, which: 'weekly' })
      return nothing()
    },
    recall() {
      const observed = restored(world.look(), recall)
      // Readings and commands have their turn in between.
      if (recall.length > 0) deadlines.set({ is: 'recall' }, clock.monotonic() + 1)
      return { observed, decisions: [] }
    },
    dark() {
      const away = isNoted ? [] : awayGap(drawers.run.aliveAt, begunWall)
      isNoted = true
      return { observed: [...missed.taken(), ...away, ...unkept(drawers, clock.now())], decisions: [] }
    },
    alive() {
      // First of all: a fault in what follows must not end the signs of life.
      deadlines.set({ is: 'alive' }, clock.monotonic() + ALIVE_EVERY_MS)
      apply([{ is: 'recording-due', at: clock.now() }])
      const recorded = drawers.recording.due(PIECES_AT_ONCE)
      // Readings and commands have their turn in between.
      if (drawers.recording.isLeft()) deadlines.set({ is: 'alive' }, clock.monotonic() + 1)
      return { observed: [alive(world.look()), ...recorded], decisions: [] }
    },
    prune() {
      deadlines.set({ is: 'prune' }, clock.monotonic() + PRUNE_EVERY_MS)
      return { observed: [pruneAt(clock.now())], decisions: [] }
    },
  }

  /**
   * Unacknowledged alerts are repeated together: the one that is due takes along all others that ring in its
   * chat.
   */
  function monitorsDue(keys: readonly MonitorKey[]): Outcome {
    const again = ringingWith(drawers, keys, clock.now())
    const look = { ...world.look(), again }
    const all = new Set([...keys, ...dueWith(keys), ...again])
    for (const key of all) {
      // A monitor that cannot be seen now is judged again soon, until it can.
      if (monitorNamed(look, monitorOf(key))) arm.monitor(key, clock.monotonic() + periods.marketPollMs)
      else all.delete(key)
    }
    return { observed: [], decisions: [], crossed: { look, keys: all, slots: [], readNow: world.readNow } }
  }

  /** Whether its time on the wall has come: what ends at the same time is one turn, and told together. */
  function isReached(deadline: Deadline): boolean {
    const now = clock.now()
    if (deadline.is === 'rest') return (quietPeriodEnd(drawers, deadline.chatId, now) ?? Infinity) <= now
    const state = deadline.is === 'monitor' ? drawers.monitors.states.get(deadline.key)?.state : undefined
    return state !== undefined && (wakeAt(state) ?? Infinity) <= now
  }

  /** Takes out what else is due in their chats: it is said in the same message, however many are due in others. */
  function dueWith(keys: readonly MonitorKey[]): MonitorKey[] {
    const chats = new Set(keys.map(chatOf))
    const isDue = (key: MonitorKey) => {
      const inMs = (deadlines.at({ is: 'monitor', key }) ?? Infinity) - clock.monotonic()
      return inMs <= 0 || (inMs <= SAME_MS && isReached({ is: 'monitor', key }))
    }
    const all = [...chats].flatMap((id) => [...drawers.monitors.monitorsIn.of(id).keys()].filter(isDue))
    for (const key of all) deadlines.clear({ is: 'monitor', key })
    return all
  }

  /** Outages are told together: ten wallets are one message. */
  function sourcesDue(keys: readonly SourceKey[]): Outcome {
    return sources.due(
      keys,
      (source) =>
        !drawers.sources.lastFailure.has(source) && clock.monotonic() < (hopeUntil.get(source) ?? -Infinity),
    )
  }

  /**
   * Moves memory along with a wall clock that was set, at once and even if the store fails: two clocks must
   * not judge. Returns the monitors whose deadlines stay at their wall time.
   */
  function shiftBy(jump: ClockShift): MonitorKey[] {
    const { effects, stays } = shiftedBy(drawers, jump)
    apply(effects)
    return stays
  }

  /** A restart does not begin the patience anew: somebody may restart us for ever. */
  function begin(source: SourceKey, { at, mono }: { at: number; mono: number }): void {
    const since = Math.min(drawers.sources.failingSince.get(source) ?? at, at)
    apply(startWatching(drawers, source, { at: since, mono: mono - (at - since) }))
    const of = since < at ? sourceOf(source) : null
    if (of?.is === 'markets') hopeUntil.set(source, mono + patienceMs(drawers, of, periods))
  }

  return {
    start() {
      deadlines.set({ is: 'alive' }, clock.monotonic() + ALIVE_EVERY_MS)
      deadlines.set({ is: 'prune' }, clock.monotonic() + ALIVE_EVERY_MS)
      deadlines.set({ is: 'dark' }, clock.monotonic() + DARK_AFTER_MS)
      // One reading of the clock for all: a source that is only wanted since the start must not look seen after it.
      const begun = present()
      missed.begin(begun.mono)
      begunMono = begun.mono
      begunWall = begun.at
      // A wall clock that stands before what an earlier run has seen of it was set back meanwhile.
      const setBackMs = Math.min(begunWall - (drawers.run.aliveAt ?? -Infinity), 0)
      if (setBackMs < 0) shiftBy({ byMs: setBackMs, setMs: setBackMs })
      unwritten = setBackMs < 0
      for (const source of sourcesAtStart(drawers)) {
        begin(source, begun)
        sources.arm(source)
      }
      recall = recalledWallets(drawers)
      apply(restored(world.look(), recall))
      if (recall.length > 0) deadlines.set({ is: 'recall' }, clock.monotonic())
      // Prices are waited for before anything is said again.
      const hopeful = clock.monotonic() + patienceMs(drawers, sourceOf(MARKETS), periods)
      for (const key of drawers.monitors.states.keys()) arm.monitor(key, hopeful)
      arm.rests()
      for (const chatId of withDigests(drawers)) arm.digest(chatId, hopeful)
      arm.handover()
      arm.session()
    },
    after(turn) {
      const touched = affectedDeadlines(drawers, turn)
      const { monitors, rests, waits, agreed } = touched
      sources.after([...turn.observed, ...turn.decisions.flatMap(({ effects }) => effects)])
      if (agreed) arm.handover()
      if (turn.observed.some(isOfSession)) arm.session()
      if (missed.notes(turn.observed))
        deadlines.set({ is: 'dark' }, Math.max(begunMono + DARK_AFTER_MS, clock.monotonic()))
      if (unseen.size > 0) {
        for (const effect of turn.observed) if (effect.is === 'seen') unseen.delete(effect.source)
        if (unseen.size === 0) for (const chatId of withDigests(drawers)) arm.digest(chatId)
      }
      for (const key of monitors) arm.monitor(key)
      for (const source of touched.sources) sources.arm(source)
      for (const chatId of rests) {
        arm.rest(chatId)
        arm.digest(chatId)
      }
      for (const chatId of waits) arm.confirm(chatId)
    },
    jumped() {
      const jump = jumped()
      if (jump) {
        unwritten = true
        begunWall += jump.setMs
        arm.rests()
        arm.handover()
        arm.session()
        for (const chatId of withDigests(drawers)) arm.digest(chatId)
        for (const key of shiftBy(jump)) arm.monitor(key)
      }
      if (!unwritten) return null
      const { observed, decisions } = movedRows(drawers)
      const turn = { observed: [...unkept(drawers, clock.now()), ...observed], decisions }
      return { turn, kept: () => void (unwritten = false) }
    },
    due() {
      const all = deadlines.due(clock.monotonic(), MOST_AT_ONCE, isReached)
      const keys = all.flatMap((deadline) => (deadline.is === 'monitor' ? [deadline.key] : []))
      const late = all.flatMap((deadline) => (deadline.is === 'source' ? [deadline.source] : []))
      const others = all.filter(({ is }) => is !== 'monitor' && is !== 'source') as Other[]
      const turnOf = (deadline: Other) => (turns[deadline.is] as (deadline: Other) => Outcome)(deadline)
      return [
        ...(late.length > 0 ? [() => sourcesDue(late)] : []),
        ...(keys.length > 0 ? [() => monitorsDue(keys)] : []),
        ...others.map((deadline) => () => turnOf(deadline)),
      ]
    },
    digests: () => summaries.splice(0),
    next: () => deadlines.next(),
  }
}

function withDigests({ people }: Pick<Memory, 'people'>): ReadonlySet<number> {
  return new Set([...people.digests, ...people.weeklies])
}

/** The deadlines that a turn affects. */
interface AffectedDeadlines {
  sources: Set<SourceKey>
  monitors: Set<MonitorKey>
  /** Chats whose quiet hours and summaries it affects; `waits` are those with dangers to be confirmed. */
  rests: Set<number>
  waits: Set<number>
  agreed: boolean
}

function affectedDeadlines(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  { observed, decisions }: Outcome,
): AffectedDeadlines {
  const touched: AffectedDeadlines = {
    sources: new Set(),
    monitors: new Set(),
    rests: new Set(),
    waits: new Set(),
    agreed: false,
  }
  const { sources, monitors, rests, waits } = touched
  for (const effect of [...observed, ...decisions.flatMap(({ effects }) => effects)]) {
    for (const source of sourcesOf(effect, drawers.run.venues)) sources.add(source)
    const chatId = chatOfQuietEffect(effect)
    if (chatId !== null) rests.add(chatId)
    touched.agreed ||= isAgreed(effect)
    if (effect.is === 'unconfirmed') waits.add(effect.chatId)
    if (effect.is === 'settled' && drawers.monitors.unconfirmed.of(effect.chatId).size === 0)
      waits.add(effect.chatId)
    // Quiet hours and summaries are of their zone.
    if (effect.is === 'person')
      for (const id of drawers.people.chatsOf.of(effect.person.id).keys()) rests.add(id)
    if (effect.is === 'state') monitors.add(monitorKey(effect.row.monitor))
    if (effect.is === 'state-gone') monitors.add(monitorKey(effect.monitor))
    // A monitor without a state has no deadline, and the end of its state is handled above. The reminder of a
    // remembered alert waits for its wallet as long as before.
    if (effect.is === 'judged' && !effect.remembered && drawers.monitors.states.has(effect.key))
      monitors.add(effect.key)
    if (effect.is === 'forgotten') monitors.add(effect.key)
  }
  return touched
}

/** All prices, and the wallets at the venues that have shown them. */
function* sourcesAtStart(drawers: Pick<Memory, 'rules' | 'wallets'>): Generator<SourceKey> {
  const { venues } = drawers.wallets.views
  yield* venues.map(marketsSource)
  for (const venue of venues)
    for (const wallet of drawers.rules.watches.groups())
      if (venue === undefined || isKnownAt(drawers, wallet, venue)) yield walletSource(wallet, venue)
}
