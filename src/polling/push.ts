import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import { unsolicited, type WalletDistance, type WalletReading } from '../venue/reading.ts'
import { incompleteness, type MarketsAnswer, type PositionsAnswer, type Push } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'
import { PUSHED_FRESH_MS } from './budget/schedule.ts'

/** Pushed prices older than this count as silence. A venue that pushes prices does so about every second. */
const MARKETS_FRESH_MS = 4_000
/** How soon to look again whether postponed readings may be taken. */
const HELD_MS = 500
/** How often the followed wallets are chosen anew. */
const PLACES_EVERY_MS = 5_000

/** Turns the venue's pushed updates into readings, and says how far polling may rely on them. */
interface PushIntake {
  start(): void
  /** Until when markets need no poll. A time in the past means that they do. */
  marketsUntil(): number
  /** When the venue last pushed all of this wallet; null if it did not. */
  pushedMono(wallet: Wallet): number | null
  /** Since when each wallet that trades is named at once; null while some may not be. */
  heardSince(): number | null
  /** Since when the venue has pushed all of this wallet without a gap; undefined if it does not. */
  currentSince(wallet: Wallet): number | undefined
  /** How many wallets it pushes. */
  current(): number
  stop(): Promise<void>
}

/** All of a wallet was pushed at `mono`, and without a gap since `sinceMono`. */
interface PushedWhole {
  sinceMono: number
  mono: number
}

interface Heard extends Reading<PositionsAnswer> {
  whole: boolean
}

export function createPush(world: {
  push: Push | null
  /** The venue in readings; undefined for the first. */
  at: string | undefined
  needed(): string[]
  nearest(many: number, also: readonly Wallet[]): WalletDistance[]
  clock: Clock
  emit: Emit
  /** True while a missing position is being confirmed. Pushed readings of the wallet wait until that is over. */
  isConfirming(wallet: Wallet): boolean
  tookMarkets(reading: Reading<MarketsAnswer>): void
  tookWallet(reading: WalletReading): void
  /** A trade names this wallet. */
  traded(wallet: Wallet): void
  /** The push is incomplete: poll the markets after all. */
  marketsMissed(): void
  /** Trades are heard again, after a time in which some may have been missed. */
  heardAgain(): void
}): PushIntake {
  const { push, at, clock, emit } = world
  let until = -Infinity
  let pushed = new Map<Wallet, PushedWhole>()
  let followed: Wallet[] = []
  let stopped = false
  let callOff: (() => void) | null = null
  let heardMono: number | null = null
  /** The latest push of each wallet that arrived during a confirmation. */
  const held = new Map<Wallet, Heard>()
  let callOffHeld: (() => void) | null = null

  function take(wallet: Wallet, { value, whole, at: seenAt, mono }: Heard): void {
    const complete = incompleteness(value) === null
    if (whole && complete) pushed.set(wallet, { sinceMono: currentSince(wallet, mono) ?? mono, mono })
    emit({ is: 'wallet-read', wallet, positions: value.positions.length, complete, mono })
    world.tookWallet(unsolicited(wallet, { value, at: seenAt, mono }, at))
  }

  function currentSince(wallet: Wallet, mono: number): number | undefined {
    const last = pushed.get(wallet)
    return last && mono - last.mono <= PUSHED_FRESH_MS ? last.sinceMono : undefined
  }

  /** Takes the postponed readings when their confirmation has ended, with or without an answer. */
  function release(): void {
    callOffHeld = null
    for (const [wallet, heard] of held) {
      if (world.isConfirming(wallet)) continue
      held.delete(wallet)
      take(wallet, heard)
    }
    if (held.size > 0) holdOn()
  }

  function holdOn(): void {
    callOffHeld ??= clock.wakeAt(clock.monotonic() + HELD_MS, release)
  }

  function choose(): void {
    if (stopped || !push) return
    callOff = clock.wakeAt(clock.monotonic() + PLACES_EVERY_MS, choose)
    try {
      const { allowed } = push.status().wallets
      // Asks for enough wallets that each followed one can be replaced by a nearer one.
      followed = placed(world.nearest(allowed + followed.length, followed), followed, allowed)
      pushed = new Map(followed.flatMap((wallet) => pairOf(wallet, pushed.get(wallet))))
      push.follow(followed)
      const before = heardMono
      heardMono = push.heardSince?.() ?? null
      if (heardMono !== null && heardMono !== before) world.heardAgain()
    } catch (error) {
      emit({ is: 'trouble', where: 'push', why: String(error), error })
    }
  }

  return {
    start() {
      if (!push) return
      push.start({
        needed: () => world.needed(),
        markets(value, whole) {
          if (stopped) return
          const mono = clock.monotonic()
          until = whole ? mono + MARKETS_FRESH_MS : -Infinity
          if (value.markets.length > 0) {
            emit({ is: 'markets-read', markets: value.markets.length, mono })
            world.tookMarkets({ value, at: clock.now(), mono })
          }
          if (!whole) world.marketsMissed()
        },
        wallet(wallet, value, whole) {
          if (stopped) return
          const heard = { value, whole, at: clock.now(), mono: clock.monotonic() }
          held.delete(wallet)
          if (!world.isConfirming(wallet)) return take(wallet, heard)
          held.set(wallet, heard)
          holdOn()
        },
        changed(wallet) {
          if (!stopped) world.traded(wallet)
        },
      })
      choose()
    },
    marketsUntil: () => until,
    heardSince: () => (stopped ? null : (push?.heardSince?.() ?? null)),
    pushedMono: (wallet) => pushed.get(wallet)?.mono ?? null,
    currentSince: (wallet) => currentSince(wallet, clock.monotonic()),
    current: () => pushed.size,
    async stop() {
      stopped = true
      callOff?.()
      callOffHeld?.()
      held.clear()
      await push?.stop()
    },
  }
}

function pairOf<T>(wallet: Wallet, value: T | undefined): [Wallet, T][] {
  return value === undefined ? [] : [[wallet, value]]
}

/**
 * A waiting wallet takes a place if its distance is below this share of the other's. This keeps places from changing
 * all the time.
 */
const CLEARLY_NEARER = 0.8

/**
 * Chooses the wallets to follow, the nearest to liquidation first. A followed wallet keeps its place unless a waiting
 * one has less than 80% of its distance; then the farthest one leaves.
 */
export function placed(
  distances: readonly WalletDistance[],
  before: readonly Wallet[],
  places: number,
): Wallet[] {
  const had = new Set(before)
  const ordered = distances.toSorted((a, b) => compare(a.distance, b.distance))
  const inside = ordered.filter(({ wallet }) => had.has(wallet)).slice(0, places)
  const waiting = ordered.filter(({ wallet }) => !had.has(wallet))
  inside.push(...waiting.splice(0, places - inside.length))
  for (const near of waiting) {
    const farthest = inside.toSorted((a, b) => compare(b.distance, a.distance))[0]
    if (!farthest || !isClearlyNearer(near.distance, farthest.distance)) break
    inside.splice(inside.indexOf(farthest), 1, near)
  }
  return inside.toSorted((a, b) => compare(a.distance, b.distance)).map(({ wallet }) => wallet)
}

/** Distances below zero are past liquidation and count as zero. */
function isClearlyNearer(near: number, far: number): boolean {
  return Math.max(near, 0) < Math.max(far, 0) * CLEARLY_NEARER
}

/** Two infinities are equal; their difference would be NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
