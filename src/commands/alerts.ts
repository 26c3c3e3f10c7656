import { z } from 'zod'

import { findKind } from '../alert.ts'
import type { Rule } from '../alert.ts'
import { argument } from '../argument.ts'
import { command } from '../command.ts'
import type { Context, Firing } from '../command.ts'
import { age, item, message, say } from '../message.ts'
import type { Item } from '../message.ts'
import { count, pageButtons, pageOf } from './words/pages.ts'
import { placeText, scopeText } from './words/rules.ts'

const PAGE = 9
const FIRING = 4

/** Lists the rules, those that fire now first. */
export default command({
  name: 'alerts',
  summary: 'lists your alerts and what fires now',
  examples: ['/alerts'],
  audience: 'bound',
  args: z.object({ page: argument.page().default(1) }),
  run(context, { page: asked }) {
    const { person, chat, from, view } = context
    const ofChat = chat && !from.private && !chat.private
    const rules = ofChat ? view.rulesIn(chat.id) : view.rules(person.id)
    if (rules.length === 0) return say('There are no alerts. /watch arms some, /alert sets one.')
    // In a bound chat the rules may be somebody else's.
    const makers = new Set(rules.map(({ personId }) => personId))
    const firing = [...makers]
      .flatMap((maker) => view.firing(maker))
      .filter(({ rule }) => rules.some(({ id }) => id === rule.id))
    const fires = (rule: Rule) => firing.some((one) => one.rule.id === rule.id)
    const page = pageOf(
      rules.toSorted((a, b) => Number(fires(b)) - Number(fires(a))),
      asked,
      PAGE,
    )
    const head = item('plain', `${count(rules.length, 'alert')}, ${firing.length} firing now`)
    return message([head, ...page.shown.map((rule) => ruleItem(context, rule, firing))], {
      buttons: pageButtons(page, (to) => `/alerts ${to}`),
      footnote: page.pages > 1 ? `page ${page.page} of ${page.pages}` : null,
    })
  },
})

function ruleItem({ kinds, view, person, reader }: Context, rule: Rule, firing: readonly Firing[]): Item {
  const kind = findKind(kinds, rule.kind)
  const threshold = kind?.describe(rule.params) ?? ''
  const own = firing.filter((one) => one.rule.id === rule.id)
  const lines = own.slice(0, FIRING).map(({ alertId, tier, since }) => {
    const line = kind?.is === 'level' ? kind.tier(rule.params, tier) : `tier ${tier}`
    return `fires: A${alertId}, ${line}, for ${age(reader.now - since)}`
  })
  const more = own.length > FIRING ? [`and ${own.length - FIRING} more fire`] : []
  return item('plain', `R${rule.id} ${rule.kind}${threshold === '' ? '' : ` ${threshold}`}`, [
    `${scopeText(rule, view.watches(person.id))}${placeText(rule, view.chats(person.id))}`,
    ...lines,
    ...more,
  ])
}
