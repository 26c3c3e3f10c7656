import type { Rule } from '../../alert.ts'
import type { Owner } from '../../owner.ts'
import type { RuleDraft, Write } from '../../store.ts'
import { addRule, addWatch, dropRule, endOfKey, forgetKey } from '../memory.ts'
import type { Memory } from '../memory.ts'
import { nothing } from './decided.ts'
import type { Decided } from './decided.ts'

interface NewWatch {
  personId: number
  chatId: number
  owner: Owner
  label: string
  arm: RuleDraft[]
}

export function watch(
  memory: Memory,
  { personId, owner, label, chatId, arm }: NewWatch,
  now: number,
): Decided {
  const since = memory.watches.get(owner)?.get(personId)?.since ?? now
  const rules = arm.map((draft) => drafted(memory, personId, chatId, draft))
  const made = { personId, owner, label, since }
  return {
    writes: [{ is: 'watch', watch: made }, ...rules.map((rule): Write => ({ is: 'rule', rule }))],
    rules,
    refused: null,
    apply() {
      addWatch(memory, made)
      for (const rule of rules) addRule(memory, rule)
    },
  }
}

/** A rule of this kind, scope and chat that exists already is changed; else it gets a number of its own. */
export function drafted(memory: Memory, personId: number, chatId: number, draft: RuleDraft): Rule {
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
export function setRule(memory: Memory, rule: Rule, now: number): Decided {
  const before = memory.rules.get(rule.id)
  const restarts = before !== undefined && JSON.stringify(before.params) !== JSON.stringify(rule.params)
  const stale = restarts ? [...(memory.keysOf.get(rule.id) ?? [])] : []
  return {
    writes: [{ is: 'rule', rule }, ...stale.flatMap((key) => endOfKey(memory, key, now))],
    rules: [rule],
    refused: null,
    apply() {
      addRule(memory, rule)
      for (const key of stale) forgetKey(memory, key)
    },
  }
}

export function dropRules(memory: Memory, rules: Rule[], now: number): Decided {
  const kinds = new Set(rules.map(({ kind }) => kind))
  const siblings = rules.flatMap(({ personId }) => [...(memory.rulesOf.get(personId) ?? [])])
  return {
    writes: rules.map(({ id }): Write => ({ is: 'rule-gone', ruleId: id, at: now })),
    // A wider rule takes over what a narrower one leaves.
    rules: siblings.filter((rule) => kinds.has(rule.kind) && !rules.includes(rule)),
    refused: null,
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
export function unwatch(memory: Memory, personId: number, owner: Owner, now: number): Decided {
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
      ...wide.flatMap((key) => endOfKey(memory, key, now)),
      { is: 'unwatch', personId, owner },
      ...(last ? [{ is: 'owner-gone', owner } as const] : []),
    ],
    rules: [],
    refused: null,
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
