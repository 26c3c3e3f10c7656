import process from 'node:process'
import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A line editor at the bottom of a terminal; what is printed goes above it. */
export interface Prompt {
  print(text: string, done: (error?: Error | null) => void): void
  close(): void
}

/** `onEnd` is called for Ctrl-D; not after `close`. */
export function createPrompt({
  input,
  output,
  complete,
  onLine,
  onEnd,
}: {
  input: Readable
  output: Writable
  complete: (typed: string) => [string[], string]
  onLine: (text: string) => void
  onEnd: () => void
}): Prompt {
  const editor = createInterface({
    input,
    output,
    terminal: true,
    prompt: 'perch> ',
    completer: complete,
    historySize: 500,
    removeHistoryDuplicates: true,
  })
  let open = true

  editor.on('line', (text) => {
    // The prompt is back before the answer is there: whatever is printed next goes above it.
    editor.prompt()
    onLine(text)
  })
  // In raw mode Ctrl-C is a mere key: make it the signal again that everything else of this process listens to.
  editor.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
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
      // Readline remembers how far below its first row it stood, and would climb into what was just printed.
      Object.assign(editor, { prevRows: 0 })
      editor.prompt(true)
    },
    close() {
      open = false
      editor.close()
    },
  }
}
