import { z } from 'zod'

import { argument } from '../../../src/chat/argument.ts'
import type { Bot, Inbound } from '../../../src/chat/bot.ts'
import type { Holdings } from '../../../src/chat/holdings.ts'
import { command } from '../../../src/command/command.ts'
import type { Address } from '../../../src/message/address.ts'
import { type Message, message, say, type Question } from '../../../src/message/message.ts'
import { scriptedSessions, type ScriptedSessions } from './scripted-sessions.ts'

/** Something that reached the bot; typed options are written as the line that they stand for. */
export interface Heard {
  from: Inbound
  text: string
}

/** A bot that does what the test says, and remembers what the adapter asked of it. */
export interface ScriptedBot extends Bot, ScriptedSessions {
  heard: Heard[]
  /** What has been answered so far. */
  answered: string[]
  turns: Address[]
  changes: { chat: Address; to: Parameters<Bot['chatChanged']>[1] }[]
  /** How lines that contain this are answered; the last word on it counts. */
  answers(words: string, how: (text: string) => Message | Promise<Message>): void
  /** Lets another bring the answers; until then each is tried once. */
  answersThrough(other: Bot['answer']): void
  /** Until it is opened, no answer gets its turn. */
  gate: { close(): void; open(): void }
}

export const REFUSAL = 'That is between us: ask me in our private chat.'

/** A bot that knows nobody's positions and opens no page. */
export const NOTHING_HELD: Holdings & Pick<Bot, 'signIn' | 'sessionName' | 'signOut'> = {
  glance: () => null,
  follow: () => () => {},
  course: async () => null,
  ask: async () => ({ is: 'said', message: message([]) }),
  signIn: async () => false,
  sessionName: () => null,
  signOut: async () => {},
}

export function createScriptedBot(): ScriptedBot {
  const script: { words: string; how: (text: string) => Message | Promise<Message> }[] = []
  let bring: Bot['answer'] = (to, attempt) =>
    attempt(to, { plain: false, possibleRepeat: false }, new AbortController().signal)
  let gate = Promise.resolve()
  let opens = () => {}
  const waiting = new Map<string, Question>()
  const keyOf = ({ by, chat }: Inbound) => `${by.user} ${chat.chat}`
  const audience: Bot['audience'] = (_from, name) => (name === 'show' ? 'chat' : 'person')

  const hear = async (from: Inbound, text: string): Promise<Message> => {
    bot.heard.push({ from, text })
    const [name = '', ...words] = text.replace(/^\//, '').split(' ')
    const how = script.findLast((one) => text.includes(one.words))?.how
    const refused = audience(from, name) === 'person' && !from.private && !from.whisper
    const answer = refused ? say(REFUSAL) : how ? await how(text) : say(`about ${words.join(' ')}.`)
    bot.answered.push(text)
    if (answer.question) waiting.set(keyOf(from), answer.question)
    else waiting.delete(keyOf(from))
    return answer
  }
  const bot: ScriptedBot = {
    heard: [],
    answered: [],
    turns: [],
    changes: [],
    answersThrough: (other) => void (bring = other),
    answers: (words, how) => void script.push({ words, how }),
    gate: {
      close: () => void (gate = new Promise((resolve) => (opens = resolve))),
      open: () => opens(),
    },
    commands: [tell, show],
    audience,
    greet: async () => message([]),
    line: hear,
    decline: async (_from, words) => words,
    call: (from, name, args) => hear(from, `/${name} ${(args as { words?: string }).words ?? ''}`.trim()),
    asked: (from) => waiting.get(keyOf(from)) ?? null,
    suggest: (_from, _name, _argument, typed) => [{ label: `${typed} and more`, value: `${typed}-more` }],
    async answer(to, attempt) {
      bot.turns.push(to)
      await gate
      return bring(to, attempt)
    },
    chatChanged: (chat, to) => void bot.changes.push({ chat, to }),
    tellOperator: () => {},
    ...scriptedSessions(),
  }
  return bot
}

const args = z.object({ words: argument.text() })
const tell = command({
  name: 'tell',
  summary: 'says something privately',
  examples: ['/tell me'],
  who: 'stranger',
  args,
  run: () => say('the scripted bot answers itself'),
})
const show = command({
  name: 'show',
  summary: 'says something to everybody',
  examples: ['/show me'],
  who: 'stranger',
  audience: 'chat',
  args,
  run: () => say('the scripted bot answers itself'),
})

/** A promise that the test keeps. */
export function held<T>(): { promise: Promise<T>; release(value: T): void } {
  let release: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve) => (release = resolve))
  return { promise, release }
}
