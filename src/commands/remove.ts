import { z } from 'zod'

import { argument } from '../argument.ts'
import { command } from '../command.ts'
import { item, message, say } from '../message.ts'
import { ruleLine, scopeText } from './words/rules.ts'

/** Takes a rule away. */
export default command({
  name: 'remove',
  summary: 'takes an alert away',
  examples: ['/remove R3'],
  audience: 'bound',
  args: z.object({ rule: argument.rule() }),
  async run({ person, chat, view, change, kinds }, { rule: id }) {
    const ofChat = chat && !chat.private ? view.rulesIn(chat.id) : []
    const rule = [...view.rules(person.id), ...ofChat].find((one) => one.id === id)
    if (!rule) return say(`You have no alert R${id}. See /alerts.`)
    await change({ is: 'remove', personId: rule.personId, ruleId: id })
    const line = ruleLine(rule, kinds)
    return message(
      [
        item('plain', `R${id} is gone: ${rule.kind}`, [
          `It was ${scopeText(rule, view.watches(person.id))}. Nothing tells you of it any more.`,
        ]),
      ],
      { buttons: line === null ? [] : [{ label: 'Set it again', line, replace: true }] },
    )
  },
})
