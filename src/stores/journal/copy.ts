import { existsSync, renameSync, statSync } from 'node:fs'

import { type Clock, waited } from '../../runtime/clock.ts'
import type { Emit } from '../../runtime/event.ts'
import { DamagedFile } from '../sqlite/backup/damage.ts'
import { knownSchema, lockFile, realFile } from '../sqlite/file/database.ts'
import { isDamaged, type JournaledFile, mayPass, openJournaled } from '../sqlite/journaled/file.ts'
import { DamagedCheckpoint, fetchCheckpoint, NotFetched, removeFile } from './checkpoints/fetch.ts'
import type { Place } from './place.ts'
import type { Checkpoint, Checkpoints } from './postgres/checkpoints.ts'
import type { Entries } from './postgres/entries.ts'
import type { Cell, Lease } from './postgres/lease.ts'
import { LinkDown } from './postgres/link.ts'
import { aheadOf, Differs, follow, type Following, type Term, TooOld } from './standby.ts'

/** The parts of a cell that make a copy of it. */
export interface Source {
  lease: Pick<Lease, 'look'>
  entries: Pick<Entries, 'first' | 'between'>
  checkpoints: Pick<Checkpoints, 'list' | 'piece'>
}

const AGAIN_MS = 1_000

/** Why a file must be made anew, and the end of the name that the old one gets; null: it is of no use to anybody. */
class Useless extends Error {
  readonly aside: string | null
  constructor(why: string, aside: string | null = null) {
    super(why)
    this.aside = aside
  }
}

/**
 * Opens the local file as a copy of the cell. One that is missing, damaged, too old or of another history is made anew. It waits
 * for what may pass: a database that does not answer, a full disk. Throws a sentence for the operator if the file is something
 * else.
 */
export async function openCopy(
  place: Place,
  world: Source & { clock: Clock; signal: AbortSignal; waits(why: string): void },
): Promise<JournaledFile> {
  const { clock, signal, waits } = world
  for (let fetched = 0; ;) {
    signal.throwIfAborted()
    try {
      return await tryToOpen(place, world)
    } catch (error) {
      if (error instanceof Useless) {
        waits(error.message)
        putAside(realFile(place.file), error.aside)
        fetched += 1
        // A new file that is of no use either: the database lacks something, and may get it back.
        if (fetched > 1) await waited(clock, AGAIN_MS, signal)
        continue
      }
      if (!isPassing(error)) throw error
      waits((error as Error).message)
      await waited(clock, AGAIN_MS, signal)
    }
  }
}

/** Follows with the local file, which is made anew when it does not fit any more. */
export async function followCell(
  place: Place,
  world: Source & { lease: Lease; entries: Entries; emit: Emit; waits(why: string): void } & Omit<
      Following,
      'file'
    >,
): Promise<{ file: JournaledFile; term: Term }> {
  for (;;) {
    const file = await openCopy(place, world)
    try {
      return { file, term: await follow({ ...world, file }) }
    } catch (error) {
      file.close()
      makeWay(place, error, world.emit)
    }
  }
}

/** Makes way for a new copy after `follow` has failed. Throws the error if a new copy would not help. */
function makeWay({ file }: Place, error: unknown, emit: Emit): void {
  if (error instanceof TooOld) return removeFile(realFile(file))
  if (isDamaged(error) || (error instanceof Error && isDamaged(error.cause)))
    return putAside(realFile(file), 'damaged')
  if (!(error instanceof Differs)) throw error
  const aside = `differs-${error.entry}`
  if (existsSync(`${realFile(file)}.${aside}`))
    throw new Error(
      `${error.message}. The file was made anew because of it already: ${file}.${aside} is the first one. Update Perch, or move that file away to try once more.`,
      { cause: error },
    )
  putAside(realFile(file), aside)
  const why = `the file differs from the journal and is made anew: ${error.message}. The old one is ${file}.${aside}`
  emit({ is: 'trouble', where: 'journal', why, error })
}

async function tryToOpen(
  place: Place,
  world: Source & { clock: Clock; signal: AbortSignal; waits(why: string): void },
): Promise<JournaledFile> {
  const { lease, entries, clock } = world
  const cell = await lease.look(0)
  const file = realFile(place.file)
  const isNew = statSync(file).size === 0 && !(await fetched(file, cell, world))
  // A log of the file before would be taken for its own.
  if (isNew) removeFile(file)
  const opened = openedFile(place.file, clock)
  try {
    await checkPosition(opened, place, cell, isNew)
    const { seq, epoch } = opened.position() ?? { seq: 0, epoch: 0 }
    const first = await entries.first()
    if (cell.last > seq && (first === null || first > seq + 1))
      throw new Useless(`the file ends with entry ${seq}, and the journal begins later: I fetch it anew`)
    const [same] = seq === 0 ? [] : await entries.between(seq, seq)
    if (same !== undefined && same.epoch !== epoch)
      throw new Useless(`the file has another entry ${seq} than the journal`, `differs-${seq}`)
    return opened
  } catch (error) {
    opened.drop()
    opened.close()
    throw error
  }
}

function openedFile(file: string, clock: Clock): JournaledFile {
  try {
    return openJournaled(file, clock)
  } catch (error) {
    if (error instanceof DamagedFile)
      throw new Useless(`the file ${file} is damaged: I fetch it anew`, 'damaged')
    throw error
  }
}

async function checkPosition(
  opened: JournaledFile,
  { cell: name, file }: Place,
  cell: Cell,
  isNew: boolean,
): Promise<void> {
  const position = opened.position()
  if (position === null) {
    if (!isNew && !opened.isEmpty())
      throw new Error(
        `The file ${file} is no copy of the cell ${name}. Name another file, or take it into the cell: npm run move.`,
      )
    // A start was interrupted before it had a checkpoint.
    if (!isNew) throw new Useless('the file is empty')
    await opened.draft()
    opened.keep({ journal: cell.id, cell: name, seq: 0, epoch: 0 })
  } else if (position.journal !== cell.id)
    throw new Error(
      `The file ${file} is the copy of another journal (cell ${position.cell}). Name another file in DATABASE_URL.`,
    )
  else if (position.seq > cell.last) throw aheadOf(`The file ${file}`, position, cell)
}

/** Puts the newest checkpoint in the place of the file. False if there is none. */
async function fetched(
  file: string,
  cell: Cell,
  { checkpoints, signal, waits }: Source & { signal: AbortSignal; waits(why: string): void },
): Promise<boolean> {
  const all = await checkpoints.list()
  if (all.length === 0) return false
  const usable = all.filter(({ schema }) => schema <= knownSchema())
  if (usable.length === 0)
    throw new NotFetched('the checkpoints are of a newer Perch: update this one, and it goes on')
  const lock = lockFile(file)
  try {
    await fetchFirst(usable, (one) => {
      waits(`fetching the checkpoint of entry ${one.seq}`)
      return fetchCheckpoint(file, one, { checkpoints, journal: cell.id, signal })
    })
  } finally {
    lock.close()
  }
  return true
}

/** A damaged one is no reason to wait while there is an older one. */
async function fetchFirst(
  all: readonly Checkpoint[],
  fetch: (one: Checkpoint) => Promise<void>,
): Promise<void> {
  for (const [place, one] of all.entries()) {
    try {
      return await fetch(one)
    } catch (error) {
      if (!(error instanceof DamagedCheckpoint) || place === all.length - 1) throw error
    }
  }
}

function putAside(file: string, end: string | null): void {
  if (end !== null)
    for (const part of ['', '-wal'])
      if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${file}.${end}${part}`)
  removeFile(file)
}

function isPassing(error: unknown): boolean {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  const later = [LinkDown, NotFetched, DamagedCheckpoint].some((one) => error instanceof one)
  return later || isFull || mayPass(error)
}
