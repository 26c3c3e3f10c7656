import { createHash, createHmac } from 'node:crypto'

import type { DestinationName, Notifier, Send } from '../../src/chat/notifier.ts'
import { rejectsEdits } from '../../src/chat/notify-only.ts'
import { createRefusals, type Refusal } from '../../src/chat/refusal.ts'
import type { Address } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { cellText, linesOf, plainText, readerOf, words } from '../../src/message/message.ts'
import { pushTitle, loudest } from '../../src/message/push-title.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { type Egress, type EgressAnswer, unanswered } from '../../src/runtime/egress.ts'

/** Our own limits: webhooks do not state theirs. */
const PLATFORM = { burst: 20, perSecond: 10 }
const EACH = { burst: 5, perSecond: 1 }

/** Posts to addresses that people have named. An answer is never a command. */
export function createWebhook(world: {
  secret: string
  clock: Clock
  egress: Egress
  /** The number of the person who is told there. */
  personAt(there: Address): number | null
}): Notifier {
  const { secret, clock, egress, personAt } = world
  const settled = createRefusals()
  const deliver: Notifier['deliver'] = async (send, signal) => {
    const url = namedAddress(send.to.chat)
    if (!url) return { is: 'gone', why: 'that is no address' }
    const body = bodyOf(send, clock.now())
    const id = idOf(send)
    const seconds = Math.floor(clock.now() / 1_000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Perch',
      'x-perch-id': id,
      'x-perch-timestamp': String(seconds),
      'x-perch-signature': signatureOf(keyOf(secret, url, personAt(send.to) ?? 0), seconds, body),
    }
    const reached = await egress.ask(url, { method: 'POST', headers, body }, signal)
    return settled(url.href, outcomeOf(reached, send.to, id), clock.monotonic())
  }
  const check: DestinationName['check'] = async (typed, signal, personId) => {
    const url = namedAddress(typed)
    if (!url) return null
    const invalid = await egress.refusal(url, signal)
    if (invalid !== null) return { invalid }
    const address = { platform: 'webhook', chat: url.href, thread: null }
    return { address, title: shownAddress(url), key: keyOf(secret, url, personId) }
  }
  return {
    name: 'webhook',
    destination: { ...destination, check },
    receipts: null,
    limits: { platform: PLATFORM, chat: EACH, group: null },
    deliver,
    edit: rejectsEdits,
    stop: async () => {},
  }
}

/** May grow, but never changes the meaning of a field (docs/away.md). */
const VERSION = 1

/** The JSON to send. Pure; retries of a message differ only in the mark of a possible repeat. */
export function bodyOf({ key, to, message, silent, possibleRepeat }: Send, now: number): string {
  const reader = readerOf(message, now)
  const { title, text } = pushTitle(message, { reader, possibleRepeat }, () => true)
  const { table, footnote } = message
  return JSON.stringify({
    version: VERSION,
    id: idOf({ key, to }),
    to: to.chat,
    sentAt: new Date(now).toISOString(),
    severity: loudest(message),
    silent,
    possibleRepeat,
    text: title === '' ? text : `${title}\n${text}`,
    items: message.items.map((item) => ({
      severity: item.tone,
      title: plainText(item.title, reader),
      lines: linesOf(item)
        .filter((line) => line !== '')
        .map((line) => plainText(line, reader)),
      commands: item.buttons.map(({ line }) => line),
    })),
    table: table && {
      columns: table.columns.map((column) => column.title),
      rows: table.rows.map((row) => row.map((cell) => cellText(cell))),
    },
    footnote: footnote === null ? null : plainText(footnote, reader),
  })
}

/** The same for every attempt at a message, even if its alerts have changed since. No other message has it. */
function idOf({ key, to }: Pick<Send, 'key' | 'to'>): string {
  return createHash('sha256')
    .update(JSON.stringify([key, to.chat]))
    .digest('hex')
    .slice(0, 32)
}

/**
 * The key of one receiver. With one key for all, each receiver could forge messages for the others. The person is part
 * of it: somebody else could name an address before its owner does, and so learn the owner's key.
 */
function keyOf(secret: string, { href }: URL, personId: number): string {
  return createHmac('sha256', secret).update(`${personId} ${href}`).digest('hex')
}

/**
 * Signs the time with the body, so that a recorded request cannot be replayed later. The body names the receiver, so that
 * nobody can hand it on.
 */
function signatureOf(key: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
}

/** The address is gone or refuses us, permanently or only while the receiver is being replaced. */
const REFUSES = new Set([401, 403, 404, 405])
/** It may be otherwise in a moment. */
const PASSING = new Set([408, 409, 425])

/** How a send ended, by its answer. Pure. */
function outcomeOf(reached: EgressAnswer, to: Address, id: string): Delivery | Refusal {
  if (reached.is !== 'answered') return unanswered(reached)
  const { status, retryAfterMs } = reached
  const why = `the webhook answered ${status}`
  if (status >= 200 && status < 300) return { is: 'sent', ref: { address: to, id } }
  if (status >= 300 && status < 400)
    return { is: 'gone', why: `${why}: I follow no redirect, name where it leads` }
  if (status === 429) return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: false, why }
  if (status >= 500 || PASSING.has(status))
    return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: status >= 500, why }
  if (status === 410) return { is: 'gone', why }
  if (REFUSES.has(status)) return { is: 'refuses', maybeSent: false, why }
  return { is: 'rejected', why }
}

/** For people, and for docs/commands.md. */
export const destination = { what: words('webhook.address'), example: 'https://hooks.example.com/perch' }

/** Longer ones are a mistake. */
const LONGEST = 2_000
const SHOWN_CHARACTERS = 4

/** Normalizes the address; null if it is not one. Does not say whether requests to it are allowed. */
function namedAddress(typed: string): URL | null {
  if (typed.length > LONGEST || !/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return null
  const url = new URL(typed)
  url.hash = ''
  return url
}

/** The full address is enough to write there, so only a recognizable part is shown. */
function shownAddress({ host, pathname, search }: URL): string {
  const rest = `${pathname}${search}`.slice(1)
  return rest === ''
    ? host
    : `${host}/…${rest.length > 2 * SHOWN_CHARACTERS ? rest.slice(-SHOWN_CHARACTERS) : ''}`
}
