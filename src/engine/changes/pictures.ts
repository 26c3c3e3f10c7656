import { message } from '../../message/message.ts'
import type { Change } from '../../store/change.ts'
import type { NewRow } from '../../store/store.ts'
import type { Memory } from '../memory/memory.ts'
import type { Numbers } from '../memory/run.ts'
import { type Decided, doing, nothing } from './decided.ts'

/** A minute later the price is another one. */
const PICTURE_LIVES_MS = 60_000

/** Queues pictures. Each is about nothing: order holds for what a row is about, and no warning waits for a picture. */
export function queuePictures(
  drawers: Pick<Memory, 'people'>,
  numbers: Numbers,
  { pictures }: Extract<Change, { is: 'pictures' }>,
  now: number,
): Decided {
  const rows = pictures
    .filter(({ chatId }) => drawers.people.chats.has(chatId))
    .map(({ chatId, alertId, picture }): NewRow => ({
      ...{ id: ++numbers.row, chatId, urgency: 2, silent: true, message: message([], { picture }) },
      ...{ alertIds: [], about: [], reason: 'notice', note: null, pictureOf: alertId },
      ...{ detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + PICTURE_LIVES_MS },
    }))
  return doing(rows.map((row) => ({ is: 'send', row })))
}

/** Nothing is said to anybody, and /why shows it. An alert that is over needs no such entry. */
export function pictureLost(
  { monitors }: Pick<Memory, 'monitors'>,
  { alertId, rowId, why }: Extract<Change, { is: 'picture-lost' }>,
  now: number,
): Decided {
  if (!monitors.firing.has(alertId)) return nothing()
  const step = { alertId, at: now, dataAt: now, reason: 'notice', value: null, threshold: '', rowId } as const
  return doing([{ is: 'step', step: { ...step, what: `no picture: ${why}` } }])
}
