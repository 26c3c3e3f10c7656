import type { Kind, Rule } from '../../alert/alert.ts'
import type { ChosenPreset, PresetDraft } from '../../alert/preset.ts'
import { joined, type Text, words } from '../../message/message.ts'
import type { Watch } from '../../people/person.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { ruleText } from '../shared/rule-lines.ts'
import { walletName } from '../shared/wallet-names.ts'

const LIQUIDATION = 'liquidation-distance'
/** More names than this would fill the screen of a phone. */
const NAMED = { rules: 4, wallets: 2 }

/** One kind of alert before and after a preset, in the wallets that had the same. Null: it was, or is, off. */
interface PresetChange {
  kind: Kind
  from: Text | null
  to: Text | null
  wallets: readonly Wallet[]
  /** The numbers of the person's own rules of this kind that go on in all of these wallets. */
  own: readonly number[]
}

/** The rules that presets have armed, and that nobody has changed since. */
export function presetRules(rules: readonly Rule[]): PresetDraft[] {
  return rules.flatMap((rule) => {
    const { kind, params, holdMs, wallet, chatId, market } = rule
    return isOwn(rule) || wallet === null || market !== null ? [] : [{ kind, params, holdMs, wallet, chatId }]
  })
}

/** The same rules as they were before the last preset. */
export function rulesBefore(
  { changed, added, gone }: NonNullable<ChosenPreset['before']>,
  rules: readonly Rule[],
): PresetDraft[] {
  const was = new Map(changed.flatMap(({ ids, ...settings }) => ids.map((id) => [id, settings] as const)))
  const isNew = new Set(added)
  const old = rules.flatMap((rule) => (isNew.has(rule.id) ? [] : [{ ...rule, ...was.get(rule.id) }]))
  return [...presetRules(old), ...gone]
}

/** Compares by kind and wallet: a kind may need another rule for other figures. */
export function presetChanges(
  kinds: readonly Kind[],
  before: readonly PresetDraft[],
  rules: readonly Rule[],
): PresetChange[] {
  const keyOf = ({ kind, wallet, chatId }: PresetDraft) => `${kind} ${wallet} ${chatId}`
  const [was, is] = [before, presetRules(rules)].map((all) => new Map(all.map((one) => [keyOf(one), one])))
  const found = new Map<string, PresetChange & { wallets: Wallet[] }>()
  for (const kind of kinds)
    for (const key of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
      const [old, now] = [was?.get(key), is?.get(key)]
      const one = now ?? old
      if (one?.kind !== kind.name) continue
      const [from = null, to = null] = [old, now].map((draft) => (draft ? settingsText(kind, draft) : null))
      if (JSON.stringify(from) === JSON.stringify(to)) continue
      const own = ownOf(rules, kind, one.wallet)
      const alike = JSON.stringify([kind.name, from, to, own])
      const before = found.get(alike)
      if (before) before.wallets.push(one.wallet)
      else found.set(alike, { kind, from, to, own, wallets: [one.wallet] })
    }
  return [...found.values()]
}

/** `Liquidation in hedge: at 20 / 10% → at 8 / 4%`. Wallets are named where it is not all of them. */
export function changeText({ kind, from, to, wallets, own }: PresetChange, watches: readonly Watch[]): Text {
  const named = kindName(kind.name)
  const names = namesOf(wallets, watches)
  const where =
    new Set(wallets).size >= watches.length ? named : words('preset.kind.in', { kind: named, wallets: names })
  const rules = own.map((id) => `R${id}`).join(', ')
  const off = words('preset.kind.off')
  if (own.length > 0 && (from === null || to === null)) return words('preset.kept', { kind: where, rules })
  const change = words('preset.change', { kind: where, from: from ?? off, to: to ?? off })
  return own.length === 0 ? change : words('preset.change.beside', { change, rules })
}

/** `On now: PnL, Fills · Also changed: Margin, Size`. Kinds that an own rule keeps on are not said to be off. */
export function alsoChanged(changes: readonly PresetChange[]): Text[] {
  const told = changes.filter(({ from, to, own }) => own.length === 0 || (from !== null && to !== null))
  const names = (all: readonly PresetChange[]) =>
    joined(
      [...new Set(all.map(({ kind }) => kind.name))].map((name) => kindName(name)),
      ', ',
    )
  const [on, off, other] = [
    told.filter(({ from }) => from === null),
    told.filter(({ to }) => to === null),
    told.filter(({ from, to }) => from !== null && to !== null),
  ]
  const parts = [
    ...(on.length > 0 ? [words('preset.also.on', { kinds: names(on) })] : []),
    ...(off.length > 0 ? [words('preset.also.off', { kinds: names(off) })] : []),
    ...(other.length > 0 ? [words('preset.also', { kinds: names(other) })] : []),
  ]
  return parts.length === 0 ? [] : [joined(parts, ' · ')]
}

/** Names the rules that people have set themselves, with their kinds: no preset touches them. */
export function ownLines(rules: readonly Rule[]): Text[] {
  const isNamed = ({ kind }: Rule) => NAMED_KINDS.some((name) => name === kind)
  const own = rules.filter(isOwn).toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))
  if (own.length === 0) return []
  const named = own
    .slice(0, NAMED.rules)
    .map(({ id, kind }) => words('preset.own.rule', { rule: `R${id}`, kind: kindName(kind) }))
  const more = own.length - named.length
  const all = joined(named, ', ')
  const names = more > 0 ? joined([all, words('rule.more', { more })], ' ') : all
  return [words('preset.own', { n: own.length, rules: names })]
}

/** A guarded wallet without a liquidation alert: in any market, or in all but the named ones. */
interface BareWallet {
  wallet: Wallet
  markets: readonly string[]
}

/** No preset arms again what a person has removed. So these wallets lie open under every preset. */
export function bareWallets(rules: readonly Rule[], watches: readonly Watch[]): BareWallet[] {
  const liquidation = rules.filter(({ kind }) => kind === LIQUIDATION)
  const forAll = liquidation.filter(({ wallet }) => wallet === null)
  const byWallet = Map.groupBy(liquidation, ({ wallet }) => wallet)
  return watches.flatMap(({ wallet }) => {
    const here = [...forAll, ...(byWallet.get(wallet) ?? [])]
    if (here.some(({ market }) => market === null)) return []
    return [{ wallet, markets: [...new Set(here.flatMap(({ market }) => market?.symbol ?? []))] }]
  })
}

/** `⚠ main has no liquidation alert`. */
export function bareText(bare: readonly BareWallet[], watches: readonly Watch[]): Text {
  const [one] = bare
  const names = namesOf(
    bare.map(({ wallet }) => wallet),
    watches,
  )
  return bare.length === 1 && one && one.markets.length > 0
    ? words('preset.bare.outside', { wallet: names, markets: one.markets.join(', ') })
    : words('preset.bare', { n: bare.length, wallets: names })
}

/** The thresholds in words; `on` for a kind that has none. */
export function settingsText(kind: Kind, { params, holdMs }: Pick<Rule, 'params' | 'holdMs'>): Text {
  const none = { id: 0, personId: 0, chatId: 0, identity: '', wallet: null, market: null }
  const said = ruleText({ ...none, armedByWatch: true, kind: kind.name, params, holdMs }, kind)
  return said === '' ? words('preset.kind.on') : said
}

const NAMED_KINDS = [
  ...([LIQUIDATION, 'margin-ratio', 'pnl', 'position-resized'] as const),
  ...(['position-opened', 'position-closed', 'order-filled', 'funding-flip'] as const),
] as const

/** A kind in a word for people; one that no preset sets has its own name. */
export function kindName(name: string): Text {
  const kind = NAMED_KINDS.find((one) => one === name)
  return kind === undefined ? name : words('preset.kind.name', { kind })
}

const isOwn = ({ armedByWatch, setBy }: Rule) => !armedByWatch || setBy !== undefined

function ownOf(rules: readonly Rule[], { name }: Kind, wallet: Wallet): number[] {
  return rules.flatMap((rule) => {
    const isHere = rule.market === null && (rule.wallet === null || rule.wallet === wallet)
    return isOwn(rule) && rule.kind === name && isHere ? [rule.id] : []
  })
}

function namesOf(wallets: readonly Wallet[], watches: readonly Watch[]): Text {
  const all = [...new Set(wallets)]
  const named = all.slice(0, NAMED.wallets).map((wallet) => walletName(wallet, watches))
  const more = all.length - named.length
  return more > 0 ? joined([named.join(', '), words('rule.more', { more })], ' ') : named.join(', ')
}
