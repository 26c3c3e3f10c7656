import process from 'node:process'
import type { Readable, Writable } from 'node:stream'

import type { Bot, Inbound } from '../../src/chat/bot.ts'
import type { Conversation } from '../../src/chat/conversation.ts'
import type { Limits } from '../../src/chat/notifier.ts'
import type { Rate } from '../../src/lib/time/token-bucket.ts'
import { type Address, type Identity, sameAddress } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import {
  fileLines,
  isSilent,
  type Message,
  readerOf,
  say,
  spoken,
  USUAL_LANGUAGE,
  withTexts,
  words,
} from '../../src/message/message.ts'
import { type Clock, endsWithin } from '../../src/runtime/clock.ts'
import type { Emit } from '../../src/runtime/event.ts'
import { createKeys, type Protocol, QUESTION } from './keys.ts'
import { createLineCutter, type Line, LONGEST_LINE } from './lines.ts'
import { isAskable, printed } from './picture.ts'
import { complete, createPrompt, type Prompt, promptFor } from './prompt.ts'
import { clean, oneLine, renderLines } from './render.ts'
import { languageOf } from '../../src/words/words.ts'

const HERE: Address = { platform: 'terminal', chat: 'local', thread: null }
const SITTING_HERE: Identity = { platform: 'terminal', user: 'local' }

/** A terminal has no limit. This one keeps a flood readable. */
const UNLIMITED: Rate = { burst: 1_000, perSecond: 1_000 }

/** How long an answer that is under way may hold up the end. */
const STOP_MS = 2_000

const BELL = '\u0007'

/** A second Ctrl-C within this time ends the bot. */
const TWICE_MS = 10_000
const LEAVING = say(words('terminal.leaving'))

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
  input: Readable & { isTTY?: boolean; unref?: () => unknown; setRawMode?: (isRaw: boolean) => unknown }
  output: Writable & { isTTY?: boolean; columns?: number }
  clock: Clock
  emit: Emit
  env: Readonly<Record<string, string | undefined>>
  random: () => number
  /** The machine's IANA zone. The person here reads times in it until they choose another. */
  zone: () => string
}): Conversation {
  const interactive = input.isTTY === true && output.isTTY === true && env.TERM !== 'dumb'
  // Any value but the empty one, see https://no-color.org
  const colour = interactive && !env.NO_COLOR
  const limits: Limits = { platform: UNLIMITED, chat: UNLIMITED, group: null }
  if (interactive) limits.pictures = 'text'
  let protocol: Protocol | null = null
  const writing = new Set<Promise<unknown>>()
  let prompt: Prompt | null = null
  let reading: { close(): void } | null = null
  let answering = Promise.resolve()
  let stopped = false
  // From wall time and chance, so that a later process on the same database never reuses these names, even if the wall
  // clock was set back.
  const run = `${clock.now().toString(36)}-${Math.floor(random() * 2 ** 32).toString(36)}`
  let interruptedAt = -Infinity
  let leaving = false
  const ofShell = languageOf(env.LC_ALL || env.LC_MESSAGES || env.LANG)
  let language = ofShell ?? USUAL_LANGUAGE
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
    const reader = readerOf({ ...message, zone: message.zone ?? zone() }, clock.now())
    const columns = interactive ? (output.columns ?? Infinity) : Infinity
    const lines = renderLines(message, { reader, ...look }).flatMap((line) => wrapped(line, columns))
    // Cut into pieces, it would be no file any more.
    const file = message.file ? fileLines(message.file).map(clean) : []
    return `${[...lines, ...file].join('\n')}\n\n`
  }

  const inbound = (): Inbound => ({
    id: `${run}-${++inputs}`,
    by: SITTING_HERE,
    writtenAt: clock.now(),
    seenUntil: clock.now(),
    name: 'you',
    language: ofShell,
    chat: HERE,
    home: HERE,
    private: true,
    mayConfigure: true,
    whisper: true,
    answersApart: false,
  })

  /** Our own words, in the language of the answers. */
  const ours = (message: Message): Message => withTexts(message, (text) => spoken(text, language))

  const ask = async (bot: Bot, line: Line | 'greeting'): Promise<Message> => {
    if (line !== 'greeting' && line.is === 'too long') {
      return ours(say(words('terminal.too-long', { most: String(LONGEST_LINE) })))
    }
    try {
      return await (line === 'greeting' ? bot.greet(inbound()) : bot.line(inbound(), line.text))
    } catch (error) {
      emit({ is: 'trouble', where: 'terminal', why: 'a line was not answered', error })
      return ours(say(words('terminal.failed')))
    }
  }

  const answer = async (bot: Bot, line: Line | 'greeting'): Promise<void> => {
    if (stopped) return
    const typed = line !== 'greeting' && line.is === 'line'
    const message = await ask(bot, typed ? { is: 'line', text: oneLine(line.text).trim() } : line)
    language = message.language ?? language
    prompt?.ask(promptFor(bot.asked(inbound())))
    if (isSilent(message)) return
    let written: Promise<Written> | null = null
    await bot.answer(HERE, async () => {
      // The output prints accepted text as soon as it can. Wait for it, never write it again.
      written ??= write(show(message, { colour, stamped: false, possibleRepeat: false }))
      return outcomeOf(await written)
    })
  }

  /** The first Ctrl-C leaves what is half done, on an empty line the next two leave Perch. */
  const interrupt = (bot: Bot, wasTyping: boolean) => {
    const isWaiting = bot.asked(inbound()) !== null
    if (isWaiting) void take(bot, { is: 'line', text: '/cancel' })
    if (isWaiting || wasTyping) return
    // The answer to /quit may wait for one that never comes.
    if (leaving) return void process.kill(process.pid, 'SIGINT')
    if (clock.monotonic() - interruptedAt < TWICE_MS) {
      leaving = true
      return void take(bot, { is: 'line', text: '/quit' })
    }
    interruptedAt = clock.monotonic()
    void write(show(ours(LEAVING), { colour, stamped: false, possibleRepeat: false }))
  }

  /** One line is finished before the next begins. */
  const take = (bot: Bot, line: Line): Promise<void> => {
    if (line.is === 'line' && oneLine(line.text).trim() === '') return Promise.resolve()
    answering = answering.then(() => answer(bot, line))
    return answering
  }

  const learn = (shown: Protocol) => {
    protocol = shown
    limits.pictures = true
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
    operatorSitsHere: true,
    mentions: false,
    destination: null,
    receipts: null,
    limits,
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
      const keys = isAskable(env) ? createKeys({ input, clock, onPictures: learn }) : null
      prompt = createPrompt({
        input: keys?.typed ?? input,
        output,
        complete: (typed) => complete(bot, inbound(), typed),
        onInterrupt: (wasTyping) => interrupt(bot, wasTyping),
        onLine: (text) =>
          void take(bot, text.length > LONGEST_LINE ? { is: 'too long' } : { is: 'line', text }),
        // Ctrl-D ends the bot as Ctrl-C does.
        onEnd: () => void process.kill(process.pid, 'SIGINT'),
      })
      const editor = prompt
      reading = {
        close() {
          editor.close()
          keys?.close()
        },
      }
      // Only now the terminal echoes nothing. The prompt comes back at once, and the answer whenever it may.
      if (keys) void write(QUESTION)
    },
    async deliver({ message, silent, plain, possibleRepeat, picture }, signal) {
      if (picture) {
        const words = { ...message, footnote: message.picture?.words ?? null }
        const said = show(words, { colour: colour && !plain, stamped: false, possibleRepeat }).trimEnd()
        const drawn = printed(picture, protocol, output.columns || Infinity)
        if (drawn === null) return { is: 'rejected', why: 'the picture has a form that is not known here' }
        return tell(`${said}\n${drawn}\n`, signal)
      }
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

/** Hands over the lines of a stream one by one, each when the one before is finished. Its end ends nothing. */
function readLines(input: Readable, onLine: (line: Line) => Promise<void>): { close(): void } {
  const cutter = createLineCutter()
  let open = true
  let earlier = Promise.resolve()

  // A paused stream delivers no more chunks, but still reports its end.
  const handOver = async (before: Promise<void>, lines: Line[]) => {
    input.pause()
    await before
    for (const line of lines) if (open) await onLine(line)
    if (open) input.resume()
  }
  const onData = (chunk: Uint8Array | string) => {
    earlier = handOver(earlier, cutter.push(chunk))
  }
  const onEnd = () => {
    earlier = handOver(earlier, cutter.end())
  }
  input.on('data', onData)
  input.once('end', onEnd)
  // An earlier reader has left it paused.
  input.resume()
  return {
    close() {
      open = false
      input.off('data', onData)
      input.off('end', onEnd)
      input.pause()
    },
  }
}

/** Begins the rest of a line that was too long for the window. */
const INDENT = '    '
/** A window so narrow shows nothing well. */
const NARROWEST = 20

// oxlint-disable-next-line no-control-regex -- Select Graphic Rendition, which takes no room
const PAINT = /\u001B\[[\d;]*m/g

/** Breaks the line into rows that fit the window, between words and never within a figure. */
export function wrapped(line: string, columns: number): string[] {
  if (columns < NARROWEST || width(line) <= columns) return [line]
  const rows: string[] = []
  const [indent = ''] = /^ */.exec(line) ?? []
  let row = ''
  for (const word of line.slice(indent.length).split(/ (?!%)/)) {
    const longer = row === '' ? `${rows.length === 0 ? indent : INDENT}${word}` : `${row} ${word}`
    if (row === '' || width(longer) <= columns) row = longer
    else {
      rows.push(row)
      row = INDENT + word
    }
  }
  return [...rows, row]
}

function width(text: string): number {
  return [...text.replace(PAINT, '')].length
}
