/** An acknowledgement goes for one night, not for ever. */
export const ACKNOWLEDGED_FOR_MS = 12 * 3_600_000

/** The engine's memory of a guard. Times are wall times. */
export type AlertState =
  | { is: 'ok' }
  /**
   * Entered, and not yet for as long as the rule wants it to hold: so much of it was left at `countedAt`. Null: time
   * does not count now, for it is over by the price alone, and its wallet cannot be read.
   */
  | { is: 'pending'; tier: number; since: number; leftMs: number; countedAt: number | null }
  | { is: 'firing'; tier: number; alertId: number; since: number; acknowledgement: Acknowledgement }

/** What became of an alert's last loud message. A worse tier, and the end of what somebody did, is a new one. */
export type Acknowledgement =
  /** Nobody has said anything yet. What is critical was said `times` more, and is said again at `ringAt`. */
  | { is: 'waiting'; since: number; reminders: number; remindAt: number | null }
  /** It was said again for as long as that makes sense. */
  | { is: 'given-up' }
  | { is: 'acknowledged'; by: string; at: number; until: number }
  | { is: 'snoozed'; by: string; at: number; until: number }
