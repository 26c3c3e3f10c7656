import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { kinds } from '../../src/alerts/index.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import type { PollPeriods } from '../../src/engine/outage/sources.ts'
import type { Input } from '../../src/engine/queue.ts'
import type { Event } from '../../src/runtime/event.ts'
import type { Change, Changed, InputId } from '../../src/store/change.ts'
import type { Snapshot } from '../../src/store/snapshot.ts'
import type { NewRow, Store, Write } from '../../src/store/store.ts'
import type { Market } from '../../src/venue/market.ts'
import type { Order } from '../../src/venue/order.ts'
import type { Position } from '../../src/venue/position.ts'
import type { ReadNow } from '../../src/venue/reading.ts'
import type { CloseRecord, OrdersAnswer, PositionsAnswer } from '../../src/venue/venue.ts'
import type { Wallet } from '../../src/venue/wallet.ts'
import { type HandClock, handClock, NOON, READ_MS } from './clock.ts'
import { titleOf } from './engine.ts'
import { ALICE, remembered } from './fixtures.ts'
import { newDatabase } from './new-database.ts'
import { writesOf } from './store-everything.ts'
import { temporaryFolder } from './store.ts'
import { openStore } from './open-store.ts'

/** The real engine on a real store that can be told to fail, and a clock that the test turns. */
export interface Running {
  readonly engine: Engine
  readonly store: Store
  clock: HandClock
  events: Event[]
  /** Which commits fail from now on. */
  refuses(which: (writes: readonly Write[]) => boolean): void
  /** Readings, a second after the last one, as new as now. */
  prices(...markets: Market[]): Promise<void>
  pricesAt(venue: string | undefined, ...markets: Market[]): Promise<void>
  reads(
    positions: Position[],
    over?: Partial<PositionsAnswer> & { wallet?: Wallet; venue?: string; closeRecords?: CloseRecord[] },
  ): Promise<void>
  /** Orders, asked for so long ago. */
  lists(
    orders: Order[],
    over?: Partial<OrdersAnswer> & { wallet?: Wallet; ageMs?: number; venue?: string },
  ): Promise<void>
  change(change: Change, input?: InputId | null): Promise<Changed>
  /** For each time since the last call that somebody was told that something was kept: the kind of input that led to it. */
  commits(): (Input['is'] | null)[]
  /** What was promised since the last call: `<chat>: <title>`. */
  hears(): string[]
  /** What was kept since the last call. */
  kept(): Write[]
  /** Another run on the same database, after it was away for so long; the wall clock may have jumped meanwhile, and it may read other venues. */
  restart(awayMs: number, jumpMs?: number, venues?: readonly string[]): Promise<void>
}

export const PERIODS: PollPeriods = { marketPollMs: 2_000, walletPollMinMs: 2_000, walletPollMaxMs: 60_000 }

export async function startEngine(
  over: Partial<Snapshot> = {},
  {
    periods = PERIODS,
    readNow = () => false,
    begun = NOON,
    readMs = READ_MS,
    listens = () => {},
    venues,
    hidesOrders = new Set(),
    showsCloseRecords = new Set(),
  }: {
    periods?: PollPeriods
    readNow?: ReadNow
    begun?: number
    readMs?: number
    listens?: (event: Event) => void
    /** The names of several venues, the first one first. */
    venues?: readonly string[]
    /** The venues that show nobody's orders; undefined is the first. */
    hidesOrders?: ReadonlySet<string | undefined>
    /** The venues that record who closed what, likewise. */
    showsCloseRecords?: ReadonlySet<string | undefined>
  } = {},
): Promise<Running> {
  const path = newDatabase(join(temporaryFolder(), 'perch.sqlite'))
  const clock = handClock(begun, readMs)
  const events: Event[] = []
  const rows: NewRow[] = []
  let writes: Write[] = []
  let refused: (writes: readonly Write[]) => boolean = () => false
  const emit = (event: Event) => {
    events.push(event)
    listens(event)
  }
  const commits: (Input['is'] | null)[] = []
  const committed = (input: Input | null) => void commits.push(input && input.is)
  const platforms = ['terminal', 'telegram', 'discord']
  let { store, engine } = await run(writesOf(remembered(over)))
  clock.restsWhen(() => engine.idle(), 'whole')
  onTestFinished(end)

  async function run(first: Write[]) {
    const sqlite = await openStore(path, 'hand', clock)
    if (first.length > 0) await sqlite.memory.commit(first)
    const store: Store = {
      ...sqlite,
      memory: {
        ...sqlite.memory,
        async commit(some, sending) {
          if (refused(some)) throw new Error('disk full')
          const departed = await sqlite.memory.commit(some, sending)
          writes.push(...some)
          for (const write of some) if (write.is === 'send' && write.row.note === null) rows.push(write.row)
          return departed
        },
      },
    }
    const engine = await createEngine({
      ...{ store, clock, emit, kinds, periods, platforms, committed, readNow },
      ...{ hidesOrders, showsCloseRecords },
      ...(venues && { venues: venues.slice(1), firstVenue: venues[0] ?? '' }),
      readAll() {},
      inputTaken() {},
      transitioned() {},
      digestTold() {},
      escalated() {},
      storeFailed() {},
    })
    engine.start()
    return { store, engine }
  }

  async function end(): Promise<void> {
    refused = () => false
    await engine.stop()
    await store.admin.close()
  }
  const taken = async () => {
    await engine.idle()
    await clock.advance(1_000)
  }
  async function pricesAt(venue: string | undefined, ...markets: Market[]): Promise<void> {
    const [at, mono] = [clock.now(), clock.monotonic()]
    const there = venue === undefined ? {} : { venue }
    engine.markets({ ...there, value: { markets, unusable: [], failedParts: [] }, at, mono })
    await taken()
  }
  return {
    get engine() {
      return engine
    },
    get store() {
      return store
    },
    clock,
    events,
    refuses: (which) => void (refused = which),
    prices: (...markets) => pricesAt(undefined, ...markets),
    pricesAt,
    async reads(positions, { wallet = ALICE, venue, closeRecords, ...answer } = {}) {
      const [at, mono] = [clock.now(), clock.monotonic()]
      const value = { positions, accounts: [], unusable: [], failedParts: [], totalCount: null, ...answer }
      const there = venue === undefined ? {} : { venue }
      engine.wallet({
        ...{ wallet, ...there, value, orders: null, closeRecords: closeRecords ?? null },
        ...{ unsolicited: false, at, mono },
      })
      await taken()
    },
    async lists(orders, { wallet = ALICE, ageMs = 0, venue, ...answer } = {}) {
      const [at, mono] = [clock.now() - ageMs, clock.monotonic() - ageMs]
      const there = venue === undefined ? {} : { venue }
      engine.orders({ wallet, ...there, value: { orders, unusable: [], unasked: [], ...answer }, at, mono })
      await taken()
    },
    async change(change, input = null) {
      try {
        return await engine.change(change, input)
      } finally {
        await taken()
      }
    },
    commits: () => commits.splice(0),
    kept() {
      const kept = writes
      writes = []
      return kept
    },
    async restart(awayMs, jumpMs = 0, others = venues) {
      venues = others
      await end()
      await clock.advance(awayMs)
      clock.jump(jumpMs)
      ;({ store, engine } = await run([]))
    },
    hears: () =>
      rows
        .splice(0)
        .flatMap(({ chatId, message }) => message.items.map((one) => `${chatId}: ${titleOf(one)}`)),
  }
}

/** Writes that are of this chat: its messages, and what is judged there. */
export function isOf(chatId: number, write: Write): boolean {
  if (write.is === 'send') return write.row.chatId === chatId
  if (write.is === 'state' || write.is === 'memo') return write.row.monitor.chatId === chatId
  return (write.is === 'state-gone' || write.is === 'memo-gone') && write.monitor.chatId === chatId
}
