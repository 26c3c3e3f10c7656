import { Buffer } from 'node:buffer'

import type { Protocol } from './keys.ts'
import { halved, pixelsOf } from './pixels.ts'
import { clean } from './render.ts'
import { sixelsOf } from './sixel.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Base64 in one escape sequence, at most. */
const CHUNK = 4_096
/** As wide as the charts of text are. */
const COLUMNS = 40
/** A narrower window would break the rows of a chart of text. */
const NARROWEST = 60

/** The first bytes of each PNG: https://www.w3.org/TR/png-3/#3PNGsignature */
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47])

/**
 * Whether a terminal can be asked which pictures it shows. A multiplexer answers for itself and not for the terminal in
 * which it runs, and a console may print the question.
 */
export function isAskable({ TERM = '', TMUX, STY }: Environment): boolean {
  return !TMUX && !STY && !/^(?:tmux|screen|linux)/.test(TERM)
}

/** A picture as the terminal prints it. Null: the terminal cannot show it. */
export function printed(picture: Uint8Array, protocol: Protocol | null, columns: number): string | null {
  // It may have been drawn before the terminal has answered.
  const isPng = Buffer.from(picture.subarray(0, PNG.length)).equals(PNG)
  if (!isPng) return chartOf(picture, columns)
  if (protocol === 'kitty') return kittyPicture(picture)
  return protocol === 'sixel' ? sixelPicture(picture) : null
}

/** A PNG at half its size: of 1080 pixels most windows would show a part alone. Ends with a line feed. */
function sixelPicture(png: Uint8Array): string | null {
  const pixels = pixelsOf(png)
  return pixels && `${sixelsOf(halved(pixels))}\n`
}

/**
 * A PNG as escape sequences. The terminal is told to answer nothing: its answer would look like typed text. Ends with a
 * line feed.
 */
function kittyPicture(png: Uint8Array): string {
  const data = Buffer.from(png).toString('base64')
  const parts = data.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? []
  const last = parts.length - 1
  const sequences = parts.map((part, at) => {
    const first = at === 0 ? `a=T,f=100,q=2,c=${COLUMNS},` : ''
    return `\u001B_G${first}m=${at === last ? 0 : 1};${part}\u001B\\`
  })
  return `${sequences.join('')}\n`
}

/** The lines of a chart of text, each with its line feed. Nothing where the window is too narrow: words stand alone there. */
function chartOf(text: Uint8Array, columns: number): string {
  if (columns < NARROWEST) return ''
  const lines = Buffer.from(text).toString('utf8').split('\n').map(clean)
  return `${lines.join('\n')}\n`
}
