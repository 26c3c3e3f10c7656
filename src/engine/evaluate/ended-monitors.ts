import { findKind, type Severity } from '../../alert/alert.ts'
import { type GuardId, type GuardKey, guardKey } from '../../alert/monitor.ts'
import { type SubjectId, subjectKey } from '../../alert/subject-id.ts'
import { type Item, item, text } from '../../message/message.ts'
import { closingOf } from '../../venue/close-outcome.ts'
import { type Gone, GONE_SEVERITY, tellGone } from '../../venue/closed-position.ts'
import type { Owner } from '../../venue/wallet.ts'
import { hasUnknownPool, poolOf } from '../memory/accounts.ts'
import type { Effect } from '../memory/effect.ts'
import { type Memory, symbolOf, walletLabel } from '../memory/memory.ts'
import { keptOf } from '../memory/removal.ts'
import type { OwnerView } from '../memory/wallet-view.ts'
import { type Look, viewOf } from '../monitors/context.ts'
import { type Decision, type Said, silent } from '../monitors/decision.ts'
import { type Guard, guardNamed } from '../monitors/monitors.ts'
import { nameOfAccount } from '../monitors/subjects.ts'
import { buttonsOf, whyButton } from './buttons.ts'
import { named } from './wording.ts'

/** Loudest first. */
const LOUD: readonly Severity[] = ['critical', 'warning', 'info']
/** Positions named in the end of their account. */
const NAMED = 3

/** What is still remembered of positions and markets that this owner has left. */
export function endings(
  look: Look,
  owner: Owner,
  before: OwnerView | undefined,
  live: readonly Guard[],
  judged: readonly Decision[],
  gone: readonly Gone[],
): Decision[] {
  const told = new Set(
    judged.flatMap(({ chatId, mentions }) => mentions.map((position) => `${chatId} ${position}`)),
  )
  const untold = (chatId: number) => gone.filter((one) => !told.has(`${chatId} ${one.key}`))
  const over = [...notAmong(look.memory, owner, live), ...leftMarkets(look, owner, before, live)]
  return over
    .filter(([, guard]) => !mayGoOn(look, owner, guard))
    .map(([key, guard]) => {
      const { chatId, subject } = guard
      const ending = silent(chatId, endOf(look, key, guard))
      const state = look.memory.states.get(key)?.state
      if (state?.is === 'firing' && subject.is === 'account')
        return { ...ending, said: [endOfAccount(look, guard, state.alertId, subject, untold(chatId))] }
      if (state?.is !== 'firing' || subject.is !== 'position') return ending
      const position = subjectKey(subject)
      if (told.has(`${chatId} ${position}`)) return ending
      told.add(`${chatId} ${position}`)
      // Whoever was warned of it hears the end of it, once, also without a rule on closed positions.
      const evidence = gone.find((one) => one.key === position)
      if (evidence) ending.effects = ending.effects.map((effect) => withClosing(effect, evidence))
      const words = evidence ? toldGone(look, guard, owner, evidence) : untoldGone(look, subject)
      ending.mentions.push(position)
      ending.said.push({
        item: named(words, state.alertId, [whyButton(state.alertId)]),
        reason: 'ended',
        severity: evidence ? GONE_SEVERITY[evidence.cause] : 'warning',
        order: 0,
        alertIds: [state.alertId],
        about: key,
        quiet: false,
      })
      return ending
    })
}

/** Nothing else tells here what the end of the position brought: history has it from its alert. */
function withClosing(effect: Effect, gone: Gone): Effect {
  return effect.is === 'alert-closed' ? { ...effect, closing: closingOf(gone) } : effect
}

/** All that memory and store have of a guard goes. */
export function endOf({ memory, now }: Pick<Look, 'memory' | 'now'>, key: GuardKey, guard: GuardId) {
  return [...keptOf(memory, key, guard, now), { is: 'forgotten', key, guard } as const]
}

function toldGone(look: Look, guard: GuardId, owner: Owner, gone: Gone): Item {
  return tellGone(gone, { wallet: walletOf(look, guard, owner), now: look.now })
}

/** The wallet as whoever is told in that chat knows it. */
function walletOf(look: Look, guard: GuardId, owner: Owner): string {
  return walletLabel(look.memory, makerOf(look, guard, owner), owner)
}

function makerOf({ memory }: Look, { chatId }: GuardId, owner: Owner): number {
  const watchers = memory.watches.of(owner)
  const makers = [...memory.rulesIn.of(chatId).values()].map(({ personId }) => personId)
  return makers.find((personId) => watchers.has(personId)) ?? 0
}

/** After a start, or where figures are missing, it is not known which account covers a position. */
function mayGoOn(look: Look, owner: Owner, { subject }: GuardId): boolean {
  const view = viewOf(look, owner)
  return subject.is === 'account' && view !== undefined && hasUnknownPool(view)
}

/**
 * Nothing is left that it covers: that its ratio is none then is no all-clear. What became of its positions is said with it
 * where nothing else tells of them there.
 */
function endOfAccount(
  look: Look,
  guard: GuardId,
  alertId: number,
  { owner, accountId }: Extract<SubjectId, { is: 'account' }>,
  untold: readonly Gone[],
): Said {
  const { memory, kinds, now } = look
  const view = viewOf(look, owner)
  const poolNow = view ? poolOf(view, accountId) : null
  const known = memory.states.get(guardKey(guard))?.value ?? 0
  const figure = findKind(kinds, guard.kind)?.figure(known) ?? ''
  const wallet = walletOf(look, guard, owner)
  const why =
    poolNow === null || poolNow === accountId
      ? 'no open position shares its margin any more'
      : `its margin is that of ${poolNow} now`
  const own = untold
    .filter(
      ({ position }) =>
        position.margin !== 'isolated' && view && poolOf(view, position.accountId) === accountId,
    )
    .toSorted((a, b) => LOUD.indexOf(GONE_SEVERITY[a.cause]) - LOUD.indexOf(GONE_SEVERITY[b.cause]))
  const severity = own[0] ? GONE_SEVERITY[own[0].cause] : 'info'
  const ends = own.slice(0, NAMED).map((one) => tellGone(one, { wallet, now }).title)
  const words = item(severity, `${nameOfAccount(view, wallet, accountId)}: I watch its margin no longer`, [
    why,
    ...ends,
    text`${figure} when last told`,
  ])
  const about = { alertId, chatId: guard.chatId, personId: makerOf(look, guard, owner) }
  return {
    item: named(words, alertId, buttonsOf(look, about, guard.subject, 'over')),
    ...{ reason: 'ended', severity, order: 0, alertIds: [alertId], about: guardKey(guard), quiet: false },
  }
}

/** It went while nobody looked, and left no evidence. */
function untoldGone({ memory }: Look, subject: Extract<SubjectId, { is: 'position' }>): Item {
  const symbol = symbolOf(memory, subject.marketId)
  return item('warning', `${symbol} ${subject.side} is gone, cause unknown`, [
    'It is not among the positions any more; I did not see how it ended.',
  ])
}

/** What is known of this owner beside the guards that it has now. */
function notAmong({ guards }: Memory, owner: Owner, live: readonly Guard[]): [GuardKey, GuardId][] {
  const all = guards.slotsOf(owner)
  if (all.length === 0) return []
  const alive = new Set(live.map(({ id }) => guards.slotOf(id)))
  return all.filter((slot) => !alive.has(slot)).map((slot) => [guards.keyAt(slot), guards.at(slot)])
}

/** Guards of markets that this owner was in, for rules that name it. */
function leftMarkets(
  look: Look,
  owner: Owner,
  before: OwnerView | undefined,
  live: readonly Guard[],
): [GuardKey, GuardId][] {
  const { memory } = look
  const rules = [...memory.rulesOver.of(owner).values()].filter(
    ({ kind }) => findKind(look.kinds, kind)?.on === 'market',
  )
  if (rules.length === 0) return []
  const alive = new Set(live.map(({ key }) => key))
  const markets = new Set([...(before?.held.values() ?? [])].map(({ position }) => position.marketId))
  return rules.flatMap(({ chatId, kind, identity }) =>
    [...markets].flatMap((marketId): [GuardKey, GuardId][] => {
      const guard: GuardId = { chatId, kind, identity, subject: { is: 'market', marketId } }
      const key = guardKey(guard)
      const known = memory.guards.slotOf(guard) >= 0
      return known && !alive.has(key) && guardNamed(look, guard) === null ? [[key, guard]] : []
    }),
  )
}
