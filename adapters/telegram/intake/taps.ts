import { Buffer } from 'node:buffer'

import { remember } from '../../../src/lib/data/remember.ts'
import type { Button } from '../../../src/message/message.ts'
import { type Clock, waited } from '../../../src/runtime/clock.ts'
import { type Api, waitMs } from '../send/api.ts'

/** https://core.telegram.org/bots/api#inlinekeyboardbutton: callback_data, in bytes. */
const LONGEST_DATA_BYTES = 64

/** The first character of a button's data: whether the answer replaces the message, and how the line is encoded. */
const MARKS = { '=': [true, false], '+': [false, false], '#': [true, true], '*': [false, true] } as const

/**
 * A button's line as the data of its tap: the line itself, so that it works after a restart. Addresses and long
 * numbers are shortened when it would not fit otherwise; null when that is not enough.
 */
export function toData({ line, replace }: Pick<Button, 'line' | 'replace'>): string | null {
  const text = line.toWellFormed().replace(/^\//, '')
  const whole = (replace ? '=' : '+') + text
  if (fits(whole)) return whole
  const shorter = shortened(text)
  const short = (replace ? '#' : '*') + shorter
  return shorter !== null && fits(short) ? short : null
}

/** The line of a tap; null when the data is not ours. */
export function fromData(data: string): Pick<Button, 'line' | 'replace'> | null {
  const mark = data.charAt(0)
  if (!isMark(mark)) return null
  const [replace, short] = MARKS[mark]
  const text = data.slice(1)
  return { line: `/${short ? lengthened(text) : text}`, replace }
}

function isMark(mark: string): mark is keyof typeof MARKS {
  return Object.hasOwn(MARKS, mark)
}

function fits(data: string): boolean {
  return Buffer.byteLength(data) <= LONGEST_DATA_BYTES
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const LONG_NUMBER = /^[1-9]\d{11,}$/

/** `@` an address, `~` a number, each in base64url. */
function shortened(text: string): string | null {
  const words = text.split(' ')
  if (words.some((word) => /^[@~]/.test(word))) return null
  return words
    .map((word) => {
      if (ADDRESS.test(word)) return `@${base64url(word.slice(2))}`
      return LONG_NUMBER.test(word) ? `~${base64url(even(BigInt(word).toString(16)))}` : word
    })
    .join(' ')
}

function lengthened(text: string): string {
  return text
    .split(' ')
    .map((word) => {
      const hex = Buffer.from(word.slice(1), 'base64url').toString('hex')
      if (word.startsWith('@')) return `0x${hex}`
      return word.startsWith('~') && hex !== '' ? BigInt(`0x${hex}`).toString() : word
    })
    .join(' ')
}

function base64url(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url')
}

function even(hex: string): string {
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

/** Distinguishes an accidental double tap from a second request. */
interface DoubleTaps {
  /** Ends the tap once its answer is there; null if the same tap is under way or has only just ended. */
  begin(tap: string): (() => void) | null
}

/** After reading the answer, a person takes longer than this to tap again. */
const TWICE_MS = 2_000
const MAX_REMEMBERED_TAPS = 1_000

export function createDoubleTaps(clock: Clock): DoubleTaps {
  const until = new Map<string, number>()
  return {
    begin(tap) {
      if ((until.get(tap) ?? -Infinity) > clock.monotonic()) return null
      remember(until, tap, Infinity, MAX_REMEMBERED_TAPS)
      return () => {
        if (until.has(tap)) until.set(tap, clock.monotonic() + TWICE_MS)
      }
    },
  }
}

const LIMIT_MS = 10_000
const TRIES = 3

/** Ends the waiting circle on a button, with a small window when there is something to say. Too late is no harm. */
export async function answerTap(
  { api, clock, random, signal }: { api: Api; clock: Clock; random: () => number; signal: AbortSignal },
  id: string,
  text?: string,
): Promise<void> {
  const parameters = { callback_query_id: id, ...(text === undefined ? {} : { text, show_alert: true }) }
  for (let tries = 1; tries <= TRIES; tries++) {
    const answer = await api.call('answerCallbackQuery', parameters, LIMIT_MS)
    const again = answer.is !== 'answered' || answer.status === 429 || answer.status >= 500
    if (!again || !(await waited(clock, waitMs(answer, tries, random()), signal))) return
  }
}
