import type { Memory } from '../memory/memory.ts'
import { fallbackOf } from '../memory/people.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { Decision, Notice } from '../monitors/decision.ts'
import { alertFor, recipientsOf, overItem } from '../monitors/recipients.ts'
import type { DecidedTurn } from '../monitors/turn.ts'

/**
 * Tells the recipients of an escalated alert that it eases or ends. That is committed with the end itself: an end that
 * cannot be committed is decided again, and must not be told elsewhere each time.
 */
export function resolveForRecipients({ memory }: EvaluationContext, turn: DecidedTurn): DecidedTurn {
  return { ...turn, decisions: turn.decisions.map((decision) => withRelief(memory, decision)) }
}

function withRelief(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets' | 'run'>,
  decision: Decision,
): Decision {
  const closed = decision.effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
  const eased = decision.notices.flatMap(({ reason, alertIds }) => (reason === 'better' ? alertIds : []))
  const own = fallbackOf(drawers, decision.chatId)
  const elsewhere = [...new Set([...closed, ...eased])].flatMap((alertId) => {
    const told = new Map(
      recipientsOf(drawers, alertId).map(({ chatId, whose }) => [fallbackOf(drawers, chatId), whose]),
    )
    told.delete(own)
    const reason = closed.includes(alertId) ? 'ended' : 'better'
    return [...told].map(([chatId, whose]) => ({
      chatId,
      notices: reliefOf(drawers, decision, { alertId, reason }, whose),
    }))
  })
  return elsewhere.length === 0 ? decision : { ...decision, elsewhere }
}

function reliefOf(
  drawers: Pick<Memory, 'people' | 'rules' | 'monitors' | 'wallets' | 'markets'>,
  decision: Decision,
  { alertId, reason }: { alertId: number; reason: 'ended' | 'better' },
  whose: string | null,
): Notice {
  const words = decision.notices.find(({ alertIds }) => alertIds.includes(alertId))
  // Something else has told the end of it, where it is told first.
  const told = words?.item ?? overItem(drawers, alertId, `What became of it: /why A${alertId}`)
  return {
    item: whose === null ? told : alertFor(told, whose),
    reason,
    ...{ severity: words?.severity ?? 'warning', order: 0 },
    ...{ alertIds: [alertId], about: words?.about ?? `alert/${alertId}`, quiet: words?.quiet ?? true },
  }
}
