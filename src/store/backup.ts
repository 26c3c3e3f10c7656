import type { Message } from '../message/message.ts'

/** A copy of everything that a store keeps. */
export interface Backup {
  file: string
  /** When it was made: wall time. */
  at: number
  bytes: number
}

/** Makes and restores the backups of one store. */
export interface Backups {
  /** Newest first. */
  list(): Promise<Backup[]>
  /**
   * Makes a backup, also while the bot runs, and checks it. One with `to` is written there and is not listed. Rejects with a
   * sentence for the operator.
   */
  make(asked: { now: number; to: string | null }): Promise<Backup>
  remove(backup: Backup): Promise<void>
  /** Restores a backup, all of it or nothing, while no bot runs. Rejects with a sentence for the operator. */
  restore(asked: Restoring): Promise<Restored>
}

export interface Restoring {
  now: number
  /** Null: the newest sound one. */
  from: string | null
  /** The identities of the venues that the backup must belong to, the first one first. */
  venues: readonly string[]
  /** The message to everybody who is told anything: Perch knows what happened until then, and nothing since. */
  words: (until: number) => Message
}

export interface Restored {
  from: string
  /** Everything until then is known again: wall time. */
  until: number
  /** The file with the replaced database; null when there was none. */
  aside: string | null
  /** Backups with a later name that were passed over, and why. */
  unsound: { file: string; why: string }[]
}

/** The beginning of a sentence that says why there is none. */
export const NOT_MADE = 'No backup was made'

/** The default export of `stores/<name>/backups.ts`. */
export type OpenBackups = (place: {
  /** DATABASE_URL, as the store understands it. */
  url: string
}) => Backups
