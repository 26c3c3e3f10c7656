import type { Kind } from '../alert/alert.ts'
import type { Failure } from '../command/context.ts'
import { oneByOne } from '../lib/flow/in-order.ts'
import { errorText } from '../lib/text/error-text.ts'
import { type Clock, createYield } from '../runtime/clock.ts'
import type { DigestTold, MoneyOf } from '../people/digest.ts'
import type { EscalatedTo } from '../people/escalation.ts'
import type { AlertTransition, Emit } from '../runtime/event.ts'
import type { Change, Changed, InputId } from '../store/change.ts'
import type { Departures, Store } from '../store/store.ts'
import type { Listed } from '../venue/listing.ts'
import type { WalletReading, Readings, ReadNow } from '../venue/reading.ts'
import { sourceOf, MARKETS } from '../venue/source.ts'
import { createChanges } from './apply-change.ts'
import { recalledSamples } from './backtest/windows.ts'
import { inChunks } from './chunks.ts'
import { createCommitter } from './commit.ts'
import { apply, createMemory } from './memory/apply.ts'
import type { Effect } from './memory/effect.ts'
import { createDeadlines } from './time/deadlines.ts'
import type { Memory } from './memory/memory.ts'
import { languageIn } from './memory/people.ts'
import { withDefaults } from './memory/rules.ts'
import { numbersAfter, runBegun } from './memory/run.ts'
import type { EvaluationContext } from './monitors/context.ts'
import type { Decision } from './monitors/decision.ts'
import type { DecidedTurn, Moment, Outcome } from './monitors/turn.ts'
import { digestTurn } from './notify/digests/digest.ts'
import { weeklyTurn } from './notify/digests/weekly.ts'
import { escalationsIn } from './notify/escalation.ts'
import { toMessages } from './notify/pipeline.ts'
import { controlWallet } from './observe/emptied.ts'
import { marketsTurn } from './observe/markets-turn.ts'
import { ordersTurn } from './observe/orders-turn.ts'
import { createReadDemand } from './observe/read-demand.ts'
import { unchanged } from './observe/unchanged-wallet.ts'
import { walletTurn } from './observe/wallet-turn.ts'
import { failing, recovered, patienceMs, type PollPeriods, sightings } from './outage/sources.ts'
import { createQueue, type Input } from './queue.ts'
import { createStoreHealth, createStoreWaits } from './store-health.ts'
import { atStop, createStops } from './time/suspension.ts'
import { createTimekeeper } from './time/timekeeper.ts'

/** The only writer of memory. Every change passes through one queue. */
export interface Engine extends Readings {
  /** Resolves after the commit; rejects when it failed. An input that took effect before changes nothing. */
  change(change: Change, input: InputId | null): Promise<Changed>
  /** A platform has taken a message for this chat. */
  taken(chatId: number): void
  /** Since when nothing can be kept, and why; null while it can. */
  failure(): Failure | null
  /** Read-only, as of the last commit. */
  readonly memory: Memory
  start(): void
  stop(): Promise<void>
  /** Resolves when the queue is empty and nothing is being committed. */
  idle(): Promise<void>
}

const nobody = async () => 0

export async function createEngine(world: {
  store: Pick<Store, 'memory' | 'history' | 'recording' | 'admin'>
  clock: Clock
  emit: Emit
  kinds: readonly Kind[]
  periods: PollPeriods
  /** Those that are open in this run. */
  platforms: readonly string[]
  /** The names of the venues after the first; left out where that one stands alone. */
  venues?: readonly string[]
  /** The name of the first one for people, where there are several. */
  firstVenue?: string
  /** The venues that record who closed what; undefined is the first. Left out: none. */
  showsCloseRecords?: ReadonlySet<string | undefined>
  /** The venues that show nobody's orders; undefined is the first. Left out: none. */
  hidesOrders?: ReadonlySet<string | undefined>
  /** Sends with each commit what may go at once, and hears what waits; left out, nothing is sent. */
  departures?: Departures
  /** A commit that others wait for: wallets to read. With the input that led to it; null at the end of a run. */
  committed(input: Input | null): void
  /** An input was taken in: a wallet may need a second reading, or a watch may be new. */
  inputTaken(input: Input): void
  /** An alert changed its state, and that is committed. */
  transitioned(transition: AlertTransition): void
  /** The words of a digest are committed. */
  digestTold(told: DigestTold): void
  /** The money of a digest, as it was read before; left out, no venue shows any. */
  moneyOf?: MoneyOf
  /** An alert is told in another chat as well, and that is committed. */
  escalated(to: EscalatedTo): void
  /** Why nothing can be stored from now on; null when it can again. */
  storeFailed(why: string | null): void
  readNow: ReadNow
  /**
   * All readings of wallets are from before a suspension: each wallet is to be read again as soon as
   * possible.
   */
  readAll(): void
}): Promise<Engine> {
  const { store, clock, emit, kinds, periods, readNow, moneyOf = () => ({ is: 'hidden' }) } = world
  const memory: Memory = createMemory(withDefaults(kinds, await store.memory.load()), world.venues)
  const change = (effects: readonly Effect[]) => apply(memory, effects)
  change([
    runBegun(kinds, world.platforms, world),
    { is: 'recording-found', pieces: await store.recording.pieces() },
  ])
  const keep = createCommitter({
    ...{ store: store.memory, departures: world.departures, emit },
    apply(effects) {
      const all = escalationsIn(memory, effects)
      change(effects)
      for (const one of all) world.escalated(one)
    },
    committed: () => world.committed(taking),
    languageIn: (chatId) => languageIn(memory, chatId),
    transitioned: (transition) => world.transitioned(transition),
  })
  const queue = createQueue()
  const allMarkets = sourceOf(MARKETS)
  let running: Promise<void> | null = null
  let wake: { at: number; callOff(): void } | null = null
  let stopped = true
  /** The present turn: its input, and how many monitors it has judged. */
  let taking: Input | null = null
  let judged = 0
  const reportStore = (why: string | null) => {
    emit({ is: 'store', why })
    world.storeFailed(why)
  }
  const storeHealth = createStoreHealth(store.admin, clock, reportStore)
  const storeWaits = createStoreWaits(clock, change)
  const look = (): EvaluationContext => ({
    ...{ memory, kinds, views: new Map(), seen: new Set(), numbers: numbersAfter(memory) },
    now: clock.now(),
    mono: clock.monotonic(),
    marketStaleMs: patienceMs(memory, allMarkets, periods),
  })
  change(await recalledSamples({ ...look(), memory }, store.recording, clock))
  const stops = createStops({ drawers: memory, clock, emit, apply: change, readAll: () => world.readAll() })
  const asks = createReadDemand(memory, kinds, clock)
  const time = createTimekeeper({
    drawers: memory,
    deadlines: createDeadlines(),
    ...{ clock, emit, apply: change, periods, look, readNow },
  })
  const after = (turn: Outcome) => [time, asks].forEach((one) => one.after(turn))
  const takeAnswer = createAnswers({
    drawers: memory,
    kinds,
    apply: change,
    commit: (turn) => commit(turn),
    taken: after,
    renamed: (market) =>
      enqueue({
        ...{ is: 'change', change: { is: 'market-renamed', ...market }, input: null },
        resolve() {},
        reject() {},
      }),
  })
  // One after the other, also where they come between the chunks of a long turn.
  const takeChange = createChanges({
    store: store.memory,
    look,
    commit: (turn) => commit(turn, nobody),
    takeAnswer,
  })

  /**
   * Commits a turn, chunk after chunk; one that fails does not stop those behind it. Changes by people wait
   * for one chunk only: the next is judged with them.
   */
  async function commit(turn: Outcome | null, between = changesThatWait): Promise<number> {
    if (!turn) return 0
    change(turn.figures ?? [])
    const detectedAt = clock.now()
    return inChunks(memory, turn, (slice) => commitSlice(slice, detectedAt), between, clock.monotonic)
  }

  async function changesThatWait(): Promise<number> {
    for (let one = queue.nextChange(); one; one = queue.nextChange()) await attend(one)
    return 0
  }

  /** Sets the deadlines even if the commit fails: they follow from memory as it is then. */
  async function commitSlice(turn: DecidedTurn, detectedAt: number): Promise<number> {
    const said = sightings(memory, turn, clock.now())
    turn.observed.push(...recovered(memory, turn.observed))
    judged += judgedIn(turn.decisions)
    const effects = [...turn.observed, ...turn.decisions.flatMap((one) => one.effects)]
    const at = { ...look(), numbers: numbersAfter(memory, effects) }
    const { decided, transactions } = toMessages(at, turn, detectedAt)
    try {
      return await keep(decided.observed, transactions)
    } finally {
      after(decided)
      // A report that could not be committed has not happened.
      for (const event of said)
        if (memory.sources.blind.has(event.source) === (event.is === 'outage')) emit(event)
    }
  }

  function enqueue(input: Input): void {
    if (stopped && input.is === 'change') input.reject(new Error('the bot is stopping'))
    if (stopped) return
    queue.put(input)
    running ??= run()
  }

  async function run(): Promise<void> {
    // Yields once, so that what arrives together is taken in together.
    await Promise.resolve()
    const breathe = createYield(clock)
    for (let input = queue.next(); input; input = queue.next()) {
      await attend(input)
      await breathe()
    }
    // At once: what comes after the last look at the queue begins anew.
    running = null
    armWake()
  }

  async function attend(input: Input): Promise<void> {
    const started = clock.monotonic()
    // A change may be taken in between two chunks of another turn.
    const around = { taking, judged }
    taking = input
    judged = 0
    storeWaits.begun()
    try {
      const rows = await take(input)
      storeWaits.ended(started, 'kept')
      if (rows > 0) storeHealth.kept()
      emit({
        is: 'turn',
        of: input.is,
        judged,
        rows,
        ms: clock.monotonic() - started,
        mono: clock.monotonic(),
      })
      world.inputTaken(input)
    } catch (error) {
      const why = errorText(error)
      emit({ is: 'turn-failed', why, error })
      storeWaits.ended(started, 'failed')
      storeHealth.fails(why)
      change([{ is: 'answers-doubted' }, { is: 'listings-doubted' }])
      if (input.is === 'change') input.reject(error)
    } finally {
      ;({ taking, judged } = around)
    }
  }

  async function take(input: Input): Promise<number> {
    stops.look(wake?.at ?? null)
    // A clock jump or a suspension that cannot be committed is tried again with the next input; this input
    // goes on.
    const before = [time.jumped(), stops.untold()].map((one) => async () => {
      const written = one ? await commit(one.turn) : 0
      one?.kept()
      return written
    })
    return oneByOne([...before, () => takeIn(input)])
  }

  async function takeIn(input: Input): Promise<number> {
    const { now, mono, marketStaleMs } = look()
    const moment = { now, mono, marketStaleMs }
    if (input.is === 'markets') return commit(marketsTurn(memory, kinds, input.reading, moment, readNow))
    if (input.is === 'wallet') {
      const written = await takeAnswer(input.reading, moment)
      const control = controlWallet(memory, input.reading)
      if (control !== null) readNow(control, null, input.reading.venue)
      return written
    }
    if (input.is === 'orders') return commit(ordersTurn(memory, kinds, input.reading, moment))
    if (input.is === 'change') return takeChange(input)
    return takeDeadlines()
  }

  /** The due deadlines are taken out before the first of their turns is committed. */
  async function takeDeadlines(): Promise<number> {
    const keepTurn = async (turn: Outcome | null | Promise<Outcome | null>) => {
      const outcome = await turn
      const written = await commit(outcome)
      if (outcome?.digest) world.digestTold(outcome.digest)
      return written
    }
    const digests = () =>
      time.digests().map(({ chatId, which }) => () => {
        const turn = which === 'daily' ? digestTurn : weeklyTurn
        return keepTurn(turn(store.history, moneyOf, look(), chatId))
      })
    try {
      return await oneByOne([...time.due().map((turn) => () => keepTurn(turn())), () => oneByOne(digests())])
    } finally {
      await storeHealth.check()
    }
  }

  function armWake(): void {
    const at = time.next()
    if (wake && wake.at === at) return
    wake?.callOff()
    wake = null
    if (at === null || stopped) return
    const callOff = clock.wakeAt(at, () => {
      stops.look(at)
      wake = null
      enqueue({ is: 'deadlines' })
    })
    wake = { at, callOff }
  }

  return {
    memory,
    failure: storeHealth.failure,
    markets: (reading) => enqueue({ is: 'markets', reading }),
    wallet: (reading) => enqueue({ is: 'wallet', reading }),
    orders: (reading) => enqueue({ is: 'orders', reading }),
    failed(source, why) {
      stops.look(wake?.at ?? null)
      const observed = failing(memory, source, why, { at: clock.now(), mono: clock.monotonic() })
      change(observed)
      time.after({ observed, decisions: [] })
      armWake()
    },
    change: (change, input) =>
      new Promise((resolve, reject) => enqueue({ is: 'change', change, input, resolve, reject })),
    taken: (chatId) => change([{ is: 'taken', chatId, at: clock.now() }]),
    ...asks,
    start() {
      stopped = false
      // The time until the start is no suspension.
      stops.look(null)
      time.start()
      armWake()
    },
    async stop() {
      stopped = true
      stops.look(wake?.at ?? null)
      wake?.callOff()
      wake = null
      await running
      // A clock that has jumped since the last input has moved what the next run begins with, which knows of no stop of this one.
      for (const one of [time.jumped(), stops.untold()]) if (one) await commit(one.turn)
      change([{ is: 'recording-due', at: clock.now(), much: 'all' }])
      await keep(atStop(look(), memory.recording), [])
    },
    async idle() {
      while (running) await running
    },
  }
}

/**
 * Takes in an answer about a wallet. Resolves to the number of writes made: an unchanged wallet makes none.
 */
function createAnswers(world: {
  drawers: Pick<
    Memory,
    'people' | 'rules' | 'monitors' | 'silences' | 'wallets' | 'markets' | 'sources' | 'run'
  >
  kinds: readonly Kind[]
  /** Changes memory. */
  apply(effects: readonly Effect[]): void
  commit(turn: Outcome | null): Promise<number>
  /** Memory has taken what need not be kept. */
  taken(turn: Outcome): void
  /** The rules about this market are to go on. */
  renamed(market: { from: string; to: Listed }): void
}): (reading: WalletReading, moment: Moment) => Promise<number> {
  const { drawers, kinds, commit, taken } = world
  return async (reading, moment) => {
    const observed = unchanged(drawers, kinds, reading, moment)
    if (observed === null) {
      const turn = walletTurn(drawers, kinds, reading, moment)
      const written = await commit(turn)
      for (const one of turn?.renamed ?? []) world.renamed(one)
      return written
    }
    world.apply(observed)
    // New bounds of monitors that stay ok concern neither deadlines nor reads.
    taken({ observed: observed.filter(({ is }) => is !== 'bounds'), decisions: [] })
    return 0
  }
}

/** The number of monitors that were judged: each has given its bounds. */
function judgedIn(decisions: readonly Decision[]): number {
  let judged = 0
  for (const { effects } of decisions)
    for (const { is } of effects) if (is === 'bounds' || is === 'judged') judged++
  return judged
}
