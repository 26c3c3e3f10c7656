import { GONE_SEVERITY, tellGone } from '../gone.ts'
import type { Gone } from '../gone.ts'
import { guardKey } from '../guard.ts'
import type { GuardId, GuardKey } from '../guard.ts'
import { findKind } from '../alert.ts'
import { item } from '../message.ts'
import type { Item } from '../message.ts'
import type { Owner } from '../owner.ts'
import { subjectKey } from '../subject.ts'
import type { SubjectId } from '../subject.ts'
import { whyButton } from './buttons.ts'
import { keptOf } from './dropping.ts'
import { silent } from './decision.ts'
import type { Decision } from './decision.ts'
import { guardNamed } from './guards.ts'
import type { Guard } from './guards.ts'
import type { Look } from './look.ts'
import { symbolOf, walletLabel } from './memory.ts'
import type { OwnerView } from './owner-view.ts'
import { named } from './telling.ts'

/** What is still remembered of positions and markets that this owner has left. */
export function endings(
  look: Look,
  owner: Owner,
  before: OwnerView | undefined,
  live: readonly Guard[],
  judged: readonly Decision[],
  gone: readonly Gone[],
): Decision[] {
  const alive = new Set(live.map(({ key }) => key))
  const told = new Set(
    judged.flatMap(({ chatId, mentions }) => mentions.map((position) => `${chatId} ${position}`)),
  )
  const over = [...look.memory.guardsOf.of(owner), ...leftMarkets(look, owner, before)]
  return over
    .filter(([key]) => !alive.has(key))
    .map(([key, guard]) => {
      const { chatId, subject } = guard
      const ending = silent(chatId, endOf(look, key, guard))
      const state = look.memory.states.get(key)?.state
      if (state?.is !== 'firing' || subject.is !== 'position') return ending
      const position = subjectKey(subject)
      if (told.has(`${chatId} ${position}`)) return ending
      // Whoever was warned of it hears the end of it, also without a rule on closed positions.
      const evidence = gone.find((one) => one.key === position)
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

/** All that memory and store have of a guard goes. */
export function endOf({ memory, now }: Pick<Look, 'memory' | 'now'>, key: GuardKey, guard: GuardId) {
  return [...keptOf(memory, key, guard, now), { is: 'forgotten', key, guard } as const]
}

function toldGone({ memory, now }: Look, { chatId }: GuardId, owner: Owner, gone: Gone): Item {
  const watchers = memory.watches.of(owner)
  const makers = [...memory.rulesIn.of(chatId).values()].map(({ personId }) => personId)
  const maker = makers.find((personId) => watchers.has(personId)) ?? 0
  return tellGone(gone, { wallet: walletLabel(memory, maker, owner), now })
}

/** It went while nobody looked, and left no evidence. */
function untoldGone({ memory }: Look, subject: Extract<SubjectId, { is: 'position' }>): Item {
  const symbol = symbolOf(memory, subject.marketId)
  return item('warning', `${symbol} ${subject.side} is gone, cause unknown`, [
    'It is not among the positions any more; I did not see how it ended.',
  ])
}

/** Guards of markets that this owner was in, for rules that name it. */
function leftMarkets(look: Look, owner: Owner, before: OwnerView | undefined): [GuardKey, GuardId][] {
  const { memory } = look
  const markets = new Set([...(before?.held.values() ?? [])].map(({ position }) => position.marketId))
  const rules = [...memory.rulesOver.of(owner).values()].filter(
    ({ kind }) => findKind(look.kinds, kind)?.on === 'market',
  )
  return rules.flatMap(({ chatId, kind, identity }) =>
    [...markets].flatMap((marketId): [GuardKey, GuardId][] => {
      const guard: GuardId = { chatId, kind, identity, subject: { is: 'market', marketId } }
      const key = guardKey(guard)
      const known = memory.guardsIn.of(chatId).has(key)
      return known && guardNamed(look, guard) === null ? [[key, guard]] : []
    }),
  )
}
