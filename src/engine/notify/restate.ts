import type { Acknowledgement } from '../../alert/alert-state.ts'
import type { Severity, Transition } from '../../alert/alert.ts'
import { type Item, joined, type Text, words as phrase } from '../../message/message.ts'
import { buttonsOf } from '../evaluate/buttons.ts'
import { lastWords } from '../evaluate/reminders.ts'
import { isRemembered, withStaleness } from '../evaluate/level.ts'
import { named, alertRef } from '../evaluate/wording.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import type { Monitor } from '../monitors/monitors.ts'
import { seenSubject } from '../monitors/subjects.ts'

/** An alert that fires, in the words of now. */
export interface Restated {
  alertId: number
  item: Item
  severity: Severity
  /** See `room` of a kind. */
  room: number
  /** Nobody has said yet that they have seen it. */
  rings: boolean
  /** Its figures can be seen now, so that it is known to be still so. */
  isSeen: boolean
}

/** Null for a monitor that does not fire. */
export function restate(look: EvaluationContext, monitor: Monitor): Restated | null {
  const { memory, now } = look
  const { key, kind } = monitor
  const known = memory.monitors.states.get(key)
  if (known?.state.is !== 'firing' || kind.is !== 'level') return null
  const { params } = known
  const { tier, alertId, since, acknowledgement } = known.state
  const subject = seenSubject(look, monitor)
  const judgement = subject === null ? 'unknown' : kind.judge(params, subject)
  // Remembered figures that may have eased are repeated as they were last told.
  const isSeen = judgement !== 'unknown' && !(subject && isRemembered(subject) && judgement.stay < tier)
  const value = isSeen ? judgement.value : known.value
  const change: Transition = { reason: 'coalesced', from: 0, to: tier, value, at: now, alertId, reminders: 0 }
  const words =
    subject === null || !isSeen
      ? lastWords(look, monitor, kind, change)
      : withStaleness(kind.tell(params, change, subject), subject)
  const severity = kind.severity(params, tier)
  const rings = acknowledgement.is === 'waiting' || acknowledgement.is === 'given-up'
  const buttons = buttonsOf(
    look,
    alertRef(monitor, alertId),
    monitor.id.subject,
    'open',
    rings ? severity : null,
  )
  const state = joined(
    [phrase('quieted.since', { at: { time: since, as: 'clock' } }), ...acknowledgedBy(acknowledgement)],
    ', ',
  )
  const item = named({ ...words, lines: [state, ...words.lines] }, alertId, buttons)
  return { alertId, item, severity, room: kind.headroom(value), rings, isSeen }
}

function acknowledgedBy(acknowledgement: Acknowledgement): Text[] {
  return 'by' in acknowledgement
    ? [
        phrase(`quieted.${acknowledgement.is}`, {
          by: acknowledgement.by,
          at: { time: acknowledgement.at, as: 'clock' },
        }),
      ]
    : []
}
