import type { Readable, Writable } from 'node:stream'

import type { Address, Identity } from '../../src/address.ts'
import { sameAddress } from '../../src/address.ts'
import { fileLines } from '../../src/attachment.ts'
import type { Bot, ChatAdapter, Inbound, Rate } from '../../src/chat.ts'
import type { Delivery } from '../../src/delivery.ts'
import { endsWithin } from '../../src/clock.ts'
import type { Clock } from '../../src/clock.ts'
import type { Emit } from '../../src/event.ts'
import { isSilent, say } from '../../src/message.ts'
import type { Message } from '../../src/message.ts'
import { complete } from './complete.ts'
import { LONGEST_LINE } from './lines.ts'
import type { Line } from './lines.ts'
import { readLines } from './pipe.ts'
import { createPrompt } from './prompt.ts'
import type { Prompt } from './prompt.ts'
import { clean, oneLine, renderLines } from './render.ts'
import { wrapped } from './wrap.ts'

const HERE: Address = { platform: 'terminal', chat: 'local', thread: null }
const SITTING_HERE: Identity = { platform: 'terminal', user: 'local' }

/** A terminal limits nobody; this only keeps a flood readable. */
const UNLIMITED: Rate = { burst: 1_000, perSecond: 1_000 }

/** How long an answer that is under way may hold up the end. */
const STOP_MS = 2_000

const BELL = '\u0007'

/** The person at this machine: a prompt between two terminals, plain lines between pipes. */
export function createTerminal({
  input,
  output,
  clock,
  emit,
  env,
  random,
  zone,
}: {
  input: Readable & { isTTY?: boolean; unref?: () => unknown }
  output: Writable & { isTTY?: boolean; columns?: number }
  clock: Clock
  emit: Emit
  env: Readonly<Record<string, string | undefined>>
  random: () => number
  /** The machine's IANA zone: whoever sits here reads times in it until they choose another. */
  zone: string
}): ChatAdapter {
  const interactive = input.isTTY === true && output.isTTY === true && env.TERM !== 'dumb'
  // Any value but the empty one, see https://no-color.org
  const colour = interactive && !env.NO_COLOR
  const writing = new Set<Promise<unknown>>()
  let prompt: Prompt | null = null
  let reading: { close(): void } | null = null
  let answering = Promise.resolve()
  let stopped = false
  // By wall time and by chance, so that a later process on the same database uses none of these names again, also
  // after the wall clock was set back.
  const run = `${clock.now().toString(36)}-${Math.floor(random() * 2 ** 32).toString(36)}`
  let inputs = 0
  let sent = 0

  const write = (text: string, signal?: AbortSignal): Promise<Written> => {
    const written = new Promise<Written>((resolve) => {
      const giveUp = () => resolve({ is: 'stuck' })
      signal?.addEventListener('abort', giveUp, { once: true })
      const done = (error?: Error | null) => {
        signal?.removeEventListener('abort', giveUp)
        resolve(error ? { is: 'closed', why: error.message } : { is: 'written' })
      }
      if (prompt) prompt.print(text, done)
      else output.write(text, done)
    })
    writing.add(written)
    void written.then(() => writing.delete(written))
    return written
  }

  const show = (message: Message, look: { colour: boolean; stamped: boolean; possibleRepeat: boolean }) => {
    const reader = { now: clock.now(), zone: message.zone ?? zone }
    const columns = interactive ? (output.columns ?? Infinity) : Infinity
    const lines = renderLines(message, { reader, ...look }).flatMap((line) => wrapped(line, columns))
    // Cut into pieces, it would be no file any more.
    const file = message.file ? fileLines(message.file).map(clean) : []
    return `${[...lines, ...file].join('\n')}\n\n`
  }

  const inbound = (): Inbound => ({
    id: `${run}-${++inputs}`,
    by: SITTING_HERE,
    name: 'you',
    chat: HERE,
    home: HERE,
    private: true,
    mayConfigure: true,
    whisper: true,
    answersApart: false,
  })

  const ask = async (bot: Bot, line: Line | 'greeting'): Promise<Message> => {
    if (line !== 'greeting' && line.is === 'too long') {
      return say(`That line is longer than ${LONGEST_LINE} characters, so I have ignored it. Try /help.`)
    }
    try {
      return await (line === 'greeting' ? bot.greet(inbound()) : bot.line(inbound(), line.text))
    } catch (error) {
      emit({ is: 'trouble', where: 'terminal', why: 'a line was not answered', error })
      return say('That did not work, and the fault is mine. The log on standard error says why.')
    }
  }

  const answer = async (bot: Bot, line: Line | 'greeting'): Promise<void> => {
    if (stopped) return
    const typed = line !== 'greeting' && line.is === 'line'
    const message = await ask(bot, typed ? { is: 'line', text: oneLine(line.text).trim() } : line)
    if (isSilent(message)) return
    let written: Promise<Written> | null = null
    await bot.answer(HERE, async () => {
      // What the output has taken it prints as soon as it can: it is waited for, and not written again.
      written ??= write(show(message, { colour, stamped: false, possibleRepeat: false }))
      return outcomeOf(await written)
    })
  }

  /** One line is finished before the next begins. */
  const take = (bot: Bot, line: Line): Promise<void> => {
    if (line.is === 'line' && oneLine(line.text).trim() === '') return Promise.resolve()
    answering = answering.then(() => answer(bot, line))
    return answering
  }

  const outcomeOf = (written: Written): Delivery => {
    if (written.is === 'closed') return { is: 'gone', why: `the output is closed: ${written.why}` }
    if (written.is === 'stuck') return late(true)
    return { is: 'sent', ref: { address: HERE, id: `${run}-${++sent}` } }
  }

  const tell = async (text: string, signal: AbortSignal): Promise<Delivery> =>
    signal.aborted ? late(false) : outcomeOf(await write(text, signal))

  return {
    name: 'terminal',
    local: true,
    calls: false,
    naming: null,
    limits: { platform: UNLIMITED, chat: UNLIMITED, group: null },
    async start(bot) {
      // Without a listener a broken pipe would end the process; the write that met it says so itself.
      output.on('error', () => {})
      input.on('error', (error) => emit({ is: 'trouble', where: 'terminal', why: 'no more input', error }))
      // An output that was closed may have been the reason to give this chat up, but not in this process.
      bot.chatChanged(HERE, 'back')
      emit({ is: 'platform', platform: HERE.platform, why: null })
      answering = answer(bot, 'greeting')
      if (!interactive) {
        reading = readLines(input, (line) => take(bot, line))
        return
      }
      prompt = createPrompt({
        input,
        output,
        complete: (typed) => complete(bot, inbound(), typed),
        onLine: (text) =>
          void take(bot, text.length > LONGEST_LINE ? { is: 'too long' } : { is: 'line', text }),
        // Ctrl-D ends the bot as Ctrl-C does.
        onEnd: () => void process.kill(process.pid, 'SIGINT'),
      })
      reading = prompt
    },
    deliver({ message, silent, plain, possibleRepeat }, signal) {
      const rings = interactive && !silent && message.items.some(({ tone }) => tone === 'critical')
      const text = show(message, { colour: colour && !plain, stamped: true, possibleRepeat })
      return tell((rings ? BELL : '') + text, signal)
    },
    edit: async () => ({ is: 'rejected', why: 'what is printed stays as it is' }),
    async inspect(by, chat) {
      if (by.platform !== SITTING_HERE.platform || !sameAddress(chat, HERE)) return null
      return { address: HERE, title: 'terminal', mayConfigure: true, mayPost: output.writable }
    },
    async stop() {
      if (stopped) return
      stopped = true
      reading?.close()
      input.unref?.()
      await endsWithin(
        clock,
        STOP_MS,
        answering.then(() => Promise.all(writing)),
      )
    },
  }
}

type Written = { is: 'written' } | { is: 'closed'; why: string } | { is: 'stuck' }

function late(maybeSent: boolean): Delivery {
  return {
    is: 'delayed',
    retryAfterMs: null,
    scope: 'platform',
    maybeSent,
    why: 'the output takes no more text just now',
  }
}
