import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { createKeyed, type Grouped, type Keyed } from '../../lib/data/grouped.ts'
import type { Watch } from '../../people/person.ts'
import type { Snapshot } from '../../store/snapshot.ts'
import { type Wallet, shortWallet } from '../../venue/wallet.ts'
import type { Law, ReadOnly } from './effect.ts'
import type { Markets } from './markets.ts'

/** The wallets that people watch, and their rules. */
export interface Rules {
  /** By wallet, then by person: everybody for whom it is read. */
  watches: Grouped<Wallet, number, Watch>
  /** By person: their own wallets, and those that they follow. No wallet is in both. */
  watchesOf: Grouped<number, Wallet, Watch>
  followsOf: Grouped<number, Wallet, Watch>
  /** The wallets that are read for followers alone. */
  onlyFollowed: Set<Wallet>
  all: Map<number, Rule>
  /** By person, by chat, by wallet, and by market. A rule without wallet and market stands under the market null. */
  rulesOf: Keyed<number, number, Rule>
  rulesIn: Keyed<number, number, Rule>
  rulesOver: Keyed<Wallet, number, Rule>
  rulesOn: Keyed<string | null, number, Rule>
}

export function createRules(): Rules {
  return {
    watches: createKeyed(({ personId }) => personId),
    watchesOf: createKeyed(({ wallet }) => wallet),
    followsOf: createKeyed(({ wallet }) => wallet),
    onlyFollowed: new Set(),
    all: new Map(),
    rulesOf: createKeyed(({ id }) => id),
    rulesIn: createKeyed(({ id }) => id),
    rulesOver: createKeyed(({ id }) => id),
    rulesOn: createKeyed(({ id }) => id),
  }
}

type Kinds = 'watch' | 'unwatch' | 'rule' | 'rule-gone'

export const rulesLaw: Law<Rules, Kinds, { markets: Markets }> = {
  watch(rules, { watch }) {
    const { personId, wallet } = watch
    const isFirst = !rules.watches.has(wallet)
    const before = rules.watches.get(wallet, personId)
    const [own, other] =
      watch.as === 'own' ? [rules.watchesOf, rules.followsOf] : [rules.followsOf, rules.watchesOf]
    rules.watches.put(wallet, personId, watch)
    own.put(personId, wallet, watch)
    other.drop(personId, wallet)
    if (watch.as === 'own') rules.onlyFollowed.delete(wallet)
    else if (isFirst) rules.onlyFollowed.add(wallet)
    else if (before?.as === 'own') noteOwnerGone(rules, wallet)
  },
  unwatch(rules, { personId, wallet }) {
    const before = rules.watches.get(wallet, personId)
    rules.watches.drop(wallet, personId)
    rules.watchesOf.drop(personId, wallet)
    rules.followsOf.drop(personId, wallet)
    if (before?.as === 'own' || !rules.watches.has(wallet)) noteOwnerGone(rules, wallet)
  },
  rule(rules, { rule }, { markets }) {
    const { id, personId, chatId, wallet, market } = rule
    const before = rules.all.get(id)
    const isInPlace = before !== undefined && sameShelves(before, rule)
    if (before && !isInPlace) dropRule(rules, before)
    rules.all.set(id, rule)
    const put = <Group>(shelf: Keyed<Group, number, Rule>, group: Group) =>
      isInPlace ? shelf.put(group, id, rule) : shelf.add(group, rule)
    put(rules.rulesOf, personId)
    put(rules.rulesIn, chatId)
    if (wallet !== null) put(rules.rulesOver, wallet)
    if (market !== null || wallet === null) put(rules.rulesOn, market?.id ?? null)
    // Very many rules are about the same few markets.
    if (market === null || markets.symbols.get(market.id) === market.symbol) return []
    return [{ is: 'symbols', symbols: { [market.id]: market.symbol } }]
  },
  'rule-gone'(rules, { ruleId }) {
    const rule = rules.all.get(ruleId)
    if (rule) dropRule(rules, rule)
  },
}

/** Looks whether another owner is left. A start puts watches alone: many may share a wallet, so it must not come here. */
function noteOwnerGone(rules: Rules, wallet: Wallet): void {
  rules.onlyFollowed.delete(wallet)
  if (!rules.watches.has(wallet)) return
  for (const { as } of rules.watches.valuesOf(wallet)) if (as === 'own') return
  rules.onlyFollowed.add(wallet)
}

/** Whether the indexes have both in the same places. */
function sameShelves(a: Rule, b: Rule): boolean {
  return (
    a.personId === b.personId &&
    a.chatId === b.chatId &&
    a.wallet === b.wallet &&
    a.market?.id === b.market?.id
  )
}

function dropRule(rules: Rules, { id, personId, chatId, wallet, market }: Rule): void {
  rules.all.delete(id)
  rules.rulesOf.drop(personId, id)
  rules.rulesIn.drop(chatId, id)
  if (wallet !== null) rules.rulesOver.drop(wallet, id)
  rules.rulesOn.drop(market?.id ?? null, id)
}

/** Whether somebody watches it as their own. One that has followers alone takes no place of a guarded one. */
export function isOwned({ rules }: { rules: ReadOnly<Rules> }, wallet: Wallet): boolean {
  return rules.watches.has(wallet) && !rules.onlyFollowed.has(wallet)
}

/** Whether a rule is about a wallet that its person only follows: nobody is alarmed by such a rule. */
export function isOfFollowed({ rules }: { rules: ReadOnly<Rules> }, { personId, wallet }: Rule): boolean {
  return wallet !== null && rules.followsOf.get(personId, wallet) !== undefined
}

export function walletLabel({ rules }: { rules: ReadOnly<Rules> }, personId: number, wallet: Wallet): string {
  return rules.watches.get(wallet, personId)?.label ?? shortWallet(wallet)
}

/** Rules of an earlier version have what was added since as who leaves it out has it. */
export function withDefaults(kinds: readonly Kind[], remembered: Snapshot): Snapshot {
  // Most rules share what they ask for, and go on doing so.
  const known = new Map<string, Map<unknown, unknown>>()
  const completed = ({ kind: name, params }: Rule): unknown => {
    const kind = findKind(kinds, name)
    if (!kind || typeof params !== 'object' || params === null) return params
    const has = Object.keys(params)
    if (Object.keys(kind.params.shape).every((field) => has.includes(field))) return params
    const own = known.get(name) ?? new Map<unknown, unknown>()
    known.set(name, own)
    if (!own.has(params)) {
      const read = kind.params.safeParse(params)
      own.set(params, read.success ? read.data : params)
    }
    return own.get(params)
  }
  for (const rule of remembered.rules) rule.params = completed(rule)
  return remembered
}
