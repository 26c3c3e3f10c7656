import { monitorOf } from '../../alert/monitor.ts'
import type { Chat } from '../../people/chat.ts'
import { withoutStaleReminders } from '../../message/annotation.ts'
import { isSilent, joined, message, words } from '../../message/message.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import { otherChat } from '../memory/people.ts'
import { chatName } from './chats.ts'
import { type Decided, doing } from './decided.ts'

/**
 * Copies a critical message that its chat did not take to another chat, once. A private chat's message goes
 * to the person's other chat, a bound chat's to its binder's private chat. Where there is none, it waits
 * alone.
 */
export function copied(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  numbers: Numbers,
  { rows }: Extract<Change, { is: 'undelivered' }>,
  now: number,
): Decided {
  const effects = rows.flatMap(({ rowId, chatId, message: waits, reason, ...rest }): Effect[] => {
    // Somebody may have acknowledged it meanwhile.
    const said = withoutStaleReminders(waits, (alertId) => !isGivenUp(drawers, alertId))
    const done: Effect = { is: 'copied', rowId, at: now, copy: null }
    const chat = drawers.people.chats.get(chatId)
    const other = chat ? otherChat(drawers, chat) : null
    if (!chat || other === null || isSilent(said)) return [done]
    const note = words('change.chat.also-sent', { chat: chatName(chat) })
    const footnote = said.footnote === null ? note : joined([said.footnote, note], ' · ')
    const id = ++numbers.row
    const row = {
      ...{ ...rest, id, chatId: other, message: message(said.items, { ...said, footnote }) },
      ...({
        urgency: 0,
        silent: false,
        // There it is one message, and not made of others.
        reason: reason === null || reason === 'coalesced' ? 'notice' : reason,
        dueAt: rest.queuedAt,
        expiresAt: null,
        note: null,
      } as const),
    }
    const copy = { alertIds: rest.alertIds, chatId: other }
    const steps = rest.alertIds.map((alertId): Effect => {
      const what = whatOf(drawers, alertId, chat, other)
      const at = { at: now, dataAt: now, value: null, threshold: '' }
      return { is: 'step', step: { alertId, ...at, reason: 'notice', what, rowId: id } }
    })
    return [done, { is: 'send', row }, { is: 'copied', rowId: id, at: now, copy }, ...steps]
  })
  return doing(effects)
}

/** For `/why`: whose private chat it is, and which chats somebody else has, stays theirs. */
function whatOf(
  drawers: Pick<Memory, 'people' | 'monitors'>,
  alertId: number,
  chat: Chat,
  other: number,
): string {
  const key = drawers.monitors.firing.get(alertId)
  const personId = key === undefined ? null : drawers.people.chats.get(monitorOf(key).chatId)?.personId
  const delegate = drawers.people.delegatesOf.of(personId ?? 0).get(chat.personId)
  // The person of an ended alert is not known: it may be anybody that this chat's person covers for.
  const isTheirs = personId === null && drawers.people.coveredBy.of(chat.personId).size > 0
  if (delegate || isTheirs)
    return `copied to another chat${delegate ? ` of @${delegate.delegateName}` : ''}: the first one had not taken it`
  const to = chat.private ? chatName(drawers.people.chats.get(other) ?? chat) : 'whoever bound this chat'
  return `copied to ${to}: ${chatName(chat)} had not taken it`
}

function isGivenUp({ monitors: { firing, states } }: Pick<Memory, 'monitors'>, alertId: number): boolean {
  const state = states.get(firing.get(alertId) ?? '')?.state
  return state?.is === 'firing' && !('by' in state.acknowledgement)
}
