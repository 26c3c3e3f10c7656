import type { Address, SentRef } from './address.ts'

/** How a send ended, and with that what is done next. `why` is for the operator and carries no secret. */
export type Delivery =
  | { is: 'sent'; ref: SentRef }
  | {
      is: 'delayed'
      /** What the platform asked for; null when it did not say. */
      retryAfterMs: number | null
      scope: 'chat' | 'platform'
      maybeSent: boolean
      why: string
    }
  | { is: 'gone'; why: string }
  | { is: 'moved'; to: Address }
  | { is: 'rejected'; why: string }

/** How one attempt to send to one of our chats ended; "why" is null where the outcome says all. */
export interface DeliveryReport {
  chatId: number
  outcome: Delivery['is']
  why: string | null
}

/** 0 critical, 1 warning, 2 info, 3 what only tidies up: the order in which messages go out. */
export type Priority = 0 | 1 | 2 | 3
