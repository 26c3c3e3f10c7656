import { closeSync, fdatasync, openSync } from 'node:fs'

import type Database from 'better-sqlite3'

/**
 * The write-ahead log of an open file on its way to the disk. SQLite would hold the event loop until the disk has it. Here the
 * loop runs on meanwhile, and commits of one moment share one wait.
 */
export interface Log {
  /** SQLite itself neither waits for the disk with a commit from now on, nor takes the log into the file: `onDisk` does. */
  takeOver(): void
  /** Call it right before a transaction. Throws while the disk keeps failing. */
  assertSound(): void
  /**
   * Resolves when everything that was committed before is on the disk. If the disk fails just then, it resolves as well: the
   * transactions stand in the file and cannot be taken back. The next one is refused until the disk has them.
   */
  onDisk(): Promise<void>
  close(): void
}

type Sync = (handle: number, done: (error: Error | null) => void) => void

/** As many as SQLite lets the log have. */
const MOST_PAGES = 1_000

/** `sync` is for tests. */
export function openLog(
  sqlite: Pick<Database.Database, 'pragma' | 'prepare'>,
  file: string,
  sync: Sync = fdatasync,
): Log {
  // Opened once. A log that somebody deletes is still the one that SQLite writes.
  const handle = openSync(`${file}-wal`, 'r+')
  const pages = sqlite.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
  let isSound = true
  let underWay: Promise<void> | null = null
  let next: Promise<void> | null = null
  let closed = false

  /**
   * After a failure the log may have a hole on the disk which the system does not see. A power cut would lose all that stands
   * behind it. So everything is written anew, to the file itself.
   */
  function writeAnew(): void {
    emptyLog(sqlite)
    isSound = true
  }

  const isSynced = () =>
    new Promise<boolean>((resolve) => {
      sync(handle, (error) => resolve(error === null))
    })

  async function begin(): Promise<void> {
    isSound &&= await isSynced()
    if (isSound || closed) return
    try {
      writeAnew()
    } catch {
      // `assertSound` tries again, and says why it cannot.
    }
  }

  /** Waits for the disk on the loop: so it comes when those have gone on that waited for their commit. */
  function shorten(): void {
    if (closed) return
    try {
      const { log = 0, checkpointed = 0 } = pages.get() ?? {}
      if (log - checkpointed >= MOST_PAGES) sqlite.pragma('wal_checkpoint(PASSIVE)')
    } catch {
      // The next one tries again, as SQLite would. A log that grows is told elsewhere.
    }
  }

  function run(): Promise<void> {
    next = null
    // Closing the file has taken everything to the disk.
    if (closed) return Promise.resolve()
    underWay = begin().finally(() => {
      underWay = null
      if (closed) closeSync(handle)
      else setImmediate(shorten)
    })
    return underWay
  }

  return {
    takeOver() {
      // The log is synced before it is taken into the file, and the file before the log begins anew.
      sqlite.pragma('synchronous = NORMAL')
      sqlite.pragma('wal_autocheckpoint = 0')
    },
    assertSound: () => void (isSound || writeAnew()),
    // The next one may be about to begin: two at once would both close the file.
    onDisk: () => next ?? (underWay === null ? run() : (next = underWay.then(run))),
    close() {
      if (closed) return
      closed = true
      if (underWay === null) closeSync(handle)
    },
  }
}

/** Takes everything from the log into the file, on the disk, and begins the log anew. Holds the event loop. */
export function emptyLog(sqlite: Pick<Database.Database, 'pragma'>): void {
  const [{ busy = 1 } = {}] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as { busy?: number }[]
  if (busy !== 0) throw new Error('another program reads it')
}
