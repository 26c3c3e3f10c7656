import { errorText } from '../../lib/text/error-text.ts'
import type { Standing } from '../../runtime/standing.ts'
import { type Clock, endsWithin, waited } from '../../runtime/clock.ts'
import { type JournaledFile, mayPass } from '../sqlite/journaled/file.ts'
import type { Position } from '../sqlite/journaled/position.ts'
import { decode, FORM } from './encode.ts'
import type { Entries } from './postgres/entries.ts'
import type { Cell, Lease } from './postgres/lease.ts'
import { LinkDown } from './postgres/link.ts'

/** The file holds something else than the journal says: it must be made anew. */
export class Differs extends Error {
  override name = 'Differs'
  /** The first entry that does not fit. */
  readonly entry: number
  constructor(entry: number, why: string, options?: ErrorOptions) {
    super(why, options)
    this.entry = entry
  }
}

/** The next entries were deleted, because a checkpoint holds them: the file must be made anew. */
export class TooOld extends Error {
  override name = 'TooOld'
}

/** The term of a leader that has just begun. */
export interface Term {
  epoch: number
  /** Until when it lasts without being renewed, by this machine's monotonic clock. */
  untilMono: number
}

/** How soon a standby looks again, if it hears nothing. */
const LOOK_AGAIN_MS = 200
/** How soon after the database was not there. */
const DOWN_MS = 500

/** The parts of the process that follows. */
export interface Following {
  file: JournaledFile
  lease: Lease
  entries: Entries
  leaseMs: number
  clock: Clock
  signal: AbortSignal
  /** Names of the venues that this process would open; null where that does not matter. */
  venues: readonly string[] | null
  /** Resolves when something is new in the journal. */
  heard(): Promise<void>
  /** Called with each look; `why` says what it waits for. */
  stands(at: Pick<Standing, 'role' | 'leader' | 'epoch' | 'behindSeconds' | 'why'> & { seq: number }): void
}

/**
 * Follows the journal into the file until this process holds the lease and the file has all of it. Rejects with `Differs`, `TooOld`,
 * the signal's reason, or with a sentence for the operator.
 */
export async function follow(world: Following): Promise<Term> {
  const { file, lease, entries, leaseMs, clock, signal, venues, heard, stands } = world
  let known: Cell | null = null
  let downUntilMono = -Infinity

  const look = async () => (known = await lease.look(positionOf(file).seq))

  function say(role: 'standby' | 'waiting', why: string | null): void {
    const { holder: leader = null, epoch = 0, behindSeconds = 0 } = known ?? {}
    stands({ role, leader, epoch, behindSeconds, why, seq: positionOf(file).seq })
  }

  for (;;) {
    signal.throwIfAborted()
    try {
      const cell = await look()
      if (cell.form > FORM) {
        say(
          'waiting',
          `the journal is of a newer Perch (form ${cell.form}, this one knows ${FORM}): update Perch`,
        )
        await waited(clock, DOWN_MS, signal)
        continue
      }
      await checkFile(file)
      say('standby', null)
      if (await applyNext(file, entries, cell.last)) continue
      if (venues !== null) refuseVenues(file.venues(), venues)
      if (positionOf(file).seq > cell.last) throw aheadOf('The file', positionOf(file), cell)
      const beganMono = clock.monotonic()
      const mayTake = cell.isFree && positionOf(file).seq === cell.last && beganMono >= downUntilMono
      const epoch = mayTake ? await lease.take() : null
      if (epoch !== null) {
        // Nobody else appends any more: this is all that is left.
        while (await applyNext(file, entries, cell.last));
        return { epoch, untilMono: beganMono + leaseMs }
      }
      await endsWithin(clock, LOOK_AGAIN_MS, heard())
    } catch (error) {
      if (!(error instanceof LinkDown) && !mayPass(error)) throw error
      // While the database was away, the leader could not renew its lease either: it comes first.
      downUntilMono = clock.monotonic() + leaseMs / 3
      say('waiting', (error as Error).message)
      await waited(clock, DOWN_MS, signal)
    }
  }
}

/** Returns a sentence for the operator. Such a file is not made anew by itself: it may be the only one with those entries. */
export function aheadOf(file: string, { seq }: Position, { last }: Pick<Cell, 'last'>): Error {
  return new Error(
    `${file} is ahead of the journal (entry ${seq} of ${last}): the database there is an older one. Put the newer database back. If these entries may be lost, move the file and its -wal away, and Perch copies the journal anew. docs/operations.md says how to go on from the file instead.`,
  )
}

/** A leader whose disk is full could keep nothing, and so warn nobody: another one may have room. */
async function checkFile(file: JournaledFile): Promise<void> {
  await file.draft()
  file.drop()
}

/** Throws a sentence if a leader with these venues would not start: that must not show only when it is needed. */
function refuseVenues(known: readonly string[], venues: readonly string[]): void {
  const [first] = known
  const missing = known.find((one) => !venues.includes(one))
  if (missing === undefined && (first === undefined || first === venues[0])) return
  throw new Error(
    `This cell has records of ${known.join(',')}, and this Perch opens ${venues.join(',')}. Give each Perch of a cell the same VENUE and addresses.`,
  )
}

/** Applies the next entries in one transaction. Returns false if there are none. `last` was the last one before. */
async function applyNext(file: JournaledFile, entries: Entries, last: number): Promise<boolean> {
  const before = positionOf(file)
  const next = await entries.after(before.seq)
  const [first] = next
  if (first === undefined ? before.seq < last : first.seq > before.seq + 1) throw tooOld(before)
  if (first === undefined) return false
  const draft = await file.draft()
  let { seq: done, epoch: doneEpoch } = before
  try {
    for (const { seq, epoch, form, text } of next) {
      if (seq !== done + 1 || epoch < doneEpoch)
        throw new Differs(seq, `behind entry ${done} of epoch ${doneEpoch} comes ${seq} of epoch ${epoch}`)
      // The leader has changed: `look` says what to wait for.
      if (form > FORM) break
      try {
        draft.repeat(decode(text))
      } catch (error) {
        if (mayPass(error)) throw error
        const why = errorText(error)
        throw new Differs(seq, `entry ${seq} cannot be applied: ${why}`, { cause: error })
      }
      done = seq
      doneEpoch = epoch
    }
    if (done === before.seq) return false
    file.keep({ ...before, seq: done, epoch: doneEpoch })
  } finally {
    file.drop()
  }
  return true
}

function tooOld({ seq }: Position): TooOld {
  return new TooOld(`the file ends with entry ${seq}, and the journal begins later`)
}

export function positionOf(file: JournaledFile): Position {
  const position = file.position()
  if (position === null) throw new Error('the file belongs to no journal')
  return position
}
