import { findKind, type Kind, type Rule, USUAL_HOLD_MS } from '../../alert/alert.ts'
import type { Context, View } from '../../command/context.ts'
import { skeleton } from '../../lib/text/legible.ts'
import type { Chat } from '../../people/chat.ts'
import { mutedKey, type Muted } from '../../people/mute.ts'
import type { Person, Watch } from '../../people/person.ts'
import type { Change, RuleDraft } from '../../store/change.ts'
import { shortWallet, type Wallet } from '../../venue/wallet.ts'
import { MAX_MUTE_MS } from '../alerts/mute.ts'
import { cleanLabel, shorterLabel } from '../shared/wallet-names.ts'
import { readZone } from '../you/zones.ts'
import { marketName } from './export-file.ts'
import { type Exported, type ExportedAlert, type ExportedMarket, paramsOf } from './form.ts'

type Import = Extract<Change, { is: 'import' }>

/** The effect of an import, and the entries that it leaves out. The same words are said before and after it. */
export interface Plan {
  change: Import
  /** Entries of the file that are here already. */
  known: { wallets: number; alerts: number }
  left: readonly Left[]
  /** Alerts of a group that is not bound here: they come to the private chat. By the group's name. */
  moved: ReadonlyMap<string, number>
  /** Alerts that /watch would arm for a new wallet, and that the file does not have. */
  unarmed: readonly { kind: string; label: string }[]
}

/** Why an entry of the file is left out. `of` names its kind, market or wallet, as the file has it. */
export interface Left {
  why:
    | 'kind'
    | 'market'
    | 'hidden'
    | 'params'
    | 'wallet'
    | 'wallets'
    | 'followed'
    | 'alerts'
    | 'other'
    | 'preset'
  of: string
}

type Given = Pick<Context, 'person' | 'view' | 'kinds' | 'limits' | 'read'> & { now: number; home: Chat }

/** Decides what of an export can be taken over here. Pure. */
export function planImport(exported: Exported, given: Given): Plan {
  const { person, view, kinds, limits, home } = given
  const left: Left[] = []
  const watches = watchesFrom(exported, given, left)
  const named = new Map([...view.named(person.id), ...watches.fresh].map((one) => [one.wallet, one.as]))
  const places = placesFrom(exported, given)
  const found = alertsFrom(exported, given, { named, places, left })
  const isKept = view.watches(person.id).length > 0
  const preset = isKept ? null : presetFrom(exported, person, kinds)
  if (isKept && exported.preset.name !== (person.preset?.name ?? 'normal'))
    left.push({ why: 'preset', of: exported.preset.name })
  return {
    change: {
      ...{ is: 'import', personId: person.id, chatId: home.id },
      settings: settingsFrom(exported, person, given.now),
      ...{ preset, watches: watches.fresh, rules: found.fresh },
      ...{ chats: chatsFrom(exported, given, places), mutes: mutesFrom(exported, given, places) },
      most: limits,
    },
    known: { wallets: watches.known, alerts: found.known },
    ...{ left, moved: found.moved },
    unarmed: unarmed(watches.fresh, found.fresh, kinds),
  }
}

/** Whether the file names a venue that is here and shows no market yet: each of its alerts would be left out. */
export function awaitsMarkets({ alerts }: Exported, view: View): boolean {
  const { venues, venue } = view.status()
  const seen = new Set([...view.listed()].map(([id, { value }]) => marketName(id, value.symbol, view).venue))
  const here = venues.length > 0 ? venues : [venue.split(' ')[0] ?? venue]
  const unseen = new Set(here.filter((name) => !seen.has(name)))
  return alerts.some(({ market }) => market !== null && unseen.has(market.venue))
}

/** Whether it would change nothing. */
export function isIdle({ change }: Plan): boolean {
  const { settings, preset, watches, rules, chats, mutes } = change
  const lists = [watches, rules, chats, mutes]
  return Object.keys(settings).length === 0 && preset === null && lists.every(({ length }) => length === 0)
}

type Fresh = Pick<Watch, 'wallet' | 'label' | 'as'>

function watchesFrom(
  { wallets }: Exported,
  { person, view, limits }: Given,
  left: Left[],
): { fresh: Fresh[]; known: number } {
  const here = view.named(person.id)
  const taken = new Map(here.map(({ wallet, as }) => [wallet, as]))
  const labels = new Set(here.map(({ label }) => skeleton(label)))
  const room = {
    own: limits.wallets - view.watches(person.id).length,
    followed: limits.followed - view.follows(person.id).length,
  }
  const fresh: Fresh[] = []
  let known = 0
  for (const { wallet, label: given, as } of wallets) {
    const before = taken.get(wallet)
    if (before === as) known += 1
    else if (before !== undefined) left.push({ why: 'other', of: given })
    else if (room[as] <= 0) left.push({ why: as === 'own' ? 'wallets' : 'followed', of: given })
    else {
      const label = labelFor(given, wallet, labels)
      room[as] -= 1
      taken.set(wallet, as)
      labels.add(skeleton(label))
      fresh.push({ wallet, label, as })
    }
  }
  return { fresh, known }
}

/** The label of the file, unless it is too long, or another wallet here looks like it. */
function labelFor(given: string, wallet: Wallet, taken: ReadonlySet<string>): string {
  const label = shortName(given)
  return label === '' || taken.has(skeleton(label)) ? shortWallet(wallet) : label
}

/** The chat here for each chat of the file; null for a group that this person has not bound here. */
function placesFrom({ chats }: Exported, { person, view, home }: Given): (Chat | null)[] {
  const bound = view.chats(person.id).filter((chat) => !chat.private)
  return chats.map(({ place }) => {
    if (place === null) return home
    const { platform, chat, thread } = place
    return (
      bound.find(
        ({ address }) => address.platform === platform && address.chat === chat && address.thread === thread,
      ) ?? null
    )
  })
}

function alertsFrom(
  { alerts, chats }: Exported,
  { person, view, kinds, limits, read, home }: Given,
  found: { named: ReadonlyMap<Wallet, Watch['as']>; places: readonly (Chat | null)[]; left: Left[] },
): { fresh: { chatId: number; draft: RuleDraft }[]; known: number; moved: Map<string, number> } {
  const { left } = found
  const markets = marketsHere(view)
  const own = view.rules(person.id)
  const fresh: { chatId: number; draft: RuleDraft }[] = []
  // Looked up by key: a hostile file may have thousands of one kind, and each would be compared with all.
  const there = new Set(own.map((rule) => ruleKey(kinds, rule)))
  const armed = new Set(own.filter(({ armedByWatch }) => armedByWatch).map(armedKey))
  let room = limits.rules - own.filter(({ armedByWatch }) => !armedByWatch).length
  let known = 0
  const moved = new Map<string, number>()
  for (const alert of alerts) {
    const draft = draftOf(alert, { kinds, markets, named: found.named, hasTwaps: read.twaps !== null })
    if ('why' in draft) {
      left.push(draft)
      continue
    }
    const place = found.places[alert.chat] ?? null
    const one = { ...draft, chatId: (place ?? home).id }
    const key = ruleKey(kinds, one)
    if (there.has(key) || (one.armedByWatch && armed.has(armedKey(one)))) known += 1
    else if (!one.armedByWatch && room <= 0) left.push({ why: 'alerts', of: alert.kind })
    else {
      there.add(key)
      if (one.armedByWatch) armed.add(armedKey(one))
      else room -= 1
      fresh.push({ chatId: one.chatId, draft })
      if (place === null) {
        const title = titleOf(chats[alert.chat]?.place)
        moved.set(title, (moved.get(title) ?? 0) + 1)
      }
    }
  }
  return { fresh, known, moved }
}

/** Returns the same key for two rules if one would replace the other: the pairs that `sameRule` finds. */
function ruleKey(
  kinds: readonly Kind[],
  { kind, params, chatId, wallet, market }: Pick<Rule, 'kind' | 'params' | 'chatId' | 'wallet' | 'market'>,
): string {
  const identity = findKind(kinds, kind)?.identity(params) ?? ''
  return [kind, chatId, wallet, market?.id ?? null, identity].join(' ')
}

/** `/watch` arms one of each kind: armed alerts count for no limit, so there are no more of them. */
function armedKey({ kind, chatId, wallet }: Pick<Rule, 'kind' | 'chatId' | 'wallet'>): string {
  return [kind, chatId, wallet].join(' ')
}

function titleOf(place: Exported['chats'][number]['place'] | undefined): string {
  return shortName(place?.title ?? place?.chat ?? '')
}

/** A name that only the file has, as short as a label. */
export function shortName(typed: string): string {
  const clean = cleanLabel(typed)
  return shorterLabel(clean) ?? clean
}

/** The rule of an entry, or why it cannot be one here. */
function draftOf(
  alert: ExportedAlert,
  here: {
    kinds: readonly Kind[]
    markets: ReadonlyMap<string, { id: string; symbol: string }>
    named: ReadonlyMap<Wallet, Watch['as']>
    hasTwaps: boolean
  },
): RuleDraft | Left {
  const kind = findKind(here.kinds, alert.kind)
  if (!kind || kind.name !== alert.kind) return { why: 'kind', of: alert.kind }
  if (kind.reads === 'twaps' && !here.hasTwaps) return { why: 'hidden', of: kind.name }
  const params = kind.params.safeParse(paramsOf(alert.params))
  if (!params.success || !isWhole(alert, params.data) || !fits(alert, kind))
    return { why: 'params', of: kind.name }
  const market = alert.market === null ? null : (here.markets.get(keyOfMarket(alert.market)) ?? null)
  if (alert.market !== null && market === null)
    return { why: 'market', of: `${alert.market.symbol} (${alert.market.venue})` }
  const as = alert.wallet === null ? kind.whose : here.named.get(alert.wallet)
  if (as !== kind.whose) return { why: 'wallet', of: kind.name }
  const holdMs = kind.is === 'level' ? alert.holdMs : USUAL_HOLD_MS
  return {
    ...{ kind: kind.name, params: params.data, wallet: alert.wallet, market },
    ...{ armedByWatch: alert.armed, holdMs },
  }
}

/** Whether the file has every parameter: a usual one in place of a missing one would be set by nobody. */
function isWhole({ params }: ExportedAlert, parsed: unknown): boolean {
  const [given, read] = [Object.keys(params), Object.keys(parsed as object)]
  return given.length === read.length && read.every((name) => given.includes(name))
}

/** Whether a person could set it so. An armed one counts for no limit, so it is what `/watch` or a preset arms. */
function fits({ wallet, market, armed }: ExportedAlert, kind: Kind): boolean {
  if (kind.needs.includes('market') && market === null) return false
  if (kind.needs.includes('wallet') && wallet === null) return false
  if ((kind.on === 'account' || kind.on === 'venue') && market !== null) return false
  if (kind.on === 'venue' && wallet !== null) return false
  if (!armed) return true
  const isArmable =
    kind.armedByWatch !== null || Object.keys(kind.presets).length > 0 || kind.whose === 'followed'
  return isArmable && wallet !== null && market === null
}

const keyOfMarket = ({ venue, symbol }: ExportedMarket) => `${venue} ${symbol}`

function marketsHere(view: View): Map<string, { id: string; symbol: string }> {
  return new Map(
    [...view.listed()].map(([id, { value }]) => [
      keyOfMarket(marketName(id, value.symbol, view)),
      { id, symbol: value.symbol },
    ]),
  )
}

function settingsFrom({ settings }: Exported, person: Person, now: number): Import['settings'] {
  const zone = readZone(settings.zone, now)
  const wanted = { ...settings, zone: zone.is === 'zone' ? zone.zone : person.zone }
  const keys = Object.keys(wanted) as (keyof typeof wanted)[]
  // A language that nobody chose follows the platform, here as there.
  const changed = keys.filter((key) => wanted[key] !== null && wanted[key] !== person[key])
  return Object.fromEntries(changed.map((key) => [key, wanted[key]]))
}

/** Null where it is the same as here. The kinds of another version may have no preset of that name. */
function presetFrom({ preset }: Exported, person: Person, kinds: readonly Kind[]): Import['preset'] {
  const known = preset.except.filter(({ kind }) => findKind(kinds, kind)?.name === kind)
  const except = Object.fromEntries(known.map((one) => [one.kind, one.preset]))
  const before = person.preset
  const isSame =
    (before?.name ?? 'normal') === preset.name &&
    JSON.stringify(before?.except ?? {}) === JSON.stringify(except)
  return isSame ? null : { name: preset.name, except }
}

/** The chats here that a chat of the file stands for: all private ones, as those are one to `/quiet` and `/mute`. */
function chatsHere(at: number, { person, view }: Given, places: readonly (Chat | null)[]): Chat[] {
  const there = places[at]
  if (!there) return []
  return there.private ? view.chats(person.id).filter((chat) => chat.private) : [there]
}

/** Quiet hours and digests where there are none: what is set here stays. */
function chatsFrom({ chats }: Exported, given: Given, places: readonly (Chat | null)[]): Import['chats'] {
  return chats.flatMap(({ quiet, digest, weekly }, at) => {
    const all = chatsHere(at, given, places)
    const keeper = places[at]?.id
    const hasNone = (what: 'quiet' | 'digest' | 'weekly') => all.every((chat) => chat[what] === null)
    const wanted = {
      quiet: hasNone('quiet') ? quiet : null,
      digest: hasNone('digest') ? digest : null,
      weekly: hasNone('weekly') ? weekly : null,
    }
    return all
      .map(({ id }) =>
        id === keeper ? { chatId: id, ...wanted } : { ...wanted, chatId: id, digest: null, weekly: null },
      )
      .filter((one) => one.quiet !== null || one.digest !== null || one.weekly !== null)
  })
}

/** No mute lasts longer than one that is typed, and a longer one here stays. */
function mutesFrom({ chats }: Exported, given: Given, places: readonly (Chat | null)[]): Import['mutes'] {
  const { view, kinds, now } = given
  const markets = marketsHere(view)
  return chats.flatMap(({ mutes }, at) =>
    chatsHere(at, given, places).flatMap(({ id: chatId }) => {
      const here = new Map(view.mutes(chatId).map(({ of, until }) => [mutedKey(of), until]))
      return mutes.flatMap(({ of, until: text }) => {
        const until = Math.min(Date.parse(text), now + MAX_MUTE_MS)
        const muted = mutedHere(of, kinds, markets)
        const isNews = muted !== null && until > now && (here.get(mutedKey(muted)) ?? 0) < until
        return isNews ? [{ chatId, of: muted, until }] : []
      })
    }),
  )
}

function mutedHere(
  of: Exported['chats'][number]['mutes'][number]['of'],
  kinds: readonly Kind[],
  markets: ReadonlyMap<string, { id: string }>,
): Muted | null {
  if (of.is === 'kind') return findKind(kinds, of.kind)?.name === of.kind ? of : null
  if (of.is !== 'market') return of
  const market = markets.get(keyOfMarket(of.market))
  return market ? { is: 'market', marketId: market.id } : null
}

/** The alerts that protect come first. */
function unarmed(
  watches: readonly Fresh[],
  rules: readonly { draft: RuleDraft }[],
  kinds: readonly Kind[],
): Plan['unarmed'] {
  const armable = kinds.filter(({ armedByWatch, whose }) => armedByWatch !== null && whose === 'own')
  const sorted = armable.toSorted((a, b) => Number(protects(b)) - Number(protects(a)))
  const there = new Set(rules.map(({ draft }) => `${draft.kind} ${draft.wallet}`))
  return sorted.flatMap(({ name }) =>
    watches.flatMap(({ wallet, label, as }) =>
      as === 'own' && !there.has(`${name} ${wallet}`) && !there.has(`${name} null`)
        ? [{ kind: name, label }]
        : [],
    ),
  )
}

function protects(kind: Kind): boolean {
  return kind.is === 'level' && kind.aboutLiquidation
}
