import { Buffer } from 'node:buffer'

import type { Limits } from '../../src/chat/notifier.ts'
import { clean } from './render.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Programs that show pictures by the protocol of kitty: https://sw.kovidgoyal.net/kitty/graphics-protocol/. */
const SHOWING = new Set(['ghostty', 'kitty', 'wezterm'])
/** Base64 in one escape sequence, at most. */
const CHUNK = 4_096
/** As wide as the charts of text are. */
const COLUMNS = 40
/** A narrower window would break the rows of a chart of text. */
const NARROWEST = 60

/**
 * The kind of pictures that a terminal shows, as its environment says: PNG, or else lines of text. A multiplexer would have
 * to hand a PNG on, and most do not.
 */
export function picturesIn({
  TERM = '',
  TERM_PROGRAM = '',
  KITTY_WINDOW_ID,
  TMUX,
  STY,
}: Environment): Limits['pictures'] {
  const isInside = TMUX || STY || /^(?:tmux|screen)/.test(TERM)
  const isKitty = KITTY_WINDOW_ID || TERM === 'xterm-kitty' || SHOWING.has(TERM_PROGRAM.toLowerCase())
  return isKitty && !isInside ? true : 'text'
}

/**
 * A PNG as escape sequences. The terminal is told to answer nothing: its answer would look like typed text. Ends with a
 * line feed.
 */
export function kittyPicture(png: Uint8Array): string {
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
export function chartOf(text: Uint8Array, columns: number): string {
  if (columns < NARROWEST) return ''
  const lines = Buffer.from(text).toString('utf8').split('\n').map(clean)
  return `${lines.join('\n')}\n`
}
