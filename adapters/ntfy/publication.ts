import { Buffer } from 'node:buffer'

import { brief, loudest } from '../../src/brief.ts'
import type { Send } from '../../src/chat.ts'
import { isPressable } from '../../src/link.ts'
import type { LinkTo } from '../../src/link.ts'
import type { Button, Message, Tone } from '../../src/message.ts'

/** What is as long becomes an attachment that nobody opens at night (https://docs.ntfy.sh/publish/#limitations; util/peek.go). */
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
const MOST_ACTIONS = 3

/** What may be anybody's word: all of one alert, of several the first of each. */
function offeredOf({ items }: Message): readonly Button[] {
  const each = items
    .map(({ buttons }) => buttons.filter(({ line }) => isPressable(line)))
    .filter(({ length }) => length > 0)
  const all = each.length === 1 ? each.flat() : each.flatMap(([first]) => first ?? [])
  return all.slice(0, MOST_ACTIONS)
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
  { topic, now, call, linkTo }: { topic: string; now: number; call: string | null; linkTo: LinkTo | null },
): string {
  const reader = { now, zone: message.zone ?? 'UTC' }
  const tone = loudest(message)
  // Refused once, it goes without: an alert matters more than its buttons.
  const offered = linkTo === null || plain ? [] : offeredOf(message)
  const actions = offered.map(({ label, line }) => ({
    ...{ action: 'http', label, url: linkTo?.(to, line), method: 'POST' },
    // Taken off the phone once it was heard.
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
      ...(call !== null && tone === 'critical' && !silent ? { call } : {}),
    })
  const said = brief(
    message,
    { reader, possibleRepeat, offered },
    (one) =>
      Buffer.byteLength(one.text) < TOO_LONG_BYTES && Buffer.byteLength(body(one)) < TOO_LONG_JSON_BYTES,
  )
  return body(said)
}
