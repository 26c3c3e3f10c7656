import { PassThrough } from 'node:stream'

import { z } from 'zod'

import { createTerminal } from '../../../adapters/terminal/terminal.ts'
import { argument } from '../../../src/chat/argument.ts'
import type { Bot, Inbound } from '../../../src/chat/bot.ts'
import type { Send } from '../../../src/chat/notifier.ts'
import { type Command, command } from '../../../src/command/command.ts'
import { type Message, message, type Question, say } from '../../../src/message/message.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { NOTHING_HELD } from '../../contracts/adapter/scripted-bot.ts'
import { breathe, type HandClock, handClock } from '../../support/clock.ts'

/** Somebody at a terminal whose bot answers what the test says. */
export async function sitDown({
  tty = false,
  env = {},
  clock = handClock(),
  answer = async (text: string) => say(`you said ${text}`),
  greeting = message([]),
  asked: waiting = null,
  attributes = '',
}: {
  tty?: boolean
  env?: Record<string, string>
  clock?: HandClock
  answer?: (text: string) => Promise<Message>
  greeting?: Message
  /** The question that waits from before the start. */
  asked?: Question | null
  /** What the terminal answers when it is asked what it can; nothing for one that never does. */
  attributes?: string
} = {}) {
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: tty,
    setRawMode: (isRaw: boolean) => void raw.push(isRaw),
  })
  const output = Object.assign(new PassThrough(), { isTTY: tty, columns: 80 })
  const events: Event[] = []
  const heard: { from: Inbound; text: string }[] = []
  const turns: unknown[] = []
  const changes: unknown[] = []
  const printed: string[] = []
  const asked: { question: Question | null } = { question: waiting }
  output.on('data', (chunk: Buffer) => {
    printed.push(chunk.toString())
    if (attributes !== '' && chunk.includes('\u001B[c')) input.write(attributes)
  })

  const bot: Bot = {
    commands: [watch, help, alert],
    audience: () => 'person',
    greet: async () => greeting,
    line(from, text) {
      heard.push({ from, text })
      return answer(text)
    },
    decline: () => Promise.reject(new Error('a terminal declines nothing')),
    call: () => Promise.reject(new Error('a terminal has no typed options')),
    asked: () => asked.question,
    suggest: (_from, command, name, typed) =>
      command === 'alert price'
        ? (name === 'way' ? ['above', 'below'] : ['ETH', 'BTC']).map((value) => ({ label: value, value }))
        : [{ label: 'Main', value: `${typed}wner-${name}` }],
    async answer(to, attempt) {
      turns.push(to)
      return attempt(to, { plain: false, possibleRepeat: false }, NEVER)
    },
    chatChanged: (chat, to) => void changes.push([chat.chat, to]),
    tellOperator: (words) => void changes.push(words),
    ...NOTHING_HELD,
  }
  const terminal = createTerminal({
    input,
    output,
    clock,
    emit: (event) => events.push(event),
    env,
    random: () => 0.5,
    zone: () => 'UTC',
  })
  await terminal.start(bot)
  await breathe()

  return {
    terminal,
    clock,
    input,
    output,
    events,
    heard,
    asked,
    turns,
    changes,
    /** The raw modes that were set, in order. */
    raw,
    /** Everything printed so far. */
    printed: () => printed.join(''),
    /** What is printed by doing this. */
    async after(doing: () => unknown): Promise<string> {
      await breathe()
      const before = printed.length
      await doing()
      await breathe(8)
      return printed.slice(before).join('')
    },
  }
}

const alert: Command = {
  ...{ name: 'alert', aliases: [], summary: 'sets an alert', who: 'person', audience: 'person' },
  forms: [
    {
      ...{ name: 'price', aliases: [], summary: 'when a price is passed', examples: [] },
      args: z.object({ market: argument.market(), way: argument.choice(['above', 'below'], 'a way') }),
    },
  ],
  run: () => say('alert set'),
}
const watch = command({
  name: 'watch',
  summary: 'watches a wallet',
  examples: ['/watch 0x… main'],
  args: z.object({ wallet: argument.wallet(), label: argument.text() }),
  run: () => say('watching'),
})
const help = command({
  name: 'help',
  summary: 'says what there is',
  examples: ['/help'],
  args: z.object({}),
  run: () => say('help'),
})

export const NEVER = new AbortController().signal

export function sending(message: Message, rest: Partial<Send> = {}): Send {
  return {
    to: { platform: 'terminal', chat: 'local', thread: null },
    key: 'row-1',
    message,
    silent: false,
    plain: false,
    possibleRepeat: false,
    alertIds: [],
    replyTo: null,
    mention: null,
    ...rest,
  }
}
