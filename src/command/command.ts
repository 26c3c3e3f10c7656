import type { z } from 'zod'

import type { Declaration, Form } from '../chat/declaration.ts'
import type { Message, Reader, Text } from '../message/message.ts'
import type { Context } from './context.ts'

/** A declaration, and the function that carries it out. */
export interface Command extends Declaration {
  run(context: Context, form: Form, args: unknown): Promise<Message> | Message
  /** The data behind its answer, of a command that only looks. */
  ask?(context: Context, args: unknown): unknown
}

interface Declared<A extends z.ZodObject> {
  name: string
  aliases?: readonly string[]
  summary: Text
  examples: readonly string[]
  who?: Command['who']
  audience?: Command['audience']
  implied?: ReadonlySet<string>
  reach?: Command['reach']
  file?: Text
  args: A
}

/** Infers the arguments of a command with one form. */
export function command<A extends z.ZodObject>(
  declared: Declared<A> & { run(context: Context, args: z.infer<A>): Promise<Message> | Message },
): Command {
  const { name, aliases = [], summary, examples, who = 'person', audience = 'person', args } = declared
  return {
    ...(declared.implied ? { implied: declared.implied } : {}),
    ...(declared.reach ? { reach: declared.reach } : {}),
    ...(declared.file ? { file: declared.file } : {}),
    name,
    aliases,
    summary,
    who,
    audience,
    forms: [{ name: '', aliases: [], summary, examples, args }],
    run: (context, _form, given) => declared.run(context, given as z.infer<A>),
  }
}

/** Whether these are the commands of somebody at a terminal, which alone can end the program. */
export function isAtTerminal(commands: readonly Pick<Command, 'who'>[]): boolean {
  return commands.some(({ who }) => who === 'local')
}

/**
 * A command that changes nothing: `ask` finds the data, `words` turns the data into a message. Chats use both; a page, an export or
 * an assistant uses `ask` alone.
 */
export interface LookCommand<A, D> extends Command {
  ask(context: Context, args: A): Promise<D> | D
  words(data: D, reader: Reader): Message
}

/** Infers the arguments and the data of a look command. The type checker refuses data that JSON cannot carry. */
export function lookCommand<A extends z.ZodObject, D>(
  declared: Declared<A> &
    Pick<LookCommand<z.infer<A>, D>, 'ask' | 'words'> &
    (D extends JsonOf<D> ? unknown : { words: 'the data of `ask` is not JSON' }),
): LookCommand<z.infer<A>, D> {
  const { ask, words } = declared
  const run = async (context: Context, args: z.infer<A>) => words(await ask(context, args), context.reader)
  return { ...command({ ...declared, run }), ask, words }
}

/**
 * The same type without the parts that `toJson` loses: functions, maps, sets and undefined. `unknown` passes: parameters of a rule
 * were parsed from JSON.
 */
type JsonOf<T> = unknown extends T
  ? T
  : T extends string | number | boolean | bigint | null
    ? T
    : T extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ((...args: never[]) => unknown)
      ? never
      : T extends object
        ? { [K in keyof T]: JsonOf<T[K]> }
        : never
