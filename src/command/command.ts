import type { z } from 'zod'

import type { Declaration, Form } from '../chat/declaration.ts'
import type { Message } from '../message/message.ts'
import type { Context } from './context.ts'

/** A declaration and what it does. */
export interface Command extends Declaration {
  run(context: Context, form: Form, args: unknown): Promise<Message> | Message
}

/** For inference: a command with one form. */
export function command<A extends z.ZodObject>(declared: {
  name: string
  aliases?: readonly string[]
  summary: string
  examples: readonly string[]
  who?: Command['who']
  audience?: Command['audience']
  args: A
  run(context: Context, args: z.infer<A>): Promise<Message> | Message
}): Command {
  const { name, aliases = [], summary, examples, who = 'person', audience = 'person', args } = declared
  return {
    name,
    aliases,
    summary,
    who,
    audience,
    forms: [{ name: '', aliases: [], summary, examples, args }],
    run: (context, _form, given) => declared.run(context, given as z.infer<A>),
  }
}
