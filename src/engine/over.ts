import type { Decision, Said } from './decision.ts'
import { alertFor, hearersOf, overItem } from './hearers.ts'
import { standIn } from './memory.ts'
import type { Memory } from './memory.ts'

/**
 * Whoever was rung beside an alert's own chat hears that it is over as well. That is kept with the end itself: an end that
 * cannot be kept is tried again, and must not be told elsewhere each time.
 */
export function withEndsElsewhere(memory: Memory, decision: Decision): Decision {
  const closed = decision.effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
  const own = standIn(memory, decision.chatId)
  const elsewhere = closed.flatMap((alertId) => {
    const rung = new Map(
      hearersOf(memory, alertId).map(({ chatId, whose }) => [standIn(memory, chatId), whose]),
    )
    rung.delete(own)
    return [...rung].map(([chatId, whose]) => ({ chatId, said: endOf(memory, decision, alertId, whose) }))
  })
  return elsewhere.length === 0 ? decision : { ...decision, elsewhere }
}

function endOf(memory: Memory, decision: Decision, alertId: number, whose: string | null): Said {
  const words = decision.said.find(({ alertIds }) => alertIds.includes(alertId))
  // Something else has told the end of it, where it is told first.
  const told = words?.item ?? overItem(memory, alertId, `What became of it: /why A${alertId}`)
  return {
    item: whose === null ? told : alertFor(told, whose),
    ...({ reason: 'ended', severity: words?.severity ?? 'warning', order: 0 } as const),
    ...{ alertIds: [alertId], about: words?.about ?? `alert/${alertId}`, quiet: words?.quiet ?? true },
  }
}
