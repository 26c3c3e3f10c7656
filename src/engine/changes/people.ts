import type { Address, Identity } from '../../chat.ts'
import type { Chat, Code, Person } from '../../person.ts'
import type { Change, Write } from '../../store.ts'
import type { Memory } from '../memory.ts'
import { ownersOf } from '../subjects.ts'
import { chatAt, unbind } from './chats.ts'
import { nothing, together } from './decided.ts'
import type { Decided } from './decided.ts'
import { dropRules, unwatch } from './rules.ts'

export function personOf(memory: Memory, { platform, user }: Identity): Person | undefined {
  return [...memory.persons.values()].find(({ identities }) =>
    identities.some((one) => one.platform === platform && one.user === user),
  )
}

/** Somebody is here for the first time. There is one operator; a second local adapter is the same person. */
export function meet(memory: Memory, { by, home, as }: Extract<Change, { is: 'meet' }>): Decided {
  const operator = [...memory.persons.values()].find((person) => person.operator)
  if (as === 'operator' && operator) return nothing('Somebody is the operator of this Perch already.')
  const known = personOf(memory, by) ?? (as === 'local' ? operator : undefined)
  const person = known ?? newcomer(memory)
  return join(memory, { ...person, operator: person.operator || (as !== 'person' && !operator) }, by, home)
}

function newcomer(memory: Memory): Person {
  return {
    id: ++memory.last.person,
    operator: false,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    numbers: '1,234.5',
    identities: [],
    defaultChat: null,
    fallbackChat: null,
  }
}

/** The person with this identity and private chat; a second chat is the fallback until they choose otherwise. */
function join(memory: Memory, person: Person, by: Identity, home: Address): Decided {
  const known = chatAt(memory, home)
  const chat: Chat = known
    ? { ...known, personId: person.id, brokenBecause: null }
    : {
        id: ++memory.last.chat,
        address: home,
        title: null,
        personId: person.id,
        private: true,
        mention: null,
        brokenBecause: null,
      }
  const here = person.identities.some(({ platform, user }) => platform === by.platform && user === by.user)
  const joined: Person = {
    ...person,
    identities: here ? person.identities : [...person.identities, by],
    defaultChat: person.defaultChat ?? chat.id,
    fallbackChat:
      person.fallbackChat ?? (person.defaultChat !== null && person.defaultChat !== chat.id ? chat.id : null),
  }
  return {
    writes: [
      { is: 'person', person: joined },
      { is: 'chat', chat },
    ],
    rules: [],
    refused: null,
    apply() {
      memory.persons.set(joined.id, joined)
      memory.chats.set(chat.id, chat)
    },
  }
}

export function putCode(memory: Memory, code: Code): Decided {
  return {
    writes: [{ is: 'code', code }],
    rules: [],
    refused: null,
    apply: () => void memory.codes.set(code.code, code),
  }
}

/** A one-time code: an invitation makes a new person, a link joins an identity to the person who asked for it. */
export function redeem(
  memory: Memory,
  { code: text, by, home }: Extract<Change, { is: 'redeem' }>,
  now: number,
): Decided {
  const code = memory.codes.get(text)
  if (!code || code.expiresAt <= now) return nothing('This code is not valid (any more). Ask for a new one.')
  const known = personOf(memory, by)
  if (known?.id === code.personId)
    return nothing('That is your own code: use it on the other platform, or pass it on.')
  if (known) {
    return nothing(
      code.is === 'invite'
        ? 'I know you already; /help shows what I can do.'
        : 'I know you here as another person. /forget that one first, then use the code again.',
    )
  }
  const person = code.is === 'link' ? memory.persons.get(code.personId) : newcomer(memory)
  if (!person) return nothing('Whoever made this code is not here any more.')
  return together(join(memory, person, by, home), {
    writes: [{ is: 'code-gone', code: text }],
    rules: [],
    refused: null,
    apply: () => void memory.codes.delete(text),
  })
}

/** A new preferred chat takes the rules of the person's private chats with it. */
export function settings(memory: Memory, { personId, to }: Extract<Change, { is: 'settings' }>): Decided {
  const person = memory.persons.get(personId)
  if (!person) return nothing('I do not know you.')
  const changed: Person = { ...person, ...to }
  const own = new Set(
    [...memory.chats.values()]
      .filter((chat) => chat.private && chat.personId === personId)
      .map(({ id }) => id),
  )
  const { defaultChat } = changed
  const moved =
    defaultChat === null || defaultChat === person.defaultChat
      ? []
      : [...(memory.rulesOf.get(personId) ?? [])].filter(
          ({ chatId }) => own.has(chatId) && chatId !== defaultChat,
        )
  return {
    writes: [
      { is: 'person', person: changed },
      ...moved.map((rule): Write => ({ is: 'rule', rule: { ...rule, chatId: defaultChat ?? rule.chatId } })),
    ],
    rules: [],
    refused: null,
    apply() {
      memory.persons.set(personId, changed)
      for (const rule of moved) rule.chatId = defaultChat ?? rule.chatId
    },
  }
}

/** Everything of a person goes: watches, rules, bound chats, codes, alerts, messages that wait. */
export function forget(memory: Memory, personId: number, now: number): Decided {
  if (!memory.persons.has(personId)) return nothing()
  const chats = [...memory.chats.values()].filter((chat) => chat.personId === personId)
  const codes = [...memory.codes.values()].filter((code) => code.personId === personId)
  return together(
    ...ownersOf(memory, personId).map((owner) => unwatch(memory, personId, owner, now)),
    dropRules(
      memory,
      [...(memory.rulesOf.get(personId) ?? [])].filter(({ owner }) => owner === null),
      now,
    ),
    ...chats.filter((chat) => !chat.private).map((chat) => unbind(memory, chat.id, now)),
    {
      writes: [{ is: 'person-gone', personId }],
      rules: [],
      refused: null,
      apply() {
        for (const { id } of chats) memory.chats.delete(id)
        for (const { code } of codes) memory.codes.delete(code)
        for (const feed of memory.feeds.values()) for (const { id } of chats) feed.chats.delete(id)
        memory.rulesOf.delete(personId)
        memory.persons.delete(personId)
      },
    },
  )
}
