import type { EventKind, Kind } from '../../alert/alert.ts'
import { walletOf } from '../../alert/monitor.ts'
import { marketIn, type SubjectId, subjectKey, subjectOf } from '../../alert/subject-id.ts'
import type { Subject } from '../../alert/subject.ts'
import { toJson } from '../../lib/text/json.ts'
import type { ClosedPosition } from '../../venue/closed-position.ts'
import type { Wallet } from '../../venue/wallet.ts'
import type { Effect } from '../memory/effect.ts'
import { isOfVenue } from '../memory/monitors.ts'
import { type EvaluationContext, lookedAtMs, viewOf } from '../monitors/context.ts'
import { type Decision, silent } from '../monitors/decision.ts'
import { covers, type Monitor, monitorsOfWallet } from '../monitors/monitors.ts'
import { ordersNow } from '../monitors/subject-inputs.ts'
import { seenSubject } from '../monitors/subjects.ts'
import { buttonsOf, ordersButtons, whereOf } from './buttons.ts'
import { isStale, judgeLevel } from './level.ts'
import { paused } from './step.ts'
import { alertWrite, marketOf, named, oldest, plainForHistory, alertRef } from './wording.ts'

/**
 * Judges a monitor of a level kind, or detects the occurrences of an event kind. Null when neither leaves
 * anything to commit.
 */
export function judge(look: EvaluationContext, monitor: Monitor, subject: Subject | null): Decision | null {
  const { kind } = monitor
  // A remembered subject shows no occurrence: failed reads are not fed to event kinds.
  if (kind.is === 'event')
    return subject && !isStale(subject) && !lacksOrders(look, monitor, subject)
      ? foldEvent(look, monitor, kind, subject)
      : unseen(look, monitor)
  return judgeLevel(look, monitor, kind, subject) ?? unseen(look, monitor)
}

export function judgeAll(
  look: EvaluationContext,
  monitors: readonly Monitor[],
  gone: readonly ClosedPosition[] = [],
): Decision[] {
  return monitors
    .map((monitor) => judge(look, monitor, seenSubject(look, monitor, gone)))
    .filter((decision) => decision !== null)
}

/**
 * An event that is seen in orders or TWAPs is not there where these are not. The first look of a new rule counts all the
 * same: its TWAPs are read later, and what they do from now on is news.
 */
function lacksOrders({ memory }: EvaluationContext, { key, kind }: Monitor, subject: Subject): boolean {
  const { reads } = kind
  if (reads === 'twaps')
    return subject.is !== 'wallet' || (subject.twaps === undefined && memory.monitors.memos.has(key))
  return reads === 'orders' && 'orders' in subject && subject.orders === null
}

function unseen(look: EvaluationContext, monitor: Monitor): Decision | null {
  const effects = [...pause(look, monitor), ...waitForMarket(look, monitor)]
  return effects.length === 0 ? null : silent(monitor.id.chatId, effects)
}

/**
 * For a wallet that this run has not read and cannot read: from now on the price judges its last known
 * positions.
 */
function judgedUnread(look: EvaluationContext, wallet: Wallet): Effect[] {
  const held = viewOf(look, wallet)?.held
  return monitorsOfWallet(look, wallet).flatMap((monitor) => {
    const { subject } = monitor.id
    const isUnread = subject.is === 'position' && held?.get(subjectKey(subject))?.seenMono === -Infinity
    return monitor.kind.is === 'level' && isUnread ? waitForMarket(look, monitor) : []
  })
}

/** Wallets whose monitors are found at once: it takes some milliseconds. */
const WALLETS_AT_ONCE = 100

/**
 * Takes some wallets off the end of the list: until they are read, the price judges their positions as last known. A
 * wallet that was read meanwhile is judged by that.
 */
export function restored(look: EvaluationContext, wallets: Wallet[]): Effect[] {
  const some = wallets.splice(-WALLETS_AT_ONCE).toReversed()
  const { views } = look.memory.wallets
  const isUnread = (wallet: Wallet) =>
    views.venues.some((venue) => views.glance(wallet, venue)?.mono === -Infinity)
  return some.filter(isUnread).flatMap((wallet) => judgedUnread(look, wallet))
}

/**
 * Stops the hold time while no read shows the position, after a start or once a read lacks it. An account
 * whose figures are missing stops likewise.
 */
function pause(look: EvaluationContext, { key, id, kind }: Monitor): Effect[] {
  const known = look.memory.monitors.states.get(key)
  if (!known || !(isNotThere(look, id.subject) || isWithoutOrders(look, kind, id.subject))) return []
  const state = paused(known.state, { seenMs: (since) => lookedAtMs(look, key, since) })
  return state === known.state ? [] : [{ is: 'state', row: { ...known, monitor: id, state } }]
}

function isWithoutOrders(look: EvaluationContext, { reads }: Kind, subject: SubjectId): boolean {
  if (reads !== 'orders' || !('wallet' in subject)) return false
  return ordersNow(look, subject.wallet, subject.is === 'position' ? subject.marketId : undefined) === null
}

function isNotThere(look: EvaluationContext, subject: SubjectId): boolean {
  // It is judged by its own figures, and those are what cannot be seen.
  if (subject.is === 'account') return true
  if (subject.is !== 'position') return false
  const held = viewOf(look, subject.wallet)?.held.get(subjectKey(subject))
  return held !== undefined && (held.missingSince !== null || held.seenMono <= look.memory.run.ranMono)
}

/**
 * Nothing can be told now: the monitor keeps its bounds, or is judged on each reading of its market until it
 * has some. The bounds of a position that was just read may rest on its former liquidation price. Those of a
 * changed rule may rest on its former lines.
 */
function waitForMarket(
  { memory, views, rulesChanged = false }: EvaluationContext,
  { key, id }: Monitor,
): Effect[] {
  const {
    monitors: { index: monitors, thresholdIndex },
  } = memory
  const { subject } = id
  const marketId = marketIn(subject)
  const justRead = subject.is === 'position' && views.has(subject.wallet)
  const keeps = thresholdIndex.armed(monitors.slotOf(id)) && !justRead && !rulesChanged
  if (marketId === null || keeps) return []
  return [{ is: 'waits', key, monitor: id, marketId }]
}

/** Decides on the occurrences at a monitor's subject since it was evaluated last. */
function foldEvent(
  look: EvaluationContext,
  monitor: Monitor,
  kind: EventKind<unknown>,
  subject: Subject,
): Decision {
  const { memory, now } = look
  const { key, id, params } = monitor
  const before = memory.monitors.memos.get(key)
  const wallet = walletOf(id)
  const {
    state: memo,
    occurrences: happened,
    stableWithin: until,
    isIdempotent: still = false,
  } = kind.detect(params, before, subject)
  const changed = toJson(memo) !== toJson(before)
  const decision = silent(id.chatId, [
    ...(changed ? [{ is: 'memo', row: { monitor: id, memo } } as const] : []),
    {
      is: 'judged',
      ...{ key, monitor: id, marketId: marketOf(monitor), until, still },
      value: null,
      danger: false,
    },
  ])
  for (const occurrence of happened) {
    const subjectOfIt = occurrence.position ?? occurrence.bearsOn ?? null
    if (!toldHere(look, monitor, subjectOfIt) || isFirstSeen(look, subjectOfIt)) continue
    if (isLeft(look, monitor, occurrence.leftTo, subjectOfIt)) continue
    const alertId = ++look.numbers.alert
    const severity = kind.severity(params, occurrence)
    const about = alertRef(monitor, alertId)
    const item = named(kind.tell(params, occurrence, subject), alertId, [
      ...buttonsOf(look, about, ...whereOf(look, monitor.id.subject, occurrence.position)),
      ...(kind.reads !== null && wallet !== null ? ordersButtons(look, about, wallet) : []),
    ])
    decision.effects.push(
      alertWrite(look, monitor, alertId, item, severity, {
        closedAt: now,
        closing: occurrence.closing ?? null,
      }),
    )
    decision.steps.push({
      alertId,
      at: now,
      reason: 'occurred',
      what: occurrence.what,
      value: occurrence.value,
      threshold: plainForHistory(look, monitor, kind.describe(params)),
      dataAt: oldest(subject),
    })
    if (occurrence.position !== null) decision.mentions.push(occurrence.position)
    const quiet = severity === 'info'
    const of = subjectOfIt === null ? {} : { of: { ...monitor.id, subject: subjectOf(subjectOfIt) } }
    const said = { item, severity, order: 0, alertIds: [alertId], about: key, quiet, ...of }
    decision.notices.push({ ...said, reason: 'occurred', ends: warnedOf(look, monitor, occurrence.position) })
  }
  return decision
}

/** The alert that fires here of a position that is gone. */
function warnedOf(look: EvaluationContext, { id }: Monitor, position: string | null): number | null {
  if (position === null || whereOf(look, id.subject, position)[1] !== 'gone') return null
  const {
    monitors: { monitorsIn, states },
  } = look.memory
  const own = [...monitorsIn.of(id.chatId)].filter(([, { subject }]) => subjectKey(subject) === position)
  const firing = own.flatMap(([key]) => {
    const state = states.get(key)?.state
    return state?.is === 'firing' ? [state.alertId] : []
  })
  return firing[0] ?? null
}

/** Whether this is the first answer of its venue about the wallet: what a wallet holds when it is first read is no news. */
function isFirstSeen({ memory, read }: EvaluationContext, position: string | null): boolean {
  if (position === null || !read?.isFirst) return false
  return isOfVenue(subjectOf(position), read.venue, memory.run.venues)
}

/** Whether another kind tells this chat of the occurrence, so that one event is one message. */
function isLeft(
  look: EvaluationContext,
  { id }: Monitor,
  kind: string | undefined,
  position: string | null,
): boolean {
  if (kind === undefined || position === null) return false
  const rules = [...look.memory.rules.rulesIn.of(id.chatId).values()]
  return rules.some((rule) => rule.kind === kind && covers(look, rule, subjectOf(position)))
}

/** An occurrence at a position is told where a rule covers that position; it is known either way. */
function toldHere(look: EvaluationContext, { rules }: Monitor, position: string | null): boolean {
  return position === null || rules.some((rule) => covers(look, rule, subjectOf(position)))
}
