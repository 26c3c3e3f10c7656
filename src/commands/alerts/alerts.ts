import { z } from 'zod'

import { findKind, type Rule } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context, Firing, Pending } from '../../command/context.ts'
import { type Item, item, message, say, text } from '../../message/message.ts'
import { firingLines, firingText, pendingLines } from '../shared/firing-lines.ts'
import { count, pageButtons, pageOf } from '../shared/pages.ts'
import { placeText, ruleText, scopeText } from '../shared/rule-lines.ts'
import { suppressedLines, quietPeriodLines } from '../shared/suppression-lines.ts'

/** Rules per page: with the firing, pending and quiet items a message has ten. */
const PAGE = 7
const FIRING = 6
const PENDING = 4
const HELD = 3
const MAX_NAMED_ALERTS = 8

/** Lists the firing alerts, worst first, then the pending and suppressed ones, then the rules. */
export default command({
  name: 'alerts',
  summary: 'Active alerts and rules',
  examples: ['/alerts'],
  audience: 'bound',
  args: z.object({ page: argument.page().default(1) }),
  run(context, { page: asked }) {
    const { person, chat, view } = context
    const ofChat = chat && !chat.private
    const rules = ofChat ? view.rulesIn(chat.id) : view.rules(person.id)
    const firing = ofChat ? view.firingIn(chat.id) : [...view.firing(person.id), ...view.helping(person.id)]
    if (rules.length + firing.length === 0)
      return say('No alerts yet. Set one: /alert. Or watch a wallet: /watch')
    const pending = ofChat ? view.pendingIn(chat.id) : view.pending(person.id)
    const fires = (rule: Rule) => firing.some(({ ruleIds }) => ruleIds.includes(rule.id))
    const page = pageOf(
      rules.toSorted((a, b) => Number(fires(b)) - Number(fires(a))),
      asked,
      PAGE,
    )
    const lines = page.page === 1 ? firingLines(context, firing, FIRING) : []
    const head = item('plain', `${firingText(firing.length)}, ${count(rules.length, 'rule')}`, lines)
    const waits = page.page === 1 ? [...pendingItems(context, pending), ...restItems(context)] : []
    return message([head, ...waits, ...page.shown.map((rule) => ruleItem(context, rule, firing))], {
      buttons: pageButtons(page, (to) => `/alerts ${to}`),
      footnote: page.pages > 1 ? `page ${page.page} of ${page.pages}` : null,
    })
  },
})

function pendingItems(context: Context, pending: readonly Pending[]): Item[] {
  if (pending.length === 0) return []
  return [item('plain', `${pending.length} pending`, pendingLines(context, pending, PENDING))]
}

function restItems(context: Context): Item[] {
  const lines = quietPeriodLines(context)
  return lines.length === 0
    ? []
    : [item('plain', 'What is quiet here', [...lines, ...suppressedLines(context, HELD)])]
}

function ruleItem({ kinds, view, person }: Context, rule: Rule, firing: readonly Firing[]): Item {
  const kind = findKind(kinds, rule.kind)
  const threshold = kind ? ruleText(rule, kind) : ''
  const own = firing.filter(({ ruleIds }) => ruleIds.includes(rule.id)).map(({ alertId }) => `A${alertId}`)
  const more = own.length > MAX_NAMED_ALERTS ? ` and ${own.length - MAX_NAMED_ALERTS} more` : ''
  return item('plain', text`R${rule.id} ${rule.kind}${threshold === '' ? '' : text` ${threshold}`}`, [
    `${scopeText(rule, view.watches(person.id), kind)}${placeText(rule, view.chats(person.id))}`,
    ...(own.length > 0 ? [`fires: ${own.slice(0, MAX_NAMED_ALERTS).join(', ')}${more}`] : []),
  ])
}
