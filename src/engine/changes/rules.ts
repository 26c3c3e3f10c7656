import { findKind, type Rule, sameRule } from '../../alert/alert.ts'
import type { GuardId, GuardKey } from '../../alert/monitor.ts'
import type { Change, RuleDraft } from '../../store/change.ts'
import { feedKey } from '../../venue/source.ts'
import type { Owner } from '../../venue/wallet.ts'
import { endOf } from '../evaluate/ended-monitors.ts'
import type { Effect } from '../memory/effect.ts'
import type { Look } from '../monitors/context.ts'
import { covers, guardNamed } from '../monitors/monitors.ts'
import { ordersUnheard } from '../monitors/subject-inputs.ts'
import { type Decided, doing, nothing, together } from './decided.ts'

export function watch(look: Look, { personId, owner, label, chatId, arm }: Of<'watch'>): Decided {
  const { memory, now } = look
  const since = memory.watches.of(owner).get(personId)?.since ?? now
  const rules = arm.map((draft) => drafted(look, personId, chatId, draft))
  const made: Effect = { is: 'watch', watch: { personId, owner, label, since } }
  return doing([made, ...rules.map((rule): Effect => ({ is: 'rule', rule }))], rules)
}

/** A rule of this kind, identity, scope and chat that exists already is changed; else it gets a number of its own. */
export function drafted({ memory, kinds }: Look, personId: number, chatId: number, draft: RuleDraft): Rule {
  const identity = findKind(kinds, draft.kind)?.identity(draft.params) ?? ''
  const own = [...memory.rulesOf.of(personId).values()]
  const same = own.find((rule) => sameRule(kinds, rule, { ...draft, chatId }))
  return { ...draft, identity, id: same?.id ?? ++memory.last.rule, personId, chatId }
}

export function setRule(rule: Rule): Decided {
  return doing([{ is: 'rule', rule }], [rule])
}

/** What no other rule stands behind goes with them; what others cover as well is judged by those alone. */
export function dropRules(look: Look, rules: readonly Rule[]): Decided {
  const gone = new Set(rules.map(({ id }) => id))
  const over = new Map<GuardKey, GuardId>()
  const remaining = new Set<Rule>()
  for (const rule of rules) {
    for (const [key, guard] of look.memory.guardsIn.of(rule.chatId)) {
      if (guard.kind !== rule.kind || guard.identity !== rule.identity) continue
      const left = guardNamed(look, guard, gone)
      if (left === null) over.set(key, guard)
      else if (covers(look, rule, guard.subject)) for (const one of left.rules) remaining.add(one)
    }
  }
  return doing(
    [
      ...[...over].flatMap(([key, guard]) => endOf(look, key, guard)),
      ...ordersUnheard(look.memory, rules),
      ...rules.map(({ id }): Effect => ({ is: 'rule-gone', ruleId: id })),
    ],
    [...remaining],
  )
}

/** The rules that were armed with the watch, or made for this wallet alone, go with it. */
export function unwatch(look: Look, { personId, owner }: Of<'unwatch'>): Decided {
  if (!look.memory.watches.of(owner).has(personId)) return nothing()
  const own = [...look.memory.rulesOf.of(personId).values()].filter((rule) => rule.owner === owner)
  return together(dropRules(look, own), leave(look, { personId, owner }))
}

/** The watch alone: in a private chat nothing speaks of a wallet that its person no longer watches. */
export function leave(look: Look, { personId, owner }: { personId: number; owner: Owner }): Decided {
  const { memory } = look
  const over = [...memory.guardsOf.of(owner)].filter(([, { chatId }]) => {
    const chat = memory.chats.get(chatId)
    return chat?.private === true && chat.personId === personId
  })
  const isLast = memory.watches.of(owner).size <= 1
  const feeds = [feedKey({ is: 'owner', owner }), ...memory.accountFeeds.of(owner).keys()]
  // Nobody is told of its return: a start would take it for a wallet that is still blind.
  const untold = feeds.flatMap((feed) =>
    [...memory.told.of(feed).keys()].flatMap((chatId) => {
      const chat = memory.chats.get(chatId)
      const isTheirs = isLast || (chat?.private === true && chat.personId === personId)
      return isTheirs ? [{ is: 'feed-gone', feed, chatId } as const] : []
    }),
  )
  return doing([
    ...over.flatMap(([key, guard]) => endOf(look, key, guard)),
    { is: 'unwatch', personId, owner },
    ...untold,
    ...(isLast
      ? ([{ is: 'owner-gone', owner }, ...feeds.map((feed) => ({ is: 'unwanted', feed }) as const)] as const)
      : []),
  ])
}

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>
