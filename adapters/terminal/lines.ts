import { StringDecoder } from 'node:string_decoder'

import { LARGEST_FILE } from '../../src/chat/sent-file.ts'

/** An export that is pasted fits, in code units. Longer lines are dropped while they come in. */
export const LONGEST_LINE = LARGEST_FILE

/** A line of input, or the fact that one was too long for a command. */
export type Line = { is: 'line'; text: string } | { is: 'too long' }

/** Cuts chunks of bytes into lines, LF or CRLF, in bounded memory. */
export function createLineCutter(): { push(chunk: Uint8Array | string): Line[]; end(): Line[] } {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let overlong = false

  const finish = (tail: string): Line => {
    const text = rest + tail
    const tooLong = overlong || text.length > LONGEST_LINE
    rest = ''
    overlong = false
    return tooLong ? { is: 'too long' } : { is: 'line', text: text.replace(/\r$/, '') }
  }
  return {
    push(chunk) {
      const parts = (typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))).split('\n')
      const unfinished = parts.pop() ?? ''
      const lines = parts.map(finish)
      if (overlong || rest.length + unfinished.length > LONGEST_LINE) {
        overlong = true
        rest = ''
      } else rest += unfinished
      return lines
    },
    end: () => (rest === '' && !overlong ? [] : [finish(decoder.end())]),
  }
}
