import { findKind, type Rule, sameRule } from '../../alert/alert.ts'
import {
  type ChosenPreset,
  chosenAfter,
  planPreset,
  planUndo,
  type PresetDraft,
  type PresetPlan,
  withoutKind,
} from '../../alert/preset.ts'
import type { MonitorId, MonitorKey } from '../../alert/monitor.ts'
import { type Text, words } from '../../message/message.ts'
import type { Change, RuleDraft } from '../../store/change.ts'
import { type SourceKey, walletSource } from '../../venue/source.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { endOf } from '../evaluate/ended-monitors.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { isOfFollowed, walletLabel } from '../memory/rules.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { covers, monitorNamed } from '../monitors/monitors.ts'
import { ordersNotWatched } from '../monitors/subject-inputs.ts'
import { type Decided, doing, nothing, together } from './decided.ts'

/** A wallet that turns from followed to own, or back, keeps its label alone: the rules of the other sort go. */
export function watch(
  look: EvaluationContext,
  { personId, wallet, label, chatId, arm, as }: Of<'watch'>,
): Decided {
  const { memory, now } = look
  const before = memory.rules.watches.get(wallet, personId)
  const rules = arm.map((draft) => drafted(look, personId, chatId, draft))
  const made: Effect = { is: 'watch', watch: { personId, wallet, label, since: before?.since ?? now, as } }
  const armed = doing([made, ...rules.map((rule): Effect => ({ is: 'rule', rule }))], rules)
  if (before === undefined || before.as === as) return armed
  const old = [...memory.rules.rulesOf.valuesOf(personId)].filter((rule) => rule.wallet === wallet)
  const gone = { personId, wallet }
  const ended = dropRules(look, old)
  return together(
    { ...ended, rules: ended.rules.filter((rule) => rule.personId !== personId) },
    doing([...hushed(look, gone), ...untoldOf(look, gone, false)]),
    armed,
  )
}

/** Why a rule can't be about its wallet; null if it can. Nothing alarms a follower, so other kinds are refused. */
export function misplaced({ memory, kinds }: EvaluationContext, rule: Rule): Text | null {
  const { wallet, personId, kind } = rule
  if (wallet === null) return null
  const label = walletLabel(memory, personId, wallet)
  const forFollowed = findKind(kinds, kind)?.whose === 'followed'
  if (isOfFollowed(memory, rule)) return forFollowed ? null : words('change.followed', { label })
  return forFollowed ? words('change.not-followed', { label }) : null
}

/** A rule of this kind, identity, scope and chat that exists already is changed; else it gets a number of its own. */
export function drafted(
  { memory, numbers, kinds }: EvaluationContext,
  personId: number,
  chatId: number,
  draft: RuleDraft,
): Rule {
  const identity = findKind(kinds, draft.kind)?.identity(draft.params) ?? ''
  const own = [...memory.rules.rulesOf.of(personId).values()]
  const same = own.find((rule) => sameRule(kinds, rule, { ...draft, chatId }))
  return { ...draft, identity, id: same?.id ?? ++numbers.rule, personId, chatId }
}

/**
 * Whether a new rule would be more than people may have set themselves. Rules that /watch or a preset has armed do not
 * count: the number of wallets limits these. A change to a rule that is there adds none.
 */
export function isOneTooMany({ rules }: Pick<Memory, 'rules'>, rule: Rule, most: number): boolean {
  if (rule.armedByWatch || rules.all.has(rule.id)) return false
  let own = 0
  for (const { armedByWatch } of rules.rulesOf.of(rule.personId).values()) if (!armedByWatch) own++
  return own >= most
}

export function setRule(rule: Rule): Decided {
  return doing([{ is: 'rule', rule }], [rule])
}

/**
 * Monitors without another rule end with these rules; shared monitors are judged by the remaining rules
 * alone.
 */
export function dropRules(look: EvaluationContext, rules: readonly Rule[]): Decided {
  const gone = new Set(rules.map(({ id }) => id))
  const over = new Map<MonitorKey, MonitorId>()
  const remaining = new Set<Rule>()
  for (const rule of rules) {
    for (const [key, monitor] of look.memory.monitors.monitorsIn.of(rule.chatId)) {
      if (monitor.kind !== rule.kind || monitor.identity !== rule.identity) continue
      const left = monitorNamed(look, monitor, gone)
      if (left === null) over.set(key, monitor)
      else if (covers(look, rule, monitor.subject)) for (const one of left.rules) remaining.add(one)
    }
  }
  return doing(
    [
      ...[...over].flatMap(([key, monitor]) => endOf(look, key, monitor)),
      ...ordersNotWatched(look.memory, rules),
      ...rules.map(({ id }): Effect => ({ is: 'rule-gone', ruleId: id })),
    ],
    [...remaining],
  )
}

/**
 * A person's wallets follow a preset, or its last change is undone. All of it is one commit: no wallet is left with half
 * of a preset.
 */
export function choosePreset(look: EvaluationContext, { personId, to }: Of<'preset'>): Decided {
  const { memory, kinds, now } = look
  const person = memory.people.persons.get(personId)
  if (!person) return nothing()
  const rules = [...memory.rules.rulesOf.of(personId).values()]
  const done = (plan: PresetPlan, chosen: (ids: readonly number[]) => ChosenPreset) => {
    // A wallet that was guarded then may be followed now, or gone.
    const isGuarded = ({ wallet }: PresetDraft) => memory.rules.watchesOf.get(personId, wallet)?.as === 'own'
    // The plan has found no such rule.
    const added = plan.added.filter(isGuarded).map((draft): Rule => {
      const identity = findKind(kinds, draft.kind)?.identity(draft.params) ?? ''
      const own = { identity, id: ++look.numbers.rule, personId, market: null, armedByWatch: true }
      return { ...draft, ...own }
    })
    const altered = [...plan.changed.map(({ after }) => after), ...added]
    const preset = chosen(added.map(({ id }) => id))
    return together(
      dropRules(look, plan.gone),
      doing(
        [
          { is: 'person', person: { ...person, preset } },
          ...altered.map((rule): Effect => ({ is: 'rule', rule })),
        ],
        altered,
      ),
    )
  }
  const { preset } = person
  if (to.is === 'chosen') {
    const choice = { name: to.name, except: {} }
    const plan = planPreset(kinds, rules, choice)
    // A preset that is on already keeps the way back from it.
    const isOn = (preset?.name ?? 'normal') === to.name && Object.keys(preset?.except ?? {}).length === 0
    const isIdle = plan.changed.length + plan.added.length + plan.gone.length === 0
    return isOn && isIdle
      ? nothing()
      : done(plan, (ids) => chosenAfter(preset, choice, plan, { ids, at: now }))
  }
  if (preset?.before == null) return nothing(words('preset.nothing-to-undo'))
  const { name, except, at } = preset.before
  const isUndo = !preset.before.isUndo
  const isNew = (wallet: Wallet) => (memory.rules.watches.of(wallet).get(personId)?.since ?? 0) >= at
  const plan = planUndo(kinds, rules, preset.before, { only: to.kind, isNew })
  const kind = to.kind === null ? undefined : findKind(kinds, to.kind)
  return kind
    ? done(plan, () => withoutKind(preset, kind, rules))
    : done(plan, (ids) => chosenAfter(preset, { name, except }, plan, { ids, at: now, isUndo }))
}

/** The rules that were armed with the watch, or made for this wallet alone, go with it. */
export function unwatch(look: EvaluationContext, { personId, wallet }: Of<'unwatch'>): Decided {
  if (!look.memory.rules.watches.of(wallet).has(personId)) return nothing()
  const own = [...look.memory.rules.rulesOf.of(personId).values()].filter((rule) => rule.wallet === wallet)
  return together(dropRules(look, own), leave(look, { personId, wallet }))
}

/** The watch alone: in a private chat nothing speaks of a wallet that its person no longer watches. */
export function leave(look: EvaluationContext, gone: { personId: number; wallet: Wallet }): Decided {
  const { memory } = look
  const { personId, wallet } = gone
  const isLast = memory.rules.watches.of(wallet).size <= 1
  const [over, untold] = [hushed(look, gone), untoldOf(look, gone, isLast)]
  return doing([
    ...over,
    { is: 'unwatch', personId, wallet },
    ...untold,
    ...(isLast
      ? ([
          { is: 'wallet-gone', wallet },
          ...sourcesOf(look, wallet).map((source) => ({ is: 'unwanted', source }) as const),
        ] as const)
      : []),
  ])
}
/** The monitors of a wallet in a person's private chats end. */
function hushed(
  look: EvaluationContext,
  { personId, wallet }: { personId: number; wallet: Wallet },
): Effect[] {
  const { chats } = look.memory.people
  return [...look.memory.monitors.monitorsOf.of(wallet)].flatMap(([key, monitor]) => {
    const chat = chats.get(monitor.chatId)
    return chat?.private === true && chat.personId === personId ? endOf(look, key, monitor) : []
  })
}

function sourcesOf({ memory }: EvaluationContext, wallet: Wallet): SourceKey[] {
  return [
    ...memory.wallets.views.venues.map((venue) => walletSource(wallet, venue)),
    ...memory.sources.accountSources.of(wallet).keys(),
  ]
}

/** Nobody is told of the return of these sources: a start would take them for still blind. */
function untoldOf(
  look: EvaluationContext,
  { personId, wallet }: { personId: number; wallet: Wallet },
  isLast: boolean,
): Effect[] {
  const { sources, people } = look.memory
  return sourcesOf(look, wallet).flatMap((source) =>
    [...sources.outageNotices.of(source).keys()].flatMap((chatId) => {
      const chat = people.chats.get(chatId)
      const isTheirs = isLast || (chat?.private === true && chat.personId === personId)
      return isTheirs ? [{ is: 'source-gone', source, chatId } as const] : []
    }),
  )
}

type Of<Is extends Change['is']> = Extract<Change, { is: Is }>
