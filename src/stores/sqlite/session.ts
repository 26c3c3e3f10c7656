import { randomBytes, randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'

import type { Priority } from '../../message/delivery.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import {
  type Backlog,
  type DispatchRound,
  type OutboxStore,
  type Sending,
  type Store,
  type StoreAdmin,
  StoreBusy,
  type StoreSize,
  type Write,
} from '../../store/store.ts'
import { damagedNow, isDamage } from './backup/damage.ts'
import { isBusy, type OpenedDatabase, type Sqlite } from './file/database.ts'
import { createOutbox } from './outbox.ts'
import { compressed, createRecordingReads } from './recording.ts'
import { createReads } from './reads.ts'
import { createMessages } from './messages.ts'
import { createOperations } from './journaled/operations.ts'
import { refuseCopy } from './journaled/position.ts'
import { metaReader, type Statements, statementsOf } from './statements.ts'
import { venuesIn, venuesText, whyForeign, withNew } from './venues/list.ts'
import { createMessageCache } from './waiting/new-rows.ts'

/** How long calls wait for a locked file. The event loop runs on. */
const BUSY_PATIENCE_MS = 5_000
/** Once that patience is over, how long each later call waits while the file stays locked. */
const LATER_PATIENCE_MS = 500
/** Locks that are met within this time of each other count as one. */
const SPELL_MS = 10_000
const BUSY_PAUSE_MS = 50
const SECRET_BYTES = 32

/** The ports of an open file. */
export interface Session extends Omit<Store, 'admin'> {
  readonly admin: Omit<StoreAdmin, 'check' | 'close'>
}

/** Opens the ports on a file. Throws a sentence for the operator if the file belongs to other venues, or to a journal. */
export function openSession(
  { sqlite, log }: Pick<OpenedDatabase, 'sqlite' | 'log'>,
  file: string,
  venues: readonly string[],
  clock: Clock,
): Session {
  refuseCopy(sqlite, file)
  log.takeOver()
  const venuesNow = claimed(sqlite, file, venues)
  if (venuesNow !== null) sqlite.prepare("INSERT OR REPLACE INTO meta VALUES ('venue', ?)").run(venuesNow)
  const { mayTake, ...reads } = openReads(sqlite)
  const operations = createOperations(sqlite, file)
  const checkOwnership = createOwnership(sqlite)
  const commit = sqlite.transaction((writes: readonly Write[], sending: Sending | null) => {
    checkOwnership()
    return operations.commit(writes, sending)
  })
  const round = sqlite.transaction((turn: DispatchRound) => {
    checkOwnership()
    return operations.round(turn)
  })
  const recover = sqlite.transaction(operations.recover)
  const patiently = createPatience(clock, file)
  function change<T>(work: () => T): T {
    log.assertSound()
    return work()
  }
  async function kept<T>(work: () => T): Promise<T> {
    const done = await patiently(() => change(work))
    await log.onDisk()
    return done
  }
  return {
    ...reads,
    memory: {
      ...reads.memory,
      commit: (writes, sending = null) => kept(() => commit.immediate(compressed(writes), sending)),
    },
    outbox: {
      ...reads.outbox,
      async round(turn) {
        let mustWait = false
        const taken = await patiently(() => {
          mustWait = mayTake(turn)
          if (mustWait || turn.settled.length > 0) return change(() => round.immediate(turn))
          // Most rounds have nothing to send and nothing to note: they need no transaction.
          checkOwnership()
          return []
        })
        if (mustWait) await log.onDisk()
        return taken
      },
      interrupted: (at) => kept(() => recover.immediate(at)),
    },
    admin: { ...reads.admin, secret: () => kept(() => secret(sqlite)) },
  }
}

/** The ports of a store, without what changes anything. */
interface ReadPorts extends Pick<Store, 'history' | 'recording'> {
  readonly memory: Omit<Store['memory'], 'commit'>
  readonly outbox: Omit<OutboxStore, 'round' | 'interrupted'>
  readonly admin: Pick<StoreAdmin, 'size'>
  /**
   * Whether a message may be sent after this round, which must then be on the disk first. Otherwise the round only notes
   * outcomes: a message whose outcome is lost is a possible repeat.
   */
  mayTake(turn: DispatchRound): boolean
}

export function openReads(sqlite: Sqlite): ReadPorts {
  const statements = statementsOf(sqlite)
  const reads = createReads(statements)
  const messages = createMessages(statements)
  const recording = createRecordingReads(statements)
  const { backlog, size } = createStats(sqlite, statements)
  const outbox = createOutbox(statements, messages, createMessageCache())
  return {
    memory: { load: async () => reads.load(), seen: async (input) => reads.seen(input) },
    outbox: {
      sentSince: async (since) => outbox.sentSince(since),
      undelivered: async (before, most) => outbox.undelivered(before, most),
      backlog: async () => backlog(),
      upcoming: async (trying = []) => outbox.upcoming(trying),
      loudCriticals: async (platform, since) => messages.loudCriticals(platform, since),
    },
    history: {
      alert: async (id) => reads.alert(id),
      timeline: async (alertId) => reads.timeline(alertId),
      alerts: async (personId, most, which) => reads.alerts(personId, most, which),
      messageOf: async (alertId, chatId) => messages.messageOf(alertId, chatId),
      dailySummary: async (chatIds, since) => reads.dailySummary(chatIds, since),
      deliveryStatus: async (rowIds) => reads.deliveryStatus(rowIds),
    },
    recording: {
      blocks: async (of, id, since) => recording.blocks(of, id, since),
      pieces: async () => recording.pieces(),
    },
    admin: { size: async (platforms) => size(platforms) },
    mayTake: outbox.mayTake,
  }
}

/** Makes the value of `secret`. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex')
}

/** Null while the file has none. */
export function secretIn(sqlite: Sqlite): Uint8Array | null {
  const kept = metaReader(sqlite, 'secret')()
  return kept === null ? null : Buffer.from(kept, 'hex')
}

function secret(sqlite: Sqlite): Uint8Array {
  sqlite.prepare("INSERT OR IGNORE INTO meta VALUES ('secret', ?)").run(newSecret())
  return secretIn(sqlite) ?? new Uint8Array()
}

/**
 * Retries while another program writes to the file, without holding the event loop. All calls share one patience: while
 * the file stays locked, only the first ones wait for long.
 */
export function createPatience(clock: Clock, file: string): <T>(work: () => T) => Promise<T> {
  let spell: { sinceMono: number; lastMono: number } | null = null

  /** Returns until when a call that has met the lock now, for the first time, may go on trying. */
  function patienceEnds(mono: number): number {
    if (spell === null || mono - spell.lastMono > SPELL_MS) spell = { sinceMono: mono, lastMono: mono }
    return Math.max(spell.sinceMono + BUSY_PATIENCE_MS, mono + LATER_PATIENCE_MS)
  }

  return async (work) => {
    let untilMono: number | null = null
    for (;;) {
      try {
        const done = work()
        spell = null
        return done
      } catch (error) {
        if (isDamage(error)) throw new Error(damagedNow(file), { cause: error })
        if (!isBusy(error)) throw error
        const mono = clock.monotonic()
        untilMono ??= patienceEnds(mono)
        if (spell) spell.lastMono = mono
        if (mono >= untilMono) throw new StoreBusy(`another program keeps ${file} locked`, { cause: error })
        await pause(clock, BUSY_PAUSE_MS)
      }
    }
  }
}

/**
 * The lock file can be bypassed: somebody deletes it, or reaches the database by another name. The process that opened the
 * file last owns it, and the other one notices before it commits or sends anything more.
 */
export function createOwnership(sqlite: Sqlite): () => void {
  const mine = randomUUID()
  sqlite.prepare("INSERT OR REPLACE INTO meta VALUES ('holder', ?)").run(mine)
  const holder = metaReader(sqlite, 'holder')
  return () => {
    if (holder() !== mine)
      throw new Error('another Perch works on this database now, and this one keeps nothing more: stop one')
  }
}

/** The value of `venue` with these ones; null if it is that already. Throws a sentence if the file is not for them. */
export function claimed(sqlite: Sqlite, file: string, venues: readonly string[]): string | null {
  const value = metaReader(sqlite, 'venue')()
  const known = value === null ? [] : venuesIn(value)
  const why = value === null ? null : whyForeign(known, venues)
  if (why !== null) throw new Error(`The database ${file} ${why}.`)
  const now = venuesText(withNew(known, venues))
  return now === value ? null : now
}

/** The oldest row is looked for among so many. Rows of one chat are soon coalesced, so these are about as many chats. */
const MAX_ROWS_FOR_OLDEST = 200

/** Counts waiting rows in an index alone: it must not delay the sends when very many wait. */
export function createStats(
  { name: file }: Sqlite,
  sqlite: Statements,
): { backlog(): Backlog; size(platforms: readonly string[]): StoreSize } {
  const counts = sqlite.prepare(`SELECT urgency, count(*) AS rows FROM outbox INDEXED BY outbox_by_urgency
    WHERE state = 'waiting' GROUP BY urgency ORDER BY urgency`)
  const oldest = sqlite
    .prepare(`SELECT min(since) FROM (
      SELECT ifnull(detected_at, queued_at) AS since FROM outbox INDEXED BY outbox_by_urgency
        CROSS JOIN chats ON chats.id = chat_id AND broken_because IS NULL
          AND platform IN (SELECT value FROM json_each(@platforms))
      WHERE state = 'waiting' AND urgency = @urgency ORDER BY outbox.id LIMIT ${MAX_ROWS_FOR_OLDEST})`)
    .pluck()
  const waiting = sqlite.prepare("SELECT count(*) FROM outbox WHERE state = 'waiting'").pluck()
  const parked = sqlite.prepare("SELECT count(*) FROM outbox WHERE state = 'parked'").pluck()
  return {
    backlog: () => ({ waiting: waiting.get() as number, parked: parked.get() as number }),
    size(open) {
      const platforms = JSON.stringify(open)
      const oldestAt = (urgency: Priority) => oldest.get({ platforms, urgency }) as number | null
      const byUrgency = counts.all() as { urgency: Priority; rows: number }[]
      return {
        waiting: byUrgency.map((one) => ({ ...one, oldestAt: oldestAt(one.urgency) })),
        parked: parked.get() as number,
        files: [
          { name: 'database', bytes: bytesOf(file) },
          { name: 'wal', bytes: bytesOf(`${file}-wal`) },
        ],
      }
    },
  }
}

/** A missing file has no bytes: `check` finds that it is missing. */
function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
