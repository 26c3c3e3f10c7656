import type { Rule } from '../alert.ts'
import { sameAddress } from '../chat.ts'
import { item, message } from '../message.ts'
import type { Chat, Person } from '../person.ts'
import type { Change, RuleDraft, Write } from '../store.ts'
import { addRule, addWatch, dropRule, forgetKey, splitKey } from './memory.ts'
import type { Memory } from './memory.ts'

/** What a change asked for by people or platforms does: decided on the memory as it is, done after the commit. */
export interface Decided {
  writes: Write[]
  apply(): void
  /** Rules that are new or other than before: they are judged at once. */
  rules: Rule[]
}

export function decideChange(memory: Memory, change: Change, now: number): Decided {
  switch (change.is) {
    case 'meet':
      return meet(memory, change)
    case 'watch': {
      const { personId, owner, label, chatId } = change
      const watch = { personId, owner, label, since: memory.watches.get(owner)?.get(personId)?.since ?? now }
      const rules = change.arm.map((draft) => drafted(memory, personId, chatId, draft))
      return {
        writes: [{ is: 'watch', watch }, ...rules.map((rule): Write => ({ is: 'rule', rule }))],
        rules,
        apply() {
          addWatch(memory, watch)
          for (const rule of rules) addRule(memory, rule)
        },
      }
    }
    case 'unwatch':
      return unwatch(memory, change.personId, change.owner, now)
    case 'rule': {
      const rule = drafted(memory, change.personId, change.chatId, change.draft)
      return setRule(memory, rule, now)
    }
    case 'remove': {
      const rule = memory.rules.get(change.ruleId)
      return rule?.personId === change.personId ? dropRules(memory, [rule], now) : nothing()
    }
    case 'chat-broken':
    case 'chat-back':
    case 'chat-moved': {
      const chat = memory.chats.get(change.chatId)
      if (!chat) return nothing()
      const brokenBecause = change.is === 'chat-broken' ? change.why : null
      const address = change.is === 'chat-moved' ? change.to : chat.address
      const tells = brokenBecause !== null && chat.brokenBecause === null
      const words = `I cannot write to ${chatName(chat)} any more: ${brokenBecause}`
      return putChat(
        memory,
        { ...chat, brokenBecause, address },
        tells ? elsewhere(memory, chat, words, now) : [],
      )
    }
    case 'undeliverable': {
      const chat = memory.chats.get(change.chatId)
      if (!chat) return nothing()
      const alerts = change.alertIds.map((id) => `A${id}`).join(', ') || 'a message'
      const words = `${alerts} could not be sent to ${chatName(chat)}: ${change.why}. Look at /why or /status.`
      return { ...nothing(), writes: elsewhere(memory, chat, words, now) }
    }
  }
}

function nothing(): Decided {
  return { writes: [], rules: [], apply() {} }
}

/** Tells the person of a chat, or else the operator, on another chat that works. */
function elsewhere(memory: Memory, chat: Chat, words: string, now: number): Write[] {
  const works = (one: Chat) => one.id !== chat.id && one.brokenBecause === null && one.private
  const chats = [...memory.chats.values()].filter(works)
  const to =
    chats.find(({ personId }) => personId === chat.personId) ??
    chats.find(({ personId }) => memory.persons.get(personId)?.operator)
  if (!to) return []
  const row = {
    id: ++memory.last.row,
    chatId: to.id,
    urgency: 1 as const,
    silent: false,
    message: message([item('blind', words)]),
    alertIds: [],
    queuedAt: now,
    expiresAt: null,
  }
  return [{ is: 'send', row }]
}

function chatName({ address: { platform, chat, thread } }: Chat): string {
  return `${platform} chat ${chat}${thread === null ? '' : ` (topic ${thread})`}`
}

function putChat(memory: Memory, chat: Chat, also: Write[]): Decided {
  return {
    writes: [{ is: 'chat', chat }, ...also],
    rules: [],
    apply: () => void memory.chats.set(chat.id, chat),
  }
}

/** Whoever sits at a local adapter is the operator; a second local adapter is the same person. */
function meet(memory: Memory, { by, chat: address }: Extract<Change, { is: 'meet' }>): Decided {
  const known = [...memory.persons.values()].find(({ identities }) =>
    identities.some(({ platform, user }) => platform === by.platform && user === by.user),
  )
  const person: Person = known ??
    [...memory.persons.values()].find(({ operator }) => operator) ?? {
      id: ++memory.last.person,
      operator: true,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      identities: [],
      defaultChat: null,
    }
  const chat: Chat = [...memory.chats.values()].find((one) => sameAddress(one.address, address)) ?? {
    id: ++memory.last.chat,
    address,
    personId: person.id,
    private: true,
    brokenBecause: null,
  }
  const met: Person = {
    ...person,
    identities: known ? person.identities : [...person.identities, by],
    defaultChat: person.defaultChat ?? chat.id,
  }
  return {
    writes: [
      { is: 'person', person: met },
      { is: 'chat', chat: { ...chat, brokenBecause: null } },
    ],
    rules: [],
    apply() {
      memory.persons.set(met.id, met)
      memory.chats.set(chat.id, { ...chat, brokenBecause: null })
    },
  }
}

/** A rule of this kind, scope and chat that exists already is changed; else it gets a number of its own. */
function drafted(memory: Memory, personId: number, chatId: number, draft: RuleDraft): Rule {
  const same = [...(memory.rulesOf.get(personId) ?? [])].find(
    (rule) =>
      rule.kind === draft.kind &&
      rule.chatId === chatId &&
      rule.owner === draft.owner &&
      rule.market?.id === draft.market?.id,
  )
  return { ...draft, id: same?.id ?? ++memory.last.rule, personId, chatId }
}

/** Changed parameters start new states. */
function setRule(memory: Memory, rule: Rule, now: number): Decided {
  const before = memory.rules.get(rule.id)
  const restarts = before !== undefined && JSON.stringify(before.params) !== JSON.stringify(rule.params)
  const stale = restarts ? [...(memory.keysOf.get(rule.id) ?? [])] : []
  return {
    writes: [{ is: 'rule', rule }, ...stale.flatMap((key) => endKey(memory, key, now))],
    rules: [rule],
    apply() {
      addRule(memory, rule)
      for (const key of stale) forgetKey(memory, key)
    },
  }
}

function endKey(memory: Memory, key: string, now: number): Write[] {
  const { state } = memory.states.get(key) ?? {}
  const { ruleId, subject } = splitKey(key)
  const writes: Write[] = []
  if (state) writes.push({ is: 'state-gone', ruleId, subject })
  if (state?.is === 'firing') writes.push({ is: 'alert-closed', alertId: state.alertId, at: now })
  if (memory.memos.has(key)) writes.push({ is: 'memo-gone', ruleId, subject })
  return writes
}

function dropRules(memory: Memory, rules: Rule[], now: number): Decided {
  const kinds = new Set(rules.map(({ kind }) => kind))
  const siblings = rules.flatMap(({ personId }) => [...(memory.rulesOf.get(personId) ?? [])])
  return {
    writes: rules.map(({ id }): Write => ({ is: 'rule-gone', ruleId: id, at: now })),
    // A wider rule takes over what a narrower one leaves.
    rules: siblings.filter((rule) => kinds.has(rule.kind) && !rules.includes(rule)),
    apply() {
      for (const rule of rules) {
        for (const key of memory.keysOf.get(rule.id) ?? []) forgetKey(memory, key)
        memory.keysOf.delete(rule.id)
        dropRule(memory, rule)
      }
    },
  }
}

/** The rules that were armed with the watch, or made for this wallet alone, go with it. */
function unwatch(memory: Memory, personId: number, owner: Rule['owner'] & string, now: number): Decided {
  const watchers = memory.watches.get(owner)
  if (!watchers?.has(personId)) return nothing()
  const all = [...(memory.rulesOf.get(personId) ?? [])]
  const own = all.filter((rule) => rule.owner === owner)
  const dropped = dropRules(memory, own, now)
  const last = watchers.size === 1
  const wide = all.filter((rule) => rule.owner === null).flatMap((rule) => ownerKeys(memory, rule, owner))
  return {
    writes: [
      ...dropped.writes,
      ...wide.flatMap((key) => endKey(memory, key, now)),
      { is: 'unwatch', personId, owner },
      ...(last ? [{ is: 'owner-gone', owner } as const] : []),
    ],
    rules: [],
    apply() {
      dropped.apply()
      for (const key of wide) forgetKey(memory, key)
      watchers.delete(personId)
      if (!last) return
      memory.watches.delete(owner)
      memory.owners.delete(owner)
      memory.danger.delete(owner)
      for (const feeds of [memory.sight, memory.trouble, memory.feeds]) feeds.delete(`owner/${owner}`)
    },
  }
}

function ownerKeys(memory: Memory, rule: Rule, owner: string): string[] {
  return [...(memory.keysOf.get(rule.id) ?? [])].filter((key) => key.includes(owner))
}
