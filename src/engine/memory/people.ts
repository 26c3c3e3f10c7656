import type { Chat } from '../../people/chat.ts'
import { createGrouped, createKeyed, type Grouped } from '../../lib/data/grouped.ts'
import { type Address, addressKey, type Identity, identityKey, placeKey } from '../../message/address.ts'
import type { Delegation } from '../../people/delegation.ts'
import type { Drill } from '../../people/drill.ts'
import { type Code, GUEST, languageOfPerson, type Person } from '../../people/person.ts'
import { type PendingQuestion, questionKey } from '../../people/question.ts'
import { identityOf, type Session } from '../../people/session.ts'
import type { Language } from '../../words/words.ts'
import type { Effect, Law, ReadOnly } from './effect.ts'
import type { Monitors } from './monitors.ts'
import type { Rules } from './rules.ts'
import type { Run } from './run.ts'
import type { Silences } from './silences.ts'
import type { Sources } from './sources.ts'

/** Persons, their chats, and the agreements between them. */
export interface People {
  persons: Map<number, Person>
  operatorId: number | null
  /** By `identityKey`. */
  personBy: Map<string, number>
  chats: Map<number, Chat>
  /** By `addressKey`. */
  chatAt: Map<string, number>
  /** By `placeKey`. */
  chatsIn: Grouped<string, number, Chat>
  /** By person. */
  chatsOf: Grouped<number, number, Chat>
  /** Chats that cannot be written to, chats with a daily or a weekly digest, and chats with a message that is kept up to date. */
  broken: Set<number>
  digests: Set<number>
  weeklies: Set<number>
  pins: Set<number>
  /** By their hash. */
  codes: Map<string, Code>
  /** By the person whose alerts they are, then by the delegate; and the other way round. */
  delegatesOf: Grouped<number, number, Delegation>
  coveredBy: Grouped<number, number, Delegation>
  /** Delegations with a handover that has not been ended yet. */
  handovers: Grouped<number, number, Delegation>
  /** By a person who stands on escalation lists: the persons with these lists. */
  listing: Grouped<number, number, true>
  /** By person. */
  drills: Map<number, Drill>
  /** By `questionKey`. */
  questions: Map<string, PendingQuestion>
  /** By the digest of their secret. */
  sessions: Map<Session['user'], Session>
  /** By person, then by number. */
  sessionsOf: Grouped<number, number, Session>
}

/** People who are here, and open invitations: each of these is a promise. */
export function seatsTaken(
  { people }: { people: ReadOnly<Pick<People, 'persons' | 'codes'>> },
  now: number,
): number {
  let invited = 0
  for (const { is, expiresAt } of people.codes.values()) if (is === 'invite' && expiresAt > now) invited++
  return people.persons.size + invited
}

/** Whether nobody new may come by themselves. */
export function isFull(
  drawers: { people: ReadOnly<Pick<People, 'persons' | 'codes'>> },
  most: { people: number; seats: number },
  now: number,
): boolean {
  return drawers.people.persons.size >= most.people || seatsTaken(drawers, now) >= most.seats
}

export function createPeople(): People {
  return {
    persons: new Map(),
    operatorId: null,
    personBy: new Map(),
    chats: new Map(),
    chatAt: new Map(),
    chatsIn: createKeyed(({ id }) => id),
    chatsOf: createKeyed(({ id }) => id),
    broken: new Set(),
    digests: new Set(),
    weeklies: new Set(),
    pins: new Set(),
    codes: new Map(),
    delegatesOf: createGrouped(),
    coveredBy: createGrouped(),
    handovers: createGrouped(),
    listing: createGrouped(),
    drills: new Map(),
    questions: new Map(),
    sessions: new Map(),
    sessionsOf: createKeyed(({ id }) => id),
  }
}

type Kinds =
  | ('person' | 'person-gone' | 'chat' | 'chat-gone' | 'code' | 'code-gone')
  | ('delegation' | 'delegation-gone' | 'drill' | 'question' | 'question-gone')
  | ('session' | 'session-gone')

/** A person and a chat take things out of these drawers with them. */
interface Others {
  rules: Rules
  monitors: Monitors
  silences: Silences
  sources: Sources
}

export const peopleLaw: Law<People, Kinds, Others> = {
  person(people, { person }) {
    for (const one of people.persons.get(person.id)?.identities ?? [])
      people.personBy.delete(identityKey(one))
    unlistSteps(people, person.id)
    for (const { to } of person.steps)
      if (to.is === 'person') people.listing.put(to.personId, person.id, true)
    for (const one of person.identities) people.personBy.set(identityKey(one), person.id)
    if (person.operator) people.operatorId = person.id
    people.persons.set(person.id, person)
  },
  'person-gone'(people, { personId }, { rules }) {
    for (const one of people.persons.get(personId)?.identities ?? []) people.personBy.delete(identityKey(one))
    for (const { hash, personId: maker } of people.codes.values())
      if (maker === personId) people.codes.delete(hash)
    for (const delegateId of [...people.delegatesOf.of(personId).keys()])
      dropDelegation(people, personId, delegateId)
    for (const coveredId of [...people.coveredBy.of(personId).keys()])
      dropDelegation(people, coveredId, personId)
    unlistSteps(people, personId)
    if (people.operatorId === personId) people.operatorId = null
    people.drills.delete(personId)
    for (const [key, question] of people.questions)
      if (question.personId === personId) people.questions.delete(key)
    for (const { user } of [...people.sessionsOf.of(personId).values()]) dropSession(people, user)
    people.persons.delete(personId)
    return [
      ...[...people.chatsOf.of(personId).keys()].map((chatId): Effect => ({ is: 'chat-gone', chatId })),
      ...[...rules.rulesOf.of(personId).keys()].map((ruleId): Effect => ({ is: 'rule-gone', ruleId })),
      ...[...rules.watchesOf.keysOf(personId), ...rules.followsOf.keysOf(personId)].map((wallet): Effect => ({
        is: 'unwatch',
        personId,
        wallet,
      })),
    ]
  },
  code: (people, { code }) => void people.codes.set(code.hash, code),
  'code-gone': (people, { hash }) => void people.codes.delete(hash),
  delegation(people, { delegation }) {
    const { personId, delegateId, handoverUntil } = delegation
    people.delegatesOf.put(personId, delegateId, delegation)
    people.coveredBy.put(delegateId, personId, delegation)
    if (handoverUntil === null) people.handovers.drop(personId, delegateId)
    else people.handovers.put(personId, delegateId, delegation)
  },
  'delegation-gone': (people, { personId, delegateId }) => dropDelegation(people, personId, delegateId),
  chat(people, { chat }) {
    const before = people.chats.get(chat.id)
    if (before) unlistChat(people, before)
    people.chats.set(chat.id, chat)
    people.broken[chat.brokenBecause === null ? 'delete' : 'add'](chat.id)
    people.digests[chat.digest === null ? 'delete' : 'add'](chat.id)
    people.weeklies[chat.weekly === null ? 'delete' : 'add'](chat.id)
    people.pins[chat.pin === null ? 'delete' : 'add'](chat.id)
    people.chatAt.set(addressKey(chat.address), chat.id)
    people.chatsIn.put(placeKey(chat.address), chat.id, chat)
    people.chatsOf.put(chat.personId, chat.id, chat)
  },
  'chat-gone'(people, { chatId }, others) {
    const chat = people.chats.get(chatId)
    if (!chat) return []
    unlistChat(people, chat)
    people.chats.delete(chatId)
    people.broken.delete(chatId)
    people.digests.delete(chatId)
    people.weeklies.delete(chatId)
    people.pins.delete(chatId)
    return goneWithChat(chatId, others)
  },
  drill: (people, { drill }) => void people.drills.set(drill.personId, drill),
  question: (people, { question }) => void people.questions.set(questionKey(question), question),
  'question-gone': (people, where) => void people.questions.delete(questionKey(where)),
  session(people, { session }) {
    people.sessions.set(session.user, session)
    people.sessionsOf.put(session.personId, session.id, session)
  },
  'session-gone': (people, { user }) => dropSession(people, user),
}

function goneWithChat(chatId: number, { rules, monitors, silences, sources }: Others): Effect[] {
  const all: Effect[] = []
  for (const ruleId of rules.rulesIn.of(chatId).keys()) all.push({ is: 'rule-gone', ruleId })
  for (const [key, monitor] of monitors.monitorsIn.of(chatId)) all.push({ is: 'forgotten', key, monitor })
  for (const source of sources.outageNoticesByChat.of(chatId).keys())
    all.push({ is: 'source-gone', source, chatId })
  for (const of of silences.mutesIn.of(chatId).keys()) all.push({ is: 'mute-gone', chatId, of })
  for (const alertId of silences.suppressedIn.of(chatId).keys())
    all.push({ is: 'suppressed-gone', chatId, alertId })
  all.push({ is: 'copies-gone', chatId })
  return all
}

function unlistChat(people: People, { id, address, personId }: Chat): void {
  people.chatAt.delete(addressKey(address))
  people.chatsIn.drop(placeKey(address), id)
  people.chatsOf.drop(personId, id)
}

/** Takes a person's escalation list out of the index of the persons on it. */
function unlistSteps(people: People, personId: number): void {
  for (const { to } of people.persons.get(personId)?.steps ?? [])
    if (to.is === 'person') people.listing.drop(to.personId, personId)
}

function dropDelegation(people: People, personId: number, delegateId: number): void {
  people.handovers.drop(personId, delegateId)
  people.delegatesOf.drop(personId, delegateId)
  people.coveredBy.drop(delegateId, personId)
}

function dropSession(people: People, user: Session['user']): void {
  const session = people.sessions.get(user)
  if (session) people.sessionsOf.drop(session.personId, session.id)
  people.sessions.delete(user)
}

export function chatAt({ people }: { people: ReadOnly<People> }, address: Address): Chat | undefined {
  return people.chats.get(people.chatAt.get(addressKey(address)) ?? -1)
}

/** Who has this identity, or speaks by this session. One that is over stays until its deadline ends it. */
export function personOf(known: { people: ReadOnly<People> }, identity: Identity): Person | undefined {
  const { personBy, persons } = known.people
  return persons.get(personBy.get(identityKey(identity)) ?? sessionOf(known, identity)?.personId ?? -1)
}

/** Who speaks there at this wall time: a session that is over speaks for nobody. */
export function speakerOf(
  known: { people: ReadOnly<People> },
  by: Identity,
  now: number,
): Person | undefined {
  return (sessionOf(known, by)?.until ?? Infinity) > now ? personOf(known, by) : undefined
}

/** The session that speaks by this identity. */
export function sessionOf({ people }: { people: ReadOnly<People> }, by: Identity): Session | undefined {
  const session = people.sessions.get(by.user)
  return session && identityOf(session).platform === by.platform ? session : undefined
}

/** The oldest first. */
export function sessionsOf({ people }: { people: ReadOnly<People> }, personId: number): Session[] {
  return [...people.sessionsOf.of(personId).values()]
}

/** Returns the chat itself while it works; else, for a private one, the person's other chat that works. */
export function fallbackOf(known: { people: ReadOnly<People>; run: ReadOnly<Run> }, chatId: number): number {
  if (!known.people.broken.has(chatId)) return chatId
  const chat = known.people.chats.get(chatId)
  return chat?.private ? (otherChat(known, chat) ?? chatId) : chatId
}

/**
 * Returns a second chat for the person of a chat, on a platform that is open. For a private chat that is their fallback
 * first, for a bound chat their preferred chat. Returns null if they want none.
 */
export function otherChat(
  known: { people: ReadOnly<People>; run: ReadOnly<Run> },
  chat: Chat,
): number | null {
  const { chats, persons } = known.people
  const { defaultChat = null, fallbackChat = null } = persons.get(chat.personId) ?? {}
  if (chat.id === defaultChat && fallbackChat === null) return null
  const preferred = chat.private ? [fallbackChat, defaultChat] : [defaultChat, fallbackChat]
  const own = privateChats(known, chat.personId).map(({ id }) => id)
  const works = (id: number | null) => {
    const there = chats.get(id ?? -1)
    const isOpen = there && (known.run.platforms?.has(there.address.platform) ?? true)
    return isOpen && there.private && there.id !== chat.id && there.brokenBecause === null
  }
  return [...preferred, ...own].find(works) ?? null
}

/** The language that is read in a chat: that of the person whom it belongs to, or who bound it. */
export function languageIn({ people }: { people: ReadOnly<People> }, chatId: number): Language {
  const personId = people.chats.get(chatId)?.personId
  return languageOfPerson((personId === undefined ? null : people.persons.get(personId)) ?? GUEST)
}

export function privateChats({ people }: { people: ReadOnly<People> }, personId: number): Chat[] {
  return [...people.chatsOf.of(personId).values()].filter((chat) => chat.private)
}
