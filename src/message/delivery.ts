import type { Address, SentRef } from './address.ts'

/** The result of a send, which decides the next step. `why` is for the operator and has no secrets. */
export type Delivery =
  | { is: 'sent'; ref: SentRef }
  | {
      is: 'delayed'
      /** The wait that the platform asked for; null if it named none. */
      retryAfterMs: number | null
      /** The scope that has to wait. `message` means this one alone, because it takes a path of its own. */
      scope: 'message' | 'chat' | 'platform'
      maybeSent: boolean
      why: string
    }
  | { is: 'gone'; why: string }
  | { is: 'moved'; to: Address }
  | { is: 'rejected'; why: string }

/** The result of one attempt to send to a chat. `why` is null if the outcome explains itself. */
export interface DeliveryReport {
  chatId: number
  outcome: Delivery['is']
  /** The message was given up. */
  isGivenUp: boolean
  why: string | null
}

/** The order of sending: 0 critical, 1 warning, 2 info, 3 an edit of an earlier message, 4 a picture. */
export type Priority = 0 | 1 | 2 | 3 | 4
/** Edits are cosmetic. A row of this priority never goes before a message, and no later row makes it more urgent. */
export const EDIT_PRIORITY = 3
/** A picture goes behind all else, edits included: its upload may hang. */
export const PICTURE_PRIORITY = 4
/** A row whose message can't be edited goes out as a message of this priority. */
export const ANEW_PRIORITY = 2
