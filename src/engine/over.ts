import { item } from '../message.ts'
import type { Decision, Said } from './decision.ts'
import { standIn } from './memory.ts'
import type { Memory } from './memory.ts'

/**
 * Whoever was rung by a copy, because an alert's own chat did not take it, hears that it is over as well. That is kept
 * with the end itself: an end that cannot be kept is tried again, and must not be told elsewhere each time.
 */
export function withEndsElsewhere(memory: Memory, decision: Decision): Decision {
  const closed = decision.effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
  const own = standIn(memory, decision.chatId)
  const elsewhere = closed.flatMap((alertId) => {
    const rung = [...(memory.copies.get(alertId) ?? [])].filter((id) => memory.chats.has(id))
    const chats = new Set(rung.map((id) => standIn(memory, id)))
    chats.delete(own)
    return [...chats].map((chatId) => ({ chatId, said: endOf(decision, alertId) }))
  })
  return elsewhere.length === 0 ? decision : { ...decision, elsewhere }
}

function endOf(decision: Decision, alertId: number): Said {
  const words = decision.said.find(({ alertIds }) => alertIds.includes(alertId))
  // Something else has told the end of it, where it is told first.
  const over = item('good', `A${alertId} is over`, [`What became of it: /why A${alertId}`])
  return {
    item: words?.item ?? over,
    ...({ reason: 'ended', severity: words?.severity ?? 'warning', order: 0 } as const),
    ...{ alertIds: [alertId], about: words?.about ?? `alert/${alertId}`, quiet: words?.quiet ?? true },
  }
}
