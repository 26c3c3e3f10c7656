import type { Message } from '../message/message.ts'

/** A copy of everything that a store keeps. */
export interface Backup {
  file: string
  /** When it was made: wall time. */
  at: number
  bytes: number
}

/** Copies of what one store keeps, and how it is made anew of one of them. */
export interface Backups {
  /** The newest first. */
  list(): Promise<Backup[]>
  /**
   * Makes one, also while the bot runs, and checks it. With `to` it lies where somebody wants it and is none of the list's.
   * Rejects with a sentence for the operator.
   */
  make(asked: { now: number; to: string | null }): Promise<Backup>
  remove(backup: Backup): Promise<void>
  /** Puts one back while no bot runs: all of it or nothing. Rejects with a sentence for the operator. */
  restore(asked: Restoring): Promise<Restored>
}

export interface Restoring {
  now: number
  /** Null: the last one that is sound. */
  from: string | null
  /** Of the venue to which it must belong. */
  identity: string
  /** What everybody is to read who is told anything: what was kept until then is known, and nothing after it. */
  words: (until: number) => Message
}

export interface Restored {
  from: string
  /** Until when what was kept is known again: wall time. */
  until: number
  /** Where what was there before lies now; null when nothing was. */
  aside: string | null
  /** Those with a later name that were passed over, and why. */
  unsound: { file: string; why: string }[]
}

/** With what follows it: why there is none. */
export const NOT_MADE = 'No backup was made'

/** The default export of `stores/<name>/backups.ts`. */
export type OpenBackups = (place: {
  /** DATABASE_URL, as the store understands it. */
  url: string
}) => Backups
