import { item } from '../message.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import { alertFor, hearersOf } from './hearers.ts'
import type { Memory } from './memory.ts'

/** Whoever was rung beside an alert's own chat hears that it is over as well. */
export function overElsewhere(memory: Memory, decision: Decision): Decision[] {
  const closed = decision.effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
  return closed.flatMap((alertId) => {
    const words = decision.said.find(({ alertIds }) => alertIds.includes(alertId))
    // Something else has told the end of it, where it is told first.
    const over = item('good', `A${alertId} is over`, [`What became of it: /why A${alertId}`])
    return hearersOf(memory, alertId).map(({ chatId, whose }): Decision => {
      const told = words?.item ?? over
      const said = {
        item: whose === null ? told : alertFor(told, whose),
        ...({ reason: 'ended', severity: words?.severity ?? 'warning', order: 0 } as const),
        ...{ alertIds: [alertId], about: words?.about ?? `alert/${alertId}`, quiet: words?.quiet ?? true },
      }
      return { ...silent(chatId, []), said: [said] }
    })
  })
}
