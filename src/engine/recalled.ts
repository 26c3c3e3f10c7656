import type { Transition, Verdict } from '../alert.ts'
import type { Subject } from '../judged.ts'
import { toNumber } from '../amount.ts'
import { price } from '../figure.ts'
import type { GuardKey } from '../guard.ts'
import { text } from '../message.ts'
import type { Item } from '../message.ts'
import { subjectKey, subjectOfPosition } from '../subject.ts'
import type { Guard } from './guards.ts'
import type { Look } from './look.ts'
import type { State } from './memory.ts'
import { isRemembered, isUnseen } from './unseen.ts'

/**
 * How far a judgement goes: one by a position that only an earlier run has read tells what is worse, and changes nothing
 * else. `bounds` is that the prices that could change it are known; `none` that it cannot be seen.
 */
export function reachOf(
  { memory, again }: Look,
  key: GuardKey,
  before: State['state'],
  { subject, judgement: { enter, stay } }: { subject: Subject; judgement: Verdict },
  isCritical: (tier: number) => boolean,
): 'whole' | 'bounds' | 'none' {
  if (!isRemembered(subject)) return 'whole'
  // What an earlier run has counted of a hold goes on when its wallet is read: what is critical alone waits for nothing.
  if (before.is === 'pending' && memory.unseen.has(key) && !isCritical(enter)) return 'none'
  if (before.is !== 'firing' || enter > before.tier) return 'whole'
  // It is said again when its time has come, by the price as long as that shows it.
  if (again === undefined) return 'bounds'
  return stay < before.tier ? 'none' : 'whole'
}

/** Why less is so than was told: the first read of this run shows another position than the one that was judged till then. */
export function corrected(
  told: Item,
  { memory }: Look,
  { kind, params }: Guard,
  { from, to }: Transition,
  subject: Subject | undefined,
): Item {
  if (subject?.is !== 'position' || isUnseen(subject) || subject.awaySince !== null || to >= from) return told
  const view = memory.owners.get(subject.position.owner)
  const before = view?.held.get(subjectKey(subjectOfPosition(subject.position)))
  if (before?.seenTick !== -Infinity || before.position.liquidationPrice === null || kind.is !== 'level')
    return told
  const judged = kind.judge(params, { ...subject, position: before.position })
  // The price alone has done it.
  if (judged === 'unknown' || judged.stay <= to) return told
  const at = price(toNumber(before.position.liquidationPrice))
  const since = { time: before.seenAt, as: 'clock' } as const
  const why = text`changed since ${since}: before my restart its liquidation was at ${at}`
  return { ...told, lines: [why, ...told.lines] }
}
