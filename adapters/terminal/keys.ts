import { Buffer } from 'node:buffer'
import { type Readable, Transform } from 'node:stream'

import { type Clock, createAlarm } from '../../src/runtime/clock.ts'

/** How a terminal shows pictures. */
export type Protocol = 'kitty' | 'sixel'

/**
 * Asks a terminal which pictures it shows: first by the query of kitty
 * (https://sw.kovidgoyal.net/kitty/graphics-protocol/#querying-support-and-available-transmission-mediums), then for its
 * attributes, which every terminal answers (https://vt100.net/docs/vt510-rm/DA1.html). A terminal that does not know the
 * query may print it: then the line is cleared.
 */
export const QUESTION = '\u001B_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001B\\\u001B[c\r\u001B[K'

/** Longer than the keys of one escape sequence are apart, shorter than somebody types. */
const HALF_MS = 100

/** In the attributes, after the class of the terminal. */
const SIXEL = '4'

// oxlint-disable no-control-regex -- escape sequences are what is looked for
/** An answer to the query of kitty, also one that breaks off before another control character. */
const OF_KITTY = '\\u001B_G[ -~]*(?:\\u001B\\\\|(?=[^ -~\\u001B]))'
/** A private report, such as the attributes. No key sends one. */
const REPORT = '\\u001B\\[\\?[0-;]*(?:[@-~]|(?=[^0-;@-~]))'
const ANSWER = new RegExp(`${OF_KITTY}|${REPORT}`, 'g')
const ATTRIBUTES = /^\u001B\[\?([\d;]+)c$/
const YES_OF_KITTY = '\u001B_Gi=31;OK\u001B\\'
/** The beginning of an answer at the end of a chunk. */
const HALF = /\u001B(?:_(?:G[ -~]*\u001B?)?|\[(?:\?[0-;]*)?)?$/
/** A half that nobody can have typed. */
const SURELY_HALF = /^\u001B(?:_G|\[\?)/
// oxlint-enable no-control-regex

interface Keys {
  /** The typed bytes alone. Raw mode is that of the terminal. */
  typed: Readable
  close(): void
}

/**
 * Takes the answers to the question out of the typed bytes, whenever they come: a late one must not become a command.
 * Calls back once if the terminal shows pictures.
 */
export function createKeys({
  input,
  clock,
  onPictures,
}: {
  input: Readable & { setRawMode?: (isRaw: boolean) => unknown }
  clock: Clock
  onPictures: (protocol: Protocol) => void
}): Keys {
  // A byte is a character here, so that no letter is cut.
  let half = ''
  let isKitty = false
  let isAnswered = false

  const typed = Object.assign(
    new Transform({
      transform(chunk: Uint8Array, _encoding, done) {
        patience.off()
        done(null, isAnswered ? chunk : typedIn(chunk))
        if (half !== '') patience.set(HALF_MS)
      },
    }),
    { setRawMode: (isRaw: boolean) => void input.setRawMode?.(isRaw) },
  )
  /** Nothing has followed: a key, or an answer that never ends. */
  const patience = createAlarm(clock, () => {
    if (!SURELY_HALF.test(half)) typed.push(Buffer.from(half, 'latin1'))
    half = ''
  })

  function typedIn(chunk: Uint8Array): Uint8Array {
    const text = half + Buffer.from(chunk).toString('latin1')
    for (const [answer] of text.matchAll(ANSWER)) read(answer)
    const rest = text.replace(ANSWER, '')
    half = isAnswered ? '' : (HALF.exec(rest)?.[0] ?? '')
    return Buffer.from(rest.slice(0, rest.length - half.length), 'latin1')
  }

  function read(answer: string): void {
    if (answer === YES_OF_KITTY) isKitty = true
    const attributes = ATTRIBUTES.exec(answer)?.[1]?.split(';').slice(1)
    if (!attributes || isAnswered) return
    isAnswered = true
    if (isKitty) onPictures('kitty')
    else if (attributes.includes(SIXEL)) onPictures('sixel')
  }

  input.pipe(typed)
  return {
    typed,
    close() {
      patience.off()
      input.unpipe(typed)
      input.pause()
    },
  }
}
