import type { Change } from '../../change.ts'
import { guardOf } from '../../guard.ts'
import { item, message, text } from '../../message.ts'
import type { Text } from '../../message.ts'
import { positionKey } from '../../position.ts'
import type { NewRow } from '../../store.ts'
import type { Effect } from '../effect.ts'
import { saidIn } from '../hearers.ts'
import type { Look } from '../look.ts'
import { standIn } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { nameOfSubject } from '../subject-name.ts'
import { doing } from './decided.ts'
import type { Decided } from './decided.ts'

/** A minute later the price is another one. */
const QUOTE_LIVES_MS = 60_000

/**
 * Adds what helping a position would cost to what was said of its alerts: nothing where one is over, or stands elsewhere by
 * now, or where the position is another one.
 */
export function quoted(
  { memory, now }: Look,
  { alerts, position }: Extract<Change, { is: 'quoted' }>,
): Decided {
  const effects = alerts.flatMap(({ alertId, tier, lines }): Effect[] => {
    const key = memory.firing.get(alertId)
    const state = memory.states.get(key ?? '')?.state
    if (key === undefined || state?.is !== 'firing' || state.tier !== tier) return []
    const { subject, chatId } = guardOf(key)
    const held = memory.owners.get(position.owner)?.held.get(positionKey(position))
    if (held?.position.size !== position.size) return []
    const own = standIn(memory, chatId)
    const personId = memory.chats.get(chatId)?.personId ?? 0
    // Where nothing can be edited it is said anew: to whoever's alert it is, and not to one who has answered it.
    const anew = 'by' in state.heed ? null : nameOfSubject(memory, subject, personId)
    return saidIn(memory, alertId).map((to): Effect => {
      const name = to === own ? anew : null
      return { is: 'send', row: rowFor(memory, { chatId: to, alertId, lines, name, now }) }
    })
  })
  return doing(effects)
}

/** It is about nothing that others wait for: what is worse must not have to wait for it. */
function rowFor(
  memory: Memory,
  of: {
    chatId: number
    alertId: number
    lines: readonly Text[]
    name: string | null
    now: number
  },
): NewRow {
  const { chatId, alertId, lines, name, now } = of
  const anew =
    name === null ? [] : [item('plain', text`${name}: what closing costs (A${alertId})`, [...lines])]
  return {
    ...{ id: ++memory.last.row, chatId, urgency: 2, silent: true, message: message(anew) },
    ...{ alertIds: [alertId], about: [], reason: 'notice', note: { alertId, quote: lines } },
    ...{ detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + QUOTE_LIVES_MS },
  }
}
