import { Buffer } from 'node:buffer'

import { brief, loudest } from '../../src/brief.ts'
import type { Send } from '../../src/chat.ts'
import type { Tone } from '../../src/message.ts'

/** Longer ones become an attachment that nobody opens at night (https://docs.ntfy.sh/publish/#limitations). */
const LONGEST_BYTES = 4_096
/** The JSON around it may have as much again (server.go: MessageSizeLimit*2). */
const LONGEST_JSON_BYTES = 2 * LONGEST_BYTES

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

/** The JSON that publishes a message (https://docs.ntfy.sh/publish/#publish-as-json). Pure. */
export function publication(
  { message, silent, possibleRepeat }: Pick<Send, 'message' | 'silent' | 'possibleRepeat'>,
  { topic, now, call }: { topic: string; now: number; call: string | null },
): string {
  const reader = { now, zone: message.zone ?? 'UTC' }
  const tone = loudest(message)
  const body = ({ title, text }: { title: string; text: string }) =>
    JSON.stringify({
      topic,
      message: text,
      ...(title === '' ? {} : { title }),
      priority: silent ? QUIET : PRIORITIES[tone],
      tags: TAGS[tone],
      ...(call !== null && tone === 'critical' && !silent ? { call } : {}),
    })
  const said = brief(
    message,
    { reader, possibleRepeat },
    (one) =>
      Buffer.byteLength(one.text) <= LONGEST_BYTES && Buffer.byteLength(body(one)) <= LONGEST_JSON_BYTES,
  )
  return body(said)
}
