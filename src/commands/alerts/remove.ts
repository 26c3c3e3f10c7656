import { z } from 'zod'

import { findKind } from '../../alert/alert.ts'
import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import { item, joined, message, say, words } from '../../message/message.ts'
import { placeName } from '../../people/chat.ts'
import { protectionItem } from '../shared/protection.ts'
import { ruleLine, ruleText, scopeText } from '../shared/rule-lines.ts'

/** Takes a rule away. */
export default command({
  name: 'remove',
  summary: words('menu.remove'),
  examples: ['/remove R3'],
  audience: 'bound',
  args: z.object({ rule: argument.rule() }),
  async run(context, { rule: id }) {
    const { from, person, chat, view, change, kinds } = context
    const ofChat = chat && !chat.private ? view.rulesIn(chat.id) : []
    const rule = [...view.rules(person.id), ...ofChat].find((one) => one.id === id)
    const here = from.private ? null : view.chatAt(from.chat)
    if (!rule && here && view.rulesIn(here.id).some((one) => one.id === id))
      return say(words('remove.others', { rule: id, chat: here.title ?? words('remove.this-chat') }))
    if (!rule) return say(words('remove.unknown', { rule: id }))
    await change({ is: 'remove', personId: rule.personId, ruleId: id })
    const there = view.chat(rule.chatId)
    const place = there?.private === false && from.private ? ` ${placeName(there)}` : ''
    const line = ruleLine(rule, kinds, view)
    const kind = findKind(kinds, rule.kind)
    const scope = scopeText(rule, view.named(person.id), kind)
    const condition = kind ? ruleText(rule, kind) : ''
    const what = joined(
      [rule.kind, condition, scope].filter((part) => part !== ''),
      ' ',
    )
    return message(
      [
        item('plain', words('remove.done', { rule: id, what })),
        ...protectionItem({ ...context, chat: there }, rule.kind, rule),
      ],
      {
        buttons:
          line === null ? [] : [{ label: words('remove.button.undo'), line: line + place, replace: true }],
      },
    )
  },
})
