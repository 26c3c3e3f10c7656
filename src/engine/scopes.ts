import type { Position } from '../position.ts'
import { doubt, OTHERS } from '../venue.ts'
import type { PositionsAnswer } from '../venue.ts'

/** An account of which an answer may not show everything. */
export interface Doubted {
  why: string
  /** Something is known to be in it: where nothing is, nobody is disturbed. */
  holds: boolean
  /** Nobody has asked for it yet: our own requests had no turn. */
  queued?: true
}

/**
 * What an answer about an owner is no basis for: all of it, or the accounts named here. What was held before tells what is
 * in them.
 */
export function doubtful(
  answer: PositionsAnswer,
  held: ReadonlyMap<string, { position: Position }>,
): { whole: string | null; accounts: ReadonlyMap<string, Doubted> } {
  const whole = doubt(answer)
  const accounts = new Map<string, Doubted>()
  if (answer.unread.length === 0 && answer.unusable.length === 0) return { whole, accounts }
  const holding = new Set([...held.values()].map(({ position }) => position.accountId))
  for (const { part, why, queued } of answer.unread)
    accounts.set(part, { why, holds: holding.has(part), ...(queued && { queued }) })
  for (const { part, what, why } of answer.unusable)
    if (part !== null) accounts.set(part, { why: `${what}: ${why}`, holds: true })
  const unnamed = accounts.get(OTHERS)
  if (!unnamed) return { whole, accounts }
  const shown = new Set([...answer.positions, ...answer.accounts].map(({ accountId }) => accountId))
  for (const accountId of holding)
    if (!shown.has(accountId) && !accounts.has(accountId))
      accounts.set(accountId, { ...unnamed, holds: true })
  return { whole, accounts }
}
