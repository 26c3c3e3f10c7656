import { z } from 'zod'

import { findKind } from '../alert.ts'
import { command } from '../command.ts'
import { age, item, message, say } from '../message.ts'
import { placeText, scopeText } from './words/rules.ts'

/** Lists the rules, and what fires now. */
export default command({
  name: 'alerts',
  summary: 'lists your alerts and what fires now',
  examples: ['/alerts'],
  audience: 'bound',
  args: z.object({}),
  run({ person, chat, from, view, kinds, reader }) {
    const ofChat = chat && !from.private && !chat.private
    const rules = ofChat ? view.rulesIn(chat.id) : view.rules(person.id)
    if (rules.length === 0) return say('You have no alerts. /watch arms some, /alert sets one.')
    const watches = view.watches(person.id)
    const firing = view.firing(person.id)
    return message([
      item('plain', `${rules.length} alert${rules.length === 1 ? '' : 's'}, ${firing.length} firing`),
      ...rules.map((rule) => {
        const kind = findKind(kinds, rule.kind)
        const threshold = kind?.describe(rule.params) ?? ''
        const now = firing
          .filter((one) => one.rule.id === rule.id)
          .map(({ alertId, tier, since }) => {
            const line = kind?.is === 'level' ? kind.tier(rule.params, tier) : `tier ${tier}`
            return `fires: A${alertId}, ${line}, for ${age(reader.now - since)}`
          })
        return item('plain', `R${rule.id} ${rule.kind}${threshold === '' ? '' : ` ${threshold}`}`, [
          `${scopeText(rule, watches)}${placeText(rule, view.chats(person.id))}`,
          ...now,
        ])
      }),
    ])
  },
})
