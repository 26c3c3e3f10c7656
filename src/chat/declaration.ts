import type { z } from 'zod'

import type { Text } from '../message/message.ts'

/** A command, declared once: help, parser, menus and slash options derive from it. */
export interface Declaration {
  name: string
  aliases: readonly string[]
  /** Completes the sentence "/name …". */
  summary: Text
  /**
   * `trusted`: in a bound chat also somebody who may configure it, or whom its binder lets acknowledge there.
   * `stranger`: also somebody whom we do not know. `guest`: also anybody in a bound chat.
   */
  who: 'stranger' | 'guest' | 'trusted' | 'person' | 'operator' | 'local'
  /**
   * `person`: the answer is private to the person who asked. `chat`: everybody there may read it. `bound`: in
   * a bound chat it is about that chat, for those who may configure it; elsewhere it is private. `place`: it
   * is about the chat where it is said, and only the person who asked sees it, where a platform can do that.
   */
  audience: 'person' | 'chat' | 'bound' | 'place'
  /** One form for most commands; one per alert kind for `/alert`. */
  forms: readonly Form[]
  /** Forms that exist on other venues, by each of their words: the sentence that answers them here. */
  absent?: ReadonlyMap<string, Text>
  /** Its place in the short menu of a private chat, and in that of a group; none where it is behind /help alone. */
  menu?: { private?: number; group?: number }
  /**
   * The farthest place where it may be said. `chat`: not on a page; one that was stolen must open no further way in, and
   * erase nothing. `assistant`: also by an assistant. Left out, it is for chats and pages.
   */
  reach?: 'chat' | 'assistant'
  /** It takes a file, and how that is asked for. One command does: a file without any words is for it. */
  file?: Text
  /** Words that say nothing beyond the command, such as `all` after `/ack`. */
  implied?: ReadonlySet<string>
  /** Words that ask for the opposite of the command where they stand first, such as `off`. */
  opposite?: ReadonlySet<string>
}

/** One way of saying a command. */
export interface Form {
  /** The word after the command; empty for the only form of a command. */
  name: string
  aliases: readonly string[]
  summary: Text
  /**
   * Words that mean this form where no form is named, such as `below`. They are for a form that is typed as a
   * sentence, in which words may stand anywhere. They are arguments of it as well.
   */
  cues?: readonly string[]
  /** Whole lines that work. */
  examples: readonly string[]
  /** In the order in which people type them; each field carries `meta({ argument })` (see argument.ts). */
  args: z.ZodObject
}

/** A sentence for each word that two commands, or two forms of one, answer to: one of them would be silently dead. */
export function clashes(commands: readonly Declaration[]): string[] {
  const among = (who: string, sign: string, named: readonly Named[]) =>
    shared(named).map(
      ({ word, names }) => `Two ${who} answer to ${sign}${word}: ${names.join(' and ')}. Rename one.`,
    )
  return [
    ...among('commands', '/', commands),
    ...commands.flatMap(({ name, forms }) => among(`forms of /${name}`, '', forms)),
  ]
}

type Named = Pick<Declaration, 'name' | 'aliases'>

function shared(all: readonly Named[]): { word: string; names: readonly string[] }[] {
  const wallets = new Map<string, string[]>()
  for (const { name, aliases } of all) {
    for (const word of new Set([name, ...aliases].map((one) => one.toLowerCase()))) {
      wallets.set(word, [...(wallets.get(word) ?? []), name])
    }
  }
  return [...wallets].flatMap(([word, names]) => (names.length > 1 ? [{ word, names }] : []))
}
