import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { command } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type Button, item, type Message, message, say, words } from '../../message/message.ts'
import { readExport } from './form.ts'
import { lackingLines, takenLines } from './plan-lines.ts'
import { awaitsMarkets, isIdle, type Plan, planImport } from './plan.ts'

/** Takes over the file of `/export file` of another Perch: it says what it would do, and asks first. */
export default command({
  name: 'import',
  summary: words('menu.import'),
  examples: ['/import'],
  reach: 'chat',
  file: words('import.file.asks'),
  args: z.object({
    sure: argument.choice(['yes'], words('arg.yes')).optional(),
    name: argument.text(words('import.name.asks')).optional(),
  }),
  async run(context, { sure, name }) {
    const { from, files } = context
    if (sure === 'yes') {
      const text = files.find(name ?? '')
      return text === null ? say(words('import.gone'), words('import.gone.how')) : takeOver(context, text)
    }
    if (!from.file) return say(words('import.ask'), words('import.ask.how'))
    const sent = await from.file.read()
    if (sent.is === 'too large') return say(words('import.large'))
    if (sent.is === 'unreadable') return say(words('import.unreadable'), words('import.unreadable.how'))
    return ask(context, sent.text)
  },
})

/** Shows the plan. Nothing changes before the person has confirmed this very text. */
function ask(context: Context, text: string): Message {
  const plan = planOf(context, text)
  if (!('change' in plan)) return plan
  if (isIdle(plan)) return message([item('plain', words('import.nothing'), lackingLines(plan))])
  const { watches, rules } = plan.change
  const title = words('import.title', { wallets: watches.length, alerts: rules.length })
  const sure: Button = {
    label: words('import.button.take'),
    line: `/import yes ${context.files.keep(text)}`,
    replace: true,
  }
  return message([item('plain', title, [...takenLines(plan), ...lackingLines(plan)])], { buttons: [sure] })
}

/** Decided anew: the person may have changed something since they were asked. */
async function takeOver(context: Context, text: string): Promise<Message> {
  const plan = planOf(context, text)
  if (!('change' in plan)) return plan
  if (isIdle(plan)) return message([item('plain', words('import.nothing'), lackingLines(plan))])
  const { refused } = await context.change(plan.change)
  if (refused !== null) return say(refused)
  const { watches, rules } = plan.change
  const title = words('import.done', { wallets: watches.length, alerts: rules.length })
  return message([item('plain', title, [...lackingLines(plan), words('import.done.both')])], {
    buttons: [
      { label: words('import.button.positions'), line: '/positions', replace: false },
      { label: words('import.button.alerts'), line: '/alerts', replace: false },
    ],
  })
}

/** The plan of a text, or why there is none. */
function planOf(context: Context, text: string): Plan | Message {
  const { person, view, kinds, limits, read, reader } = context
  const home = person.defaultChat === null ? null : view.chat(person.defaultChat)
  if (!home) return say(words('people.no-chat'))
  const file = readExport(text)
  switch (file.is) {
    case 'lines':
      return say(words('import.lines'), words('import.lines.how'))
    case 'newer':
      return say(words('import.newer'), words('import.newer.how'))
    case 'cut':
      return say(words('import.cut'), words('import.cut.how'))
    case 'damaged':
      return say(words('import.damaged', { where: file.where }), words('import.unreadable.how'))
    case 'none':
      return say(words('import.none'), words('import.ask.how'))
    case 'export': {
      const { exported } = file
      if (awaitsMarkets(exported, view)) return say(words('import.no-markets'))
      return planImport(exported, { person, view, kinds, limits, read, now: reader.now, home })
    }
  }
}
