import type { SentRef } from '../message/address.ts'

/** How often a message that is kept up to date is written anew. */
export const PIN_EVERY_MS = 5 * 60_000

/** A message of a chat that says when Perch has looked last, written anew every few minutes. */
export interface Pin {
  /** Null until it has been sent. */
  ref: SentRef | null
}
