import { shortLine } from '../../lib/text/legible.ts'
import type { Emit, Event } from '../../runtime/event.ts'
import { words } from '../../message/message.ts'
import type { Unusable } from '../../venue/record/lacking.ts'
import { VenueError } from '../../venue/venue.ts'
import { whyTooLong, whyNotParsed } from './bounds.ts'
import type { Reply } from './request.ts'

interface Circumstances {
  /** Wall time, for a Retry-After that is a date. */
  now: () => number
  /** Must never appear in an error, even if the venue quotes it. */
  secret: string | null
  /** Whether a refusal other than 429 means that we ask too often. Left out: none does. */
  isLimit?: ((status: number, code: number | null) => boolean) | undefined
}

/** Reads one HTTP answer, or throws a VenueError. Reports a Retry-After to `tellWait`. */
export function readReply<T>(
  reply: Reply,
  { now, secret, isLimit }: Circumstances,
  tellWait: (ms: number) => void,
  read: (body: unknown) => T,
): T {
  const { status, text } = reply
  if (status >= 200 && status < 300) {
    try {
      return read(parseJson(text))
    } catch (error) {
      if (!(error instanceof VenueError)) throw unreadable('its shape is unknown')
      if (secret === null || !(text + error.message).includes(secret)) throw error
      throw unreadable('it quotes our API key and is not repeated here')
    }
  }
  const retryAfterMs = waitOf(reply.retryAfter, now())
  if (retryAfterMs !== null) tellWait(retryAfterMs)
  const code = codeOf(text)
  if (status === 429 || isLimit?.(status, code)) {
    throw new VenueError({ is: 'limited', retryAfterMs }, words('cause.limited'))
  }
  // Hide the key again after decoding: JSON can write the same text in other ways.
  const said = wordsOfRefusal(hide(text, secret))
  const message = said === null ? null : hide(said, secret)
  throw new VenueError(
    { is: 'refused', status, message, ...(code !== null && { code }) },
    message === null
      ? words('cause.refused', { status: String(status) })
      : words('cause.refused-with', { status: String(status), said: message }),
  )
}

/** Parses the text of somebody else, or throws a VenueError. A text may begin with a byte order mark. */
export function parseJson(sent: string): unknown {
  const text = sent.startsWith('\uFEFF') ? sent.slice(1) : sent
  if (text.trim() === '') throw unreadable('it is empty')
  const refused = whyNotParsed(text)
  if (refused !== null) throw unreadable(refused)
  const value = parsed(text)
  const long = whyTooLong(value, text)
  if (long !== null) throw unreadable(long)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the answer, which may be anything: do not pass it on.
    throw unreadable(text.trimStart().startsWith('<') ? 'it is a page of HTML, not JSON' : 'it is not JSON')
  }
}

/** Retry-After in seconds or as a date (https://www.rfc-editor.org/rfc/rfc9110#field.retry-after), in ms from now. */
function waitOf(header: string | null, now: number): number | null {
  if (header === null) return null
  const value = header.trim()
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** The code in the body of a refusal; null if it has none that is a whole number. */
function codeOf(text: string): number | null {
  try {
    const body = parseJson(text)
    return isFields(body) && Number.isSafeInteger(body['code']) ? Number(body['code']) : null
  } catch {
    return null
  }
}

function hide(words: string, secret: string | null): string {
  return secret === null ? words : words.replaceAll(secret, '…')
}

/** The longest quotation of the venue's own words: enough for a sentence, too little to flood a log. */
const LONGEST_WORDS = 300

/** Longer than any name of a market (`1000000MOG`), an account (39 digits) or a status. */
const LONGEST_NAME = 48
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,96}$/u

/** Whether it can be an id: messages and the log name it as it is, so it must be short and legible. */
export function isName(text: string): boolean {
  return NAME.test(text)
}

/** The venue's word for something, as people read it; null if nothing in it is legible. */
export function wordOf(value: unknown): string | null {
  return typeof value === 'string' ? shortLine(value, LONGEST_NAME) || null : null
}

export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Makes the failure for an answer that differs from the specification. `why` completes "cannot be used: …".
 */
export function unreadable(why: string): VenueError {
  return new VenueError({ is: 'unreadable', why }, words('cause.unusable', { why }))
}

/** Where so many elements of an answer cannot be used, the answer cannot. */
const MOST_UNUSABLE = 500

/** Adds an element that cannot be used. Throws if there are too many of them. */
export function leaveOut(unusable: Unusable[], element: Unusable): void {
  unusable.push(element)
  const { what, why } = unusable[0] ?? element
  if (unusable.length > MOST_UNUSABLE)
    throw unreadable(`more than ${MOST_UNUSABLE} elements, such as ${what}: ${why}`)
}

/** Emits one event for all unusable elements of an answer. */
export function report<T extends { unusable: readonly Unusable[] }>(
  emit: Emit,
  call: (Event & { is: 'venue-unusable' })['call'],
  answer: T,
): T {
  const [first] = answer.unusable
  if (first) {
    const { what, why } = first
    emit({ is: 'venue-unusable', call, what, why, count: answer.unusable.length })
  }
  return answer
}

/**
 * Returns the venue's own words about a failure: `message`, else `error`, else `errorMsg`. Null if it gave
 * none.
 */
export function wordsIn(value: unknown): string | null {
  if (typeof value === 'string') return tidy(value)
  if (!isFields(value)) return null
  for (const name of ['message', 'error', 'errorMsg']) {
    const inner = value[name]
    const words = typeof inner === 'string' ? tidy(inner) : isFields(inner) ? wordsIn(inner['message']) : null
    if (words !== null) return words
  }
  return null
}

/** Makes one line of printable text without markup. Null if nothing is left or the text is a page. */
function tidy(text: string): string | null {
  const line = shortLine(text, LONGEST_WORDS)
  return line === '' || line.startsWith('<') ? null : line
}

/** Returns the words of a refusal's body: JSON or one line of plain text, but not a page of HTML. */
function wordsOfRefusal(text: string): string | null {
  try {
    return wordsIn(parseJson(text))
  } catch {
    return tidy(text)
  }
}
