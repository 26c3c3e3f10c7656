import type { Chat } from './chat.ts'

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

/** What rings later than this is no drill of anything. */
export const DRILL_LIVES_MS = 10 * 60_000

/** Whoever stands in for somebody is not rung by each try of theirs: the message that has rung there a moment ago. */
export function rungBefore(
  drill: Drill | null,
  { id, personId }: Pick<Chat, 'id' | 'personId'>,
  now: number,
): Drill['rows'][number] | undefined {
  if (drill === null || personId === drill.personId || now - drill.at >= DRILL_LIVES_MS) return undefined
  return drill.rows.find(({ chatId }) => chatId === id)
}

/** What became of a message. One that is long over is not known any more. */
export interface DeliveryStatus {
  rowId: number
  outcome: 'waiting' | 'sent' | 'parked' | 'expired'
  settledAt: number | null
  attempts: number
}
