import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Source } from '../copy.ts'
import type { Place } from '../place.ts'
import type { Checkpoints } from '../postgres/checkpoints.ts'
import type { Entries } from '../postgres/entries.ts'
import type { Lease } from '../postgres/lease.ts'
import type { Link } from '../postgres/link.ts'
import type { Term } from '../standby.ts'
import { holdTerm } from '../term.ts'

/** A cell, as a move works with it. */
export interface Cell extends Source {
  place: Place
  link: Link
  lease: Lease
  entries: Entries
  checkpoints: Checkpoints
  clock: Clock
  say(line: string): void
}

const AGAIN_MS = 200

/** Takes the lease, also after a process that died with it. Throws a sentence if somebody goes on holding it. */
export async function take({ place, lease, clock }: Cell): Promise<Term> {
  const { leaseMs } = place
  const lastMono = clock.monotonic() + leaseMs + AGAIN_MS
  for (;;) {
    const beganMono = clock.monotonic()
    const epoch = await lease.take()
    if (epoch !== null) return { epoch, untilMono: beganMono + leaseMs }
    const { holder } = await lease.look(0)
    // A process that is killed in a move leaves a lease that runs out.
    if (clock.monotonic() >= lastMono || holder?.startsWith(MOVER) !== true)
      throw new Error(ledBy(place.cell, holder))
    await pause(clock, AGAIN_MS)
  }
}

/** How the holder of a lease is called that is no Perch. */
export const MOVER = 'move-'

export function ledBy(cell: string, holder: string | null): string {
  return `The cell ${cell} is led by ${holder ?? 'a newer Perch'}. End all Perches of it first.`
}

/**
 * Does the work while the lease is kept, and lets go of it then. Copying may hold the event loop for longer than the lease: the
 * last statement of a move has the epoch, so it fails if another process has taken it meanwhile.
 */
export async function holding<T>(cell: Cell, term: Term, work: () => Promise<T>): Promise<T> {
  const { lease, clock, place } = cell
  const held = holdTerm({ ...{ term, lease, clock }, leaseMs: place.leaseMs, renewed: () => {} })
  try {
    const done = await work()
    if (held.isOver())
      throw new Error(`Another Perch leads the cell ${place.cell} now. End all of them, and say it again.`)
    return done
  } finally {
    await held.stop()
    await lease.release(term.epoch).catch(() => {})
  }
}
