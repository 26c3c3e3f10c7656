import { PassThrough, Transform } from 'node:stream'

import { createTerminal } from '../../../adapters/terminal/terminal.ts'
import type { Event } from '../../../src/runtime/event.ts'
import { lacks, type ConversationPlatform, type Seen, testConversation } from '../../contracts/adapter.ts'
import { handClock } from '../../support/clock.ts'
import { createScreen } from './screen.ts'

const ALONE = lacks('one person sits at a terminal, and it is one chat')
const STAYS = lacks('what is printed stays')
const NO_NETWORK = lacks('a terminal is no service that could refuse')
const PROMPT = 'perch> '
/** The question that every terminal answers: https://vt100.net/docs/vt510-rm/DA1.html */
const ATTRIBUTES = '\u001B[c'

await testConversation('a terminal between pipes', () => sit(false))
await testConversation('a terminal with a prompt', () => sit(true))

async function sit(tty: boolean): Promise<ConversationPlatform> {
  const clock = handClock()
  const events: Event[] = []
  const screen = createScreen()
  let stuck = false
  const input = Object.assign(new PassThrough(), { isTTY: tty })
  const output = Object.assign(
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (stuck) return
        screen.write(chunk.toString())
        if (chunk.includes(ATTRIBUTES)) input.write('\u001B[?62;22c')
        done()
      },
    }),
    { isTTY: tty, columns: 10_000 },
  )
  // Each instance is a process of its own: what one has drawn from `random`, the next does not draw again.
  let drawn = 0
  const open = () =>
    createTerminal({
      input,
      output,
      clock,
      env: {},
      zone: () => 'UTC',
      emit: (event) => events.push(event),
      random: () => (++drawn * 0.618) % 1,
    })
  const types = (text: string) => void input.write(`${text}${tty ? '\r' : '\n'}`)

  const closed = () => output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))

  /** What was typed does not count, and an empty line ends a message. */
  const seen = (): Seen[] => {
    const messages: Seen[] = []
    let last: Seen | null = null
    for (const { cells, rang, styled } of screen.rows()) {
      const text = cells.join('')
      if (text === '' || text.startsWith(PROMPT)) last = null
      else if (last) last.text += `\n${text}`
      else messages.push((last = { text, silent: true, styled: false }))
      if (last && rang) last.silent = false
      if (last && styled) last.styled = true
    }
    return messages
  }
  return {
    adapter: open(),
    clock,
    events,
    secrets: [],
    ann: { platform: 'terminal', user: 'local' },
    ben: ALONE,
    group: ALONE,
    says: (_who, _where, line) => types(line),
    writes: (_who, text) => types(text),
    replies: (_who, _where, text) => types(text),
    follows: lacks('nothing links into a terminal'),
    // A button shows the line that it stands for: whoever wants it types it.
    taps(_who, _where, label) {
      const shown = seen().findLast(({ text }) => text.includes(`[${label}: `))?.text ?? ''
      const [line = ''] = shown.split(`[${label}: `)[1]?.split(']') ?? []
      types(line)
    },
    sees: seen,
    removes: STAYS,
    editsInPlace: false,
    silence: tty ? true : lacks('nothing rings in a pipe'),
    idempotent: STAYS,
    comesAgain: lacks('a line that was read is gone with the process that read it'),
    waits: true,
    faults: {
      limited: NO_NETWORK,
      limitedEverywhere: NO_NETWORK,
      serverError: NO_NETWORK,
      unreachable: NO_NETWORK,
      answerLost: NO_NETWORK,
      hangs: () => (stuck = true),
      rejected: lacks('a terminal prints anything'),
    },
    answerFaults: {
      passing: NO_NETWORK,
      limited: NO_NETWORK,
      rejected: lacks('a terminal prints anything'),
      gone: closed,
    },
    blocks: {
      begins: closed,
      ends: lacks('an output that is closed stays closed'),
      told: lacks('an output says that it is closed when it is written to'),
    },
    settles: () => clock.advance(0),
    reopen: async () => open(),
    leftovers: () => [
      ...(clock.waiting() > 0 ? [`${clock.waiting()} wake-ups`] : []),
      ...(input.isPaused() ? [] : ['an input that is read']),
    ],
    async close() {
      input.destroy()
      output.destroy()
    },
  }
}
