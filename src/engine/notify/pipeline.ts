import type { EvaluationContext } from '../monitors/context.ts'
import type { DecidedTurn } from '../monitors/turn.ts'
import { annotateAcknowledged, removeStaleButtons } from './ack-notes.ts'
import { groupIntoMessages, type Transaction } from './batch.ts'
import { escalate, resolveForRecipients } from './escalation.ts'
import { suppress } from './suppression.ts'

type Stage = (at: EvaluationContext, turn: DecidedTurn) => DecidedTurn

/**
 * Takes decisions on their way to messages, in this order. Recipients of an escalated alert read the words that
 * suppression left. Buttons go last: a note about an acknowledgement adds one. Grouping then makes rows of the rest.
 */
export const STAGES: readonly Stage[] = [
  suppress,
  escalate,
  resolveForRecipients,
  annotateAcknowledged,
  removeStaleButtons,
]

/** Returns what a turn decided after all stages, and the transactions that commit it. */
export function toMessages(
  at: EvaluationContext,
  turn: DecidedTurn,
  detectedAt: number,
): { decided: DecidedTurn; transactions: Transaction[] } {
  if (turn.decisions.length === 0 && !turn.acknowledged) return { decided: turn, transactions: [] }
  const decided = STAGES.reduce((before, stage) => stage(at, before), turn)
  return { decided, transactions: groupIntoMessages(at, decided.decisions, detectedAt) }
}
