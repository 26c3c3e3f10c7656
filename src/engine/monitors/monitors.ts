import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { type GuardId, type GuardKey, guardKey } from '../../alert/monitor.ts'
import { type SubjectId, subjectOfPosition } from '../../alert/subject-id.ts'
import type { Owner } from '../../venue/wallet.ts'
import { poolsOf } from '../memory/accounts.ts'
import type { Memory } from '../memory/memory.ts'
import { type Look, positionsOf, viewOf } from './context.ts'

/** A guard with the rules that stand behind it now. */
export interface Guard {
  key: GuardKey
  id: GuardId
  kind: Kind
  /** Oldest first. */
  rules: readonly [Rule, ...Rule[]]
  /** What all of them ask for together. */
  params: unknown
  /** That of the least patient of them. */
  holdMs: number
}

/** The guard of this name; null when no rule covers its subject any more, other than those `without`. */
export function guardNamed(look: Look, id: GuardId, without?: ReadonlySet<number>): Guard | null {
  const kind = findKind(look.kinds, id.kind)
  if (kind?.on !== id.subject.is) return null
  const rules: Rule[] = []
  // A chat may have hundreds, and each reading asks for each guard of its wallet.
  for (const rule of look.memory.rulesIn.of(id.chatId).values()) {
    if (rule.kind !== id.kind || rule.identity !== id.identity || without?.has(rule.id)) continue
    if (covers(look, rule, id.subject)) rules.push(rule)
  }
  return guardBehind(guardKey(id), id, kind, rules)
}

/** The guard of all rules that there are of its kind over its subject in its chat; null without any. */
function guardBehind(key: GuardKey, id: GuardId, kind: Kind, rules: Rule[]): Guard | null {
  const [first, ...others] = rules.length > 1 ? rules.sort((a, b) => a.id - b.id) : rules
  if (!first) return null
  if (others.length === 0)
    return { key, id, kind, rules: [first], params: first.params, holdMs: first.holdMs }
  const params = kind.merge([first.params, ...others.map((rule) => rule.params)])
  const holdMs = Math.min(first.holdMs, ...others.map((rule) => rule.holdMs))
  return { key, id, kind, rules: [first, ...others], params, holdMs }
}

/** All that is judged of an owner: its positions, the accounts behind them, the markets it is in for rules that name it, itself. */
export function guardsOfOwner(look: Look, owner: Owner): Guard[] {
  const found = new Map<GuardKey, { id: GuardId; kind: Kind; rules: Rule[] }>()
  for (const rule of rulesOverOwner(look.memory, owner)) {
    const kind = findKind(look.kinds, rule.kind)
    if (!kind) continue
    for (const id of idsOfRule(look, rule, [owner])) {
      const key = guardKey(id)
      const known = found.get(key)
      if (known) known.rules.push(rule)
      else found.set(key, { id, kind, rules: [rule] })
    }
  }
  return [...found].flatMap(([key, { id, kind, rules }]) => {
    // Behind one that is about a market there may be rules that name no wallet.
    const guard = id.subject.is === 'market' ? guardNamed(look, id) : guardBehind(key, id, kind, rules)
    return guard ?? []
  })
}

/** What rules without a wallet judge of a market. */
export function guardsOfMarket(look: Look, marketId: string): Guard[] {
  const { rulesOn } = look.memory
  const rules = [...rulesOn.of(marketId).values(), ...rulesOn.of(null).values()]
  const subject: SubjectId = { is: 'market', marketId }
  return guardsOf(
    look,
    rules
      .filter(({ owner, kind }) => owner === null && findKind(look.kinds, kind)?.on === 'market')
      .map((rule) => idOf(rule, subject)),
  )
}

/** What rules about the venue judge. */
export function guardsOfVenue(look: Look): Guard[] {
  const rules = [...look.memory.rulesOn.of(null).values()]
  return guardsOfRules(
    look,
    rules.filter(({ kind }) => findKind(look.kinds, kind)?.on === 'venue'),
  )
}

export function guardsOfRules(look: Look, rules: readonly Rule[]): Guard[] {
  return guardsOf(
    look,
    rules.flatMap((rule) => {
      const on = findKind(look.kinds, rule.kind)?.on
      if (on === 'venue') return [idOf(rule, { is: 'venue' })]
      if (on !== 'market' || rule.owner !== null)
        return idsOfRule(look, rule, ownersOfRule(look.memory, rule))
      const marketIds = rule.market === null ? [...look.memory.markets.keys()] : [rule.market.id]
      return marketIds.map((marketId) => idOf(rule, { is: 'market', marketId }))
    }),
  )
}

/** The wallets that a rule speaks of. In a shared chat nothing of a person's is told but the wallet named for it. */
export function ownersOfRule(memory: Memory, { owner, personId, chatId }: Rule): Owner[] {
  if (owner !== null) return [owner]
  return memory.chats.get(chatId)?.private === false ? [] : [...memory.watchesOf.of(personId).keys()]
}

/** The rules that speak of a wallet: those that name it, and in private chats those for all wallets of a watcher. */
export function rulesOverOwner(memory: Memory, owner: Owner): Rule[] {
  const rules = [...memory.rulesOver.valuesOf(owner)]
  for (const personId of memory.watches.keysOf(owner)) {
    for (const rule of memory.rulesOf.valuesOf(personId))
      if (rule.owner === null && memory.chats.get(rule.chatId)?.private !== false) rules.push(rule)
  }
  return rules
}

export function covers(look: Look, rule: Rule, subject: SubjectId): boolean {
  if (subject.is === 'venue') return true
  if (subject.is === 'market') {
    if (rule.market !== null && rule.market.id !== subject.marketId) return false
    return (
      rule.owner === null ||
      positionsOf(look, rule.owner).some(({ marketId }) => marketId === subject.marketId)
    )
  }
  if (subject.is === 'position' && rule.market !== null && rule.market.id !== subject.marketId) return false
  return coversOwner(look.memory, rule, subject.owner)
}

export function coversOwner(
  { chats, watches }: Memory,
  { owner, chatId, personId }: Rule,
  of: Owner,
): boolean {
  if (owner !== null) return owner === of
  return chats.get(chatId)?.private !== false && watches.of(of).has(personId)
}

function idsOfRule(look: Look, rule: Rule, owners: readonly Owner[]): GuardId[] {
  const on = findKind(look.kinds, rule.kind)?.on
  if (on === undefined) return []
  if (on === 'owner') return owners.map((owner) => idOf(rule, { is: 'owner', owner }))
  if (on === 'account') return owners.flatMap((owner) => accountsOf(look, rule, owner))
  const held = owners.flatMap((owner) => positionsOf(look, owner))
  const mine = held.filter(({ marketId }) => rule.market === null || rule.market.id === marketId)
  if (on === 'position') return mine.map((position) => idOf(rule, subjectOfPosition(position)))
  return rule.owner === null ? [] : mine.map(({ marketId }) => idOf(rule, { is: 'market', marketId }))
}

function accountsOf(look: Look, rule: Rule, owner: Owner): GuardId[] {
  const view = viewOf(look, owner)
  const pools = view ? poolsOf(view) : []
  return pools.map((accountId) => idOf(rule, { is: 'account', owner, accountId }))
}

function idOf({ chatId, kind, identity }: Rule, subject: SubjectId): GuardId {
  return { chatId, kind, identity, subject }
}

/** Each guard once, however many rules lead to it. */
function guardsOf(look: Look, ids: readonly GuardId[]): Guard[] {
  const all = new Map<GuardKey, Guard>()
  for (const id of ids) {
    const key = guardKey(id)
    if (all.has(key)) continue
    const guard = guardNamed(look, id)
    if (guard) all.set(key, guard)
  }
  return [...all.values()]
}
