import type { ChatAdapter } from './chat.ts'

/** Of places where people are told and never heard, each with a name that somebody gave. */
export const ONLY_TOLD = {
  local: false,
  calls: false,
  // What was sent there stands: what is new is said anew, quietly.
  edit: async () => ({ is: 'rejected', why: 'what was sent there cannot be changed' }),
} as const satisfies Partial<ChatAdapter>
