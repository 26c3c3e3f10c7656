import { Buffer } from 'node:buffer'

import type { Send } from '../../src/chat/notifier.ts'
import { remember } from '../../src/lib/data/remember.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { inWords, plainText, readerOf, words } from '../../src/message/message.ts'

/** Priority of a picture: https://docs.ntfy.sh/publish/#message-priority. It makes no sound. */
const QUIET = '2'
/** Bytes of the words in a header, which then take a third more. */
const MOST_BYTES = 2_000
/**
 * ntfy.sh takes 250 messages a day from one address (https://docs.ntfy.sh/publish/#limitations), and each picture is one.
 * Words need the others.
 */
const PUBLIC_A_DAY = 30
const DAY_MS = 24 * 60 * 60_000
/**
 * A server without attachments, with a smaller limit, without an address of its own, or whose bandwidth of the day is used
 * up: https://github.com/binwiederhier/ntfy, server/errors.go.
 */
const TAKES_NO_FILE = new Set([40_014, 41_301, 42_905, 50_003])
const ASKED_AGAIN_MS = 6 * 60 * 60_000
const MOST_SERVERS = 1_000

/** The headers of a picture whose PNG is the body: https://docs.ntfy.sh/publish/#attach-local-file. */
export function pictureHeaders(
  { message, possibleRepeat }: Pick<Send, 'message' | 'possibleRepeat'>,
  now: number,
): Record<string, string> {
  const reader = readerOf(message, now)
  const marks = possibleRepeat ? [inWords(words('platform.repeat'), reader.language)] : []
  const said = [message.picture?.words ?? '', message.footnote ?? ''].map((one) => plainText(one, reader))
  const text = [...marks, ...said].filter((line) => line !== '').join(' · ')
  return {
    'content-type': 'image/png',
    ...{ filename: 'picture.png', priority: QUIET, message: encodedWord(shortened(text)) },
  }
}

/** Headers are ASCII: https://www.rfc-editor.org/rfc/rfc2047#section-2, which ntfy reads. */
function encodedWord(text: string): string {
  return /^[ -~]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

function shortened(text: string): string {
  const points = [...text]
  while (Buffer.byteLength(points.join('')) > MOST_BYTES) points.pop()
  return points.join('')
}

/** Which servers take pictures now. */
interface PictureGate {
  /** Why none is sent there; null where one may be, which then counts. */
  refusal(server: string, mono: number): string | null
  /** How a picture ended there, with the code of ntfy's own error; 0 for none. Words are not concerned. */
  ended(server: string, delivery: Delivery, code: number, mono: number): Delivery
}

export function createPictureGate(publicServer: string): PictureGate {
  /** By server: until when none is sent there. */
  const closed = new Map<string, number>()
  let lately: number[] = []
  return {
    refusal(server, mono) {
      if ((closed.get(server) ?? -Infinity) > mono) return 'this server takes no pictures'
      if (server !== publicServer) return null
      lately = lately.filter((at) => at > mono - DAY_MS)
      if (lately.length >= PUBLIC_A_DAY) return 'its messages of the day are kept for words'
      lately.push(mono)
      return null
    },
    ended(server, delivery, code, mono) {
      if (!TAKES_NO_FILE.has(code)) return delivery
      remember(closed, server, mono + ASKED_AGAIN_MS, MOST_SERVERS)
      return { is: 'rejected', why: `this server takes no pictures (${code})` }
    },
  }
}
