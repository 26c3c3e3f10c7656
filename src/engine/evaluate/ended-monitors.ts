import { findKind, type Severity } from '../../alert/alert.ts'
import { type MonitorId, type MonitorKey, monitorKey } from '../../alert/monitor.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import { type Item, item, words } from '../../message/message.ts'
import { closingOf } from '../../venue/close-outcome.ts'
import { type ClosedPosition, closeSeverity, describeClose } from '../../venue/closed-position.ts'
import { venueOf } from '../../venue/venue-name.ts'
import type { Wallet } from '../../venue/wallet.ts'
import { hasUnknownPool, lookAt, poolOf, type WalletView } from '../memory/wallet-view.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import { symbolOf } from '../memory/markets.ts'
import { walletLabel } from '../memory/rules.ts'
import { keptOf } from '../memory/monitors.ts'
import { type EvaluationContext, viewOf } from '../monitors/context.ts'
import { type Decision, type Notice, silent } from '../monitors/decision.ts'
import { type Monitor, monitorNamed } from '../monitors/monitors.ts'
import { nameOfAccount } from '../monitors/subjects.ts'
import { buttonsOf, whyButton } from './buttons.ts'
import { named } from './wording.ts'

/** Loudest first. */
const LOUD: readonly Severity[] = ['critical', 'warning', 'info']
/** Positions named in the end of their account. */
const NAMED = 3

/**
 * Ends the remembered monitors of positions and markets that this wallet has left. `isRead` says whether the answer
 * tells of a subject; left out: of each.
 */
export function closeRecords(
  look: EvaluationContext,
  wallet: Wallet,
  before: WalletView | undefined,
  live: readonly Monitor[],
  judged: readonly Decision[],
  gone: readonly ClosedPosition[],
  isRead: (subject: SubjectId) => boolean = () => true,
): Decision[] {
  const told = new Set(
    judged.flatMap(({ chatId, mentions }) => mentions.map((position) => `${chatId} ${position}`)),
  )
  const untold = (chatId: number) => gone.filter((one) => !told.has(`${chatId} ${one.key}`))
  const over = [...notAmong(look.memory, wallet, live), ...leftMarkets(look, wallet, before, live)]
  return over
    .filter(([, monitor]) => isRead(monitor.subject) && !mayGoOn(look, wallet, monitor))
    .map(([key, monitor]) => {
      const { chatId, subject } = monitor
      const ending = silent(chatId, endOf(look, key, monitor))
      const state = look.memory.monitors.states.get(key)?.state
      if (state?.is === 'firing' && subject.is === 'account')
        return { ...ending, notices: [endOfAccount(look, monitor, state.alertId, subject, untold(chatId))] }
      if (state?.is !== 'firing' || subject.is !== 'position') return ending
      const position = subjectKey(subject)
      if (told.has(`${chatId} ${position}`)) return ending
      told.add(`${chatId} ${position}`)
      // The people who were warned hear of the end once, also without a rule on closed positions.
      const evidence = gone.find((one) => one.key === position)
      if (evidence) ending.effects = ending.effects.map((effect) => withClosing(effect, evidence))
      const said = evidence ? toldGone(look, monitor, wallet, evidence) : untoldGone(look, subject)
      const severity = evidence ? closeSeverity(evidence) : 'warning'
      ending.mentions.push(position)
      ending.notices.push({
        item: named(said, state.alertId, [whyButton(state.alertId)]),
        reason: 'ended',
        severity,
        order: 0,
        alertIds: [state.alertId],
        about: key,
        // Its owner has ended it: that rings no more than an all-clear.
        quiet: severity === 'info',
      })
      return ending
    })
}

/** Nothing else tells here what the end of the position brought: history has it from its alert. */
function withClosing(effect: Effect, gone: ClosedPosition): Effect {
  return effect.is === 'alert-closed' ? { ...effect, closing: closingOf(gone) } : effect
}

/** Removes everything that memory and store have of a monitor. */
export function endOf(
  { memory, now }: Pick<EvaluationContext, 'memory' | 'now'>,
  key: MonitorKey,
  monitor: MonitorId,
) {
  return [...keptOf(memory, key, monitor, now), { is: 'forgotten', key, monitor } as const]
}

function toldGone(look: EvaluationContext, monitor: MonitorId, wallet: Wallet, gone: ClosedPosition): Item {
  return describeClose(gone, { label: walletOf(look, monitor, wallet), now: look.now })
}

/** The wallet's label as the maker of the chat's rules knows it. */
function walletOf(look: EvaluationContext, monitor: MonitorId, wallet: Wallet): string {
  return walletLabel(look.memory, makerOf(look, monitor, wallet), wallet)
}

function makerOf({ memory }: EvaluationContext, { chatId }: MonitorId, wallet: Wallet): number {
  const watchers = memory.rules.watches.of(wallet)
  const makers = [...memory.rules.rulesIn.of(chatId).values()].map(({ personId }) => personId)
  return makers.find((personId) => watchers.has(personId)) ?? 0
}

/** After a start, or where figures are missing, it is not known which account covers a position. */
function mayGoOn(look: EvaluationContext, wallet: Wallet, { subject }: MonitorId): boolean {
  const whole = viewOf(look, wallet)
  if (subject.is !== 'account' || !whole) return false
  const view = lookAt(whole, venueOf(subject.accountId, look.memory.run.venues))
  return view !== undefined && hasUnknownPool(view)
}

/**
 * The account covers no position any more: that its ratio is none then is no all-clear. The notice tells how
 * its positions ended, where no other notice of this chat does.
 */
function endOfAccount(
  look: EvaluationContext,
  monitor: MonitorId,
  alertId: number,
  { wallet, accountId }: Extract<SubjectId, { is: 'account' }>,
  untold: readonly ClosedPosition[],
): Notice {
  const { memory, kinds, now } = look
  const view = viewOf(look, wallet)
  const poolNow = view ? poolOf(view, accountId) : null
  const known = memory.monitors.states.get(monitorKey(monitor))?.value ?? 0
  const figure = findKind(kinds, monitor.kind)?.figure(known) ?? ''
  const label = walletOf(look, monitor, wallet)
  const why =
    poolNow === null || poolNow === accountId
      ? words('over.margin.unused')
      : words('over.margin.pool', { pool: poolNow })
  const own = untold
    .filter(
      ({ position }) =>
        position.margin !== 'isolated' && view && poolOf(view, position.accountId) === accountId,
    )
    .toSorted((a, b) => LOUD.indexOf(closeSeverity(a)) - LOUD.indexOf(closeSeverity(b)))
  const severity = own[0] ? closeSeverity(own[0]) : 'info'
  const ends = own.slice(0, NAMED).map((one) => describeClose(one, { label, now }).title)
  const told = item(severity, words('over.margin.title', { name: nameOfAccount(view, label, accountId) }), [
    why,
    ...ends,
    words('over.last-told', { figure }),
  ])
  const about = { alertId, chatId: monitor.chatId, personId: makerOf(look, monitor, wallet) }
  return {
    item: named(told, alertId, buttonsOf(look, about, monitor.subject, 'over')),
    ...{ reason: 'ended', severity, order: 0, alertIds: [alertId], about: monitorKey(monitor) },
    quiet: severity === 'info',
  }
}

/** It went while nobody looked, and left no evidence. */
function untoldGone({ memory }: EvaluationContext, subject: Extract<SubjectId, { is: 'position' }>): Item {
  const symbol = symbolOf(memory, subject.marketId)
  return item('warning', words('closed.title', { market: symbol, side: subject.side, how: 'unknown' }), [
    words('over.unseen'),
  ])
}

/** The remembered monitors of this wallet that are not among its present ones. */
function notAmong(
  { monitors: { index: monitors } }: Pick<Memory, 'monitors'>,
  wallet: Wallet,
  live: readonly Monitor[],
): [MonitorKey, MonitorId][] {
  const all = monitors.slotsOf(wallet)
  if (all.length === 0) return []
  const alive = new Set(live.map(({ id }) => monitors.slotOf(id)))
  return all.filter((slot) => !alive.has(slot)).map((slot) => [monitors.keyAt(slot), monitors.at(slot)])
}

/** Monitors of markets that this wallet has left, for rules that name the wallet. */
function leftMarkets(
  look: EvaluationContext,
  wallet: Wallet,
  before: WalletView | undefined,
  live: readonly Monitor[],
): [MonitorKey, MonitorId][] {
  const { memory } = look
  const rules = [...memory.rules.rulesOver.of(wallet).values()].filter(
    ({ kind }) => findKind(look.kinds, kind)?.on === 'market',
  )
  if (rules.length === 0) return []
  const alive = new Set(live.map(({ key }) => key))
  const markets = new Set([...(before?.held.values() ?? [])].map(({ position }) => position.marketId))
  return rules.flatMap(({ chatId, kind, identity }) =>
    [...markets].flatMap((marketId): [MonitorKey, MonitorId][] => {
      const monitor: MonitorId = { chatId, kind, identity, subject: { is: 'market', marketId } }
      const key = monitorKey(monitor)
      const known = memory.monitors.index.slotOf(monitor) >= 0
      return known && !alive.has(key) && monitorNamed(look, monitor) === null ? [[key, monitor]] : []
    }),
  )
}
