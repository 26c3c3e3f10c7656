import { findKind, type Kind, type Rule } from '../../alert/alert.ts'
import { toJson } from '../../lib/text/json.ts'
import { type Item, item, message, type Text, words } from '../../message/message.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { walletLabel } from '../memory/rules.ts'
import { notifyQuietly } from '../notify/notice.ts'
import { type Decided, doing } from './decided.ts'

/**
 * A rule that an assistant sets. It only adds: a rule that is there keeps everything that it alerts for, and holds no longer
 * than before. Its person reads of it without a sound.
 */
export function addRule(
  look: EvaluationContext,
  { setBy, ...rule }: Rule & Required<Pick<Rule, 'setBy'>>,
): Decided {
  const { memory, kinds, numbers, now } = look
  const before = memory.rules.all.get(rule.id)
  const kind = findKind(kinds, rule.kind)
  if (!kind) return doing([], [])
  const added = before ? merged(kind, before, rule) : rule
  if (before && isSame(before, added)) return doing([], [before])
  const made: Rule = { ...added, setBy }
  const said = message([noticeOf(look, kind, made, before)])
  return doing(
    [{ is: 'rule', rule: made }, ...notifyQuietly(memory, numbers, made.personId, said, now)],
    [made],
  )
}

function merged(kind: Kind, before: Rule, asked: Rule): Rule {
  const params = kind.merge([before.params, asked.params])
  return { ...before, params, identity: kind.identity(params), holdMs: Math.min(before.holdMs, asked.holdMs) }
}

function isSame(a: Rule, b: Rule): boolean {
  return a.holdMs === b.holdMs && toJson(a.params) === toJson(b.params)
}

/** Says which rule was set and where, and how it was before. Only a new rule can go without a loss. */
function noticeOf({ memory }: EvaluationContext, kind: Kind, rule: Rule, before: Rule | undefined): Item {
  const { id, personId, wallet, market, setBy = '' } = rule
  const lines: Text[] = [
    words('alert.set', { when: kind.when(rule.params, market?.symbol ?? null) }),
    ...(wallet === null
      ? []
      : [words('change.assistant.wallet', { wallet: walletLabel(memory, personId, wallet) })]),
    ...(before ? [words('change.assistant.before', { rule: kind.describe(before.params) })] : []),
  ]
  const line = before ? '/alerts' : `/remove R${id}`
  const label = words(before ? 'change.assistant.button.alerts' : 'alert.button.remove')
  const title = words(before ? 'change.assistant.added' : 'change.assistant.set', {
    name: setBy,
    rule: `R${id}`,
  })
  return item('info', title, lines, [{ label, line, replace: true }])
}
