/** A critical alert that was played to a person, marked as a drill: who would wake up? */
export interface Drill {
  personId: number
  /** Wall time. */
  at: number
  /** Its messages, in the order in which the chats would be told; `label` names the place to whoever reads how it went. */
  rows: { rowId: number; chatId: number; label?: string }[]
  /** Null while nobody has. */
  acknowledged: { by: string; at: number } | null
}

/** What became of a message. One that is long over is not known any more. */
export interface Fate {
  rowId: number
  outcome: 'waiting' | 'sent' | 'parked' | 'expired'
  settledAt: number | null
  attempts: number
}
