import type { Clock } from '../clock.ts'
import type { Emit } from '../event.ts'
import { feedKey, feedOf, MARKETS } from '../feed.ts'
import type { FeedKey } from '../feed.ts'
import { guardOf } from '../guard.ts'
import { apply } from './apply.ts'
import type { Deadline, Deadlines } from './deadlines.ts'
import { failingToo, feedsOf, lookAfter, overdue, patienceMs, want } from './feeds.ts'
import type { PollPeriods } from './feeds.ts'
import { guardNamed } from './guards.ts'
import type { Look } from './look.ts'
import type { Memory } from './memory.ts'
import { judgeAll } from './turn.ts'
import type { Turn } from './turn.ts'
import { ALIVE_EVERY_MS, createJumpWatch, PRUNE_EVERY_MS, pruneAt } from './upkeep.ts'

/** What is seen this soon after a start was not dark. */
const DARK_AFTER_MS = 1_000

/** Keeps the deadlines: what is looked after when nothing is read, nobody speaks and only time passes. */
interface Timekeeper {
  start(): void
  /** Moves the deadlines of what a turn has touched. */
  after(turn: Turn): void
  /** What is due now, a turn each. */
  due(): Turn[]
  next(): number | null
}

/** What each deadline leads to when it is due. */
type Turns = { [Is in Deadline['is']]: (deadline: Extract<Deadline, { is: Is }>) => Turn }

export function createTimekeeper(world: {
  memory: Memory
  deadlines: Deadlines
  clock: Clock
  emit: Emit
  periods: PollPeriods
  look(): Look
}): Timekeeper {
  const { memory, deadlines, clock, emit, periods } = world
  const noticeJump = createJumpWatch(clock, emit)
  /** What the runs before this one did not see either is told once it has been tried, or after the usual patience. */
  const hopeUntil = new Map<FeedKey, number>()
  let begunAt = 0
  const present = () => ({ at: clock.now(), tick: clock.tick() })

  const turns: Turns = {
    feed({ feed }) {
      const hopes = !memory.trouble.has(feed) && clock.tick() < (hopeUntil.get(feed) ?? -Infinity)
      const turn = hopes ? { learned: [], decisions: [] } : overdue(memory, feed, periods, present())
      // While it is overdue it is looked after at every tick of the market: it may wait for the venue to be back.
      arm(feed, clock.tick() + periods.marketPollMs)
      return turn
    },
    guard({ key }) {
      const look = world.look()
      const guard = guardNamed(look, guardOf(key))
      return { learned: [], decisions: guard ? judgeAll(look, [guard]) : [] }
    },
    dark() {
      const unseen = [...memory.sight].filter(([feed, { tick }]) => tick <= begunAt && !memory.dark.has(feed))
      return { learned: unseen.map(([feed, { at: since }]) => ({ is: 'dark', feed, since })), decisions: [] }
    },
    alive() {
      deadlines.set({ is: 'alive' }, clock.tick() + ALIVE_EVERY_MS)
      noticeJump()
      return { learned: [{ is: 'alive', at: clock.now() }], decisions: [] }
    },
    prune() {
      deadlines.set({ is: 'prune' }, clock.tick() + PRUNE_EVERY_MS)
      return { learned: [pruneAt(clock.now())], decisions: [] }
    },
  }

  function arm(feed: FeedKey, notBefore = clock.tick()): void {
    const at = lookAfter(memory, feed, periods)
    if (at === null) deadlines.clear({ is: 'feed', feed })
    else deadlines.set({ is: 'feed', feed }, Math.max(at, notBefore))
  }

  /** A restart does not begin the patience anew: somebody may restart us for ever. */
  function begin(feed: FeedKey): void {
    const { at, tick } = present()
    const since = Math.min(memory.dark.get(feed) ?? at, at)
    apply(memory, want(memory, feed, { at: since, tick: tick - (at - since) }))
    if (since < at) hopeUntil.set(feed, tick + patienceMs(memory, feedOf(feed), periods))
  }

  return {
    start() {
      deadlines.set({ is: 'alive' }, clock.tick() + ALIVE_EVERY_MS)
      deadlines.set({ is: 'prune' }, clock.tick() + ALIVE_EVERY_MS)
      deadlines.set({ is: 'dark' }, clock.tick() + DARK_AFTER_MS)
      begunAt = clock.tick()
      const owners = [...memory.watches.groups()].map((owner) => feedKey({ is: 'owner', owner }))
      for (const feed of [MARKETS, ...owners]) {
        begin(feed)
        arm(feed)
      }
    },
    after({ learned, decisions }) {
      const touched = new Set<FeedKey>()
      for (const effect of [...learned, ...decisions.flatMap(({ effects }) => effects)]) {
        for (const feed of feedsOf(effect)) touched.add(feed)
        if (effect.is !== 'judged' && effect.is !== 'forgotten') continue
        const deadline: Deadline = { is: 'guard', key: effect.key }
        const wakeAt = effect.is === 'judged' ? effect.wakeAt : null
        if (wakeAt === null) deadlines.clear(deadline)
        else deadlines.set(deadline, clock.tick() + Math.max(wakeAt - clock.now(), 0))
      }
      for (const feed of touched) arm(feed)
    },
    due() {
      const all = deadlines.due(clock.tick())
      const turnOf = (deadline: Deadline) => (turns[deadline.is] as (deadline: Deadline) => Turn)(deadline)
      const feeds = all.filter(({ is }) => is === 'feed').map(turnOf)
      // What cannot be seen is told together: ten wallets are one message.
      const wallet = feeds.some(({ learned }) =>
        learned.some((effect) => effect.is === 'blind' && feedOf(effect.feed).is === 'owner'),
      )
      if (wallet) feeds.push(...failingToo(memory, periods, present()))
      const ofFeeds = {
        learned: feeds.flatMap(({ learned }) => learned),
        decisions: feeds.flatMap(({ decisions }) => decisions),
      }
      return [...(feeds.length > 0 ? [ofFeeds] : []), ...all.filter(({ is }) => is !== 'feed').map(turnOf)]
    },
    next: () => deadlines.next(),
  }
}
