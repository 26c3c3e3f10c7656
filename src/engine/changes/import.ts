import { type Rule, sameRule } from '../../alert/alert.ts'
import { words } from '../../message/message.ts'
import type { Chat } from '../../people/chat.ts'
import type { Person } from '../../people/person.ts'
import type { Change } from '../../store/change.ts'
import type { Effect } from '../memory/effect.ts'
import { privateChats } from '../memory/people.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { type Decided, doing, nothing } from './decided.ts'
import { drafted } from './rules.ts'

type Import = Extract<Change, { is: 'import' }>

/**
 * Takes over what a person had in another Perch: all of it in one commit, or nothing. The plan was made a moment ago, so
 * anything that no longer fits refuses it. It only adds: no rule, wallet or mute that is here is changed.
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

/** Each chat once, with all that the import sets there. What has been set meanwhile stays. */
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
