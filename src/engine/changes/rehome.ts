import { type Rule, sameRule } from '../../alert/alert.ts'
import { type MonitorId, monitorKey, monitorOf } from '../../alert/monitor.ts'
import { endOf } from '../evaluate/ended-monitors.ts'
import type { Effect } from '../memory/effect.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { type Decided, doing } from './decided.ts'

/**
 * All rules of a chat, and what is remembered for them, go to another one: nothing that was told there is told again,
 * and what fires goes on firing. A rule that the other chat has as well, and what that one knows itself, stay as they
 * are there. What was held back is said in the other one.
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

/** What is known of a guard, under its name in the other chat, unless that one knows it itself. */
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
