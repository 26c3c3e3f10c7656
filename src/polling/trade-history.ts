import type { Reading } from '../runtime/clock.ts'
import type { Market } from '../venue/market.ts'
import type { Position } from '../venue/position.ts'
import { incompleteness, type PositionsAnswer } from '../venue/venue.ts'
import type { Owner } from '../venue/wallet.ts'
import type { PolledOwner } from './budget/schedule.ts'
import { createHints } from './trade-hints.ts'

type Past = Pick<
  PolledOwner,
  'readTick' | 'triedTick' | 'failures' | 'changedTick' | 'hintedTick' | 'opensAsOften'
>

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

const NEVER: Past = {
  ...{ readTick: null, triedTick: null, failures: 0 },
  ...{ changedTick: null, hintedTick: null, opensAsOften: 1 },
}

export function createPasts(): Pasts {
  const pasts = new Map<Owner, Past>()
  const hints = createHints()
  const opens = createOpens()
  const of = (owner: Owner) => pasts.get(owner) ?? NEVER

  /** When it last changed and how often it does, by this answer; nothing where it says nothing of that. */
  function activity(
    owner: Owner,
    { value, at, tick }: Reading<PositionsAnswer>,
  ): Pick<Past, 'changedTick' | 'opensAsOften'> | null {
    if (incompleteness(value) !== null) return null
    const isOther = hints.holds(owner, value.positions)
    const before = of(owner).changedTick
    const opened = isOther === null ? openedTick(value.positions, { at, tick }) : null
    const changedTick = isOther === true ? tick : (opened ?? before)
    return { changedTick, opensAsOften: opens.asOftenAs(owner, value.positions, at) }
  }

  return {
    of,
    read(owner, reading, triedTick) {
      const read = { readTick: reading.tick, triedTick, failures: 0 }
      pasts.set(owner, { ...of(owner), ...read, ...activity(owner, reading) })
    },
    told(owner, reading) {
      pasts.set(owner, { ...of(owner), ...activity(owner, reading) })
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
      opens.forget(owner)
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

/** How many times as often as is usual among those who are watched each of them opens or adds. */
interface Opens {
  /** By the ages of what it holds now. */
  asOftenAs(owner: Owner, positions: readonly Position[], at: number): number
  forget(owner: Owner): void
}

/** Ages of positions together. */
interface Ages {
  count: number
  sumMs: number
}

export function createOpens(): Opens {
  const known = new Map<Owner, Ages>()
  const all: Ages = { count: 0, sumMs: 0 }

  function replace(owner: Owner, ages: Ages): void {
    const before = known.get(owner)
    known.set(owner, ages)
    all.count += ages.count - (before?.count ?? 0)
    all.sumMs += ages.sumMs - (before?.sumMs ?? 0)
  }

  return {
    asOftenAs(owner, positions, at) {
      const agesMs = positions.flatMap(({ openedAt }) =>
        openedAt === null ? [] : Math.max(at - openedAt, 0),
      )
      const { count, sumMs } = { count: agesMs.length, sumMs: agesMs.reduce((sum, one) => sum + one, 0) }
      replace(owner, { count, sumMs })
      if (all.sumMs <= 0) return 1
      // As if it had opened once more, as long ago as is usual: a wallet of which little is known is like most.
      return (count + 1) / ((sumMs * all.count) / all.sumMs + 1)
    },
    forget(owner) {
      replace(owner, { count: 0, sumMs: 0 })
      known.delete(owner)
    },
  }
}
