/** Why something is said: what `/why`, the log and the metrics show. */
export type Reason =
  /** A level is reached, gets worse, gets better, is over; was worse by an old position alone, which is not said. */
  | 'fired'
  | 'worse'
  | 'better'
  | 'resolved'
  | 'unconfirmed'
  /** Critical, and nobody has acknowledged it; the last time that it is said for that reason. */
  | 'reminder'
  | 'gave-up'
  /** A snooze or an acknowledgement is over, and it still fires. */
  | 'snooze-ended'
  /** What somebody did about it. */
  | 'acknowledged'
  | 'snoozed'
  /** What was held back, when that is over; what waited while its chat took nothing; the summary of a day. */
  | 'summary'
  | 'coalesced'
  | 'digest'
  /** An event; what an alert was about is gone. */
  | 'occurred'
  | 'ended'
  /** Something can no longer be seen, or is seen again. */
  | 'outage'
  | 'recovered'
  /** Something about the bot itself: a chat that broke, what only the operator can mend; a test that was asked for. */
  | 'notice'
  | 'test'
