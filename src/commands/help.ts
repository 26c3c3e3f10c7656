import { z } from 'zod'

import { argument, argumentMeta } from '../argument.ts'
import { command } from '../command.ts'
import type { Command, Form } from '../command.ts'
import { item, message, say } from '../message.ts'

/** Lists the commands, or explains one; all of it derived from the declarations. */
export default command({
  name: 'help',
  summary: 'lists the commands, or explains one',
  examples: ['/help', '/help alert'],
  who: 'guest',
  audience: 'chat',
  args: z.object({ command: argument.command().optional() }),
  run({ commands }, args) {
    const asked = commands.find(({ name }) => name === args.command)
    if (asked)
      return message(
        asked.forms.map((form) =>
          item('plain', usage(asked, form), [
            `${form.summary}.`,
            ...form.examples.map((line) => `for example: ${line}`),
          ]),
        ),
      )
    return say(
      'What I can do',
      ...commands.map(({ name, summary }) => `/${name}: ${summary}`),
      '/help <command> explains one.',
    )
  },
})

/** `/watch <address> [label]`. */
function usage(command: Command, form: Form): string {
  const fields = Object.entries(form.args.shape).flatMap(([name, type]) => {
    if (!argumentMeta(type)) return []
    const optional = (type as z.ZodType).safeParse(undefined).success
    return [optional ? `[${name}]` : `<${name}>`]
  })
  return [`/${command.name}`, form.name, ...fields].filter((part) => part !== '').join(' ')
}
