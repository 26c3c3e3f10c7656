import { toJson } from '../lib/text/json.ts'
import type { Wallet } from '../venue/wallet.ts'
import { findKind, type Kind, type Rule, sameRule, USUAL_HOLD_MS } from './alert.ts'

/** The thresholds that all guarded wallets of a person follow. `normal` is the one that /watch begins with. */
export const PRESETS = ['calm', 'normal', 'scalper'] as const
export type PresetName = (typeof PRESETS)[number]

/**
 * How long a condition must hold before its alert. Critical alerts wait for nothing. A minute outlasts
 * a wick. Positions of a scalper end within minutes, and their alerts come before that.
 */
const HOLD_MS: Record<PresetName, number> = { calm: 60_000, normal: USUAL_HOLD_MS, scalper: 5_000 }

/** The preset that a person has chosen. */
export interface ChosenPreset {
  name: PresetName
  /** The kinds whose change was undone, each with its preset instead. */
  except: Readonly<Record<string, PresetName>>
  /** The state before the last change; null when nothing is left to undo. */
  before: PresetBefore | null
}

interface PresetBefore extends Pick<ChosenPreset, 'name' | 'except'> {
  /** The time of the change (wall time). */
  at: number
  /** The rules that the change altered, as they were. Rules that were alike share an entry. */
  changed: readonly (Settings & { ids: readonly number[] })[]
  /** The rules that it removed. */
  gone: readonly PresetDraft[]
  /** The numbers of the rules that it added. */
  added: readonly number[]
  /** The change was an undo itself: to undo it turns the preset on again. */
  isUndo?: boolean
}

type Settings = Pick<Rule, 'kind' | 'params' | 'holdMs'>
export type PresetDraft = Settings & { wallet: Wallet; chatId: number }

/** The effect of a preset, or of undoing it, on the rules of a person. */
export interface PresetPlan {
  changed: readonly { before: Rule; after: Rule }[]
  added: readonly PresetDraft[]
  gone: readonly Rule[]
}

const NORMAL: ChosenPreset = { name: 'normal', except: {}, before: null }

/** Returns the rules of one wallet under a preset, in the order of kinds. */
export function armedBy(kinds: readonly Kind[], chosen: ChosenPreset | null): Settings[] {
  return kinds.flatMap((kind) => settingsOf(kind, chosen ?? NORMAL) ?? [])
}

function settingsOf(kind: Kind, { name, except }: Pick<ChosenPreset, 'name' | 'except'>): Settings | null {
  const preset = except[kind.name] ?? name
  const own = preset === 'normal' ? undefined : kind.presets[preset]
  const params = own ?? kind.armedByWatch
  const holdMs = kind.is === 'level' ? HOLD_MS[preset] : USUAL_HOLD_MS
  return params === null ? null : { kind: kind.name, params, holdMs }
}

/** Whether a preset may change this rule: /watch or a preset has armed it, and nobody has changed it since. */
function isOfPreset(kinds: readonly Kind[], { kind: name, armedByWatch, setBy, market }: Rule): boolean {
  const kind = findKind(kinds, name)
  const isManaged = kind !== undefined && (kind.armedByWatch !== null || Object.keys(kind.presets).length > 0)
  return isManaged && armedByWatch && setBy === undefined && market === null
}

/**
 * Plans a preset. A rule that a person has removed is not armed again, and a wallet without any armed rule gets none. Kinds that
 * only this preset arms are added, unless the person has such a rule already.
 */
export function planPreset(
  kinds: readonly Kind[],
  rules: readonly Rule[],
  chosen: Pick<ChosenPreset, 'name' | 'except'>,
): PresetPlan {
  const armed = rules.filter((rule) => isOfPreset(kinds, rule))
  const changed: { before: Rule; after: Rule }[] = []
  const gone: Rule[] = []
  const added: PresetDraft[] = []
  for (const before of armed) {
    const { wallet, chatId } = before
    const kind = findKind(kinds, before.kind)
    const settings = kind ? settingsOf(kind, chosen) : null
    if (settings && isSame(before, settings)) continue
    // Other parameters may be another rule to a kind.
    const isAnother = settings === null || kind?.identity(settings.params) !== before.identity
    if (isAnother) gone.push(before)
    else changed.push({ before, after: { ...before, ...settings } })
    if (isAnother && settings && wallet !== null) added.push({ ...settings, wallet, chatId })
  }
  const chats = new Map(armed.flatMap(({ wallet, chatId }) => (wallet === null ? [] : [[wallet, chatId]])))
  const isThere = finder(kinds, rules)
  for (const [wallet, chatId] of chats)
    for (const kind of kinds) {
      const settings = kind.armedByWatch === null ? settingsOf(kind, chosen) : null
      const draft = settings && { ...settings, wallet, chatId }
      if (draft && !isThere(draft)) added.push(draft)
    }
  return { changed, added, gone }
}

/**
 * Plans the way back: of all kinds, or of one. Rules that people have changed or removed since stay as they are. Wallets that are
 * watched only since then (`isNew`) follow the preset of before.
 */
export function planUndo(
  kinds: readonly Kind[],
  rules: readonly Rule[],
  before: PresetBefore,
  { only, isNew }: { only: string | null; isNew: (wallet: Wallet) => boolean },
): PresetPlan {
  const isMeant = ({ kind }: { kind: string }) => only === null || kind === only
  const armed = new Map(rules.flatMap((rule) => (isOfPreset(kinds, rule) ? [[rule.id, rule]] : [])))
  const isThere = finder(kinds, rules)
  const known = new Set([...before.changed.flatMap(({ ids }) => ids), ...before.added])
  const isFresh = ({ id, wallet }: Rule) => wallet !== null && isNew(wallet) && !known.has(id)
  const fresh = planPreset(kinds, rules.filter(isFresh), before)
  const changed = before.changed.flatMap(({ ids, ...settings }) =>
    ids.flatMap((id) => {
      const rule = armed.get(id)
      return rule && !isSame(rule, settings) ? [{ before: rule, after: { ...rule, ...settings } }] : []
    }),
  )
  return {
    changed: [...changed, ...fresh.changed].filter((one) => isMeant(one.after)),
    added: [...before.gone.filter((draft) => !isThere(draft)), ...fresh.added].filter(isMeant),
    gone: [...before.added.flatMap((id) => armed.get(id) ?? []), ...fresh.gone].filter(isMeant),
  }
}

/** Finds rules by kind and wallet: to look through all of them for each wallet takes seconds where there are thousands. */
function finder(kinds: readonly Kind[], rules: readonly Rule[]): (draft: PresetDraft) => boolean {
  const keyOf = ({ kind, wallet }: Pick<Rule, 'kind' | 'wallet'>) => `${kind} ${wallet}`
  const byKey = Map.groupBy(rules, keyOf)
  return (draft) =>
    byKey.get(keyOf(draft))?.some((rule) => sameRule(kinds, rule, { ...draft, market: null })) === true
}

/** The choice after a preset, with the way back. `ids` are the numbers of the added rules. */
export function chosenAfter(
  before: ChosenPreset | null,
  to: Pick<ChosenPreset, 'name' | 'except'>,
  { changed, gone }: PresetPlan,
  { ids, at, isUndo = false }: { ids: readonly number[]; at: number; isUndo?: boolean },
): ChosenPreset {
  const { name, except } = before ?? NORMAL
  const alike = Map.groupBy(changed, ({ before: { kind, params, holdMs } }) => toJson([kind, params, holdMs]))
  return {
    ...to,
    before: {
      ...{ name, except, at, added: ids, ...(isUndo ? { isUndo } : {}) },
      changed: [...alike.values()].flatMap((all) => {
        const [first] = all
        if (!first) return []
        const { kind, params, holdMs } = first.before
        return [{ kind, params, holdMs, ids: all.map((one) => one.before.id) }]
      }),
      gone: gone.flatMap(({ kind, params, holdMs, wallet, chatId }) =>
        wallet === null ? [] : [{ kind, params, holdMs, wallet, chatId }],
      ),
    },
  }
}

/** The choice after one kind was undone: the kind has the preset of before, and the others can still be undone. */
export function withoutKind(
  chosen: ChosenPreset,
  { name: kind }: Kind,
  armed: readonly Rule[],
): ChosenPreset {
  const { before } = chosen
  if (before === null) return chosen
  const { changed, gone, added, ...rest } = before
  const { name, except } = rest
  const ids = new Set(armed.flatMap((rule) => (rule.kind === kind ? [rule.id] : [])))
  const left = {
    changed: changed.filter((one) => one.kind !== kind),
    gone: gone.filter((one) => one.kind !== kind),
    added: added.filter((id) => !ids.has(id)),
  }
  const isEmpty = left.changed.length + left.gone.length + left.added.length === 0
  return {
    ...chosen,
    except: { ...chosen.except, [kind]: except[kind] ?? name },
    before: isEmpty ? null : { ...rest, ...left },
  }
}

function isSame(rule: Rule, { params, holdMs }: Pick<Settings, 'params' | 'holdMs'>): boolean {
  return rule.holdMs === holdMs && toJson(rule.params) === toJson(params)
}
