import type { Clock, Reading } from '../runtime/clock.ts'
import type { Emit } from '../runtime/event.ts'
import { unsolicited, type WalletDistance, type WalletReading, type Readings } from '../venue/reading.ts'
import { incompleteness, type MarketsAnswer, type PositionsAnswer, type Push } from '../venue/venue.ts'
import type { Wallet } from '../venue/wallet.ts'

/** Told prices that are older than this are taken for silence. A venue that tells them does so about every second. */
const MARKETS_FRESH_MS = 4_000
/** How soon what is held back is looked at again. */
const HELD_MS = 500
/** How often it is looked who should be told about. */
const PLACES_EVERY_MS = 5_000

/** What the venue tells by itself, handed on as readings, and how far it can be relied on. */
interface PushIntake {
  start(): void
  /** Until when no market is to be asked for; in the past when one is. */
  marketsUntil(): number
  /** When this owner was last told about in full; null when it was not. */
  toldMono(wallet: Wallet): number | null
  stop(): Promise<void>
}

interface Heard extends Reading<PositionsAnswer> {
  whole: boolean
}

export function createPush(world: {
  push: Push | null
  readings: Pick<Readings, 'nearest' | 'needed'>
  clock: Clock
  emit: Emit
  /** Whether what is missing is being asked for: then nothing else is to come between, and waits. */
  isConfirming(wallet: Wallet): boolean
  tookMarkets(reading: Reading<MarketsAnswer>): void
  tookWallet(reading: WalletReading): void
  /** A market is to be asked for after all. */
  marketsMissed(): void
}): PushIntake {
  const { push, readings, clock, emit } = world
  let until = -Infinity
  let told = new Map<Wallet, number>()
  let followed: Wallet[] = []
  let stopped = false
  let callOff: (() => void) | null = null
  /** The last that came of each owner while something was being asked for. */
  const held = new Map<Wallet, Heard>()
  let callOffHeld: (() => void) | null = null

  function take(wallet: Wallet, { value, whole, at, mono }: Heard): void {
    const complete = incompleteness(value) === null
    if (whole && complete) told.set(wallet, mono)
    emit({ is: 'wallet-read', wallet, positions: value.positions.length, complete, mono })
    world.tookWallet(unsolicited(wallet, { value, at, mono }))
  }

  /** However long the answer takes, or if none comes, it is what is known. */
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
      // Each of those that have a place may lose it to one that has none.
      followed = placed(readings.nearest(allowed + followed.length, followed), followed, allowed)
      told = new Map(followed.flatMap((wallet) => pairOf(wallet, told.get(wallet))))
      push.follow(followed)
    } catch (error) {
      emit({ is: 'trouble', where: 'push', why: String(error), error })
    }
  }

  return {
    start() {
      if (!push) return
      push.start({
        needed: () => readings.needed(),
        markets(value, whole) {
          if (stopped) return
          const [at, mono] = [clock.now(), clock.monotonic()]
          until = whole ? mono + MARKETS_FRESH_MS : -Infinity
          if (value.markets.length > 0) {
            emit({ is: 'markets-read', markets: value.markets.length, mono })
            world.tookMarkets({ value, at, mono })
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
      })
      choose()
    },
    marketsUntil: () => until,
    toldMono: (wallet) => told.get(wallet) ?? null,
    async stop() {
      stopped = true
      callOff?.()
      callOffHeld?.()
      held.clear()
      await push?.stop()
    },
  }
}

function pairOf(wallet: Wallet, mono: number | undefined): [Wallet, number][] {
  return mono === undefined ? [] : [[wallet, mono]]
}

/** A wallet that waits takes the place of one that is this much farther away, so that places do not change all the time. */
const CLEARLY_NEARER = 0.8

/**
 * Whom the venue is to tell about, the nearest to its end first. Whoever has a place keeps it, unless somebody who waits
 * has less than four fifths of its distance; then the farthest goes.
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

/** What is past its end is no nearer than what is at it. */
function isClearlyNearer(near: number, far: number): boolean {
  return Math.max(near, 0) < Math.max(far, 0) * CLEARLY_NEARER
}

/** Infinities are equal. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b
}
