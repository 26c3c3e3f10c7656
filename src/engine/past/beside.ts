import { sameRule } from '../../alert.ts'
import type { LevelKind, Rule } from '../../alert.ts'
import type { Asked } from '../../past.ts'
import type { SubjectId } from '../../subject.ts'
import { covers } from '../guards.ts'
import type { Look } from '../look.ts'

/** A guard as it would be with this rule behind it. */
interface Beside {
  /** Of the others behind it. */
  ids: number[]
  params: unknown
  holdMs: number
  /** Which of the rule's own tiers it stands at where the guard stands at this one. */
  own(tier: number): number
}

/**
 * Rules that cover the same are judged as one (DESIGN 6): what one of them would have done is what all of them would have done
 * together, counted where a line of its own is passed. The one whose place it would take is none of them.
 */
export function besideOf(look: Look, kind: LevelKind<unknown>, rule: Asked): (subject: SubjectId) => Beside {
  const { kinds, memory } = look
  const identity = kind.identity(rule.params)
  const others = [...memory.rulesIn.of(rule.chatId).values()].filter(
    (one) => one.kind === kind.name && one.identity === identity && !sameRule(kinds, one, rule),
  )
  return (subject) => {
    const behind: Rule[] = others.filter((one) => covers(look, one, subject))
    const params =
      behind.length > 0
        ? kind.merge([...behind.map((one) => one.params), rule.params] as [unknown])
        : rule.params
    return {
      ids: behind.map(({ id }) => id),
      params,
      holdMs: Math.min(rule.holdMs, ...behind.map((one) => one.holdMs)),
      own: (tier) => (tier > 0 ? kind.carry(params, tier, rule.params) : 0),
    }
  }
}
