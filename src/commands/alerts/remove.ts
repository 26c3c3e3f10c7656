import { z } from 'zod'

import { findKind } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { item, message, say } from '../../message/message.ts'
import { placeName } from '../../people/chat.ts'
import { protectionItem } from '../shared/protection.ts'
import { ruleLine, scopeText } from '../shared/rule-lines.ts'

/** Takes a rule away. */
export default command({
  name: 'remove',
  summary: 'takes a rule away',
  examples: ['/remove R3'],
  audience: 'bound',
  args: z.object({ rule: argument.rule() }),
  async run(context, { rule: id }) {
    const { from, person, chat, view, change, kinds } = context
    const ofChat = chat && !chat.private ? view.rulesIn(chat.id) : []
    const rule = [...view.rules(person.id), ...ofChat].find((one) => one.id === id)
    if (!rule) return say(`You have no rule R${id}. See /alerts.`)
    await change({ is: 'remove', personId: rule.personId, ruleId: id })
    const there = view.chat(rule.chatId)
    const place = there?.private === false && from.private ? ` ${placeName(there)}` : ''
    const line = ruleLine(rule, kinds)
    return message(
      [
        item('plain', `R${id} is gone: ${rule.kind}`, [
          `It was ${scopeText(rule, view.watches(person.id), findKind(kinds, rule.kind))}.`,
        ]),
        ...protectionItem({ ...context, chat: there }, rule.kind, rule),
      ],
      { buttons: line === null ? [] : [{ label: 'Set it again', line: line + place, replace: true }] },
    )
  },
})
