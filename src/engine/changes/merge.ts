import type { Change } from '../../change.ts'
import type { Effect } from '../effect.ts'
import type { Look } from '../look.ts'
import { standIn } from '../memory.ts'
import { merge } from '../merge.ts'
import { doing } from './decided.ts'
import type { Decided } from './decided.ts'

/** What waited in a chat that took nothing is one message from now on; with it goes whatever it says. */
export function merged(look: Look, { chats }: Extract<Change, { is: 'merge' }>): Decided {
  const { memory, now } = look
  const effects = chats.flatMap((rows): Effect[] => {
    // It may have broken since they were looked at.
    const chatId = standIn(memory, rows[0].chatId)
    if (!memory.chats.has(chatId)) return []
    const id = ++memory.last.row
    const row = {
      ...({ id, chatId, reason: 'merged', note: null, expiresAt: null, ...merge(look, rows) } as const),
      alertIds: [...new Set(rows.flatMap(({ alertIds }) => alertIds))],
      about: [...new Set(rows.flatMap(({ about }) => about))],
      ...{ detectedAt: Math.min(...rows.map(({ detectedAt }) => detectedAt)), queuedAt: now, dueAt: now },
    }
    const waiting = rows.filter(({ isMerged }) => !isMerged).map(({ rowId }) => rowId)
    return [
      { is: 'send', row },
      { is: 'merged', rowIds: waiting, into: id, at: now },
    ]
  })
  return doing(effects)
}
