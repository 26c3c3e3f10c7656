import type { AlertState } from '../../alert/alert-state.ts'
import type { LevelKind, Transition } from '../../alert/alert.ts'
import { type MonitorId, type MonitorKey, monitorOf } from '../../alert/monitor.ts'
import { marketIn, type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import { type Item, item, type Text, words } from '../../message/message.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { otherChat } from '../memory/people.ts'
import { figuresOf, lookAt } from '../memory/wallet-view.ts'
import type { Memory } from '../memory/memory.ts'
import { isBlind, type EvaluationContext, pricesBehind } from '../monitors/context.ts'
import type { Monitor } from '../monitors/monitors.ts'
import { nameOfSubject } from '../monitors/subjects.ts'

/** Marks a repeated notice: a line says that it is a repeat, and the figure before. */
export function again(
  said: Item,
  change: Transition,
  kind: LevelKind<unknown>,
  /** The figure that it had, and whether the present one is seen: only then it is still so. */
  { before, seen }: { before: number; seen: boolean },
): Item {
  const line = againText(change, seen, change.value === before ? null : kind.figure(before))
  return line === null ? said : { ...said, again: true, lines: [...said.lines, line] }
}

function againText({ reason, reminders }: Transition, seen: boolean, figure: Text | null): Text | null {
  const n = String(reminders)
  if (reason === 'gave-up') return words('again.last')
  if (reason === 'reminder') {
    if (!seen) return words('again.reminder.unseen', { n })
    return figure === null ? words('again.reminder', { n }) : words('again.reminder.was', { n, figure })
  }
  if (reason !== 'snooze-ended') return null
  if (!seen) return words('again.snooze.unseen')
  return figure === null ? words('again.snooze') : words('again.snooze.was', { figure })
}

/** Nothing of it can be seen now: what was last said of it, and that it was then; it may have come nearer since. */
export function lastWords(
  look: EvaluationContext,
  { id, rules, params }: Monitor,
  kind: LevelKind<unknown>,
  { to, value }: Transition,
): Item {
  const name = nameOfSubject(look.memory, id.subject, rules[0].personId)
  return item(kind.severity(params, to), words('again.last-told', { name, figure: kind.figure(value) }), [
    words('again.was-past', { line: kind.tier(params, to) }),
    missing(look, id),
  ])
}

/** Which of the two that it rests on cannot be seen, and since when. */
function missing(look: EvaluationContext, { subject }: MonitorId): Text {
  const { memory, mono, marketStaleMs } = look
  const marketId = marketIn(subject)
  const market = memory.markets.readings.get(marketId ?? '')
  const priced =
    market && mono - market.mono <= marketStaleMs && !isBlind(look, pricesBehind(memory, marketId))
  const failedParts = 'wallet' in subject && (priced || marketId === null)
  const at = failedParts ? readAt(memory, subject) : (market?.at ?? memory.run.aliveAt)
  const what = failedParts ? (subject.is === 'account' ? 'figures' : 'wallet') : 'price'
  if (at === null) return words(`again.never.${what}`)
  return words(`again.missing.${what}`, { at: { time: at, as: 'clock' } })
}

/** The figures of an account may be missing beside positions that are there, and one account beside the others. */
function readAt(
  { wallets: { views: wallets }, run: { venues } }: Pick<Memory, 'wallets' | 'run'>,
  subject: Extract<SubjectId, { wallet: Wallet }>,
): number | null {
  const whole = wallets.get(subject.wallet)
  const isPart = 'accountId' in subject && whole !== undefined
  const view = isPart ? lookAt(whole, venueOf(subject.accountId, venues)) : whole
  if (!view) return null
  if (subject.is === 'account') return figuresOf(view, subject.accountId)?.known?.at ?? null
  const fails = subject.is === 'position' && view.failedParts.has(subject.accountId)
  return (fails ? view.held.get(subjectKey(subject))?.seenAt : undefined) ?? view.at
}

/** When a platform last took anything for the chats that hear of an alert; -Infinity before it did in this run. */
export function takenAt(
  drawers: Pick<Memory, 'people' | 'monitors' | 'run'>,
  chatId: number,
  state: AlertState,
): number {
  const chat = drawers.people.chats.get(chatId)
  const copies = state.is === 'firing' ? (drawers.monitors.escalatedTo.get(state.alertId) ?? []) : []
  const hear = [chatId, chat ? otherChat(drawers, chat) : null, ...copies]
  return Math.max(...hear.map((id) => drawers.run.takenAt.get(id ?? -1) ?? -Infinity))
}

/** When its next reminder is due, while nobody has acknowledged it; null when none is. */
function ringsAt({ monitors: { states } }: Pick<Memory, 'monitors'>, key: MonitorKey): number | null {
  const state = states.get(key)?.state
  return state?.is === 'firing' && state.acknowledgement.is === 'waiting'
    ? state.acknowledgement.remindAt
    : null
}

/** Everything that rings in the chats of those that are due: it is said together. */
export function ringingWith(
  drawers: Pick<Memory, 'monitors'>,
  keys: readonly MonitorKey[],
  now: number,
): Set<MonitorKey> {
  const due = keys.filter((key) => (ringsAt(drawers, key) ?? Infinity) <= now)
  const chats = new Set(due.map((key) => monitorOf(key).chatId))
  const all = [...chats].flatMap((chatId) => [...drawers.monitors.monitorsIn.of(chatId).keys()])
  return new Set(all.filter((key) => ringsAt(drawers, key) !== null))
}
