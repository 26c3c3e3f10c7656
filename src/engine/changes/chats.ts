import { sameAddress } from '../../chat.ts'
import type { Address } from '../../chat.ts'
import { item, message } from '../../message.ts'
import type { Message } from '../../message.ts'
import type { Chat } from '../../person.ts'
import type { Change, Urgency, Write } from '../../store.ts'
import { otherChat } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { nothing, together } from './decided.ts'
import type { Decided } from './decided.ts'
import { dropRules } from './rules.ts'

export function chatAt(memory: Memory, address: Address): Chat | undefined {
  return [...memory.chats.values()].find((chat) => sameAddress(chat.address, address))
}

function putChat(memory: Memory, chat: Chat, also: Write[] = []): Decided {
  return {
    writes: [{ is: 'chat', chat }, ...also],
    rules: [],
    refused: null,
    apply: () => void memory.chats.set(chat.id, chat),
  }
}

/** What waits for a private chat that is gone goes to the person's other one, and they are told why. */
export function broken(memory: Memory, chatId: number, why: string, now: number): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat) return nothing()
  const words = `I cannot write to ${chatName(chat)} any more: ${why}`
  const also = chat.brokenBecause === null ? elsewhere(memory, chat, words, now) : []
  const other = chat.private ? otherChat(memory, chat) : null
  if (other !== null && chat.brokenBecause === null) also.push({ is: 'rows-moved', from: chat.id, to: other })
  return putChat(memory, { ...chat, brokenBecause: why }, also)
}

/** A chat that moves to where we know another one already becomes that one: its rules and messages go along. */
export function moved(memory: Memory, chatId: number, to: Address): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat) return nothing()
  const there = chatAt(memory, to)
  if (!there || there.id === chatId) return putChat(memory, { ...chat, address: to, brokenBecause: null })
  const rules = [...memory.rules.values()].filter((rule) => rule.chatId === chatId)
  return {
    writes: [
      ...rules.map((rule): Write => ({ is: 'rule', rule: { ...rule, chatId: there.id } })),
      { is: 'rows-moved', from: chatId, to: there.id },
      { is: 'chat-gone', chatId },
    ],
    rules: [],
    refused: null,
    apply() {
      for (const rule of rules) rule.chatId = there.id
      memory.chats.delete(chatId)
    },
  }
}

export function back(memory: Memory, chatId: number): Decided {
  const chat = memory.chats.get(chatId)
  return chat ? putChat(memory, { ...chat, brokenBecause: null }) : nothing()
}

export function undeliverable(
  memory: Memory,
  { chatId, alertIds, why }: Extract<Change, { is: 'undeliverable' }>,
  now: number,
): Decided {
  const chat = memory.chats.get(chatId)
  // A notice like this one that cannot be sent either must not be told of: two such chats would never end.
  if (!chat || alertIds.length === 0) return nothing()
  const alerts = alertIds.map((id) => `A${id}`).join(', ')
  const words = `${alerts} could not be sent to ${chatName(chat)}: ${why}. Look at /why or /status.`
  return { ...nothing(), writes: elsewhere(memory, chat, words, now) }
}

/** To the operator, on every platform: the one that needs mending may be mute. */
export function notice(memory: Memory, words: string, now: number): Decided {
  const operator = [...memory.persons.values()].find((person) => person.operator)
  if (!operator) return nothing()
  const own = [...memory.chats.values()].filter((chat) => chat.private && chat.personId === operator.id)
  return {
    ...nothing(),
    writes: own.map(({ id }) => row(memory, id, message([item('blind', words)]), 1, now)),
  }
}

/** A group or channel becomes a destination of whoever binds it. Bound by somebody else, it stays theirs. */
export function bind(
  memory: Memory,
  { personId, address, title, mention }: Extract<Change, { is: 'bind' }>,
): Decided {
  const known = chatAt(memory, address)
  if (known && known.personId !== personId)
    return nothing('This chat is bound by somebody else, who can unbind it.')
  const chat: Chat = {
    id: known?.id ?? ++memory.last.chat,
    address,
    title,
    personId,
    private: false,
    mention,
    brokenBecause: null,
  }
  return putChat(memory, chat)
}

/** The chat's rules go with it. */
export function unbind(memory: Memory, chatId: number, now: number): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat || chat.private) return nothing('This chat is not bound.')
  const rules = [...memory.rules.values()].filter((rule) => rule.chatId === chatId)
  return together(dropRules(memory, rules, now), {
    writes: [{ is: 'chat-gone', chatId }],
    rules: [],
    refused: null,
    apply: () => void memory.chats.delete(chatId),
  })
}

/** Through the outbox and the adapter, as an alert would go. */
export function testChat(memory: Memory, chatId: number, now: number): Decided {
  const chat = memory.chats.get(chatId)
  if (!chat) return nothing('This chat is not bound.')
  const words = message([item('info', 'This is a test: alerts reach this chat', ['Nothing has happened.'])])
  return { ...nothing(), writes: [row(memory, chatId, words, 1, now)] }
}

/** Tells the person of a chat, or else the operator, on another chat that works. */
function elsewhere(memory: Memory, chat: Chat, words: string, now: number): Write[] {
  const works = (one: Chat) => one.id !== chat.id && one.brokenBecause === null && one.private
  const chats = [...memory.chats.values()].filter(works)
  const to =
    chats.find(({ personId }) => personId === chat.personId) ??
    chats.find(({ personId }) => memory.persons.get(personId)?.operator)
  return to ? [row(memory, to.id, message([item('blind', words)]), 1, now)] : []
}

function row(memory: Memory, chatId: number, words: Message, urgency: Urgency, now: number): Write {
  const id = ++memory.last.row
  return {
    is: 'send',
    row: { id, chatId, urgency, silent: false, message: words, alertIds: [], queuedAt: now, expiresAt: null },
  }
}

function chatName({ title, address: { platform, chat, thread } }: Chat): string {
  return `${title ?? `${platform} chat ${chat}`}${thread === null ? '' : ` (topic ${thread})`}`
}
