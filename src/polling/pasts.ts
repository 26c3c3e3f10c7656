import type { Reading } from '../clock.ts'
import type { Market } from '../market.ts'
import type { Owner } from '../owner.ts'
import type { Position } from '../position.ts'
import { incompleteness } from '../venue.ts'
import type { PositionsAnswer } from '../venue.ts'
import { createHints } from './hints.ts'
import type { PolledOwner } from './schedule.ts'

type Past = Pick<PolledOwner, 'readTick' | 'triedTick' | 'failures' | 'changedTick' | 'hintedTick'>

/** What this run knows of when each wallet was asked, and of when it traded. */
interface Pasts {
  of(owner: Owner): Past
  read(owner: Owner, reading: Reading<PositionsAnswer>, triedTick: number): void
  /** What it holds has come in another way. */
  told(owner: Owner, reading: Reading<PositionsAnswer>): void
  failed(owner: Owner, triedTick: number, failures: number): void
  /** Of whom a list of markets says that they may have traded. */
  listed(markets: readonly Market[], tick: number): Owner[]
  /** As if this one, or all, had never been read; who they are. */
  unread(owner?: Owner): Owner[]
  forget(owner: Owner): void
}

const NEVER: Past = { readTick: null, triedTick: null, failures: 0, changedTick: null, hintedTick: null }

export function createPasts(): Pasts {
  const pasts = new Map<Owner, Past>()
  const hints = createHints()
  const of = (owner: Owner) => pasts.get(owner) ?? NEVER

  /** When it last changed, by this answer; null when it says nothing of that. */
  function changedTick(owner: Owner, { value, at, tick }: Reading<PositionsAnswer>): number | null {
    if (incompleteness(value) !== null) return null
    const isOther = hints.holds(owner, value.positions)
    return isOther === null ? openedTick(value.positions, { at, tick }) : isOther ? tick : null
  }

  return {
    of,
    read(owner, reading, triedTick) {
      const { changedTick: before, hintedTick } = of(owner)
      const changed = changedTick(owner, reading) ?? before
      pasts.set(owner, { readTick: reading.tick, triedTick, failures: 0, changedTick: changed, hintedTick })
    },
    told(owner, reading) {
      const changed = changedTick(owner, reading)
      if (changed !== null) pasts.set(owner, { ...of(owner), changedTick: changed })
    },
    failed: (owner, triedTick, failures) => void pasts.set(owner, { ...of(owner), triedTick, failures }),
    listed(markets, tick) {
      const owners = hints.listed(markets)
      for (const owner of owners) pasts.set(owner, { ...of(owner), hintedTick: tick })
      return owners
    },
    unread(one) {
      const owners = one === undefined ? [...pasts.keys()] : [one]
      for (const owner of owners) pasts.delete(owner)
      return owners
    },
    forget(owner) {
      pasts.delete(owner)
      hints.forget(owner)
    },
  }
}

/** When the last of them was opened, by the wall; null where that is not said. */
function openedTick(
  positions: readonly Position[],
  { at, tick }: { at: number; tick: number },
): number | null {
  const opened = positions.flatMap(({ openedAt }) => openedAt ?? [])
  return opened.length === 0 ? null : Math.min(tick - at + Math.max(...opened), tick)
}
