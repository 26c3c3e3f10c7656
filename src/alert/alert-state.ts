/** An acknowledgement lasts for one night, not forever. */
export const ACKNOWLEDGED_FOR_MS = 12 * 3_600_000

/** The engine's state of a monitor. All times are wall times. */
export type AlertState =
  | { is: 'ok' }
  /**
   * Entered, but not yet for the rule's hold time: `leftMs` of it were left at `countedAt`. Null: the time
   * does not count now, because the wallet cannot be read and the price alone shows that the condition is
   * over.
   */
  | { is: 'pending'; tier: number; since: number; leftMs: number; countedAt: number | null }
  | { is: 'firing'; tier: number; alertId: number; since: number; acknowledgement: Acknowledgement }

/** When a firing alert last rang for a reason of its own: it fired, got worse, or its snooze ended. Wall time. */
export function rangAt({
  since,
  acknowledgement,
}: Pick<Extract<AlertState, { is: 'firing' }>, 'since' | 'acknowledgement'>): number {
  if (acknowledgement.is === 'waiting') return acknowledgement.rangAt ?? acknowledgement.since
  // By a wall clock that was set back since, it seems to have fired after it was acknowledged.
  return 'at' in acknowledgement ? Math.min(since, acknowledgement.at) : since
}

/**
 * The response to an alert's last loud message. The end of an acknowledgement or a snooze starts anew. So does a worse
 * tier, unless the alert was critical before and nobody had responded.
 */
export type Acknowledgement =
  /** Nobody has responded yet. A critical alert has been repeated `reminders` times, next at `remindAt`. */
  | {
      is: 'waiting'
      since: number
      reminders: number
      remindAt: number | null
      /** When the alert last fired, got worse, or came back from a snooze, where that is not `since`. */
      rangAt?: number
    }
  /** The reminders have ended without a response. */
  | { is: 'given-up' }
  | { is: 'acknowledged'; by: string; at: number; until: number }
  | { is: 'snoozed'; by: string; at: number; until: number }
