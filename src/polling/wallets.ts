import { untilOver } from '../lib/time/backoff.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Market } from '../venue/market.ts'
import type { Order } from '../venue/order.ts'
import type { WalletDemand, WalletReading, ReadNow } from '../venue/reading.ts'
import type { Turns } from '../venue/venue-load.ts'
import {
  type Asking,
  type CloseRecord,
  incompleteness,
  type PositionsAnswer,
  type Venue,
  VenueError,
} from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { Budget, Priority } from './budget/budget.ts'
import { createTurns } from './budget/read-interval.ts'
import { createWaiting } from './budget/read-queue.ts'
import { type Ages, calmTurnMs, isHinted, type PolledWallet } from './budget/schedule.ts'
import { createAsked, pollAsking } from './budget/sent-at.ts'
import type { Poller } from './poller.ts'
import { createTradeHistory } from './trade-history.ts'

const POLL_LIMIT_MS = 8_000
/** How soon who is due is asked again when that could not be told. */
const LOOK_AGAIN_MS = 1_000
/** Who looks so much later than that did not run: how long it took is no pace. */
const STILL_MS = 10_000
/** Reads under way at once for each reason: enough to use 20 a second at 400 ms each. */
const AT_ONCE = 8

/** Why an owner is read: it is due, a position is missing, a danger is to be confirmed. */
type Why = 'due' | 'missing' | 'danger'

interface WalletPoller extends Poller {
  /** Looks who is due. */
  nudge(): void
  /** A read of every owner is due now. */
  readAll(): void
  /** The venue answers again: who could not be read waits no longer. */
  readFailed(): void
  readNow: ReadNow
  /** Somebody asked for it, and it was read: its next turn comes after that. */
  readForSomebody(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  /** A list of markets has come: of some it says that they may have traded. */
  listed(markets: readonly Market[]): void
  /** What an owner holds has come in another way. */
  told(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  /** How often wallets far from danger have their turn. */
  turns(): Turns
  /** Whether a second look at what is missing is under way. */
  isConfirming(wallet: Wallet): boolean
}

/** Reads the watched owners in turn; one read serves everybody who watches that owner. */
export function createWalletPoller(world: {
  venue: Venue
  budget: Budget
  clock: Clock
  emit: Emit
  ages: Ages
  demandOf(wallet: Wallet): WalletDemand | null
  /** Whose demand has changed since this was last asked. */
  changed(): Wallet[]
  /** When the venue last told of an owner by itself. */
  toldMono(wallet: Wallet): number | null
  read(reading: WalletReading): void
  failed(wallet: Wallet, why: string): void
}): WalletPoller {
  const { venue, budget, clock, emit, ages } = world
  const stopping = new AbortController()
  const turns = createTurns(ages.maxMs, emit)
  const past = createTradeHistory()
  const reading = new Map<Wallet, { why: Why; confirm: boolean; flight: Promise<void> }>()
  let callOff: (() => void) | null = null
  let started = false
  /** When it was to look next, and when it last began to after it had not run. */
  let [nextMono, ranMono] = [Infinity, -Infinity]
  const waiting = createWaiting({
    ...{ ages, polledOf },
    isRead: (wallet) => reading.has(wallet),
    forget(wallet) {
      past.forget(wallet)
      failing.delete(wallet)
    },
  })
  /** Whose last look failed. */
  const failing = new Set<Wallet>()

  const under = { due: 0, missing: 0, danger: 0 }
  const flights = () => [...reading.values()].map(({ flight }) => flight)

  function look(): void {
    if (!started || stopping.signal.aborted) return
    // Whatever breaks below, somebody looks again.
    wakeAt(clock.monotonic() + LOOK_AGAIN_MS)
    try {
      begin()
    } catch (error) {
      emit({ is: 'trouble', where: 'owner poller', why: String(error), error })
    }
  }

  function begin(): void {
    for (const wallet of world.changed()) waiting.moved(wallet)
    // Who goes first is known when all have their place.
    if (!waiting.place()) return wakeAt(clock.monotonic() + 1)
    for (const why of ['missing', 'due'] as const) readThose(why)
    const heads = (['missing', 'due'] as const).map((why) => (roomFor(why) > 0 ? waiting.next(why) : null))
    wakeAt(Math.max(Math.min(...heads.map((mono) => mono ?? Infinity)), clock.monotonic() + 1))
  }

  function wakeAt(mono: number): void {
    callOff?.()
    if (clock.monotonic() - nextMono >= STILL_MS) ranMono = clock.monotonic()
    nextMono = mono
    callOff = mono === Infinity ? null : clock.wakeAt(mono, look)
  }

  function polledOf(wallet: Wallet): PolledWallet | null {
    const demand = world.demandOf(wallet)
    return demand && { ...past.of(wallet), ...demand, toldMono: world.toldMono(wallet) }
  }

  function readThose(why: 'missing' | 'due'): void {
    while (roomFor(why) > 0) {
      const polled = waiting.take(why, clock.monotonic())
      if (!polled) return
      read(polled, why)
    }
  }

  function roomFor(why: Why): number {
    return AT_ONCE - under[why]
  }

  function read(polled: PolledWallet, why: Why): void {
    const flight = readOne(polled, why)
      .catch((error: unknown) => emit({ is: 'trouble', where: 'owner poller', why: String(error), error }))
      .finally(() => {
        reading.delete(polled.wallet)
        under[why]--
        waiting.moved(polled.wallet)
        look()
      })
    under[why]++
    reading.set(polled.wallet, { why, confirm: polled.confirm, flight })
  }

  async function readOne(polled: PolledWallet, because: Why): Promise<void> {
    const { wallet, confirm, endedSince, failures, readMono, nearDanger } = polled
    const age = createAsked(clock)
    const { signal, over } = untilOver(stopping.signal)
    const evidence = confirm
      ? readEvidence(venue, wallet, endedSince, () => ask('confirm', signal))
      : Promise.resolve(NOTHING_ALONG)
    try {
      const value = await venue.positions(wallet, ask(because === 'due' ? 'wallet' : 'confirm', signal, age))
      const complete = incompleteness(value) === null
      const asked = age.asked()
      const isInTurn = because === 'due' && !nearDanger && failures === 0 && !isHinted(polled)
      if (isInTurn && readMono !== null && readMono >= ranMono)
        turns.note(calmTurnMs(polled, asked.mono - readMono, ages))
      past.read(wallet, { value, ...asked }, clock.monotonic())
      failing.delete(wallet)
      const read = { value, ...asked, wallet, ...(await evidence), unsolicited: !confirm }
      if (stopping.signal.aborted) return
      emit({ is: 'wallet-read', wallet, positions: value.positions.length, complete, mono: asked.mono })
      world.read(read)
    } catch (error) {
      if (stopping.signal.aborted) return
      // Others went first: it keeps its place.
      if (error instanceof VenueError && error.failure.is === 'queued') return
      const why = error instanceof Error ? error.message : String(error)
      past.failed(wallet, clock.monotonic(), failures + 1)
      failing.add(wallet)
      emit({ is: 'owner-failed', wallet, why })
      world.failed(wallet, why)
    } finally {
      over()
      await evidence
    }
  }

  function ask(priority: Priority, signal: AbortSignal, age = createAsked(clock)): Asking {
    return pollAsking(budget, priority, { limitMs: POLL_LIMIT_MS, signal, age })
  }

  return {
    start() {
      started = true
      look()
    },
    nudge: look,
    readNow(wallet, endedSince) {
      const known = reading.get(wallet)
      if (known?.why === 'danger') return true
      if (!started || stopping.signal.aborted || !budget.free()) return false
      if (known) return true
      if (roomFor('danger') <= 0) return false
      waiting.drop(wallet)
      const asked = { wallet, nearDanger: true, confirm: endedSince !== null, endedSince, againMono: null }
      read({ ...past.of(wallet), toldMono: null, rememberedDistance: 0, ...asked }, 'danger')
      return true
    },
    readForSomebody(wallet, reading) {
      const demand = world.demandOf(wallet)
      // A second look is not put off, however often somebody asks meanwhile.
      if (!demand || demand.confirm || (past.of(wallet).readMono ?? -Infinity) >= reading.mono) return
      past.read(wallet, reading, clock.monotonic())
      failing.delete(wallet)
      waiting.moved(wallet)
    },
    listed(markets) {
      const wallets = past.listed(markets, clock.monotonic())
      for (const wallet of wallets) waiting.moved(wallet)
      if (wallets.length > 0) look()
    },
    told: (wallet, reading) => void (world.demandOf(wallet) && past.told(wallet, reading)),
    turns: () => turns.now(),
    isConfirming: (wallet) => reading.get(wallet)?.confirm === true,
    readAll() {
      for (const wallet of past.failedParts()) waiting.moved(wallet)
      failing.clear()
      look()
    },
    readFailed() {
      for (const wallet of failing) {
        past.failedParts(wallet)
        waiting.moved(wallet)
      }
      failing.clear()
      look()
    },
    async stop() {
      stopping.abort(new Error('stopping'))
      callOff?.()
      await Promise.allSettled(flights())
    },
    async idle() {
      while (reading.size > 0) await Promise.allSettled(flights())
    },
  }
}

/** What is read along with positions when one of them is missing. */
interface ReadAlong {
  orders: Order[] | null
  closeRecords: CloseRecord[] | null
}

const NOTHING_ALONG: ReadAlong = { orders: null, closeRecords: null }

/** A missing position is told without it when it cannot be had. */
async function readEvidence(
  venue: Venue,
  wallet: Wallet,
  since: number | null,
  asking: () => Asking,
): Promise<ReadAlong> {
  const [orders, closeRecords] = await Promise.allSettled([
    venue.orders(wallet, [], asking()),
    since === null ? null : (venue.closeRecords?.(wallet, since, asking()) ?? null),
  ])
  return {
    orders: orders.status === 'fulfilled' ? orders.value.orders : null,
    closeRecords: closeRecords.status === 'fulfilled' ? closeRecords.value : null,
  }
}
