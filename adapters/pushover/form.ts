import { hash } from 'node:crypto'

import type { Send } from '../../src/chat/notifier.ts'
import { type Tone, readerOf } from '../../src/message/message.ts'
import { pushTitle, loudest } from '../../src/message/push-title.ts'

// https://pushover.net/api#limits
const LONGEST_TEXT = 1_024
const LONGEST_TITLE = 250

/** https://pushover.net/api#priority: 2 repeats until it is confirmed, -1 makes no sound. */
const EMERGENCY = 2
const QUIET = -1
const PRIORITIES: Record<Tone, 0 | 1 | 2> = {
  critical: EMERGENCY,
  warning: 1,
  blind: 1,
  info: 0,
  good: 0,
  plain: 0,
}
/**
 * An emergency rings every so often: Pushover allows no less than 30 s, no more than three hours, and fifty times in all.
 * By then a reminder has replaced the message if it is still critical.
 */
const RETRY_S = 60
export const EXPIRE_S = 10_800

/** The form posted to messages.json, without the token. Pure. */
export function formOf(
  {
    to,
    key,
    message,
    silent,
    possibleRepeat,
  }: Pick<Send, 'to' | 'key' | 'message' | 'silent' | 'possibleRepeat'>,
  now: number,
): Record<string, string> {
  const reader = readerOf(message, now)
  const { title, text } = pushTitle(
    message,
    { reader, possibleRepeat },
    (one) => [...one.text].length <= LONGEST_TEXT && [...one.title].length <= LONGEST_TITLE,
  )
  const priority = silent ? QUIET : PRIORITIES[loudest(message)]
  return {
    user: to.chat,
    message: text,
    ...(title === '' ? {} : { title }),
    priority: String(priority),
    ...(priority === EMERGENCY
      ? { retry: String(RETRY_S), expire: String(EXPIRE_S), tags: tagOf(to.chat, key) }
      : {}),
  }
}

/** The same for every attempt at a message. Another person on the same token gets another one. */
function tagOf(user: string, key: string): string {
  return hash('sha256', `${user} ${key}`).slice(0, 32)
}
