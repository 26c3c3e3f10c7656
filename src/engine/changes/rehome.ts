import { type Rule, sameRule } from '../../alert/alert.ts'
import { marketIn } from '../../alert/subject-id.ts'
import { type MonitorId, monitorKey, monitorOf } from '../../alert/monitor.ts'
import type { Change } from '../../store/change.ts'
import { endOf } from '../evaluate/ended-monitors.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { type Decided, doing } from './decided.ts'

/**
 * Moves all rules of a chat, and the states of their monitors, to another chat. Nothing that was told is told
 * again, and firing alerts go on firing. A rule or state that the other chat has already stays as it is
 * there. Suppressed notices are told in the other chat.
 */
export function rehome(look: EvaluationContext, from: number, to: number): Decided {
  const { memory } = look
  const there = [...memory.rules.rulesIn.of(to).values()]
  const moved: Rule[] = []
  const effects: Effect[] = []
  for (const rule of memory.rules.rulesIn.of(from).values()) {
    const twin = { ...rule, chatId: to }
    if (there.some((one) => one.personId === rule.personId && sameRule(look.kinds, one, twin)))
      effects.push({ is: 'rule-gone', ruleId: rule.id })
    else moved.push(twin)
  }
  for (const [key, monitor] of memory.monitors.monitorsIn.of(from)) {
    const taken = carried(look, key, { ...monitor, chatId: to })
    // An alert that goes on there is not closed.
    const goesOn = taken.some(({ is }) => is === 'state')
    const left = endOf(look, key, monitor).filter(({ is }) => !(goesOn && is === 'alert-closed'))
    effects.push(...taken, ...left)
  }
  for (const held of memory.silences.suppressedIn.of(from).values()) {
    const about = monitorKey({ ...monitorOf(held.about), chatId: to })
    effects.push({ is: 'suppressed', held: { ...held, chatId: to, about } })
  }
  return doing([...moved.map((rule): Effect => ({ is: 'rule', rule })), ...effects], moved)
}

/** Moves the rules about a market, and the states of their monitors, to its new name. */
export function renameMarket(
  look: EvaluationContext,
  { from, to }: Extract<Change, { is: 'market-renamed' }>,
): Decided {
  const { rules, monitors } = look.memory
  const moved = [...rules.rulesOn.of(from).values()].map((rule): Rule => ({ ...rule, market: to }))
  const effects = [...new Set(moved.map(({ chatId }) => chatId))].flatMap((chatId) =>
    [...monitors.monitorsIn.of(chatId)].flatMap(([key, monitor]): Effect[] => {
      if (monitor.subject.is !== 'market' || marketIn(monitor.subject) !== from) return []
      const taken = carried(look, key, { ...monitor, subject: { ...monitor.subject, marketId: to.id } })
      // An alert that goes on under the new name is not closed.
      const goesOn = taken.some(({ is }) => is === 'state')
      return [...taken, ...endOf(look, key, monitor).filter(({ is }) => !(goesOn && is === 'alert-closed'))]
    }),
  )
  return doing([...moved.map((rule): Effect => ({ is: 'rule', rule })), ...effects], moved)
}

/** A monitor's states under its key in the other chat or market, unless there are some already. */
function carried({ memory }: EvaluationContext, key: string, monitor: MonitorId): Effect[] {
  const target = monitorKey(monitor)
  const state = memory.monitors.states.get(key)
  const memo = memory.monitors.memos.get(key)
  return [
    ...(state && !memory.monitors.states.has(target)
      ? [{ is: 'state', row: { monitor, ...state } } as const]
      : []),
    ...(memory.monitors.memos.has(key) && !memory.monitors.memos.has(target)
      ? [{ is: 'memo', row: { monitor, memo } } as const]
      : []),
  ]
}
