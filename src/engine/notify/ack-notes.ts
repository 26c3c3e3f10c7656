import { monitorOf } from '../../alert/monitor.ts'
import type { AckNote } from '../../message/annotation.ts'
import { type Button, item, message, type Text, words } from '../../message/message.ts'
import type { NewRow } from '../../store/store.ts'
import type { Effect } from '../memory/effect.ts'
import { fallbackOf } from '../memory/people.ts'
import type { EvaluationContext } from '../monitors/context.ts'
import { forAnother, recipientsOf, onBehalfOf } from '../monitors/recipients.ts'
import { nameOfSubject } from '../monitors/subjects.ts'
import type { Acknowledged, DecidedTurn } from '../monitors/turn.ts'

type Answered = Acknowledged['acknowledgement']
type At = Pick<EvaluationContext, 'memory' | 'numbers' | 'now'>

/**
 * Writes who acknowledged an alert into the messages about it, in every chat that was told. Where a message cannot be
 * edited, the chat is told anew, except the one that reads the answer to the command.
 */
export function annotateAcknowledged(at: At, turn: DecidedTurn): DecidedTurn {
  if (!turn.acknowledged) return turn
  const sends = turn.acknowledged.flatMap((one) =>
    ackNotes(at, one).map((row): Effect => ({ is: 'send', row })),
  )
  return { ...turn, observed: [...turn.observed, ...sends] }
}

function ackNotes(
  { memory: drawers, numbers }: At,
  { key, alertId, acknowledgement, readIn }: Acknowledged,
): NewRow[] {
  const { chatId: own, subject } = monitorOf(key)
  const told = [
    fallbackOf(drawers, own),
    ...recipientsOf(drawers, alertId).map(({ chatId }) => chatId),
    ...(readIn === null ? [] : [readIn]),
  ]
  const note = noteOn(alertId, acknowledgement)
  return [...new Set(told)].flatMap((chatId): NewRow[] => {
    const chat = drawers.people.chats.get(chatId)
    // A notice that was held back was never sent there.
    if (!chat || (chatId !== readIn && drawers.silences.suppressedIn.of(chatId).has(alertId))) return []
    const whose = onBehalfOf(drawers, alertId, chatId)
    const told = drawers.people.chats.get(whose === null ? chatId : own)?.personId ?? chat.personId
    const name = nameOfSubject(drawers, subject, told)
    const { by, is } = acknowledgement
    const title = words(is === 'acknowledged' ? 'note.ack.anew' : 'note.snooze.anew', { name, by })
    const plain = { ...item('plain', title, [ends(acknowledgement)]), alertId }
    const anew = whose === null ? plain : forAnother(plain, whose)
    return [
      {
        ...{
          id: ++numbers.row,
          chatId,
          urgency: 2,
          silent: true,
          note,
          alertIds: [alertId],
          about: [key],
        },
        message: message(chatId === readIn ? [] : [anew]),
        reason: acknowledgement.is,
        ...{
          detectedAt: acknowledgement.at,
          queuedAt: acknowledgement.at,
          dueAt: acknowledgement.at,
          expiresAt: null,
        },
      },
    ]
  })
}

/**
 * More ended alerts than this in one turn are a storm. Then old buttons stay, and a press on one is answered
 * that the alert is over.
 */
const MOST_OVER = 50
/** Later it is of no use to anybody. */
const TIDIED_WITHIN_MS = 10 * 60_000

/** Removes the buttons from the last message of an alert that has ended, where the platform can edit. */
export function removeStaleButtons({ memory: drawers, now, numbers }: At, turn: DecidedTurn): DecidedTurn {
  const many = turn.decisions.reduce((sum, { effects }) => sum + closedBy(effects).length, 0)
  const decisions = turn.decisions.map((decision) => {
    const closed = many > MOST_OVER ? [] : closedBy(decision.effects)
    const rows = closed.flatMap((alertId) => {
      const hearers = recipientsOf(drawers, alertId).map(({ chatId }) => chatId)
      const told = [fallbackOf(drawers, decision.chatId), ...hearers]
      return [...new Set(told)].flatMap((chatId) => {
        if (!drawers.people.chats.has(chatId) || drawers.silences.suppressedIn.of(chatId).has(alertId))
          return []
        return [removeButtons(++numbers.row, chatId, alertId, now)]
      })
    })
    const sends = rows.map((row): Effect => ({ is: 'send', row }))
    return sends.length === 0 ? decision : { ...decision, effects: [...decision.effects, ...sends] }
  })
  return { ...turn, decisions }
}

function closedBy(effects: readonly Effect[]): number[] {
  return effects.flatMap((effect) => (effect.is === 'alert-closed' ? [effect.alertId] : []))
}

/** It is about nothing that others wait for, and where nothing can be edited it says nothing. */
function removeButtons(id: number, chatId: number, alertId: number, now: number): NewRow {
  const line = words('note.over', { at: { time: now, as: 'clock' } })
  return {
    ...{ id, chatId, urgency: 3, silent: true, message: message([]), alertIds: [alertId], about: [] },
    ...{ reason: 'ended', detectedAt: now, queuedAt: now, dueAt: now, expiresAt: now + TIDIED_WITHIN_MS },
    note: { alertId, line, button: null },
  }
}

function noteOn(alertId: number, acknowledgement: Answered): AckNote {
  const { is, by, until } = acknowledgement
  const said = { by, at: clock(acknowledgement.at), end: clock(until) }
  const line = words(is === 'acknowledged' ? 'note.ack' : 'note.snooze', said)
  return { alertId, line, button: instead(alertId, acknowledgement) }
}

function ends({ is, until }: Answered): Text {
  return words(is === 'acknowledged' ? 'note.ack.until' : 'note.snooze.until', { end: clock(until) })
}

function clock(time: number) {
  return { time, as: 'clock' } as const
}

function instead(alertId: number, { is }: Answered): Button {
  return is === 'acknowledged'
    ? { label: words('alert.button.snooze'), line: `/snooze A${alertId}`, replace: false }
    : { label: words('alert.button.ack'), line: `/ack A${alertId}`, replace: true }
}
