import { chatOf, type GuardKey, guardKey, guardOf } from '../../alert/monitor.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import type { ReadNow } from '../../venue/reading.ts'
import { type FeedKey, feedKey, feedOf, MARKETS } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import { confirmed } from '../evaluate/confirmation.ts'
import { ringingWith } from '../evaluate/reminders.ts'
import { shifted } from '../evaluate/step.ts'
import { recalled, recalledOwners } from '../evaluate/warm-start.ts'
import { apply } from '../memory/apply.ts'
import type { Deadline, Deadlines } from '../memory/deadlines.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Look } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import { guardNamed } from '../monitors/monitors.ts'
import type { Turn } from '../monitors/turn.ts'
import { unkept } from '../notify/digest.ts'
import { endHandovers, isAgreed } from '../notify/handovers.ts'
import { sumUp } from '../notify/suppressed-summary.ts'
import { restOf } from '../notify/suppression.ts'
import { createMissed } from '../outage/missed-by-run.ts'
import { createFeedDeadlines } from '../outage/source-deadlines.ts'
import { feedsOf, patienceMs, type PollPeriods, want } from '../outage/sources.ts'
import { createArming } from './arming.ts'
import { alive, ALIVE_EVERY_MS, awayGap, createJumpWatch, PRUNE_EVERY_MS, pruneAt } from './upkeep.ts'

/** What is seen this soon after a start was not dark. */
const DARK_AFTER_MS = 1_000

/** When very many have held for long enough, or fail, others have their turn between so many of them. */
const MOST_AT_ONCE = { guards: 200, feeds: 200 }

/** Keeps the deadlines: what is looked after when nothing is read, nobody speaks and only time passes. */
interface Timekeeper {
  start(): void
  /** Moves the deadlines of what a turn has touched. */
  after(turn: Turn): void
  /** What the store is to have of a jump of the wall clock, and what to call when it has; null without one. */
  jumped(): { turn: Turn; kept(): void } | null
  /** What is due now, a turn each: decided when its time has come, for what one says another one need not. */
  due(): (() => Turn)[]
  /** Chats whose summary was among it: it needs what the store knows. */
  digests(): number[]
  next(): number | null
}

type Other = Exclude<Deadline, { is: 'guard' | 'feed' }>
/** What each deadline leads to when it is due. */
type Turns = { [Is in Other['is']]: (deadline: Extract<Other, { is: Is }>) => Turn }

export function createTimekeeper(world: {
  memory: Memory
  deadlines: Deadlines
  clock: Clock
  emit: Emit
  periods: PollPeriods
  look(): Look
  readNow: ReadNow
}): Timekeeper {
  const { memory, deadlines, clock, emit, periods } = world
  const jumpedMs = createJumpWatch(clock, emit)
  const arm = createArming({ memory, deadlines, clock, periods })
  const feeds = createFeedDeadlines({ memory, deadlines, clock, periods })
  /** A venue that the runs before this one did not see either is told once it has been tried, or after the usual patience. */
  let hopeUntil = -Infinity
  const missed = createMissed(memory, clock)
  let isNoted = false
  let begunWall = 0
  const summaries: number[] = []
  /** Nothing was seen in this run: what can wait does, for as long as that is likely to take. */
  let hopes = true
  /** Whose positions only an earlier run has read, and who are not judged by these yet. */
  let recall: Owner[] = []
  /** The wall clock has jumped, and the store does not know all of what that moves. */
  let unwritten = false
  const present = () => ({ at: clock.now(), tick: clock.tick() })
  const nothing = (): Turn => ({ learned: [], decisions: [] })

  const turns: Turns = {
    rest({ chatId }) {
      arm.rest(chatId, clock.tick() + periods.marketPollMs)
      return { learned: [], decisions: [sumUp(world.look(), chatId)] }
    },
    confirm({ chatId }) {
      const decisions = confirmed(world.look(), chatId)
      // What cannot be kept is tried again, and not all the time.
      if (decisions.length > 0) deadlines.set({ is: 'confirm', chatId }, clock.tick() + periods.marketPollMs)
      return { learned: [], decisions }
    },
    parked() {
      feeds.rest()
      return nothing()
    },
    wallets() {
      feeds.wallets()
      return nothing()
    },
    handover() {
      arm.handover(clock.tick() + periods.marketPollMs)
      return endHandovers(world.look())
    },
    digest({ chatId }) {
      // While it cannot be kept it is tried again.
      arm.digest(chatId)
      summaries.push(chatId)
      return { learned: [], decisions: [] }
    },
    recall() {
      const learned = recalled(world.look(), recall)
      // Whoever reads or asks something has his turn in between.
      if (recall.length > 0) deadlines.set({ is: 'recall' }, clock.tick() + 1)
      return { learned, decisions: [] }
    },
    dark() {
      const away = isNoted ? [] : awayGap(memory.aliveAt, begunWall)
      isNoted = true
      return { learned: [...missed.taken(), ...away, ...unkept(memory, clock.now())], decisions: [] }
    },
    alive() {
      deadlines.set({ is: 'alive' }, clock.tick() + ALIVE_EVERY_MS)
      return { learned: [alive(world.look()), ...memory.past.due(clock.now())], decisions: [] }
    },
    prune() {
      deadlines.set({ is: 'prune' }, clock.tick() + PRUNE_EVERY_MS)
      return { learned: [pruneAt(clock.now())], decisions: [] }
    },
  }

  /** What nobody has heeded is said together: the one that is due takes along whatever else rings in its chat. */
  function guardsDue(keys: readonly GuardKey[]): Turn {
    const again = ringingWith(memory, keys, clock.now())
    const look = { ...world.look(), again }
    const all = new Set([...keys, ...dueWith(keys), ...again])
    for (const key of all) {
      // Whatever cannot be seen now is looked at again soon, until it can.
      if (guardNamed(look, guardOf(key))) arm.guard(key, clock.tick() + periods.marketPollMs)
      else all.delete(key)
    }
    return { learned: [], decisions: [], crossed: { look, keys: all, slots: [], readNow: world.readNow } }
  }

  /** Takes out what else is due in their chats: it is said in the same message, however many are due in others. */
  function dueWith(keys: readonly GuardKey[]): GuardKey[] {
    const chats = new Set(keys.map(chatOf))
    const isDue = (key: GuardKey) => (deadlines.at({ is: 'guard', key }) ?? Infinity) <= clock.tick()
    const all = [...chats].flatMap((id) => [...memory.guardsIn.of(id).keys()].filter(isDue))
    for (const key of all) deadlines.clear({ is: 'guard', key })
    return all
  }

  /** What cannot be seen is told together: ten wallets are one message. */
  function feedsDue(keys: readonly FeedKey[]): Turn {
    return feeds.due(
      keys,
      (feed) => feed === MARKETS && !memory.trouble.has(feed) && clock.tick() < hopeUntil,
    )
  }

  /** A restart does not begin the patience anew: somebody may restart us for ever. */
  function begin(feed: FeedKey): void {
    const { at, tick } = present()
    const since = Math.min(memory.dark.get(feed) ?? at, at)
    apply(memory, want(memory, feed, { at: since, tick: tick - (at - since) }))
    if (feed === MARKETS && since < at) hopeUntil = tick + patienceMs(memory, feedOf(feed), periods)
  }

  return {
    start() {
      deadlines.set({ is: 'alive' }, clock.tick() + ALIVE_EVERY_MS)
      deadlines.set({ is: 'prune' }, clock.tick() + ALIVE_EVERY_MS)
      deadlines.set({ is: 'dark' }, clock.tick() + DARK_AFTER_MS)
      missed.begin()
      begunWall = clock.now()
      // A wall clock that stands before what an earlier run has seen of it was set back meanwhile.
      const setBackMs = Math.min(begunWall - (memory.aliveAt ?? -Infinity), 0)
      if (setBackMs < 0) moveBy(memory, setBackMs)
      unwritten = setBackMs < 0
      const owners = [...memory.watches.groups()].map((owner) => feedKey({ is: 'owner', owner }))
      for (const feed of [MARKETS, ...owners]) {
        begin(feed)
        feeds.arm(feed)
      }
      recall = recalledOwners(memory)
      apply(memory, recalled(world.look(), recall))
      if (recall.length > 0) deadlines.set({ is: 'recall' }, clock.tick())
      // Prices are waited for before anything is said again.
      const hopeful = clock.tick() + patienceMs(memory, feedOf(MARKETS), periods)
      for (const key of memory.states.keys()) arm.guard(key, hopeful)
      arm.rests()
      for (const chatId of memory.digests) arm.digest(chatId, hopeful)
      arm.handover()
    },
    after(turn) {
      const touched = touchedBy(memory, turn)
      const { guards, rests, waits, agreed, pricesSeen } = touched
      feeds.after([...turn.learned, ...turn.decisions.flatMap(({ effects }) => effects)])
      if (agreed) arm.handover()
      if (missed.notes(turn.learned))
        deadlines.set({ is: 'dark' }, deadlines.at({ is: 'dark' }) ?? clock.tick() + DARK_AFTER_MS)
      if (pricesSeen && hopes) {
        hopes = false
        for (const chatId of memory.digests) arm.digest(chatId)
      }
      for (const key of guards) arm.guard(key)
      for (const feed of touched.feeds) feeds.arm(feed)
      for (const chatId of rests) {
        arm.rest(chatId)
        arm.digest(chatId)
      }
      for (const chatId of waits) arm.confirm(chatId)
    },
    jumped() {
      const byMs = jumpedMs()
      if (byMs !== 0) {
        unwritten = true
        begunWall += byMs
        arm.rests()
        arm.handover()
        for (const chatId of memory.digests) arm.digest(chatId)
        for (const key of moveBy(memory, byMs)) arm.guard(key)
      }
      if (!unwritten) return null
      const { learned, decisions } = movedRows(memory)
      const turn = { learned: [...unkept(memory, clock.now()), ...learned], decisions }
      return { turn, kept: () => void (unwritten = false) }
    },
    due() {
      const all = deadlines.due(clock.tick(), MOST_AT_ONCE)
      const keys = all.flatMap((deadline) => (deadline.is === 'guard' ? [deadline.key] : []))
      const late = all.flatMap((deadline) => (deadline.is === 'feed' ? [deadline.feed] : []))
      const others = all.filter(({ is }) => is !== 'guard' && is !== 'feed') as Other[]
      const turnOf = (deadline: Other) => (turns[deadline.is] as (deadline: Other) => Turn)(deadline)
      return [
        ...(late.length > 0 ? [() => feedsDue(late)] : []),
        ...(keys.length > 0 ? [() => guardsDue(keys)] : []),
        ...others.map((deadline) => () => turnOf(deadline)),
      ]
    },
    digests: () => summaries.splice(0),
    next: () => deadlines.next(),
  }
}

/** Of what a turn has changed the deadlines. */
interface Touched {
  feeds: Set<FeedKey>
  guards: Set<GuardKey>
  /** Chats: of their quiet hours and summaries, and of what they wait for to be confirmed. */
  rests: Set<number>
  waits: Set<number>
  agreed: boolean
  pricesSeen: boolean
}

function touchedBy(memory: Memory, { learned, decisions }: Turn): Touched {
  const touched: Touched = {
    feeds: new Set(),
    guards: new Set(),
    rests: new Set(),
    waits: new Set(),
    agreed: false,
    pricesSeen: false,
  }
  const { feeds, guards, rests, waits } = touched
  for (const effect of [...learned, ...decisions.flatMap(({ effects }) => effects)]) {
    for (const feed of feedsOf(effect)) feeds.add(feed)
    const chatId = restOf(effect)
    if (chatId !== null) rests.add(chatId)
    touched.agreed ||= isAgreed(effect)
    touched.pricesSeen ||= effect.is === 'seen' && effect.feed === MARKETS
    if (effect.is === 'unconfirmed') waits.add(effect.chatId)
    if (effect.is === 'settled' && memory.unconfirmed.of(effect.chatId).size === 0) waits.add(effect.chatId)
    // Quiet hours and summaries are of their zone.
    if (effect.is === 'person') for (const id of memory.chatsOf.of(effect.person.id).keys()) rests.add(id)
    if (effect.is === 'state') guards.add(guardKey(effect.row.guard))
    if (effect.is === 'state-gone') guards.add(guardKey(effect.guard))
    // What has no state wakes for nothing, and had its end of one told of above; what is due to be said again of what is only
    // remembered waits for its wallet as long as it did.
    if (effect.is === 'judged' && !effect.remembered && memory.states.has(effect.key)) guards.add(effect.key)
    if (effect.is === 'forgotten') guards.add(effect.key)
  }
  return touched
}

/**
 * The wall clock jumped: what counts an interval, and since when something is not seen, goes along with it. Memory does
 * at once, whatever can be kept of it: nothing may be judged by two clocks. Returns the guards whose ends follow the
 * wall.
 */
function moveBy(memory: Memory, byMs: number): GuardKey[] {
  if (memory.aliveAt !== null) memory.aliveAt += byMs
  if (memory.pricesAt !== null) memory.pricesAt += byMs
  memory.holes = memory.holes.map(({ since, until }) => ({ since: since + byMs, until: until + byMs }))
  for (const [feed, { at, tick }] of memory.sight) memory.sight.set(feed, { at: at + byMs, tick })
  for (const [feed, { since, why }] of memory.blind) memory.blind.set(feed, { since: since + byMs, why })
  const stays: GuardKey[] = []
  const moved = [...memory.states].flatMap(([key, { state, value, params }]): Effect[] => {
    const to = shifted(state, byMs)
    if (to !== state) return [{ is: 'state', row: { guard: guardOf(key), state: to, value, params } }]
    stays.push(key)
    return []
  })
  const told = [...memory.told.groups()].flatMap((feed) => [...memory.told.of(feed).values()])
  apply(memory, [
    ...moved,
    ...told.map((row): Effect => ({ is: 'feed', row: { ...row, since: row.since + byMs } })),
    ...[...memory.dark].map(([feed, since]): Effect => ({ is: 'dark', feed, since: since + byMs })),
  ])
  return stays
}

/** What the store is to have of it, a chat each: one that cannot be kept must not make the others early or late. */
function movedRows(memory: Memory): { learned: Effect[]; decisions: Decision[] } {
  const states = [...memory.states].flatMap(([key, { state, value, params }]) => {
    const guard = guardOf(key)
    const counts = shifted(state, 1) !== state
    return counts ? [silent(guard.chatId, [{ is: 'state', row: { guard, state, value, params } }])] : []
  })
  const told = [...memory.told.groups()].flatMap((feed) => [...memory.told.of(feed).values()])
  return {
    learned: [...memory.dark].map(([feed, since]): Effect => ({ is: 'dark', feed, since })),
    decisions: [...states, ...told.map((row) => silent(row.chatId, [{ is: 'feed', row }]))],
  }
}
