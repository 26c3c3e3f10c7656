import type { Alert, EventKind, LevelKind, Rule, Severity, Subject } from '../alert.ts'
import { bounded, plainText } from '../message.ts'
import type { Item } from '../message.ts'
import type { NewStep, Write } from '../store.ts'
import { endOfKey, forgetKey, knowKey } from './memory.ts'
import type { Memory, State } from './memory.ts'
import { step, tierOf } from './step.ts'
import type { Moment, Pair } from './subjects.ts'

/** What a judgement leads to: words for a chat, what is written with them, and what memory becomes once that is done. */
export interface Outcome {
  chatId: number
  said: Said[]
  /** Positions whose end it tells. */
  mentions: string[]
  /** The trail; the message that carries the step is added when it has a number. */
  steps: Omit<NewStep, 'rowId'>[]
  writes: Write[]
  /** Runs after the commit. */
  apply(): void
  /** Runs when the commit failed, where something must be taken back. */
  failed?(): void
  /** For the event stream; null when no state changed. */
  transition: { rule: string; subject: string; from: string; to: string; alert: string | null } | null
}

export interface Said {
  item: Item
  severity: Severity
  /** Within one severity, the smaller comes first. */
  order: number
  alertIds: number[]
  /** A tier that gets better, and what is cleared, do not ring. */
  quiet: boolean
}

/** Judges a pair of a level kind, or folds one of an event kind. */
export function judge(memory: Memory, pair: Pair, subject: Subject | null, moment: Moment): Outcome | null {
  if (subject === null) return waitForMarket(memory, pair)
  return pair.kind.is === 'level'
    ? judgeLevel(memory, pair, pair.kind, subject, moment)
    : foldEvent(memory, pair, pair.kind, subject, moment)
}

/** Nothing can be said now: it keeps its bounds, or is looked at on each reading of its market until it has some. */
function waitForMarket(memory: Memory, { key, rule, marketId }: Pair): null {
  if (marketId === null || memory.watchlist.armed(key)) return null
  knowKey(memory, rule.id, key)
  memory.watchlist.arm(key, marketId, undefined)
  return null
}

function judgeLevel(
  memory: Memory,
  pair: Pair,
  kind: LevelKind<unknown>,
  subject: Subject,
  { now }: Moment,
): Outcome | null {
  const { key, rule, marketId } = pair
  const verdict = kind.judge(rule.params, subject)
  if (verdict === 'unknown') return waitForMarket(memory, pair)
  const before: State = memory.states.get(key) ?? { state: { is: 'ok' }, value: verdict.value }
  const { state, change } = step(before.state, verdict, now, () => ++memory.last.alert)
  const tier = tierOf(state)
  const outcome: Outcome = {
    chatId: rule.chatId,
    said: [],
    mentions: [],
    steps: [],
    writes: [],
    transition: null,
    apply() {
      memory.states.set(key, { state, value: verdict.value })
      memory.unseen.delete(key)
      knowKey(memory, rule.id, key)
      if (marketId !== null) memory.watchlist.arm(key, marketId, verdict.until)
      markDanger(memory, pair, tier > 0 && kind.severity(rule.params, tier) !== 'info')
    },
  }
  if (!change) return outcome
  const worse = change.to > change.from
  const severity = kind.severity(rule.params, worse ? change.to : change.from)
  const item = named(kind.tell(rule.params, change, subject), change.alertId)
  const row = { ruleId: rule.id, subject: pair.subject, state, value: verdict.value }
  outcome.writes.push(
    tier === 0 ? { is: 'state-gone', ruleId: rule.id, subject: pair.subject } : { is: 'state', row },
  )
  if (worse) outcome.writes.push({ is: 'alert', alert: alertOf(pair, change.alertId, item, severity, now) })
  if (tier === 0) outcome.writes.push({ is: 'alert-closed', alertId: change.alertId, at: now })
  outcome.steps.push({
    alertId: change.alertId,
    at: now,
    what: `${tierWords(kind, rule, change.from)} → ${tierWords(kind, rule, change.to)}`,
    value: Number.isFinite(change.value) ? change.value : null,
    threshold: kind.describe(rule.params),
    dataAt: oldest(subject),
  })
  outcome.said.push({
    item,
    severity: worse ? severity : 'info',
    order: change.value,
    alertIds: [change.alertId],
    quiet: !worse,
  })
  outcome.transition = {
    rule: `R${rule.id}`,
    subject: pair.subject,
    from: `tier ${change.from}`,
    to: `tier ${change.to}`,
    alert: `A${change.alertId}`,
  }
  return outcome
}

function foldEvent(
  memory: Memory,
  pair: Pair,
  kind: EventKind<unknown>,
  subject: Subject,
  { now }: Moment,
): Outcome {
  const { key, rule, marketId } = pair
  const before = memory.memos.get(key)
  const { memo, happened, until } = kind.fold(rule.params, before, subject)
  const changed = JSON.stringify(memo) !== JSON.stringify(before)
  const outcome: Outcome = {
    chatId: rule.chatId,
    said: [],
    mentions: [],
    steps: [],
    writes: changed ? [{ is: 'memo', row: { ruleId: rule.id, subject: pair.subject, memo } }] : [],
    transition: null,
    apply() {
      memory.memos.set(key, memo)
      memory.unseen.delete(key)
      knowKey(memory, rule.id, key)
      if (marketId !== null) memory.watchlist.arm(key, marketId, until)
    },
  }
  for (const happening of happened) {
    const alertId = ++memory.last.alert
    const severity = kind.severity(rule.params, happening)
    const item = named(kind.tell(rule.params, happening, subject), alertId)
    outcome.writes.push({
      is: 'alert',
      alert: { ...alertOf(pair, alertId, item, severity, now), closedAt: now },
    })
    outcome.steps.push({
      alertId,
      at: now,
      what: happening.what,
      value: happening.value,
      threshold: kind.describe(rule.params),
      dataAt: oldest(subject),
    })
    if (happening.position !== null) outcome.mentions.push(happening.position)
    outcome.said.push({ item, severity, order: 0, alertIds: [alertId], quiet: severity === 'info' })
  }
  return outcome
}

/** A position that is gone ends what its rules remember of it, without a "cleared". */
export function end(memory: Memory, pair: Pair, { now }: Moment): Outcome {
  const { key, rule } = pair
  return {
    chatId: rule.chatId,
    said: [],
    mentions: [],
    steps: [],
    writes: endOfKey(memory, key, now),
    transition: null,
    apply: () => forgetKey(memory, key),
  }
}

function tierWords(kind: LevelKind<unknown>, { params }: Rule, tier: number): string {
  return tier === 0 ? 'ok' : kind.tier(params, tier)
}

/** People name an alert by its id, which outlives the cutting of what is too long. */
export function named(told: Item, alertId: number): Item {
  const id = ` (A${alertId})`
  const item = bounded(told, id.length)
  const title = typeof item.title === 'string' ? item.title + id : [...item.title, id]
  return { ...item, title }
}

function alertOf({ rule, subject }: Pair, id: number, item: Item, severity: Severity, now: number): Alert {
  return {
    id,
    ruleId: rule.id,
    personId: rule.personId,
    chatId: rule.chatId,
    kind: rule.kind,
    subject,
    title: plainText(item.title, { now, zone: 'UTC' }),
    severity,
    openedAt: now,
    closedAt: null,
  }
}

/** Wall time of the oldest reading that the judgement rests on. */
function oldest(subject: Subject): number {
  if (subject.is === 'market') return subject.marketAt
  return subject.is === 'owner' ? subject.positionAt : Math.min(subject.marketAt, subject.positionAt)
}

function markDanger(memory: Memory, { key, owner }: Pair, inDanger: boolean): void {
  if (owner === null) return
  const keys = memory.danger.get(owner) ?? new Set<string>()
  if (inDanger) keys.add(key)
  else keys.delete(key)
  memory.danger.set(owner, keys)
}
