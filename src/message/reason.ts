/** Why a message was sent. /why, the log and the metrics show it. */
export type Reason =
  /**
   * A level is entered, gets worse, gets better or resolves. `unconfirmed`: only an old position made it
   * worse, which sends no message.
   */
  | 'fired'
  | 'worse'
  | 'better'
  | 'resolved'
  | 'unconfirmed'
  /** A critical alert is unacknowledged; `gave-up` is its last reminder. */
  | 'reminder'
  | 'gave-up'
  /** A snooze or an acknowledgement has ended, and the alert still fires. */
  | 'snooze-ended'
  /** A person's response. */
  | 'acknowledged'
  | 'snoozed'
  /** A summary of suppressed messages, messages that waited for a blocked chat, and the daily summary. */
  | 'summary'
  | 'coalesced'
  | 'digest'
  /** An occurrence, and the end of an alert whose subject is gone. */
  | 'occurred'
  | 'ended'
  /** A source cannot be seen any more, or can again. */
  | 'outage'
  | 'recovered'
  /** About the bot itself: a broken chat, a notice for the operator, or a requested test. */
  | 'notice'
  | 'test'
