import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { type MonitorId, type MonitorKey, monitorKey } from '../../alert/monitor.ts'
import { type SubjectId, subjectOfPosition } from '../../alert/subject-id.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { poolsOf } from '../memory/wallet-view.ts'
import type { Memory } from '../memory/memory.ts'
import { type EvaluationContext, positionsOf, viewOf } from './context.ts'

/** A monitor with the rules that stand behind it now. */
export interface Monitor {
  key: MonitorKey
  id: MonitorId
  kind: Kind
  /** Oldest first. */
  rules: readonly [Rule, ...Rule[]]
  /** The parameters of all its rules combined. */
  params: unknown
  /** The shortest hold time of its rules. */
  holdMs: number
}

/** The monitor of this id; null when no rule covers its subject any more, other than those `without`. */
export function monitorNamed(
  look: EvaluationContext,
  id: MonitorId,
  without?: ReadonlySet<number>,
): Monitor | null {
  const kind = findKind(look.kinds, id.kind)
  if (kind?.on !== id.subject.is) return null
  return monitorBehind(monitorKey(id), id, kind, rulesBehind(look, id, without))
}

/** The rules behind a monitor and their parameters combined, without its key; null without any. */
export function paramsNamed(
  look: EvaluationContext,
  id: MonitorId,
): Pick<Monitor, 'rules' | 'params'> | null {
  const kind = findKind(look.kinds, id.kind)
  return kind?.on === id.subject.is ? combined(kind, rulesBehind(look, id)) : null
}

function rulesBehind(look: EvaluationContext, id: MonitorId, without?: ReadonlySet<number>): Rule[] {
  const rules: Rule[] = []
  // A chat may have hundreds, and each reading asks for each monitor of its wallet.
  for (const rule of look.memory.rules.rulesIn.valuesOf(id.chatId)) {
    if (rule.kind !== id.kind || rule.identity !== id.identity || without?.has(rule.id)) continue
    if (covers(look, rule, id.subject)) rules.push(rule)
  }
  return rules
}

/** The monitor of all rules of its kind over its subject in its chat; null without any. */
function monitorBehind(key: MonitorKey, id: MonitorId, kind: Kind, rules: Rule[]): Monitor | null {
  const all = combined(kind, rules)
  if (all === null) return null
  const [{ holdMs }, ...others] = all.rules
  const { rules: behind, params } = all
  const shortest = others.length === 0 ? holdMs : Math.min(holdMs, ...others.map((rule) => rule.holdMs))
  return { key, id, kind, rules: behind, params, holdMs: shortest }
}

function combined(kind: Kind, rules: Rule[]): Pick<Monitor, 'rules' | 'params'> | null {
  const [first, ...others] = rules.length > 1 ? rules.sort((a, b) => a.id - b.id) : rules
  if (!first) return null
  if (others.length === 0) return { rules: [first], params: first.params }
  const params = kind.merge([first.params, ...others.map((rule) => rule.params)])
  return { rules: [first, ...others], params }
}

/**
 * All monitors of a wallet: of its positions, of the accounts behind them, of its markets for rules that name
 * it, of itself.
 */
export function monitorsOfWallet(look: EvaluationContext, wallet: Wallet): Monitor[] {
  const found = new Map<MonitorKey, { id: MonitorId; kind: Kind; rules: Rule[] }>()
  for (const rule of rulesOverWallet(look.memory, wallet)) {
    const kind = findKind(look.kinds, rule.kind)
    if (!kind) continue
    for (const id of idsOfRule(look, rule, [wallet])) {
      const key = monitorKey(id)
      const known = found.get(key)
      if (known) known.rules.push(rule)
      else found.set(key, { id, kind, rules: [rule] })
    }
  }
  return [...found].flatMap(([key, { id, kind, rules }]) => {
    // Behind one that is about a market there may be rules that name no wallet.
    const monitor = id.subject.is === 'market' ? monitorNamed(look, id) : monitorBehind(key, id, kind, rules)
    return monitor ?? []
  })
}

/** The monitors of rules without a wallet over these markets. */
export function monitorsOfMarkets(look: EvaluationContext, marketIds: readonly string[]): Monitor[] {
  const {
    rules: { rulesOn },
  } = look.memory
  const areOnMarkets = (rules: Iterable<Rule>) =>
    [...rules].filter(({ wallet, kind }) => wallet === null && findKind(look.kinds, kind)?.on === 'market')
  // Very many rules may name no market: they are gone through once, not once for each market.
  const onAll = areOnMarkets(rulesOn.valuesOf(null))
  return marketIds.flatMap((marketId) => {
    const subject: SubjectId = { is: 'market', marketId }
    const rules = [...areOnMarkets(rulesOn.valuesOf(marketId)), ...onAll]
    return monitorsOf(
      look,
      rules.map((rule) => idOf(rule, subject)),
    )
  })
}

/** The monitors of rules about the venue. */
export function monitorsOfVenue(look: EvaluationContext): Monitor[] {
  const rules = [...look.memory.rules.rulesOn.of(null).values()]
  return monitorsOfRules(
    look,
    rules.filter(({ kind }) => findKind(look.kinds, kind)?.on === 'venue'),
  )
}

export function monitorsOfRules(look: EvaluationContext, rules: readonly Rule[]): Monitor[] {
  return monitorsOf(
    look,
    rules.flatMap((rule) => {
      const on = findKind(look.kinds, rule.kind)?.on
      if (on === 'venue') return [idOf(rule, { is: 'venue' })]
      if (on !== 'market' || rule.wallet !== null)
        return idsOfRule(look, rule, walletsOfRule(look.memory, rule))
      const marketIds = rule.market === null ? [...look.memory.markets.readings.keys()] : [rule.market.id]
      return marketIds.map((marketId) => idOf(rule, { is: 'market', marketId }))
    }),
  )
}

/** The wallets that a rule speaks of. In a shared chat nothing of a person's is told but the wallet named for it. */
export function walletsOfRule(
  drawers: Pick<Memory, 'people' | 'rules'>,
  { wallet, personId, chatId }: Rule,
): Wallet[] {
  if (wallet !== null) return [wallet]
  return drawers.people.chats.get(chatId)?.private === false
    ? []
    : [...drawers.rules.watchesOf.of(personId).keys()]
}

/**
 * The rules that speak of a wallet: those that name it, and in private chats those for all wallets of a person who
 * owns it. They do not cover wallets that a person only follows.
 */
export function rulesOverWallet(drawers: Pick<Memory, 'people' | 'rules'>, wallet: Wallet): Rule[] {
  const rules = [...drawers.rules.rulesOver.valuesOf(wallet)]
  for (const { personId, as } of drawers.rules.watches.valuesOf(wallet)) {
    if (as === 'followed') continue
    for (const rule of drawers.rules.rulesOf.valuesOf(personId))
      if (rule.wallet === null && drawers.people.chats.get(rule.chatId)?.private !== false) rules.push(rule)
  }
  return rules
}

export function covers(look: EvaluationContext, rule: Rule, subject: SubjectId): boolean {
  if (subject.is === 'venue') return true
  if (subject.is === 'market') {
    if (rule.market !== null && rule.market.id !== subject.marketId) return false
    return (
      rule.wallet === null ||
      positionsOf(look, rule.wallet).some(({ marketId }) => marketId === subject.marketId)
    )
  }
  if (subject.is === 'position' && rule.market !== null && rule.market.id !== subject.marketId) return false
  return coversWallet(look.memory, rule, subject.wallet)
}

export function coversWallet(
  { people: { chats }, rules: { watchesOf } }: Pick<Memory, 'people' | 'rules'>,
  { wallet, chatId, personId }: Rule,
  of: Wallet,
): boolean {
  if (wallet !== null) return wallet === of
  return chats.get(chatId)?.private !== false && watchesOf.get(personId, of) !== undefined
}

function idsOfRule(look: EvaluationContext, rule: Rule, wallets: readonly Wallet[]): MonitorId[] {
  const on = findKind(look.kinds, rule.kind)?.on
  if (on === undefined) return []
  if (on === 'wallet') return wallets.map((wallet) => idOf(rule, { is: 'wallet', wallet }))
  if (on === 'account') return wallets.flatMap((wallet) => accountsOf(look, rule, wallet))
  const held = wallets.flatMap((wallet) => positionsOf(look, wallet))
  const mine = held.filter(({ marketId }) => rule.market === null || rule.market.id === marketId)
  if (on === 'position') return mine.map((position) => idOf(rule, subjectOfPosition(position)))
  return rule.wallet === null ? [] : mine.map(({ marketId }) => idOf(rule, { is: 'market', marketId }))
}

function accountsOf(look: EvaluationContext, rule: Rule, wallet: Wallet): MonitorId[] {
  const view = viewOf(look, wallet)
  const pools = view ? poolsOf(view) : []
  return pools.map((accountId) => idOf(rule, { is: 'account', wallet, accountId }))
}

function idOf({ chatId, kind, identity }: Rule, subject: SubjectId): MonitorId {
  return { chatId, kind, identity, subject }
}

/** Each monitor once, however many rules lead to it. */
function monitorsOf(look: EvaluationContext, ids: readonly MonitorId[]): Monitor[] {
  const all = new Map<MonitorKey, Monitor>()
  for (const id of ids) {
    const key = monitorKey(id)
    if (all.has(key)) continue
    const monitor = monitorNamed(look, id)
    if (monitor) all.set(key, monitor)
  }
  return [...all.values()]
}
