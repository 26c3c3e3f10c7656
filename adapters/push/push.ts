import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'

import type { LinkFor } from '../../src/chat/action-link.ts'
import type { DestinationName, Notifier } from '../../src/chat/notifier.ts'
import { rejectsEdits } from '../../src/chat/notify-only.ts'
import type { Address } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { inWords, words } from '../../src/message/message.ts'
import { loudest } from '../../src/message/push-title.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { type Egress, type EgressAnswer, unanswered } from '../../src/runtime/egress.ts'
import { keptFor, notification, wakingWord } from './notification.ts'
import { addressOf, type Subscription, subscriptionAt, subscriptionIn, titleOf } from './subscription.ts'
import { authorization, type ServerKeys } from './vapid.ts'

/** Our own limits: push services name none, and stop a sender who floods one browser. */
const LIMITS = {
  platform: { burst: 60, perSecond: 20 },
  chat: { burst: 15, perSecond: 1 },
  group: null,
}

/** For people, and for docs/commands.md. */
export const destination = { what: words('push.browser'), example: 'https://push.example.com/…' }

/** Web Push (RFC 8030): notifications in browsers, by the push service of each browser. */
export function createPush(world: {
  keys: ServerKeys
  /** Where push services write to the operator: `mailto:…` or `https://…`. */
  contact: string
  page: { url: string; isPublic: boolean }
  clock: Clock
  egress: Egress
  linkFor: LinkFor
}): Notifier {
  const { keys, contact, page, clock, egress, linkFor } = world

  const deliver: Notifier['deliver'] = async (send, signal) => {
    const subscription = subscriptionAt(send.to.chat)
    if (!subscription) return { is: 'gone', why: 'that is no browser' }
    const { endpoint } = subscription
    const now = clock.now()
    const tag = tagOf(send.key, send.to, keys)
    const body = await encrypted(notification(send, { tag, now, page, linkFor }), subscription)
    const tone = loudest(send.message)
    const headers = {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(keptFor(tone)),
      urgency: wakingWord(tone, send.silent),
      topic: tag,
      authorization: authorization(keys, { origin: endpoint.origin, contact, now }),
      'user-agent': 'Perch',
    }
    const reached = await egress.ask(endpoint, { method: 'POST', headers, body }, signal)
    return outcomeOf(reached, send.to, tag)
  }
  const check: DestinationName['check'] = async (typed, signal) => {
    const found = subscriptionIn(typed)
    if (!found) return null
    const { subscription, name } = found
    const invalid = await egress.refusal(subscription.endpoint, signal)
    if (invalid !== null) return { invalid }
    const address = { platform: 'push', chat: addressOf(subscription), thread: null }
    return { address, title: titleOf(subscription, name) }
  }
  return {
    name: 'push',
    destination: { ...destination, check },
    receipts: null,
    limits: LIMITS,
    deliver,
    edit: rejectsEdits,
    stop: async () => {},
  }
}

/** A topic has 32 characters at most (RFC 8030, 5.4). */
const TAG_CHARACTERS = 32

/**
 * The same for every attempt at a message, and for no other of this bot. A push service that holds the first attempt
 * replaces it by the second, and so does a browser that shows it.
 */
function tagOf(key: string, { chat }: Address, { publicKey }: ServerKeys): string {
  return createHash('sha256')
    .update(JSON.stringify([publicKey, key, chat]))
    .digest('base64url')
    .slice(0, TAG_CHARACTERS)
}

/** One record of aes128gcm (RFC 8291), with a key pair and a salt of its own. */
async function encrypted(text: string, { p256dh, auth }: Subscription): Promise<Uint8Array> {
  // Loaded with the first notification: most starts send none.
  const { default: library } = await import('web-push')
  return library.encrypt(p256dh, auth, Buffer.from(text), 'aes128gcm').cipherText
}

/** Readers get these in their language (see `reasonKey`). */
const GONE = inWords(words('why.browser-gone'))
/** It was subscribed with another key, or this clock is wrong by hours, or the service wants a contact. */
const KEY_REFUSED = inWords(words('why.push-key'))

/** How a send ended, by its answer (RFC 8030, 5 and 7.3). Pure. */
function outcomeOf(reached: EgressAnswer, to: Address, id: string): Delivery {
  if (reached.is !== 'answered') return unanswered(reached)
  const { status, retryAfterMs } = reached
  const why = `the browser’s push service answered ${status}`
  if (status >= 200 && status < 300) return { is: 'sent', ref: { address: to, id } }
  if (status >= 300 && status < 400) return { is: 'gone', why: `${why}: I follow no redirect` }
  if (status === 429) return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: false, why }
  if (status >= 500 || status === 408)
    return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: status >= 500, why }
  if (status === 404 || status === 410) return { is: 'gone', why: GONE }
  if (status === 401 || status === 403) return { is: 'gone', why: KEY_REFUSED }
  return { is: 'rejected', why }
}
