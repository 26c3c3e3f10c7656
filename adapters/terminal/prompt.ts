import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

import type { Bot, Inbound } from '../../src/chat/bot.ts'
import { inWords, type Question } from '../../src/message/message.ts'
import { oneLine } from './render.ts'

/** A line editor at the bottom of a terminal. Other output is printed above it. */
export interface Prompt {
  print(text: string, done: (error?: Error | null) => void): void
  /** The word before the cursor from the next line on; null for the usual one. */
  ask(word: string | null): void
  close(): void
}

const USUAL_PROMPT = 'perch> '

/** `onEnd` is called for Ctrl-D; not after `close`. */
export function createPrompt({
  input,
  output,
  complete,
  onLine,
  onInterrupt,
  onEnd,
}: {
  input: Readable
  output: Writable
  complete: (typed: string) => [string[], string]
  onLine: (text: string) => void
  /** Ctrl-C, and whether it has cleared a line. */
  onInterrupt: (wasTyping: boolean) => void
  onEnd: () => void
}): Prompt {
  const editor = createInterface({
    input,
    output,
    terminal: true,
    prompt: USUAL_PROMPT,
    completer: complete,
    historySize: 500,
    removeHistoryDuplicates: true,
  })
  let open = true

  editor.on('line', (text) => {
    // The prompt is back before the answer is there: the next output goes above it.
    editor.prompt()
    onLine(text)
  })
  // In raw mode Ctrl-C is an ordinary key.
  editor.on('SIGINT', () => {
    const wasTyping = editor.line !== ''
    if (wasTyping) {
      editor.write(null, { ctrl: true, name: 'e' })
      editor.write(null, { ctrl: true, name: 'u' })
    }
    onInterrupt(wasTyping)
  })
  editor.on('close', () => {
    output.write('\n')
    const byHand = open
    open = false
    if (byHand) onEnd()
  })
  editor.prompt()

  return {
    print(text, done) {
      if (!open) {
        output.write(text, done)
        return
      }
      // The half-typed line may have wrapped: go up to where the prompt begins.
      moveCursor(output, 0, -editor.getCursorPos().rows)
      cursorTo(output, 0)
      clearScreenDown(output)
      output.write(text, done)
      // Readline remembers its distance from its first row, and would overwrite the new output.
      Object.assign(editor, { prevRows: 0 })
      editor.prompt(true)
    },
    ask(word) {
      if (!open) return
      editor.setPrompt(word === null ? USUAL_PROMPT : `${word}> `)
      // The old prompt stands there already.
      editor.prompt(true)
    },
    close() {
      open = false
      editor.close()
    },
  }
}

/** The prompt for an answer: one word, such as `price`. */
export function promptFor(question: Question | null | undefined): string | null {
  return question ? oneLine(inWords(question.prompt)) : null
}

/** The Tab key's offers for the last word: command names, kinds, then likely values of an argument. */
export function complete(bot: Bot, from: Inbound, typed: string): [string[], string] {
  const question = bot.asked(from)
  const line = question && !typed.startsWith('/') ? `${question.start} ${typed}` : typed
  const words = line.trimStart().split(/\s+/)
  const word = words.at(-1) ?? ''
  const starting = (candidates: readonly string[]): [string[], string] => {
    const hits = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word.toLowerCase()))
    return [hits.map((hit) => `${oneLine(hit)} `), word]
  }
  if (words.length < 2) return starting(bot.commands.map(({ name }) => `/${name}`))

  const name = words[0]?.replace(/^\//, '').toLowerCase() ?? ''
  const command = bot.commands.find((one) => one.name === name || one.aliases.includes(name))
  if (!command) return [[], word]
  const forms = command.forms.filter((form) => form.name !== '')
  const form =
    forms.find((one) => [one.name, ...one.aliases].includes(words[1] ?? '')) ??
    command.forms.find((one) => one.name === '')
  if (forms.length > 0 && words.length === 2) return starting(forms.map((one) => one.name))
  if (!form) return [[], word]
  const called = form.name === '' ? command.name : `${command.name} ${form.name}`
  const suggested = (argument: string) =>
    starting(bot.suggest(from, called, argument, word).map(({ value }) => value))
  // Words may stand in any order: the argument at this place comes first.
  const names = Object.keys(form.args.shape)
  const at = words.length - 1 - (form.name === '' ? 1 : 2)
  const offers = [...names.slice(at), ...names.slice(0, at)].map(suggested)
  return offers.find(([hits]) => hits.length > 0) ?? [[], word]
}
