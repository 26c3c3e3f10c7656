import type { Clock } from '../../../runtime/clock.ts'
import type { UnaskedPart } from '../../../venue/record/lacking.ts'
import { accountOf, type Dex } from '../wire/dexes.ts'
import type { Funds } from './accounts.ts'

/** A wallet may open positions in an empty dex: read it again after this. */
const LOOK_AROUND_MS = 3_600_000
/** The same where every trade is heard and no weight is left over. A channel may fall silent without a sign. */
const LOOK_HEARD_MS = 24 * 3_600_000
/** Where weight is left over, an empty dex that was read longer ago is read along with the others. */
const LOOK_SPARE_MS = 60_000
const MAX_SPARE_DEXES = 4
/** Retries a failed read of a dex without known positions after this. */
export const AGAIN_MS = 300_000
/** Keeps reading an emptied dex as often as one with positions: one answer proves nothing. */
const LINGER_MS = 600_000

/** The last look at a wallet in one dex. */
export interface Seen {
  /** Whether the last read found positions, and when one last did. */
  holds: boolean
  heldMono: number
  /** When it was last read, and the venue's time of that answer. */
  readMono: number
  readAt: number
  time: number | null
  /** When a read last failed that hid no known position. */
  failedMono: number
  funds: Funds | null
}

/** Which dexes of a wallet a read covers. */
interface Looks {
  isHeld(seen: Seen | undefined): boolean
  /** The dexes to read now, the main one apart. `isTurn`: nobody waits for this read. */
  due(dexes: ReadonlyMap<Dex, Seen>, names: readonly Dex[], isTurn: boolean): Dex[]
  /** Dexes that are read only where weight is left over. */
  spare(dexes: ReadonlyMap<Dex, Seen>, names: readonly Dex[]): Dex[]
  /** Empty dexes that were not read for this long, the longest first. */
  unreadFor(dexes: ReadonlyMap<Dex, Seen>, ms: number, names: readonly Dex[]): Dex[]
  /** Empty dexes that were not read since then, and in which a position may have been opened unseen. */
  unasked(dexes: ReadonlyMap<Dex, Seen>, sinceMono: number): UnaskedPart[]
}

export function createLooks(world: {
  clock: Clock
  /** Since when every trade of this dex has been heard; null if some may have been missed. */
  heardSince(dex: Dex): number | null
}): Looks {
  const { clock, heardSince } = world

  function isHeld(seen: Seen | undefined): boolean {
    // However long reads fail, the last positions stay until a read shows an empty dex.
    return seen !== undefined && (seen.holds || clock.monotonic() - seen.heldMono < LINGER_MS)
  }

  /** Whether every trade there since its last read was heard. */
  function isHeard(dex: Dex, { readMono }: Seen): boolean {
    const since = heardSince(dex)
    return since !== null && since <= readMono
  }

  function isDue(dex: Dex, dexes: ReadonlyMap<Dex, Seen>, isTurn: boolean): boolean {
    const [seen, main] = [dexes.get(dex), dexes.get(null)]
    if (!seen || isHeld(seen)) return true
    const mono = clock.monotonic()
    if (mono - seen.failedMono < AGAIN_MS) return false
    if (isHeard(dex, seen)) return mono - seen.readMono >= LOOK_HEARD_MS
    if (mono - seen.readMono >= LOOK_AROUND_MS) return true
    // Trades were missed. First the main dex of all wallets is read again, and their empty dexes at the next turn.
    const since = heardSince(dex)
    return isTurn && since !== null && main !== undefined && main.readMono >= since
  }

  function unreadFor(dexes: ReadonlyMap<Dex, Seen>, ms: number, names: readonly Dex[]): Dex[] {
    const mono = clock.monotonic()
    const readMono = (dex: Dex) => dexes.get(dex)?.readMono ?? -Infinity
    return names
      .filter((dex) => dex !== null && !isHeld(dexes.get(dex)) && mono - readMono(dex) >= ms)
      .toSorted((a, b) => readMono(a) - readMono(b))
  }

  return {
    isHeld,
    due: (dexes, names, isTurn) => names.filter((dex) => dex !== null && isDue(dex, dexes, isTurn)),
    spare(dexes, names) {
      const unheard = names.filter((dex) => {
        const seen = dexes.get(dex)
        return !seen || !isHeard(dex, seen) || clock.monotonic() - seen.readMono >= LOOK_AROUND_MS
      })
      return unreadFor(dexes, LOOK_SPARE_MS, unheard).slice(0, MAX_SPARE_DEXES)
    },
    unreadFor,
    unasked: (dexes, sinceMono) =>
      [...dexes].flatMap(([dex, seen]) =>
        dex === null || seen.readMono >= sinceMono || isHeard(dex, seen) || isHeld(seen)
          ? []
          : [{ part: accountOf(dex), at: seen.readAt }],
      ),
  }
}
