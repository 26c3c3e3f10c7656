import type { Departed, DispatchRound, OutboxRow, OutboxStore, Sending, Write } from '../../../store/store.ts'
import type { Sqlite } from '../file/database.ts'
import { createMessages } from '../messages.ts'
import { createOutbox, type RoundOutcome, type TakenRow } from '../outbox.ts'
import { statementsOf } from '../statements.ts'
import { forgetIn } from '../venues/forget.ts'
import { createMessageCache } from '../waiting/new-rows.ts'
import { createWriter } from '../writer.ts'

/** One change of a file. Applied to two equal files, they stay equal: it has no clock, no chance and no choice in it. */
export type Operation =
  /** Recordings in it are compressed. The rows of `sending` are those that are under way. */
  | { is: 'commit'; writes: readonly Write[]; sending?: Sending }
  | ({ is: 'round' } & RoundOutcome)
  | { is: 'recover'; at: Parameters<OutboxStore['interrupted']>[0] }
  /** Unless there is one. */
  | { is: 'secret'; secret: string }
  /** The value of `venue`. */
  | { is: 'venues'; text: string }
  | { is: 'forget'; name: string; venues: readonly string[] }
  /** Takes a number that nothing else can have then. */
  | { is: 'nothing' }

/** The changes that an open file takes. Call each inside a transaction. */
export interface Operations {
  /** `writes` are `compressed`. */
  commit(writes: readonly Write[], sending: Sending | null): Departed[]
  round(turn: DispatchRound, taken?: TakenRow[]): OutboxRow[]
  recover(at: Parameters<OutboxStore['interrupted']>[0]): number
  /** Does what was done to another file. */
  repeat(operation: Operation): void
}

export function createOperations(sqlite: Sqlite, file: string): Operations {
  const statements = statementsOf(sqlite)
  const cache = createMessageCache()
  const outbox = createOutbox(statements, createMessages(statements), cache)
  const write = createWriter(statements, cache)
  const meta = statements.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  const newMeta = statements.prepare('INSERT OR IGNORE INTO meta VALUES (?, ?)')
  const commit = (writes: readonly Write[], sending: Sending | null, isDecided = false): Departed[] => {
    if (sending) outbox.settle(sending)
    return write(writes, sending, isDecided)
  }
  return {
    commit: (writes, sending) => commit(writes, sending),
    round: outbox.round,
    recover: outbox.recover,
    repeat(operation) {
      switch (operation.is) {
        case 'commit':
          return void commit(operation.writes, operation.sending ?? null, true)
        case 'round':
          return outbox.repeat(operation)
        case 'recover':
          return void outbox.recover(operation.at)
        case 'secret':
          return void newMeta.run('secret', operation.secret)
        case 'venues':
          return void meta.run('venue', operation.text)
        case 'forget':
          return void forgetIn(sqlite, file, operation.name, operation.venues)
        case 'nothing':
          return undefined
      }
    },
  }
}
