import { createHeap } from '../../src/lib/data/heap.ts'
import { at } from './figures.ts'

// How soon changes of wallets are seen by one who knows exactly how often each person trades, and not when. What lists of the
// markets show costs this reader no request. It is a strong reader to compare with, and no proof of a bound: its aim is
// chosen when the changes are known.

/** As in `src/venues/sim/play/traders.ts`: a sitting has four changes on average, so long after each other. */
const GOES_ON = 3 / 4
const BETWEEN_MS = 240_000
/** How long a sitting lasts from any of its moments. */
const SITTING_MS = BETWEEN_MS / (1 - GOES_ON)
const TRIED_S = Array.from({ length: 60 }, (_, step) => 60 + step * 4)

export interface Known {
  /** Sittings in a millisecond, for each wallet by its number. */
  rates: readonly number[]
  /** In the order of time. */
  changes: readonly Seen[]
  /** How many wallets may be read in a second. */
  perSecond: number
  untilMs: number
}

interface Seen {
  wallet: number
  atMs: number
  /** A list of the markets shows whose it was: then this wallet is read at once, and without a request. */
  isShown: boolean
}

/** The seconds from each change to its reading, with the aim that makes their 95th part in a hundred the least. */
export function knowersDelaysS(known: Known, isCounted: (seen: Seen) => boolean): number[] {
  const tries = TRIED_S.map((aimS) => delaysS(known, aimS * 1_000, isCounted))
  const [best = []] = tries.toSorted((a, b) => at(a, 0.95) - at(b, 0.95))
  return best
}

/**
 * Reads nobody again before `aimMs`, and then first those of whom most changes are to be expected: the aim is that so many
 * changes as possible are seen within that time.
 */
function delaysS(
  { rates, changes, perSecond, untilMs }: Known,
  aimMs: number,
  isCounted: (seen: Seen) => boolean,
): number[] {
  const changed = rates.map(() => -Infinity)
  const unseen = rates.map((): Seen[] => [])
  const delays: number[] = []
  const ripens = createHeap<number>()
  const ripe = createHeap<number>()
  let next = 0

  function read(wallet: number, mono: number): void {
    for (const one of unseen[wallet]?.splice(0) ?? []) {
      changed[wallet] = one.atMs
      if (isCounted(one)) delays.push((mono - one.atMs) / 1_000)
    }
    ripe.delete(wallet)
    ripens.set(wallet, mono + aimMs)
  }
  function happen(mono: number): void {
    for (let one = changes[next]; one && one.atMs <= mono; one = changes[++next]) {
      unseen[one.wallet]?.push(one)
      if (one.isShown) read(one.wallet, one.atMs)
    }
  }
  /** How many changes to expect from a reading at this time until the next one: of a sitting that goes on, and of new ones. */
  function expected(wallet: number, mono: number): number {
    const sits = 3 * Math.exp(-(mono - (changed[wallet] ?? -Infinity)) / BETWEEN_MS)
    const more = (sits / (sits + 1)) * (SITTING_MS / BETWEEN_MS) * (1 - Math.exp(-aimMs / SITTING_MS))
    return more + (rates[wallet] ?? 0) * aimMs * (SITTING_MS / BETWEEN_MS)
  }

  for (const wallet of rates.keys()) ripens.set(wallet, (wallet / rates.length) * aimMs)
  for (let mono = 0; mono <= untilMs; mono += 1_000 / perSecond) {
    happen(mono)
    for (let one = ripens.peek(); one && one.priority <= mono; one = ripens.peek()) {
      ripens.pop()
      ripe.set(one.key, -expected(one.key, one.priority - aimMs))
    }
    const wallet = (ripe.pop() ?? ripens.pop())?.key
    if (wallet !== undefined) read(wallet, mono)
  }
  for (const one of unseen.flat()) if (isCounted(one)) delays.push((untilMs - one.atMs) / 1_000)
  return delays
}
