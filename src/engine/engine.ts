import type { Kind } from '../alert.ts'
import type { Clock, Reading } from '../clock.ts'
import type { Emit } from '../event.ts'
import type { Owner } from '../owner.ts'
import type { Change, Changed, InputId, Store, Write } from '../store.ts'
import type { MarketsAnswer } from '../venue.ts'
import { patienceMs } from './blind.ts'
import type { Pace } from './blind.ts'
import { decideChange } from './changes.ts'
import { createCommitter } from './commit.ts'
import { createDeadlines } from './deadlines.ts'
import { createFeeds } from './feeds.ts'
import type { Outcome } from './judge.ts'
import { supersedes } from './inputs.ts'
import type { Input } from './inputs.ts'
import { createMemory, nearDanger } from './memory.ts'
import type { Memory } from './memory.ts'
import { missingSince } from './owner-view.ts'
import type { OwnerReading } from './owner-view.ts'
import { pairsOfRule } from './subjects.ts'
import type { Moment } from './subjects.ts'
import { judgeAll, marketsTurn, overruled, ownerTurn } from './turns.ts'
import { createUpkeep } from './upkeep.ts'

/** The only writer of what we remember. Everything that changes it passes through one queue. */
export interface Engine {
  markets(reading: Reading<MarketsAnswer>): void
  owner(reading: OwnerReading): void
  /** A try at a feed failed: it is not blind yet, and this is why it will be. */
  failed(feed: string, why: string): void
  /** Resolves after the commit; rejects when it failed. An input that took effect before changes nothing. */
  change(change: Change, input: InputId | null): Promise<Changed>
  /** Read-only, as of the last commit. */
  readonly memory: Memory
  /** The watched owners, and how soon each should be read. */
  demand(): OwnerDemand[]
  start(): void
  stop(): Promise<void>
  /** Resolves when the queue is empty and nothing is being committed. */
  idle(): Promise<void>
}

export interface OwnerDemand {
  owner: Owner
  nearDanger: boolean
  /** A position is missing: read again at once, with the orders. */
  confirm: boolean
}

/** A missing position is confirmed without a market reading after this. */
const CONFIRM_WITHOUT_MARKET_MS = 10_000

export async function createEngine(world: {
  store: Store
  clock: Clock
  emit: Emit
  kinds: readonly Kind[]
  pace: Pace
  /** Something was committed that others wait for: rows to send, owners to read. */
  committed(): void
}): Promise<Engine> {
  const { store, clock, emit, kinds, pace, committed } = world
  const memory = createMemory(await store.load())
  const deadlines = createDeadlines()
  const upkeep = createUpkeep(store, clock, emit, deadlines)
  const feeds = createFeeds({ memory, deadlines, clock, emit, pace })
  const commitAll = createCommitter({ memory, store, clock, emit, committed })
  const queue: Input[] = []
  let running: Promise<void> | null = null
  let wake: { at: number; callOff(): void } | null = null
  let stopped = true

  const moment = (): Moment => ({
    now: clock.now(),
    tick: clock.tick(),
    marketStaleMs: patienceMs(memory, 'markets', pace),
  })

  function enqueue(input: Input): void {
    if (stopped) {
      if (input.is === 'change') input.reject(new Error('the bot is stopping'))
      return
    }
    // Waiting readings of the same subject make way for the newest.
    const same = queue.findIndex((waiting) => supersedes(input, waiting))
    if (same >= 0) queue.splice(same, 1)
    queue.push(input)
    running ??= run().finally(() => {
      running = null
      armWake()
    })
  }

  async function run(): Promise<void> {
    // Yields once, so that what arrives together is taken in together.
    await Promise.resolve()
    for (let input = queue.shift(); input; input = queue.shift()) {
      const started = clock.tick()
      try {
        const rows = await take(input)
        emit({ is: 'turn', rows, ms: clock.tick() - started, tick: clock.tick() })
      } catch (error) {
        emit({ is: 'turn-failed', why: error instanceof Error ? error.message : String(error), error })
        if (input.is === 'change') input.reject(error)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function take(input: Input): Promise<number> {
    if (input.is === 'markets') return takeMarkets(input.reading)
    if (input.is === 'owner') return takeOwner(input.reading)
    if (input.is === 'deadlines') return takeDeadlines()
    return takeChange(input)
  }

  async function takeMarkets(reading: Reading<MarketsAnswer>): Promise<number> {
    const turn = marketsTurn(memory, kinds, reading, moment())
    if (!turn) return 0
    feeds.sighted(turn.sighted, reading)
    return commitAll(turn.outcomes)
  }

  async function takeOwner(reading: OwnerReading): Promise<number> {
    const turn = ownerTurn(memory, kinds, reading, moment())
    if (!turn) return 0
    feeds.sighted(turn.sighted, reading)
    try {
      const rows = await commitAll(turn.outcomes)
      const remember = turn.remember()
      if (remember) await store.commit([{ is: 'owner', memory: remember }])
      noticeMarkets(reading)
      return rows
    } catch (error) {
      turn.revert()
      throw error
    }
  }

  async function takeChange({ change, input, resolve }: Extract<Input, { is: 'change' }>): Promise<number> {
    const now = clock.now()
    if (input && (await store.seen(input))) {
      resolve({ rules: [], refused: null, repeated: true })
      return 0
    }
    const decided = decideChange(memory, change, now)
    const writes: Write[] = input ? [...decided.writes, { is: 'input', input, at: now }] : decided.writes
    if (writes.length > 0) await store.commit(writes)
    decided.apply()
    if (writes.length > 0) committed()
    if (change.is === 'watch') feeds.want(`owner/${change.owner}`)
    resolve({ rules: decided.rules, refused: decided.refused, repeated: false })
    const pairs = decided.rules.flatMap((rule) => pairsOfRule(memory, kinds, rule))
    const judged = judgeAll(memory, pairs, moment())
    return writes.length + (await commitAll([...overruled(memory, kinds, pairs, moment()), ...judged]))
  }

  async function takeDeadlines(): Promise<number> {
    const tick = clock.tick()
    const outcomes: Outcome[] = []
    let failure: unknown = null
    for (const name of deadlines.due(tick)) {
      try {
        if (!(await upkeep.due(name))) outcomes.push(...feeds.due(name))
      } catch (error) {
        // A full disk must not swallow the other deadlines: they have been taken out already.
        failure = error
      }
    }
    await commitAll(outcomes)
    if (failure !== null) throw failure
    return outcomes.length
  }

  /** A position in a market that the venue's list lacks cannot be judged: that must not go unnoticed. */
  function noticeMarkets({ value }: OwnerReading): void {
    for (const { marketId } of value.positions) feeds.want(`market/${marketId}`)
  }

  function armWake(): void {
    const at = deadlines.next()
    if (wake && wake.at === at) return
    wake?.callOff()
    wake = null
    if (at === null || stopped) return
    const callOff = clock.wakeAt(at, () => {
      wake = null
      enqueue({ is: 'deadlines' })
    })
    wake = { at, callOff }
  }

  return {
    memory,
    markets: (reading) => enqueue({ is: 'markets', reading }),
    owner: (reading) => enqueue({ is: 'owner', reading }),
    failed(feed, why) {
      memory.trouble.set(feed, why)
    },
    change: (change, input) =>
      new Promise((resolve, reject) => enqueue({ is: 'change', change, input, resolve, reject })),
    demand() {
      return [...memory.watches.keys()].map((owner) => {
        const view = memory.owners.get(owner)
        const missing = view ? missingSince(view) : null
        // The second look waits for a market reading after the first, so that the price that did it is known.
        const marketSince = missing !== null && (memory.marketsAt?.tick ?? -Infinity) > missing
        const confirm =
          missing !== null && (marketSince || clock.tick() - missing > CONFIRM_WITHOUT_MARKET_MS)
        return { owner, nearDanger: nearDanger(memory, owner), confirm }
      })
    },
    start() {
      stopped = false
      upkeep.start()
      feeds.want('markets')
      for (const owner of memory.watches.keys()) feeds.want(`owner/${owner}`)
      armWake()
    },
    async stop() {
      stopped = true
      wake?.callOff()
      wake = null
      await running
      await store.commit([{ is: 'alive', at: clock.now() }])
    },
    async idle() {
      while (running) await running
    },
  }
}
