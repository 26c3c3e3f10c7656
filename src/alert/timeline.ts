import type { Reason } from '../message/reason.ts'

/** One entry of an alert's timeline, for /why. */
export interface NewTimelineEntry {
  alertId: number
  at: number
  reason: Reason
  /** In words: `ok → 10% tier`, `closed`. */
  what: string
  value: number | null
  threshold: string
  /** Wall time of its oldest reading. */
  dataAt: number
  /** The outbox row of its message; null if there was no message. */
  rowId: number | null
}

/** A timeline entry with the delivery of its message. */
export interface TimelineEntry extends Omit<NewTimelineEntry, 'rowId' | 'reason'> {
  /** Null for an entry from before reasons were stored. */
  reason: Reason | null
  queuedAt: number | null
  sentAt: number | null
  attempts: number
  possibleRepeat: boolean
  outcome: 'waiting' | 'sent' | 'parked' | 'expired' | null
}

/** In `what`, precedes the chats that got a copy. */
export const COPY_TO_MARKER = ', also told to '
