import type { Delivery } from '../../src/message/delivery.ts'

/** What can be wrong with a chat, or with a whole platform. */
export interface Kind {
  /** What becomes of a send so long before the trouble is over; null when it is taken as ever. */
  answer(leftMs: number, plain: boolean): { taken: boolean; delivery: Promise<Delivery> } | null
  /** How long after its end what it met may still wait. */
  afterMs: number
}

// What the outbox allows itself, each with its name there.
/** BACKOFF.longestMs, of rows; that of answers is shorter. */
const LONGEST_BACKOFF_MS = 60_000
/** SEND_LIMIT_MS: so long a send is waited for that began while it was still hopeless. */
const SEND_LIMIT_MS = 20_000
/** LONGEST_HOLD_MS: whatever a platform asks for, it is asked again by then. */
const LONGEST_HOLD_MS = 5 * 60_000
/** HOUR_MS, and ASKED_AGAIN_MS of trials: when a broken chat is tried again by itself, and after somebody was heard. */
const TRIAL_MS = 60 * 60_000
const HEARD_MS = 60_000

const lost = (delivery: Delivery) => ({ taken: false, delivery: Promise.resolve(delivery) })
const hanging = (taken: boolean) => ({ taken, delivery: new Promise<never>(() => {}) })
const delayed = (scope: 'chat' | 'platform', retryAfterMs: number | null): Delivery => ({
  is: 'delayed',
  retryAfterMs,
  scope,
  maybeSent: false,
  why: 'trouble',
})

/** A hang is waited for to its limit, and then counts as one more failure. */
const AFTER_HANG_MS = SEND_LIMIT_MS + LONGEST_BACKOFF_MS
const FAILS: Kind = { answer: () => lost(delayed('chat', null)), afterMs: LONGEST_BACKOFF_MS }
const HANGS: Kind = { answer: () => hanging(false), afterMs: AFTER_HANG_MS }

export const CHAT_TROUBLES: Record<string, Kind> = {
  fails: FAILS,
  'hangs, lost': HANGS,
  'hangs, taken': { answer: () => hanging(true), afterMs: AFTER_HANG_MS },
  'taken, unheard': {
    answer: () => ({ taken: true, delivery: Promise.reject(new Error('connection reset')) }),
    afterMs: LONGEST_BACKOFF_MS,
  },
  'asks to wait': { answer: (leftMs) => lost(delayed('chat', leftMs)), afterMs: 0 },
  'asks for hours': { answer: () => lost(delayed('chat', 9_000_000)), afterMs: LONGEST_HOLD_MS },
  gone: { answer: () => lost({ is: 'gone', why: 'blocked' }), afterMs: TRIAL_MS },
  'gone, heard': { answer: () => lost({ is: 'gone', why: 'blocked' }), afterMs: HEARD_MS },
  'refuses markup': {
    answer: (_left, plain) => (plain ? null : lost({ is: 'rejected', why: 'markup' })),
    afterMs: 0,
  },
  refuses: { answer: () => lost({ is: 'rejected', why: 'words' }), afterMs: 0 },
}

export const PLATFORM_TROUBLES: Record<string, Kind> = {
  'is down': { answer: () => lost(delayed('platform', null)), afterMs: LONGEST_BACKOFF_MS },
  'fails every chat': FAILS,
  'hangs everywhere': HANGS,
  'holds all': { answer: (leftMs) => lost(delayed('platform', leftMs)), afterMs: 0 },
  'holds all for hours': { answer: () => lost(delayed('platform', 9_000_000)), afterMs: LONGEST_HOLD_MS },
}
