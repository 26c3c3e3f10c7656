import { errorText } from '../lib/text/error-text.ts'
import { untilOver } from '../lib/time/backoff.ts'
import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import type { Market } from '../venue/market.ts'
import type { Order } from '../venue/order.ts'
import type { Missing, ReadNow, WalletDemand, WalletReading } from '../venue/reading.ts'
import type { Turns } from '../venue/venue-load.ts'
import {
  type Asking,
  type CloseRecord,
  incompleteness,
  type PositionsAnswer,
  type Venue,
  VenueError,
} from '../venue/venue.ts'
import { venueField } from '../venue/venue-name.ts'
import type { Wallet } from '../venue/wallet.ts'
import type { Budget, Priority } from './budget/budget.ts'
import { createFollowedTurns, MAX_FOLLOWED_READS } from './budget/followed-turns.ts'
import { createWaiting } from './budget/read-queue.ts'
import {
  type Ages,
  calmTurnMs,
  hasTraded,
  isHinted,
  mayHaveTraded,
  type PolledWallet,
  type PushedLooks,
} from './budget/schedule.ts'
import { createAsked, pollAsking } from './asking.ts'
import type { Poller } from './poller.ts'
import { createTradeHistory } from './trade-history.ts'
import { createTurns } from './turns.ts'

const POLL_LIMIT_MS = 8_000
/** How soon to look again if looking failed. */
const LOOK_AGAIN_MS = 1_000
/**
 * A look that comes this much later than planned means that the process did not run. Read intervals across that gap are
 * not measured.
 */
const SUSPENDED_MS = 10_000
/** Reads under way at once for each reason: enough for 20 a second at 400 ms each. */
const MAX_READS_PER_REASON = 8
/** A wallet has a regular turn at least this often, however much others trade. */
const TURN_AT_LEAST_MS = 2_000
/** While every trade is heard, a wallet far from danger may be read as rarely as this. */
const HEARD_MAX_MS = 600_000

/**
 * Why a wallet is read: it is due, a position is missing, a danger has to be confirmed, or people who only follow it want
 * to know.
 */
type Why = 'due' | 'missing' | 'danger' | 'followed'

interface WalletPoller extends Poller {
  /** Looks for due wallets. */
  nudge(): void
  /** The demand of these has changed. */
  changed(wallets: readonly Wallet[]): void
  /** Makes every wallet due now. */
  readAll(): void
  /** The venue answers again: retry the wallets whose last read failed, without their backoff. */
  readFailed(): void
  readNow: ReadNow
  /** A command has read this wallet: its next poll counts from there. */
  readForSomebody(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  /** Takes a list of markets, which hints at wallets that may have traded. */
  listed(markets: readonly Market[]): void
  /** A public trade names this wallet. */
  traded(wallet: Wallet): void
  /** Trades are heard again: wallets may have traded meanwhile. */
  heardAgain(): void
  /** The venue has pushed what this wallet holds. */
  pushed(wallet: Wallet, reading: Reading<PositionsAnswer>): void
  /** How often wallets far from danger are read. */
  turns(): Turns
  /** Whether the venue does not know this wallet, by its last answer. */
  isUnknown(wallet: Wallet): boolean
  /** How many wallets it does not know. */
  unknown(): number
  /** True while a missing position of this wallet is being confirmed. */
  isConfirming(wallet: Wallet): boolean
}

/** Reads the watched wallets in turn. One read serves all people who watch the wallet. */
export function createWalletPoller(world: {
  venue: Venue
  /** The venue in readings; undefined for the first. */
  at?: string | undefined
  budget: Budget
  clock: Clock
  emit: Emit
  ages: Ages
  demandOf(wallet: Wallet): WalletDemand | null
  /** Wallets whose demand has changed since the last call. */
  changed(): Wallet[]
  /** When the venue last pushed all of this wallet. */
  pushedMono(wallet: Wallet): number | null
  /** Since when each wallet that trades is named at once; null while some may not be. */
  heardSince(): number | null
  /**
   * How rarely it is looked at while the venue pushes it; undefined while the push has a gap. Left out: as rarely as one
   * far from danger.
   */
  looksAt?: (wallet: Wallet) => PushedLooks | undefined
  read(reading: WalletReading): void
  failed(wallet: Wallet, why: string): void
}): WalletPoller {
  const { venue, at, budget, clock, emit, ages } = world
  const stopping = new AbortController()
  const turns = createTurns(
    () => (world.heardSince() === null ? ages.maxMs : Math.max(ages.maxMs, HEARD_MAX_MS)),
    emit,
  )
  const past = createTradeHistory()
  const reading = new Map<Wallet, { why: Why; confirm: boolean; flight: Promise<void> }>()
  let callOff: (() => void) | null = null
  let started = false
  /** When the next look was planned, and when the process last resumed after a suspension. */
  let [nextMono, ranMono] = [Infinity, -Infinity]
  let turnMono = -Infinity
  const followed = createFollowedTurns(budget, clock)
  const waiting = createWaiting({
    ...{ ages, polledOf },
    isRead: (wallet) => reading.has(wallet),
    forget(wallet) {
      past.forget(wallet)
      failing.delete(wallet)
    },
  })
  /** Wallets whose last read failed. */
  const failing = new Set<Wallet>()

  const under = { due: 0, missing: 0, danger: 0, followed: 0 }
  const flights = () => [...reading.values()].map(({ flight }) => flight)

  function look(): void {
    if (!started || stopping.signal.aborted) return
    // If looking throws, look again later.
    wakeAt(clock.monotonic() + LOOK_AGAIN_MS)
    try {
      begin()
    } catch (error) {
      emit({ is: 'trouble', where: 'owner poller', why: String(error), error })
    }
  }

  function begin(): void {
    for (const wallet of world.changed()) waiting.moved(wallet)
    // The order is known only when all changed wallets have their place in the queue.
    if (!waiting.place()) return wakeAt(clock.monotonic() + 1)
    for (const why of ['missing', 'due', 'followed'] as const) readThose(why)
    const turnsMono = turnsFrom()
    const heads = (['missing', 'due'] as const).map((why) =>
      roomFor(why) > 0 ? waiting.next(why, turnsMono) : null,
    )
    // Spare weight comes with time: nothing tells when.
    const dueFollowed = roomFor('followed') > 0 ? waiting.next('followed') : null
    const lookMono = Math.max(dueFollowed ?? Infinity, clock.monotonic() + LOOK_AGAIN_MS)
    wakeAt(
      Math.min(Math.max(Math.min(...heads.map((mono) => mono ?? Infinity)), clock.monotonic() + 1), lookMono),
    )
  }

  function wakeAt(mono: number): void {
    callOff?.()
    if (clock.monotonic() - nextMono >= SUSPENDED_MS) ranMono = clock.monotonic()
    nextMono = mono
    callOff = mono === Infinity ? null : clock.wakeAt(mono, look)
  }

  function polledOf(wallet: Wallet): PolledWallet | null {
    const demand = world.demandOf(wallet)
    const heardMono = world.heardSince()
    const looks = world.looksAt?.(wallet)
    return (
      demand && {
        ...{ ...past.of(wallet), ...demand, pushedMono: world.pushedMono(wallet) },
        ...(heardMono !== null && { heardMono }),
        ...(looks && { looks }),
        // One that holds positions cannot be unknown: the venue is mistaken, and an hour would be long.
        ...(demand.holds && { isUnknown: false }),
      }
    )
  }

  /** From when on a wallet may have its regular turn. */
  function turnsFrom(): number {
    return Math.min(budget.calmFrom(), turnMono + TURN_AT_LEAST_MS)
  }

  function readThose(why: 'missing' | 'due' | 'followed'): void {
    while (roomFor(why) > 0 && (why !== 'followed' || followed.areFree())) {
      const polled = waiting.take(why, clock.monotonic(), turnsFrom())
      if (!polled) return
      if (why === 'followed') followed.began()
      const isTurn = waiting.wasTurn()
      if (isTurn) turnMono = clock.monotonic()
      read(polled, why, isTurn || (why === 'followed' && !polled.confirm && !hasTraded(polled)))
    }
  }

  function roomFor(why: Why): number {
    return (why === 'followed' ? MAX_FOLLOWED_READS : MAX_READS_PER_REASON) - under[why]
  }

  function read(polled: PolledWallet, why: Why, isTurn = false): void {
    const flight = readOne(polled, why, isTurn)
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

  async function readOne(polled: PolledWallet, because: Why, isTurn: boolean): Promise<void> {
    const { wallet, confirm, failures, readMono, nearDanger } = polled
    const age = createAsked(clock)
    const { signal, over } = untilOver(stopping.signal)
    const isFollowed = because === 'followed'
    const along = confirm
      ? readAlong(venue, polled, () => ask(isFollowed ? 'followed' : 'confirm', signal))
      : Promise.resolve(NOTHING_ALONG)
    try {
      const own = because === 'due' && !hasTraded(polled) ? 'wallet' : 'confirm'
      const asking = ask(isFollowed ? 'followed' : own, signal, age)
      const value = await venue.positions(wallet, isTurn ? { ...asking, isTurn } : asking)
      const complete = incompleteness(value) === null
      const asked = age.asked()
      // A push has shown it since: its last look is no measure of its turn.
      const isPushed =
        world.looksAt !== undefined && (polled.pushedMono ?? -Infinity) > (readMono ?? Infinity)
      const isOwed = nearDanger || failures > 0 || isHinted(polled) || mayHaveTraded(polled)
      const isInTurn = because === 'due' && !isOwed && !isPushed
      if (isInTurn && readMono !== null && readMono >= ranMono)
        turns.note(calmTurnMs(polled, asked.mono - readMono, ages))
      past.read(wallet, { value, ...asked }, clock.monotonic())
      failing.delete(wallet)
      const read = { value, ...asked, wallet, ...venueField(at), ...(await along), unsolicited: !confirm }
      if (stopping.signal.aborted) return
      emit({ is: 'wallet-read', wallet, positions: value.positions.length, complete, mono: asked.mono })
      if (confirm) past.confirmed(wallet, clock.monotonic())
      world.read(read)
    } catch (error) {
      if (stopping.signal.aborted) return
      // Other requests went first. The wallet keeps its place.
      if (error instanceof VenueError && error.failure.is === 'queued') return
      const why = errorText(error)
      past.failed(wallet, clock.monotonic(), failures + 1)
      failing.add(wallet)
      emit({ is: 'owner-failed', wallet, why })
      world.failed(wallet, why)
    } finally {
      over()
      await along
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
    changed(wallets) {
      for (const wallet of wallets) waiting.moved(wallet)
      look()
    },
    readNow(wallet, endedSince) {
      const known = reading.get(wallet)
      if (known?.why === 'danger') return true
      if (!started || stopping.signal.aborted || !budget.free()) return false
      if (known) return true
      if (roomFor('danger') <= 0) return false
      waiting.drop(wallet)
      const asked = { wallet, nearDanger: true, confirm: endedSince !== null, endedSince, againMono: null }
      read({ ...past.of(wallet), pushedMono: null, rememberedDistance: 0, ...asked }, 'danger')
      return true
    },
    readForSomebody(wallet, reading) {
      const demand = world.demandOf(wallet)
      // Commands must not postpone a confirmation.
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
    traded(wallet) {
      if (world.demandOf(wallet) === null) return
      past.traded(wallet, clock.monotonic())
      waiting.moved(wallet)
      look()
    },
    heardAgain() {
      for (const wallet of past.known()) waiting.moved(wallet)
      look()
    },
    pushed(wallet, reading) {
      if (world.demandOf(wallet) === null) return
      const wasUnknown = past.unknown.has(wallet)
      past.pushed(wallet, reading)
      if (wasUnknown && !past.unknown.has(wallet)) waiting.moved(wallet)
    },
    turns: () => turns.now(),
    isUnknown: (wallet) => past.unknown.has(wallet),
    unknown: () => past.unknown.size,
    isConfirming: (wallet) => reading.get(wallet)?.confirm === true,
    readAll() {
      for (const wallet of past.markUnread()) waiting.moved(wallet)
      failing.clear()
      look()
    },
    readFailed() {
      for (const wallet of failing) {
        past.markUnread(wallet)
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

/** Orders and close records, read along with the positions when one of them is missing. */
interface ReadAlong {
  orders: Order[] | null
  closeRecords: CloseRecord[] | null
}

const NOTHING_ALONG: ReadAlong = { orders: null, closeRecords: null }

/**
 * Reads the records, and the orders if these do not show how each missing position ended: a list of orders may weigh as
 * much as many reads. Returns null for what could not be read: the report of the missing position goes out without it.
 */
async function readAlong(venue: Venue, polled: PolledWallet, asking: () => Asking): Promise<ReadAlong> {
  const { wallet, endedSince, missing, recordsOnly = false } = polled
  const readOrders = async () => {
    if (venue.showsOrders === false) return null
    return venue.orders(wallet, [], asking()).then(
      (read) => read.orders,
      () => null,
    )
  }
  const records =
    endedSince === null || venue.closeRecords === null
      ? null
      : venue.closeRecords(wallet, endedSince, asking())
  const closeRecords = records?.catch(() => null) ?? null
  if (recordsOnly) return { orders: null, closeRecords: await closeRecords }
  if (closeRecords === null || missing === undefined) {
    const [orders, known] = await Promise.all([readOrders(), closeRecords])
    return { orders, closeRecords: known }
  }
  const isExplainedBy = (some: readonly CloseRecord[] | null) =>
    missing.every((one) => some?.some((record) => isEndOf(record, one)))
  const first = await closeRecords
  // A TWAP may have closed it. Those records cost more, and less than the orders.
  const known =
    first === null || isExplainedBy(first) || endedSince === null || !venue.twaps || !venue.closeRecords
      ? first
      : await venue.closeRecords(wallet, endedSince, asking(), true).catch(() => first)
  const isExplained = isExplainedBy(known)
  return { orders: isExplained ? null : await readOrders(), closeRecords: known }
}

function isEndOf({ accountId, marketId, side, left }: CloseRecord, missing: Missing): boolean {
  return (
    left === undefined &&
    accountId === missing.accountId &&
    marketId === missing.marketId &&
    side === missing.side
  )
}
