import { type Rule, sameRule } from '../../alert/alert.ts'
import { FULL } from '../../people/cell.ts'
import type { Chat } from '../../people/chat.ts'
import type { Address, Identity } from '../../message/address.ts'
import { GUEST, type Person, type Step } from '../../people/person.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import { chatAt, isFull, personOf, privateChats } from '../memory/people.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { renamed } from './chats.ts'
import { type Decided, doing, nothing, together } from './decided.ts'
import { leaveOthers } from './others.ts'
import { rehome } from './rehome.ts'
import { drafted, dropRules, leave } from './rules.ts'
import { words } from '../../message/message.ts'

/** Somebody is here for the first time. There is one operator; a second local adapter is the same person. */
export function meet(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  { by, home, as, most }: Extract<Change, { is: 'meet' }>,
  now: number,
): Decided {
  const operator = drawers.people.persons.get(drawers.people.operatorId ?? -1)
  if (as === 'operator' && operator) return nothing(words('change.code.operator'))
  const known = personOf(drawers, by) ?? (as === 'local' ? operator : undefined)
  // Decided here and not where they were recognised: two may write at the same time.
  if (known === undefined && most && isFull(drawers, most, now)) return nothing(FULL)
  const person = known ?? newcomer(numbers)
  const operates = person.operator || (as !== 'person' && !operator)
  return join(drawers, numbers, { ...person, operator: operates }, { by, home })
}

export function newcomer(numbers: Numbers): Person {
  // With an odd `TZ` Node names no zone, though its type says that it does.
  const options: { timeZone?: string } = Intl.DateTimeFormat().resolvedOptions()
  return { ...GUEST, id: ++numbers.person, zone: options.timeZone ?? 'UTC' }
}

/** The person with this identity and private chat; a second chat is the fallback until they choose otherwise. */
export function join(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  person: Person,
  { by, home }: { by: Identity; home: Address },
): Decided {
  const known = chatAt(drawers, home)
  const chat: Chat = known
    ? { ...known, personId: person.id, brokenBecause: null }
    : {
        id: ++numbers.chat,
        address: home,
        title: null,
        personId: person.id,
        private: true,
        mention: null,
        brokenBecause: null,
        quiet: privateChats(drawers, person.id)[0]?.quiet ?? null,
        digest: null,
        weekly: null,
        pin: null,
        acksBy: 'known',
      }
  const here = person.identities.some(({ platform, user }) => platform === by.platform && user === by.user)
  const isSecond =
    known?.personId !== person.id && person.defaultChat !== null && person.defaultChat !== chat.id
  const joined: Person = {
    ...person,
    identities: here ? person.identities : [...person.identities, by],
    defaultChat: person.defaultChat ?? chat.id,
    // A person without a fallback keeps none when they write in a known chat again.
    fallbackChat: person.fallbackChat ?? (isSecond ? chat.id : null),
  }
  // A chat that was somebody else's is no longer where that one is told.
  const taken = known && known.personId !== person.id ? renamed(drawers, known.id, null) : []
  return doing([...taken, { is: 'person', person: joined }, { is: 'chat', chat }])
}

/** A new preferred chat takes the rules of the person's private chats with it. */
export function settings(
  look: EvaluationContext,
  { personId, to }: Extract<Change, { is: 'settings' }>,
): Decided {
  const { memory } = look
  const person = memory.people.persons.get(personId)
  if (!person) return nothing('I do not know you.')
  const changed: Person = withoutDoubles({ ...person, ...to })
  const { defaultChat } = changed
  const others =
    defaultChat === null || defaultChat === person.defaultChat
      ? []
      : privateChats(memory, personId).filter(({ id }) => id !== defaultChat)
  return together(
    doing([{ is: 'person', person: changed }]),
    ...others.map(({ id }) => rehome(look, id, defaultChat ?? id)),
  )
}

/** Drops steps to the first chat or the fallback; the fallback is told from the earliest of its times on. */
function withoutDoubles(person: Person): Person {
  const { defaultChat, fallbackChat, steps } = person
  const isFallback = ({ to }: Step) => to.is === 'chat' && to.chatId === fallbackChat
  return {
    ...person,
    escalateFrom: Math.min(person.escalateFrom, ...steps.filter(isFallback).map(({ from }) => from)),
    steps: steps.filter(({ to }) => to.is !== 'chat' || ![defaultChat, fallbackChat].includes(to.chatId)),
  }
}

/** Everything of a person goes: watches, rules, bound chats, codes, alerts, messages that wait. */
export function forget(look: EvaluationContext, personId: number): Decided {
  const { memory } = look
  if (!memory.people.persons.has(personId)) return nothing()
  const bound = [...memory.people.chatsOf.of(personId).values()].filter((chat) => !chat.private)
  const own = memory.rules.rulesOf.of(personId).values()
  const ofOthers = bound.flatMap(({ id }) => [...memory.rules.rulesIn.of(id).values()])
  return together(
    dropRules(look, [...new Set([...own, ...ofOthers])]),
    ...[...memory.rules.watchesOf.keysOf(personId), ...memory.rules.followsOf.keysOf(personId)].map(
      (wallet) => leave(look, { personId, wallet }),
    ),
    leaveOthers(look, personId),
    doing([{ is: 'person-gone', personId }]),
  )
}

type Import = Extract<Change, { is: 'import' }>

/**
 * Takes over what a person had in another Perch: all of it in one commit, or nothing. The plan was made a moment ago, so
 * anything that no longer fits refuses it. It adds: no rule, wallet or mute that is here is changed.
 */
export function takeOver(look: EvaluationContext, change: Import): Decided {
  const { memory, now } = look
  const person = memory.people.persons.get(change.personId)
  if (!person) return nothing(words('import.changed'))
  const rules = change.rules.map(({ chatId, draft }) => drafted(look, person.id, chatId, draft))
  if (!fits(look, change, rules)) return nothing(words('import.changed'))
  const { settings, preset, watches, mutes } = change
  const changed: Person = {
    ...{ ...person, ...settings },
    ...(preset && { preset: { ...preset, before: null } }),
  }
  return doing(
    [
      { is: 'person', person: changed },
      ...watches.map((watch): Effect => ({
        is: 'watch',
        watch: { ...watch, personId: person.id, since: now },
      })),
      ...chatsOf(look, person, change).map((chat): Effect => ({ is: 'chat', chat })),
      ...mutes.map((mute): Effect => ({ is: 'mute', mute })),
      ...rules.map((rule): Effect => ({ is: 'rule', rule })),
    ],
    rules,
  )
}

function fits({ memory, kinds }: EvaluationContext, change: Import, rules: readonly Rule[]): boolean {
  const { personId, watches, mutes, chats, most } = change
  const { watchesOf, followsOf, rulesOf, all } = memory.rules
  const own = watches.filter(({ as }) => as === 'own').length
  const here = [...rulesOf.of(personId).values()]
  const set = [...here, ...rules].filter(({ armedByWatch }) => !armedByWatch).length
  const isTheirs = (chatId: number) => memory.people.chats.get(chatId)?.personId === personId
  const isNew = (rule: Rule) => !all.has(rule.id) && !here.some((one) => sameRule(kinds, one, rule))
  const added = {
    own,
    followed: watches.length - own,
    set: set - here.filter((one) => !one.armedByWatch).length,
  }
  return (
    watches.every(({ wallet }) => memory.rules.watches.get(wallet, personId) === undefined) &&
    rules.every(isNew) &&
    [...chats, ...mutes, ...rules].every(({ chatId }) => isTheirs(chatId)) &&
    (added.own === 0 || watchesOf.of(personId).size + added.own <= most.wallets) &&
    (added.followed === 0 || followsOf.of(personId).size + added.followed <= most.followed) &&
    (added.set === 0 || set <= most.rules)
  )
}

/** Each chat once, with all that the import sets there. Settings made meanwhile stay. */
function chatsOf({ memory, now }: EvaluationContext, person: Person, { chats }: Import): Chat[] {
  return chats.flatMap(({ chatId, quiet, digest, weekly }): Chat[] => {
    const chat = memory.people.chats.get(chatId)
    if (!chat) return []
    const own = chat.private ? privateChats(memory, person.id) : [chat]
    const hasDigest = own.some((one) => one.digest !== null)
    const hasWeekly = own.some((one) => one.weekly !== null)
    return [
      {
        ...chat,
        quiet: chat.quiet ?? quiet,
        digest: digest === null || hasDigest ? chat.digest : { minute: digest, after: now, told: null },
        weekly: weekly === null || hasWeekly ? chat.weekly : { ...weekly, after: now, moneyUntil: null },
      },
    ]
  })
}
