import type { Reason } from '../message/reason.ts'

/** One step of an alert's life, for /why. */
export interface NewTimelineEntry {
  alertId: number
  at: number
  reason: Reason
  /** In words: `ok → 10 % tier`, `closed`. */
  what: string
  value: number | null
  threshold: string
  /** Wall time of the oldest reading it rests on. */
  dataAt: number
  /** The message that carries it; null when nothing was said. */
  rowId: number | null
}

/** A step with what became of its message. */
export interface TimelineEntry extends Omit<NewTimelineEntry, 'rowId' | 'reason'> {
  /** Null for a step from before reasons were kept. */
  reason: Reason | null
  queuedAt: number | null
  sentAt: number | null
  attempts: number
  possibleRepeat: boolean
  outcome: 'waiting' | 'sent' | 'parked' | 'expired' | null
}

/** In what happened, before who was told beside the alert's own chat. */
export const ALSO_TOLD = ', also told to '
