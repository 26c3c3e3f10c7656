import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

import Database from 'better-sqlite3'

import type { Clock } from '../../../runtime/clock.ts'
import {
  type Departed,
  type DispatchRound,
  type Forgotten,
  type OutboxRow,
  type Sending,
  StoreBusy,
  type Write,
} from '../../../store/store.ts'
import { isDamage } from '../backup/damage.ts'
import { refuseForeignFile } from '../backup/foreign-file.ts'
import { openDatabase, type OpenedDatabase, openReader } from '../file/database.ts'
import type { Trouble } from '../file/file-watch.ts'
import type { TakenRow } from '../outbox.ts'
import { compressed } from '../recording.ts'
import { claimed, createOwnership, createPatience, newSecret, openReads, secretIn } from '../session.ts'
import { metaReader } from '../statements.ts'
import { forgetIn } from '../venues/forget.ts'
import { nameOf, venuesIn } from '../venues/list.ts'
import { createOperations, type Operation } from './operations.ts'
import { type Position, positionIn, positionKeeper } from './position.ts'

/** The outcome of a part of a draft, and the operation that does the same to another file; null if nothing has changed. */
export interface DraftPart<T> {
  value: T
  operation: Operation | null
}

/** Changes of the file that are not kept yet. Each is made whole, or throws and leaves nothing behind. */
export interface Draft {
  commit(writes: readonly Write[], sending?: Sending | null): DraftPart<Departed[]>
  round(turn: DispatchRound): DraftPart<OutboxRow[]>
  recover(at: { now: number; latest: number }): DraftPart<number>
  secret(): DraftPart<Uint8Array>
  /** Throws a sentence for the operator if the file is not for these venues. */
  claim(venues: readonly string[]): DraftPart<void>
  forget(name: string, venues: readonly string[]): DraftPart<Forgotten>
  /** Does what was done to another file. */
  repeat(operation: Operation): void
}

/**
 * The file of a cell: it holds what a journal says up to a number. Reads see only what is kept, also while a draft waits for
 * the journal.
 */
export interface JournaledFile {
  readonly reads: ReturnType<typeof openReads>
  /** Null for a new file. */
  position(): Position | null
  secret(): Uint8Array | null
  /** Names of the venues that it has records of, the first one first. */
  venues(): string[]
  /** Nothing was ever written to it. */
  isEmpty(): boolean
  /** Begins a draft. There is one at a time. */
  draft(): Promise<Draft>
  /** False when an error has undone all of the draft. */
  isDrafting(): boolean
  /** Keeps the draft, together with the number of its last operation. If it throws, the draft may be gone. */
  keep(position: Position): void
  /** Undoes the draft, if there is one. */
  drop(): void
  /** Null while the names lead to the files that were opened. */
  trouble(): Trouble | null
  close(): void
}

/**
 * The disk has so little room that a draft may not find any when it is kept: then its entry would be in the journal already.
 */
class NoRoom extends Error {
  override name = 'NoRoom'
}

const LEAST_ROOM_BYTES = 16 * 1024 * 1024

/** A disk that is full or a file that is locked, which may pass. The operation itself is sound. */
export function mayPass(error: unknown): boolean {
  if (error instanceof StoreBusy || error instanceof NoRoom) return true
  return error instanceof Database.SqliteError && /^SQLITE_(BUSY|FULL|IOERR|READONLY|NOMEM)/.test(error.code)
}

/** The file must be made anew. */
export function isDamaged(error: unknown): boolean {
  return isDamage(error) || (error instanceof Error && isDamage(error.cause))
}

/** Throws a sentence for the operator. `open` is for tests, which break things. */
export function openJournaled(
  file: string,
  clock: Clock,
  open: (file: string) => OpenedDatabase = openDatabase,
): JournaledFile {
  // One that is missing is made anew: the journal has all of it.
  if (existsSync(file)) refuseForeignFile(file, null)
  const opened = open(file)
  const { sqlite } = opened
  try {
    // A power cut may take the last entries from the file, with their number: the journal has them.
    sqlite.pragma('synchronous = NORMAL')
    const reader = openReader(file)
    const reads = openReads(reader)
    const operations = createOperations(sqlite, file)
    const checkOwnership = createOwnership(sqlite)
    const patiently = createPatience(clock, file)
    const changes = sqlite.prepare('SELECT total_changes()').pluck()
    const folder = dirname(file)
    const begin = sqlite.prepare('BEGIN IMMEDIATE')
    const commit = sqlite.prepare('COMMIT')
    const keepPosition = positionKeeper(sqlite)
    const whole = sqlite.transaction((work: () => unknown) => work())
    /** This process alone writes the file. */
    let kept = positionIn(reader)

    /** SQLite undoes a whole transaction on some errors. Outside of it, everything would be kept at once. */
    function assertDraft(): void {
      if (!sqlite.inTransaction) throw new Error('there is no draft any more')
    }

    /** In a savepoint of its own; `said` is asked if it has changed anything. */
    function part<T>(work: () => T, said: (value: T) => Operation): DraftPart<T> {
      assertDraft()
      const before = changes.get()
      const value = whole(work) as T
      return { value, operation: changes.get() === before ? null : said(value) }
    }

    const draft: Draft = {
      commit(writes, sending = null) {
        const small = compressed(writes)
        return part(
          () => operations.commit(small, sending),
          (departed) => committed(small, sending, departed),
        )
      },
      round(turn) {
        const { now, settled, jump } = turn
        const taken: TakenRow[] = []
        return part(
          () => operations.round(turn, taken),
          () => ({ is: 'round', now, settled, jump, taken }),
        )
      },
      recover: (at) =>
        part(
          () => operations.recover(at),
          () => ({ is: 'recover', at }),
        ),
      secret() {
        const secret = newSecret()
        const operation: Operation = { is: 'secret', secret }
        return part(
          () => {
            operations.repeat(operation)
            return secretIn(sqlite) ?? new Uint8Array()
          },
          () => operation,
        )
      },
      claim(venues) {
        const text = claimed(sqlite, file, venues)
        if (text === null) return { value: undefined, operation: null }
        const operation: Operation = { is: 'venues', text }
        return part(
          () => operations.repeat(operation),
          () => operation,
        )
      },
      forget: (name, venues) =>
        part(
          () => forgetIn(sqlite, file, name, venues),
          () => ({ is: 'forget', name, venues }),
        ),
      repeat(operation) {
        assertDraft()
        whole(() => operations.repeat(operation))
      },
    }

    const venuesHere = () => {
      const kept = metaReader(reader, 'venue')()
      return kept === null ? [] : venuesIn(kept).map(nameOf)
    }

    return {
      reads,
      position: () => kept,
      secret: () => secretIn(reader),
      venues: venuesHere,
      isEmpty: () => venuesHere().length === 0,
      draft: () =>
        patiently(() => {
          const { bavail, bsize } = statfsSync(folder)
          if (bavail * bsize < LEAST_ROOM_BYTES) throw new NoRoom(`the disk of ${file} is full`)
          begin.run()
          try {
            checkOwnership()
          } catch (error) {
            sqlite.exec('ROLLBACK')
            throw error
          }
          return draft
        }),
      isDrafting: () => sqlite.inTransaction,
      keep(position) {
        assertDraft()
        keepPosition(position)
        commit.run()
        kept = position
      },
      drop: () => void (sqlite.inTransaction && sqlite.exec('ROLLBACK')),
      trouble: opened.trouble,
      close() {
        reader.close()
        opened.close()
      },
    }
  } catch (error) {
    opened.close()
    throw error
  }
}

/** Without the rows that were left out: a copy of the file does not choose. */
function committed(
  writes: readonly Write[],
  sending: Sending | null,
  departed: readonly Departed[],
): Operation {
  const needless = new Set(departed.flatMap(({ rowId, isNeedless }) => (isNeedless ? rowId : [])))
  const rowIds = departed.flatMap(({ rowId }) => (needless.has(rowId) ? [] : rowId))
  const isWritten = (write: Write) => write.is !== 'send' || !needless.has(write.row.id)
  return {
    ...{ is: 'commit', writes: needless.size === 0 ? writes : writes.filter(isWritten) },
    ...(sending && { sending: { ...sending, rowIds } }),
  }
}
