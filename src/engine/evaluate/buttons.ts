import type { Severity } from '../../alert/alert.ts'
import { marketIn, type SubjectId, subjectOf } from '../../alert/subject-id.ts'
import type { Button, Item } from '../../message/message.ts'
import { positionKey } from '../../venue/position.ts'
import { type Wallet, walletReference } from '../../venue/wallet.ts'
import { walletLabel } from '../memory/rules.ts'
import { type EvaluationContext, positionsOf } from '../monitors/context.ts'

/**
 * The commands that a person who was just warned is likely to want. A chat that others read gets only “Why”:
 * the rest is private. A closed position leaves nothing to look at.
 */
export function buttonsOf(
  look: EvaluationContext,
  { alertId, chatId, personId }: { alertId: number; chatId: number; personId: number },
  subject: SubjectId,
  state: 'open' | 'over' | 'gone',
  /** The severity of an alert that goes on and can be acknowledged; null for a notice that is only told. */
  fires: Severity | null = null,
): Button[] {
  const acknowledgement = state === 'open' && fires !== null && fires !== 'info' ? ackButtons(alertId) : []
  return [...acknowledgement, ...looks(look, { alertId, chatId, personId }, subject, state)]
}

/** The message itself shows the acknowledgement afterwards, in place of these. */
function ackButtons(alertId: number): Button[] {
  const lines = [
    [`Ack A${alertId}`, `/ack A${alertId}`],
    ['Snooze 30 min', `/snooze A${alertId} 30m`],
    ['Snooze 2 h', `/snooze A${alertId} 2h`],
    ['Until worse', `/snooze A${alertId} worse`],
  ]
  return lines.map(([label = '', line = '']) => ({ label, line, replace: true }))
}

function looks(
  look: EvaluationContext,
  { alertId, chatId, personId }: { alertId: number; chatId: number; personId: number },
  subject: SubjectId,
  state: 'open' | 'over' | 'gone',
): Button[] {
  const { memory } = look
  const why = whyButton(alertId)
  if (state === 'gone' || memory.people.chats.get(chatId)?.private === false) return [why]
  const market = memory.markets.readings.get(marketIn(subject) ?? '')?.value
  const symbol = market?.symbol
  if (subject.is === 'market') {
    return symbol === undefined ? [why] : [why, button(`${symbol} funding`, `/funding ${symbol}`)]
  }
  if (subject.is === 'venue') return [why, button('Markets', '/markets')]
  const label = walletReference(subject.wallet, memory.rules.watchesOf.of(personId).keys())
  const positions = button('Positions', `/positions ${label}`)
  const name = subject.is === 'account' ? walletLabel(memory, personId, subject.wallet) : symbol
  if (subject.is === 'wallet' || name === undefined || state === 'over') return [why, positions]
  return [why, positions, button(`Costs to fix ${name}`, `/fix A${alertId}`)]
}

/** Between us: others who read a chat are told no more than what has happened. */
export function ordersButtons(
  { memory }: EvaluationContext,
  { chatId, personId }: { chatId: number; personId: number },
  wallet: Wallet,
): Button[] {
  if (memory.people.chats.get(chatId)?.private === false) return []
  return [button('Orders', `/orders ${walletReference(wallet, memory.rules.watchesOf.of(personId).keys())}`)]
}

/** Every chat may ask why it was told, also one that others read. */
export function whyButton(alertId: number): Button {
  return button(`Why A${alertId}`, `/why A${alertId}`)
}

function button(label: string, line: string): Button {
  return { label, line, replace: false }
}

/**
 * Returns the position of an occurrence, and whether it is still open; without a position, the monitor's own
 * subject.
 */
export function whereOf(
  look: EvaluationContext,
  guarded: SubjectId,
  position: string | null,
): [SubjectId, 'open' | 'gone'] {
  if (position === null) return [guarded, 'open']
  const subject = subjectOf(position)
  if (subject.is !== 'position') return [subject, 'open']
  const there = positionsOf(look, subject.wallet).some((one) => positionKey(one) === position)
  return [subject, there ? 'open' : 'gone']
}

/** A wall of buttons would hide the alerts: only the worst items with buttons keep all of theirs. */
const WITH_BUTTONS = 2
/** The next say only that they were seen. With a row for each, that is as many as Discord has (5). */
const WITH_ANY = 5

/** Items of one message, the worst first: beside others an alert keeps the buttons that it needs most. */
export function limitButtons<T extends { buttons: Item['buttons'] }>(items: readonly T[]): T[] {
  let place = 0
  return items.map((item) => {
    const buttons = item.buttons.filter(isNeeded)
    if (buttons.length === 0) return { ...item, buttons }
    place += 1
    if (place <= WITH_BUTTONS) return { ...item, buttons }
    return { ...item, buttons: place <= WITH_ANY ? buttons.filter(acknowledges) : [] }
  })
}

function isNeeded({ line }: Button): boolean {
  return !line.startsWith('/snooze ')
}

function acknowledges({ line }: Button): boolean {
  return line.startsWith('/ack ')
}
