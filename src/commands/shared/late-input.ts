import type { Inbound } from '../../chat/bot.ts'
import { type Button, item, type Message, message, words } from '../../message/message.ts'

/** The answer to a wish that had ended before it was read. Null: it has not. */
export function endedBefore(
  { from, reader }: { from: Pick<Inbound, 'writtenAt'>; reader: { now: number } },
  until: number,
  again: Pick<Button, 'label' | 'line'>,
): Message | null {
  if (until > reader.now) return null
  const at = (time: number) => ({ time, as: 'clock' }) as const
  const title = words('late.ended', { at: at(from.writtenAt) })
  const lines = [words('late.ended.at', { until: at(until) })]
  return message([item('plain', title, lines)], { buttons: [{ ...again, replace: true }] })
}

/** Longer than this on its way, a command that rings is asked about. */
const LATE_MS = 2 * 60_000

/** The answer to somebody who asked long ago for a message that rings at once. Null: it was not long ago. */
export function startedBefore(
  { from, reader }: { from: Pick<Inbound, 'writtenAt'>; reader: { now: number } },
  again: Pick<Button, 'label' | 'line'>,
): Message | null {
  if (reader.now - from.writtenAt <= LATE_MS) return null
  const title = words('late.ended', { at: { time: from.writtenAt, as: 'clock' } })
  return message([item('plain', title, [words('late.started')])], {
    buttons: [{ ...again, replace: true }],
  })
}
