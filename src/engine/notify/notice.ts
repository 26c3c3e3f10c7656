import type { Message } from '../../message/message.ts'
import type { Reason } from '../../message/reason.ts'
import type { Effect } from '../memory/effect.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import { fallbackOf } from '../memory/people.ts'
import { escalationOf } from './escalation.ts'

/** A message about the bot itself. */
export function tell(
  numbers: Numbers,
  chatId: number,
  words: Message,
  reason: Reason,
  now: number,
): Extract<Effect, { is: 'send' }> {
  const id = ++numbers.row
  const at = { detectedAt: now, queuedAt: now, dueAt: now, expiresAt: null, note: null }
  return {
    is: 'send',
    row: { id, chatId, urgency: 1, silent: false, message: words, alertIds: [], about: [], reason, ...at },
  }
}

/** Tells a person in their first chat; nothing while they have none. */
export function notifyPerson(
  drawers: Pick<Memory, 'people' | 'run'>,
  numbers: Numbers,
  personId: number,
  words: Message,
  now: number,
): Effect[] {
  const { first } = escalationOf(drawers, personId)
  return first ? [tell(numbers, fallbackOf(drawers, first.id), words, 'notice', now)] : []
}

/** Tells a person without a sound. */
export function notifyQuietly(
  drawers: Pick<Memory, 'people' | 'run'>,
  numbers: Numbers,
  personId: number,
  words: Message,
  now: number,
): Effect[] {
  return notifyPerson(drawers, numbers, personId, words, now).map(quietly)
}

export function quietly(effect: Effect): Effect {
  return effect.is === 'send' ? { ...effect, row: { ...effect.row, silent: true } } : effect
}
