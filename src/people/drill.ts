import type { Text } from '../message/message.ts'
import type { Chat } from './chat.ts'

/** A critical alert that was played to a person, marked as a drill: who would wake up? */
export interface Drill {
  personId: number
  /** Wall time. */
  at: number
  /**
   * Its messages, in the order in which the chats would be told; `label` names the place in the report on the
   * drill.
   */
  rows: { rowId: number; chatId: number; label?: Text }[]
  /** Null while nobody has. */
  acknowledged: { by: string; at: number } | null
}

/** A drill that rings later than this tests nothing. */
export const DRILL_LIVES_MS = 10 * 60_000

/** The person's own other places are rung by their drills this often: a platform's limits are shared by everybody. */
export const OWN_DRILL_EVERY_MS = 60_000

/**
 * A delegate, or another place than the person's first chat, is not rung by each drill: returns the message that has rung
 * there a moment ago.
 */
export function rungBefore(
  drill: Drill | null,
  { id, personId }: Pick<Chat, 'id' | 'personId'>,
  now: number,
  firstChatId: number | null,
): Drill['rows'][number] | undefined {
  if (drill === null || id === firstChatId) return undefined
  const everyMs = personId === drill.personId ? OWN_DRILL_EVERY_MS : DRILL_LIVES_MS
  return Math.abs(now - drill.at) >= everyMs ? undefined : drill.rows.find(({ chatId }) => chatId === id)
}

/** The fate of a message. One that is long over is not known any more. */
export interface DeliveryStatus {
  rowId: number
  /** The chat that it is for now: waiting messages move when their chat is gone. */
  chatId: number
  outcome: 'waiting' | 'sent' | 'parked' | 'expired'
  settledAt: number | null
  attempts: number
}
