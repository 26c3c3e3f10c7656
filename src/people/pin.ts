import type { SentRef } from '../message/address.ts'
import type { Text } from '../message/message.ts'

/** How often a live card is written anew at least, also when nothing has changed. */
export const PIN_EVERY_MS = 5 * 60_000

/** A message of a chat that shows positions and when Perch has looked last, kept up to date. */
export interface Pin {
  /** Null until it has been sent. */
  ref: SentRef | null
}

/** Whether the platform keeps a card in sight. */
export type Pinning = { is: 'pinned' } | { is: 'refused'; why: Text }
