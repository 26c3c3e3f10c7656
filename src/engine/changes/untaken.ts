import type { Change } from '../../change.ts'
import type { Chat } from '../../chat.ts'
import { joined, message } from '../../message.ts'
import type { Effect } from '../effect.ts'
import { privateChats } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { chatName } from './chats.ts'
import { doing } from './decided.ts'
import type { Decided } from './decided.ts'

/**
 * What is critical and was not taken by its chat goes to another one as well, once: a private chat's to the person's
 * other one, a bound chat's to the private chat of whoever bound it. Where there is none, it waits alone.
 */
export function copied(
  memory: Memory,
  { rows, platforms }: Extract<Change, { is: 'untaken' }>,
  now: number,
): Decided {
  const effects = rows.flatMap((untaken): Effect[] => {
    const { rowId, chatId, message: said, reason, ...rest } = untaken
    const done: Effect = { is: 'copied', rowId, at: now }
    const chat = memory.chats.get(chatId)
    const other = chat ? beside(memory, chat, platforms) : null
    if (!chat || other === null) return [done]
    const note = `also sent to ${chatName(chat)}, which has not taken it yet`
    const footnote = said.footnote === null ? note : joined([said.footnote, note], ' · ')
    const id = ++memory.last.row
    const row = {
      ...{ ...rest, id, chatId: other, message: message(said.items, { ...said, footnote }) },
      ...({
        urgency: 0,
        silent: false,
        reason: reason ?? 'notice',
        dueAt: rest.queuedAt,
        expiresAt: null,
      } as const),
    }
    return [done, { is: 'send', row }, { is: 'copied', rowId: id, at: now }]
  })
  return doing(effects)
}

function beside(memory: Memory, chat: Chat, platforms: readonly string[]): number | null {
  const { defaultChat = null, fallbackChat = null } = memory.persons.get(chat.personId) ?? {}
  const own = privateChats(memory, chat.personId).map(({ id }) => id)
  const preferred = chat.private ? [fallbackChat, defaultChat] : [defaultChat, fallbackChat]
  const works = (id: number | null) => {
    const there = memory.chats.get(id ?? -1)
    return (
      there?.private === true &&
      there.id !== chat.id &&
      there.brokenBecause === null &&
      platforms.includes(there.address.platform)
    )
  }
  return [...preferred, ...own].find(works) ?? null
}
