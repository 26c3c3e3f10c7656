import { Buffer } from 'node:buffer'

import { isPressable, type LinkFor } from '../../src/chat/action-link.ts'
import type { Send } from '../../src/chat/notifier.ts'
import { type Button, inWords, type Message, readerOf, type Tone } from '../../src/message/message.ts'
import { loudest, pushTitle } from '../../src/message/push-title.ts'

/**
 * Push services take 4,096 bytes (RFC 8030, 7.2). The header of the encrypted record is 86 of them, its mark and its tag
 * are 17 (RFC 8291, 4).
 */
const MAX_BYTES = 3_993
/** Where a service refuses a message, it gets this much of it. */
const PLAIN_BYTES = 2_000

/** The JSON that the page's service worker shows as a notification. Fields may be added; none changes its meaning. */
interface Notification {
  version: 1
  title: string
  body: string
  /** A notification with the tag of an earlier one takes its place: it is the same message. */
  tag: string
  /** The alerts in it, so that later news of them can close this one. */
  alertIds: readonly number[]
  tone: Tone
  /** To be shown without a sound. */
  silent: boolean
  /** When this attempt was made: wall time. */
  at: number
  lang: string
  /** The page that a tap opens. */
  url: string
  /** The button that acknowledges all of it. `url` takes one POST; null: the page sends `line` for its session. */
  ack: { label: string; line: string; url: string | null } | null
}

/** The content of a notification, within the size that push services take. Pure but for `linkFor`. */
export function notification(
  { to, message, alertIds, silent, possibleRepeat, plain }: Omit<Send, 'key' | 'replyTo' | 'mention'>,
  {
    tag,
    now,
    page,
    linkFor,
  }: {
    tag: string
    now: number
    /** Where the page is, and whether browsers on other machines reach it. */
    page: { url: string; isPublic: boolean }
    linkFor: LinkFor
  },
): string {
  const reader = readerOf(message, now)
  const button = acknowledgement(message)
  const ack = button && {
    label: inWords(button.label, message.language),
    line: button.line,
    // Refused once, it goes without: an alert matters more than its button.
    url: plain ? null : linkFor(to, button.line),
  }
  const json = ({ title, text }: { title: string; text: string }) =>
    JSON.stringify({
      version: 1,
      ...titled(title, text),
      ...{ tag, alertIds, tone: loudest(message), silent, at: now },
      lang: reader.language ?? 'en',
      url: `${page.url}/page`,
      ack,
    } satisfies Notification)
  // Where a tap opens the page, nobody needs the line to send in a chat.
  const offered = page.isPublic ? message.items.flatMap(({ buttons }) => buttons) : []
  const most = plain ? PLAIN_BYTES : MAX_BYTES
  return json(
    pushTitle(message, { reader, possibleRepeat, offered }, (one) => Buffer.byteLength(json(one)) <= most),
  )
}

/** Without a title a browser would show the address of the page there. */
function titled(title: string, text: string): { title: string; body: string } {
  if (title !== '') return { title, body: text }
  const [first = '', ...rest] = text.split('\n')
  return { title: first, body: rest.join('\n') }
}

/** Browsers show one or two buttons, and some show none: the one that acknowledges everything, else the first. */
function acknowledgement({ items, buttons }: Message): Button | null {
  const all = [...buttons, ...items.flatMap((item) => item.buttons)]
  return all.find(({ line }) => isPressable(line) && !line.startsWith('/snooze')) ?? null
}

const HOUR_S = 3_600

/** How long a push service keeps it for a browser that is away, in seconds: news of money is worth nothing after hours. */
export function keptFor(tone: Tone): number {
  return tone === 'info' || tone === 'plain' ? HOUR_S : 4 * HOUR_S
}

/** The header by which a sleeping phone decides whether to wake up (RFC 8030, 5.3). */
export function wakingWord(tone: Tone, silent: boolean): 'high' | 'normal' | 'low' {
  if (silent) return 'low'
  return tone === 'critical' ? 'high' : 'normal'
}
