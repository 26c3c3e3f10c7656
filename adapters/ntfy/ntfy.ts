import { Buffer } from 'node:buffer'

import { z } from 'zod'

import { isPressable, type LinkFor } from '../../src/chat/action-link.ts'
import type { DestinationName, InvalidDestination, Limits, Notifier, Send } from '../../src/chat/notifier.ts'
import { rejectsEdits } from '../../src/chat/notify-only.ts'
import { createRefusals, type Refusal } from '../../src/chat/refusal.ts'
import { jsonOrNull } from '../../src/lib/text/json.ts'
import type { Address } from '../../src/message/address.ts'
import type { Delivery } from '../../src/message/delivery.ts'
import { type Button, inWords, type Message, type Tone, readerOf, words } from '../../src/message/message.ts'
import { pushTitle, loudest } from '../../src/message/push-title.ts'
import type { Language } from '../../src/words/words.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { type Egress, type EgressAnswer, unanswered } from '../../src/runtime/egress.ts'
import { createPictureGate, pictureHeaders } from './picture.ts'

/**
 * ntfy turns a longer text into an attachment, which nobody opens at night (https://docs.ntfy.sh/publish/#limitations;
 * util/peek.go).
 */
const TOO_LONG_BYTES = 4_096
/** The JSON around it may have nearly as much again (server.go: MessageSizeLimit*2). */
const TOO_LONG_JSON_BYTES = 2 * TOO_LONG_BYTES

/** https://docs.ntfy.sh/publish/#message-priority: five rings long and loud, two makes no sound. */
const QUIET = 2
const PRIORITIES: Record<Tone, 3 | 4 | 5> = { critical: 5, warning: 4, blind: 4, info: 3, good: 3, plain: 3 }
/** The names of pictures before the title: https://docs.ntfy.sh/emojis/. */
const TAGS: Record<Tone, readonly string[]> = {
  critical: ['rotating_light'],
  warning: ['warning'],
  info: ['bell'],
  good: ['white_check_mark'],
  blind: ['see_no_evil'],
  plain: [],
}

/** https://docs.ntfy.sh/publish/#action-buttons. */
const MAX_ACTIONS = 3

/** The buttons that a link may carry: all of a single alert, else the first of each item. */
function offeredOf({ items, language }: Message): readonly Button[] {
  const each = items
    .map(({ buttons }) => buttons.flatMap((button) => pressable(button, language)))
    .filter(({ length }) => length > 0)
  const all = each.length === 1 ? each.flat() : each.flatMap(([first]) => first ?? [])
  return all.slice(0, MAX_ACTIONS)
}

/** A link cannot ask for how long, so it names a time. */
function pressable(button: Button, language?: Language): Button[] {
  const [menu, alert = ''] = /^\/snooze (A\d+)$/.exec(button.line) ?? []
  if (menu === undefined) return isPressable(button.line) ? [button] : []
  return [
    { ...button, label: inWords(words('alert.button.snooze-30'), language), line: `/snooze ${alert} 30m` },
    { ...button, label: inWords(words('alert.button.snooze-2h'), language), line: `/snooze ${alert} 2h` },
  ]
}

/** The JSON that publishes a message (https://docs.ntfy.sh/publish/#publish-as-json). Pure. */
export function publication(
  {
    to,
    message,
    silent,
    possibleRepeat,
    plain,
  }: Pick<Send, 'to' | 'message' | 'silent' | 'possibleRepeat' | 'plain'>,
  { topic, now, call, linkFor }: { topic: string; now: number; call: string | null; linkFor: LinkFor | null },
): string {
  const reader = readerOf(message, now)
  const tone = loudest(message)
  // Refused once, it goes without: an alert matters more than its buttons.
  const offered = linkFor === null || plain ? [] : offeredOf(message)
  const actions = offered.map(({ label, line }) => ({
    ...{ action: 'http', label, url: linkFor?.(to, line), method: 'POST' },
    // Removes the notification after the press.
    clear: true,
  }))
  const body = ({ title, text }: { title: string; text: string }) =>
    JSON.stringify({
      topic,
      message: text,
      ...(title === '' ? {} : { title }),
      priority: silent ? QUIET : PRIORITIES[tone],
      tags: TAGS[tone],
      ...(actions.length === 0 ? {} : { actions }),
      ...(call !== null && tone === 'critical' && !silent && !plain ? { call } : {}),
    })
  const said = pushTitle(
    message,
    { reader, possibleRepeat, offered },
    (one) =>
      Buffer.byteLength(one.text) < TOO_LONG_BYTES && Buffer.byteLength(body(one)) < TOO_LONG_JSON_BYTES,
  )
  return body(said)
}

/**
 * ntfy allows 60 at once and then one in 5 s per client (https://docs.ntfy.sh/publish/#limitations). Stays a little
 * below.
 */
const PUBLIC_SERVER = 'https://ntfy.sh'
/** One topic has at most a quarter of the public server's rate, so that no person takes it from the others. */
const PUBLIC = {
  start: `${PUBLIC_SERVER}/`,
  platform: { burst: 40, perSecond: 0.2 },
  chat: { burst: 10, perSecond: 0.05 },
}
/** Other servers are not throttled like that, or say so with a 429. */
const LIMITS: Limits = {
  platform: { burst: 60, perSecond: 5 },
  chat: { burst: 15, perSecond: 1.25 },
  group: null,
  pictures: true,
  server: PUBLIC,
}

/** Publishes messages to ntfy topics, for which phones ring. */
export function createNtfy(world: {
  /** The server of topics that are named without one. */
  server: string
  /** Sent to that server alone, for the operator's topics alone. */
  token: string | null
  /** The phone number that critical alerts call; null for none. */
  call: string | null
  clock: Clock
  egress: Egress
  linkFor: LinkFor | null
  /** Whether the operator is told there: the token and the telephone number are theirs. */
  isOperators(there: Address): boolean
}): Notifier {
  const { server, token, call, clock, linkFor } = world
  // The operator's own server may be in their own network.
  const egress = world.egress.allowing([new URL(server).origin])
  const settled = createRefusals()
  const pictures = createPictureGate(PUBLIC_SERVER)
  const addressOf = (topic: Topic) => new URL(`${topic.server}/${topic.topic}`)

  const deliver: Notifier['deliver'] = async (send, signal) => {
    const topic = namedTopic(send.to.chat, server)
    if (!topic || 'invalid' in topic) return { is: 'gone', why: 'that is no topic of this server' }
    const isOurs = topic.server === server && world.isOperators(send.to)
    const headers = {
      'user-agent': 'Perch',
      ...(isOurs && token !== null ? { authorization: `Bearer ${token}` } : {}),
    }
    if (send.picture !== undefined) {
      const why = pictures.refusal(topic.server, clock.monotonic())
      if (why !== null) return { is: 'rejected', why }
      const asked = { ...headers, ...pictureHeaders(send, clock.now()) }
      const file = { method: 'POST', headers: asked, body: send.picture } as const
      const reached = await egress.ask(addressOf(topic), file, signal)
      const outcome = outcomeOf(reached, send.to, isOurs)
      // A refusal of a picture says nothing about words.
      const delivery = outcome.is === 'refuses' ? { is: 'rejected' as const, why: outcome.why } : outcome
      return pictures.ended(topic.server, delivery, codeOf(reached), clock.monotonic())
    }
    const about = { topic: topic.topic, now: clock.now(), call: isOurs ? call : null, linkFor }
    const body = publication(send, about)
    const asked = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    } as const
    const reached = await egress.ask(new URL(`${topic.server}/`), asked, signal)
    return settled(addressOf(topic).href, outcomeOf(reached, send.to, isOurs), clock.monotonic())
  }
  const check: DestinationName['check'] = async (typed, signal) => {
    const topic = namedTopic(typed, server)
    if (!topic || 'invalid' in topic) return topic
    const invalid = await egress.refusal(addressOf(topic), signal)
    if (invalid !== null) return { invalid }
    const address = { platform: 'ntfy', chat: addressOf(topic).href, thread: null }
    return { address, title: shownTopic(topic) }
  }
  return {
    name: 'ntfy',
    destination: { ...destination, check },
    receipts: null,
    limits: LIMITS,
    deliver,
    edit: rejectsEdits,
    stop: async () => {},
  }
}

const PUBLISHED = z.object({ id: z.string(), event: z.literal('message') })
const REFUSED = z.object({ code: z.number(), error: z.string().optional() })

/** ntfy's own error codes (server/errors.go): the topic is invalid or not allowed. */
const TOPIC_REFUSED = new Set([40_009, 40_010])
/** The share of the day is used up: nothing arrives for hours, so it counts as a place where we cannot write. */
const DAY_IS_OVER = new Set([42_905, 42_908])
/** The telephone calls of the day are used up. The message goes without a call. */
const NO_MORE_CALLS = 42_910

/** The code of ntfy's own error; 0 for none. */
function codeOf(reached: EgressAnswer): number {
  const refused = REFUSED.safeParse(reached.is === 'answered' ? jsonOrNull(reached.body) : null)
  return refused.success ? refused.data.code : 0
}

/** How a send ended, by its answer. Pure. */
function outcomeOf(reached: EgressAnswer, to: Address, isOurs: boolean): Delivery | Refusal {
  if (reached.is !== 'answered') return unanswered(reached)
  const { status, body, isWhole, retryAfterMs } = reached
  const parsed = jsonOrNull(body)
  const published = PUBLISHED.safeParse(parsed)
  if (status === 200 && published.success) return { is: 'sent', ref: { address: to, id: published.data.id } }
  const code = codeOf(reached)
  const why = code === 0 ? `ntfy answered ${status}` : `ntfy answered ${status} (${code})`
  const foreign = `${why}, which is no answer of ntfy`
  if (status >= 300 && status < 400) return { is: 'gone', why: foreign }
  if (code === NO_MORE_CALLS) return { is: 'rejected', why }
  if (DAY_IS_OVER.has(code))
    return { is: 'gone', why: `${why}: this server takes no more from this bot today` }
  if (status === 429) return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: false, why }
  if (status >= 500 || status === 408)
    return { is: 'delayed', retryAfterMs, scope: 'chat', maybeSent: status >= 500, why }
  // Another server answers there: an error page, or a portal that wants a login.
  if (code === 0) return { is: 'refuses', maybeSent: !isWhole, why: foreign }
  if (status === 401 || status === 403)
    return {
      is: 'gone',
      why: isOurs ? `${why}: NTFY_TOKEN may not write there` : `${why}: it is not open to everybody`,
    }
  if (status === 404 || TOPIC_REFUSED.has(code)) return { is: 'gone', why }
  return { is: 'rejected', why }
}

/** For people, and for docs/commands.md. */
export const destination = { what: words('ntfy.topic'), example: 'perch-x7Qm29' }

/** https://github.com/binwiederhier/ntfy, server.go: topicRegex. Digits alone are a telephone number or a slip. */
const TOPIC = /^(?=.*[a-z])[-_a-z\d]{1,64}$/i
const SHOWN_CHARACTERS = 2

/** A topic, and its server as an address without a slash at the end. */
interface Topic {
  server: string
  topic: string
}

/** A bare name is a topic of the operator's server; null when it is neither that nor the address of a topic. */
function namedTopic(typed: string, server: string): Topic | InvalidDestination | null {
  if (TOPIC.test(typed)) return { server, topic: typed }
  if (!/^https?:\/\//i.test(typed) || !URL.canParse(typed)) return null
  const url = new URL(typed)
  const [, folder = '', topic = ''] = /^(.*)\/([^/]+)$/.exec(url.pathname) ?? []
  if (!TOPIC.test(topic) || url.search !== '' || url.hash !== '' || url.username !== '') return null
  const named = `${url.origin}${folder}`
  // The operator's host may be an internal one. People must not write to its other paths.
  if (url.origin === new URL(server).origin && named !== server)
    return { invalid: words('ntfy.elsewhere', { host: url.host, server }) }
  return { server: named, topic }
}

/** A topic is a password: anybody who knows it reads its messages. */
function shownTopic({ server, topic }: Topic): string {
  const end = topic.length > 4 * SHOWN_CHARACTERS ? topic.slice(-SHOWN_CHARACTERS) : ''
  return `${new URL(server).host}/…${end}`
}
