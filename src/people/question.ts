import { type Address, addressKey, type Identity, identityKey } from '../message/address.ts'
import type { Message, Question } from '../message/message.ts'

/** How long a question waits for its answer. */
export const QUESTION_LIVES_MS = 10 * 60_000

/** A question that waits in a chat for the next message of one person. */
export interface PendingQuestion {
  by: Identity
  chat: Address
  /** Whose it is: it goes with everything else of that person. */
  personId: number
  /** The message that asks. A wrong answer repeats it. */
  asked: Message
  /** Wall time. */
  until: number
}

/** A question that still waits, with the message that asks it. */
export interface Waiting {
  asked: Message
  question: Question
}

/** One person has one question in a chat. */
export function questionKey({ by, chat }: Pick<PendingQuestion, 'by' | 'chat'>): string {
  return `${identityKey(by)} ${addressKey(chat)}`
}

/** Returns the question unless it has expired. */
export function waitingAt(pending: PendingQuestion | null, now: number): Waiting | null {
  const question = pending?.asked.question
  return pending && question && now < pending.until ? { asked: pending.asked, question } : null
}
